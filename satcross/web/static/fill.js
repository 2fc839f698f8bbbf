// Filling the grid, and choosing among several fills.

import { overlay } from "./board.js";
import { button, byId, make, plural, redraw, showStatus, seconds, thumbnail } from "./dom.js";
import { BLOCKED, fromRows } from "./grid.js";
import { onJob, run } from "./jobs.js";
import { change, clearPencil, letterRows, onChange, pencilState, puzzleKey, ui, uiChanged } from "./store.js";
import { openTab } from "./tabs.js";

let fills = [];
let keyOfFills = ""; // the grid for which `fills` were found

/** Pencil a fill (rows of letters) into the grid. */
export function pencil(rows) {
  overlay(null);
  change((next) => {
    next.pencil = fromRows(rows).map((row, r) =>
      row.map((letter, c) => (next.cells[r]?.[c] === BLOCKED || letter === BLOCKED ? "" : letter)),
    );
  });
}

function showOutcome(result) {
  if (result.status === "filled") {
    pencil(result.grid);
    const winner = result.stats?.winner ? ` (${result.stats.winner})` : "";
    const kept = result.stats?.kept_words;
    const words = kept === undefined ? "" : `, ${kept} of ${plural(result.slots.length, "word")} kept`;
    showStatus(
      `Filled by ${result.backend}${winner} in ${seconds(totalSeconds(result.seconds))}${words}, ` +
        `score ${result.score}. The fill was verified.` +
        (result.quality ? ` Quality: ${result.quality.summary}.` : ""),
    );
  } else if (result.status === "unfillable") {
    showStatus(`No fill exists: ${result.reason}. “Why not?” explains it.`, "bad");
  } else if (result.reason === "interrupted") {
    showStatus("Stopped before there was an answer.");
  } else {
    showStatus(`No answer: ${result.reason}. Allow more time, or choose another backend.`, "bad");
  }
}

export const totalSeconds = (stages) => Object.values(stages).reduce((sum, value) => sum + value, 0);

function showSeveral(result, state, key) {
  fills = result.fills;
  keyOfFills = key;
  openTab("fills");
  const none = result.status === "unfillable" ? "No fill exists. “Why not?” explains it." : `No fill found: ${result.reason}.`;
  const complete = result.complete && fills.length ? " No other fill exists." : "";
  const maxShared = result.most_shared ? `Any two fills share at most ${plural(result.most_shared, "word")}.` : "No two fills share a word.";
  const shared = fills.length > 1 ? ` ${maxShared}` : "";
  const text = fills.length ? `${plural(fills.length, "fill")}.${shared}${complete}` : none;
  showStatus(text, fills.length ? "" : "bad");
  byId("fills-about").textContent = text;
  showFills();
  if (fills.length) choose(0);
}

function choose(index) {
  pencil(fills[index].grid);
  showFills(index);
}

function showFills(chosen = -1) {
  redraw(
    byId("fills"),
    fills.map((fill, index) => {
      const card = button("", () => choose(index), {
        className: "fill",
        "data-key": String(index),
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
    byId("several"),
  );
}

/** Remove the fills when they belong to an older version of the puzzle. */
function dropOldFills() {
  if (!fills.length || keyOfFills === puzzleKey()) return;
  fills = [];
  byId("fills-about").textContent = "The puzzle has changed since the fills were found. Find fills again.";
  showFills();
}

export function startFill() {
  onChange((what) => what === "document" && dropOldFills());
  onJob("fill", { done: showOutcome });
  onJob("several", { done: showSeveral });
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
    showStatus("All letters are locked.");
  });
  byId("unlock-all").addEventListener("click", () => {
    change((next) => {
      next.pencil = next.cells.map((row, r) => row.map((cell, c) => (cell === BLOCKED ? "" : cell || next.pencil[r][c])));
      next.cells = next.cells.map((row) => row.map((cell) => (cell === BLOCKED ? cell : "")));
    });
    showStatus("All letters are unlocked: the next fill may change them.");
  });
  byId("clear-fill").addEventListener("click", () => {
    change(clearPencil);
    overlay(null);
  });
  byId("clear-letters").addEventListener("click", () => {
    change((next) => {
      clearPencil(next);
      next.cells = next.cells.map((row) => row.map((cell) => (cell === BLOCKED ? cell : "")));
    });
    overlay(null);
  });
}

/** Fill the grid. A fill with holes keeps as many of its other words as possible. */
export function fill() {
  const pencilled = pencilState();
  const keep = pencilled.any && pencilled.hole ? letterRows() : null;
  return run("fill", { backend: ui.backend, seconds: ui.seconds, seed: keep ? 0 : nextSeed(), keep });
}

// The first fill of a grid uses a fixed seed; filling the same grid again uses other seeds.
let lastKey = "";
let seed = 0;
function nextSeed() {
  const key = puzzleKey();
  seed = key === lastKey ? seed + 1 : 0;
  lastKey = key;
  return seed;
}
