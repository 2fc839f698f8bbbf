// @ts-check
// Filling the grid, and choosing among several fills.

import { overlay, select, selectedCells } from "./board.js";
import { button, byId, capitalized, every, make, on, plural, redraw, say, seconds, showStatus, thumbnail } from "./dom.js";
import { BLOCKED, fromRows, mapCells } from "./grid.js";
import { onJob, run } from "./jobs.js";
import { change, clearPencil, control, letterRows, onDocument, pencilState, puzzleKey, slots, ui, uiChanged, unlock } from "./store.js";
import { allowed, suggested } from "./suggest.js";
import { openTab } from "./tabs.js";

let fills = [];
let keyOfFills = ""; // the grid for which `fills` were found

/** Pencil a fill (rows of letters) into the grid; with `only`, a set of "r,c", into these empty cells. */
export function pencil(rows, only = null) {
  overlay(null);
  change((next) => {
    next.pencil = mapCells(fromRows(rows), (letter, r, c) => {
      if (next.cells[r]?.[c] === BLOCKED || letter === BLOCKED) return "";
      return !only || only.has(`${r},${c}`) || next.pencil[r][c] ? letter : "";
    });
  });
}

function showOutcome(result) {
  if (result.status === "filled") {
    pencil(result.grid, wanted);
    wanted = null;
    const winner = result.stats?.winner ? ` (${result.stats.winner})` : "";
    const kept = result.stats?.kept_words;
    const words = kept === undefined ? "" : `, ${kept} of ${plural(result.slots.length, "word")} kept`;
    showStatus(
      `Filled by ${result.backend}${winner} in ${seconds(totalSeconds(result.seconds))}${words}, ` +
        `score ${result.score}${bestOf(result)}. The fill was verified.` +
        (result.quality ? ` ${capitalized(result.quality.summary)}.` : ""),
    );
  } else if (result.status === "unfillable") {
    showStatus(`No fill exists: ${result.reason}. “Why not?” explains it.`, "bad");
  } else if (result.reason === "interrupted") {
    showStatus("Stopped before there was an answer.");
  } else {
    showStatus(`No answer: ${result.reason}. Allow more time, or choose another backend.`, "bad");
  }
}

function bestOf(result) {
  if (!result.objective) return "";
  return result.optimal ? ", proved to be the best" : `, the best so far${result.bound === null ? "" : ` (at most ${result.bound} is possible)`}`;
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
  say("fills-about", text);
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

function dropOldFills() {
  if (!fills.length || keyOfFills === puzzleKey()) return;
  fills = [];
  say("fills-about", "The puzzle has changed since the fills were found. Find fills again.");
  showFills();
}

export function startFill() {
  onDocument(dropOldFills);
  onJob("fill", { done: showOutcome });
  onJob("several", { done: showSeveral });
  control("backend");
  control("objective");
  control("seconds", "seconds", (value) => Math.min(Math.max(Number(value) || 60, 1), Number(byId("seconds").max)));
  control("number", "number", (value) => Math.min(Math.max(Math.round(Number(value)) || 3, 1), Number(byId("number").max)));
  const avoid = every("#avoid input");
  for (const box of avoid) {
    box.checked = !allowed().includes(box.value);
    box.onchange = () => {
      ui.allow = avoid.filter((one) => !one.checked).map((one) => one.value).join(" ");
      uiChanged();
    };
  }
  on("fill", "click", fill);
  on("several", "click", () =>
    run("several", { number: ui.number, diverse: byId("diverse").checked, seconds: ui.seconds, allow: allowed() }),
  );
  const edit = (id, action, text) => on(id, "click", () => {
    overlay(null);
    change(action);
    showStatus(text);
  });
  edit("lock-all", (next) => (next.cells = mapCells(next.cells, (cell, r, c) => cell || next.pencil[r][c])), "All letters are locked.");
  edit("unlock-all", (next) => mapCells(next.cells, (_, r, c) => unlock(next, r, c)),
    "All letters are unlocked: the next fill may change them.");
  edit("clear-fill", clearPencil, "The fill is cleared.");
  edit("clear-letters", (next) => {
    clearPencil(next);
    next.cells = mapCells(next.cells, (cell) => (cell === BLOCKED ? cell : ""));
  }, "The letters are cleared.");
}

let wanted = null; // the cells that the next fill is for, or null: all

/**
 * Fill the grid, or the selected cells: then the rest of the grid can still be filled, too. A fill
 * with holes keeps as many of its other words as possible.
 */
export function fill() {
  const cells = selectedCells();
  const offer = cells.size || ui.objective ? null : suggested();
  if (offer) {
    pencil(offer);
    return void showStatus("Filled as suggested.");
  }
  if (cells.size) change((next) => cells.forEach((place) => {
    const [r, c] = place.split(",");
    next.pencil[r][c] = "";
  }));
  select(null);
  wanted = cells.size ? cells : null;
  const pencilled = pencilState();
  const keep = pencilled.any && pencilled.hole && !ui.objective ? letterRows() : null;
  return run("fill", {
    backend: ui.backend, seconds: ui.seconds, seed: keep || ui.objective ? 0 : nextSeed(), keep, objective: ui.objective || null,
    allow: allowed(),
  });
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
