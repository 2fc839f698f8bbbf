// Filling the grid, and choosing among several fills.

import { overlay } from "./board.js";
import { button, byId, make, plural, say, seconds } from "./dom.js";
import { BLOCKED, fromRows } from "./grid.js";
import { handle, run } from "./jobs.js";
import { change, doc, dropPencil, ui, uiChanged } from "./store.js";
import { openTab } from "./tabs.js";

let fills = [];
let foundFor = "";

const shape = () => JSON.stringify(doc.cells);

/** Pencil a fill (rows of letters) into the grid. */
export function pencil(rows) {
  overlay(null);
  change((next) => {
    next.pencil = fromRows(rows).map((row, r) =>
      row.map((letter, c) => (next.cells[r]?.[c] === BLOCKED || letter === BLOCKED ? "" : letter)),
    );
  });
}

function filled(result) {
  if (result.status === "filled") {
    pencil(result.grid);
    const winner = result.stats?.winner ? ` (${result.stats.winner})` : "";
    say(
      `Filled by ${result.backend}${winner} in ${seconds(total(result.seconds))}, ` +
        `score ${result.score}. Checked.`,
    );
  } else if (result.status === "unfillable") {
    say(`No fill exists: ${result.reason}. Ask why not.`, "bad");
  } else if (result.reason === "interrupted") {
    say("Stopped before there was an answer.");
  } else {
    say(`No answer: ${result.reason}. Give it more time, or another backend.`, "bad");
  }
}

export const total = (stages) => Object.values(stages).reduce((sum, value) => sum + value, 0);

function several(result) {
  fills = result.fills;
  foundFor = shape();
  openTab("fills");
  const none = result.status === "unfillable" ? "There is no fill. Ask why not." : `None found: ${result.reason}.`;
  const other = result.complete && fills.length ? " There are no others." : "";
  const most = result.most_shared ? `Any two share at most ${plural(result.most_shared, "word")}.` : "No two share a word.";
  const shared = fills.length > 1 ? ` ${most}` : "";
  const text = fills.length ? `${plural(fills.length, "fill")}.${shared}${other}` : none;
  say(text, fills.length ? "" : "bad");
  byId("fills-about").textContent = text;
  showFills();
  if (fills.length) choose(0);
}

function choose(index) {
  if (shape() !== foundFor) {
    return say("The grid has changed since these fills were found. Find fills again.", "bad");
  }
  pencil(fills[index].grid);
  showFills(index);
}

function showFills(chosen = -1) {
  byId("fills").replaceChildren(
    ...fills.map((fill, index) => {
      const card = button("", () => choose(index), {
        className: "fill",
        "aria-pressed": String(index === chosen),
      });
      const words = fill.slots.map((slot) => slot.word);
      const longest = [...words].sort((a, b) => b.length - a.length).slice(0, 3).join(", ");
      card.append(
        thumbnail(fill.grid),
        make("span", {}, make("b", {}, `Fill ${index + 1}`), ` score ${fill.score}`, make("br"), longest),
      );
      return make("li", {}, card);
    }),
  );
}

function thumbnail(rows) {
  const svg = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const width = Array.from(rows[0]).length;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${rows.length}`, class: "thumbnail", "aria-hidden": "true" });
  rows.forEach((row, r) =>
    Array.from(row).forEach((cell, c) => {
      if (cell === BLOCKED) picture.append(svg("rect", { x: c, y: r, width: 1, height: 1 }));
      else {
        const text = svg("text", { x: c + 0.5, y: r + 0.8, "text-anchor": "middle", "font-size": 0.8 });
        text.textContent = cell;
        picture.append(text);
      }
    }),
  );
  return picture;
}

export function startFill() {
  handle("fill", { done: filled });
  handle("several", { done: several });
  const backend = byId("backend");
  const limit = byId("seconds");
  backend.value = ui.backend;
  limit.value = ui.seconds;
  backend.addEventListener("change", () => {
    ui.backend = backend.value;
    uiChanged();
  });
  limit.addEventListener("change", () => {
    ui.seconds = Math.min(Math.max(Number(limit.value) || 60, 1), Number(limit.max));
    limit.value = ui.seconds;
    uiChanged();
  });
  const number = byId("number");
  number.value = ui.number;
  number.addEventListener("change", () => {
    ui.number = Math.min(Math.max(Math.round(Number(number.value)) || 3, 1), Number(number.max));
    number.value = ui.number;
    uiChanged();
  });
  byId("fill").addEventListener("click", fill);
  byId("several").addEventListener("click", () =>
    run("several", { number: ui.number, diverse: byId("diverse").checked, seconds: ui.seconds }),
  );
  byId("lock-all").addEventListener("click", () => {
    change((next) => {
      next.cells = next.cells.map((row, r) => row.map((cell, c) => cell || next.pencil[r][c]));
    });
    say("All letters are locked.");
  });
  byId("clear-fill").addEventListener("click", () => {
    change(dropPencil);
    overlay(null);
  });
  byId("clear-letters").addEventListener("click", () => {
    change((next) => {
      dropPencil(next);
      next.cells = next.cells.map((row) => row.map((cell) => (cell === BLOCKED ? cell : "")));
    });
    overlay(null);
  });
}

export const fill = () => run("fill", { backend: ui.backend, seconds: ui.seconds, seed: nextSeed() });

// The first fill of a grid uses a fixed seed; filling the same grid again uses other seeds.
let asked = "";
let seed = 0;
function nextSeed() {
  const now = shape();
  seed = now === asked ? seed + 1 : 0;
  asked = now;
  return seed;
}
