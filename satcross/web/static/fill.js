// @ts-check
// Filling the grid, and choosing among several fills.

import { current, overlay, select, selectedCells } from "./board.js";
import { button, byId, every, make, on, plural, redraw, say, seconds, showStatus, thumbnail } from "./dom.js";
import { lettersOf } from "./grid.js";
import { onJob, run } from "./jobs.js";
import { clearFill, clearLetters, filledWords, lock, place, places, slotKey, unlock } from "./model.js";
import { change, control, doc, fillState, letterRows, onDocument, puzzleKey, slots, ui, uiChanged, wholeWord, wordIn } from "./store.js";
import { allowed, suggested, wordsOfFill } from "./suggest.js";
import { openTab } from "./tabs.js";

let fills = [];
let keyOfFills = ""; // the grid for which `fills` were found

/** Put the words of a fill (slot name -> word) into the grid; with `only`, a set of "r,c", into these cells. */
function placeFill(words, only = null) {
  overlay(null);
  change((next) => place(next, words, only));
}

function showOutcome(result) {
  if (result.status === "filled") {
    const before = letterRows().map(lettersOf);
    placeFill(wordsOfFill(result), wanted);
    const after = letterRows().map(lettersOf);
    const beyond = selected ? after.flatMap((row, r) => row.filter((letter, c) => letter !== before[r][c] && !selected.has(`${r},${c}`))).length : 0;
    wanted = selected = null;
    const winner = result.stats?.winner ? ` (${result.stats.winner})` : "";
    const kept = result.stats?.kept_words;
    const words = kept === undefined ? "" : `, ${kept} of ${plural(result.slots.length, "word")} kept`;
    showStatus(
      `Filled by ${result.backend}${winner} in ${seconds(totalSeconds(result.seconds))}${words}, ` +
        `score ${result.score}${bestOf(result)}. The fill was verified.${beyond ? ` ${plural(beyond, "cell")} beyond the selection had to change.` : ""}`,
    );
  } else if (result.status === "unfillable") {
    showStatus(`No fill exists: ${result.reason}. “Why not?” explains it.`, "bad");
  } else if (result.reason === "interrupted") {
    showStatus("Filling was stopped before there was an answer.");
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
  placeFill(wordsOfFill(fills[index]));
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
      const wordsOf = (one) => one.slots.map(({ word }) => word);
      const others = fills.filter((one) => one !== fill).flatMap(wordsOf);
      const only = wordsOf(fill).filter((word) => !others.includes(word)).sort((a, b) => b.length - a.length);
      card.append(
        thumbnail(fill.grid),
        make("span", {}, make("b", {}, `Fill ${index + 1}`), ` score ${fill.score}`, make("br"), only.slice(0, 3).join(", ")),
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
  on("fill", "click", () => fill());
  on("fill-anew", "click", () => fill([], new Set(), true));
  on("refill-word", "click", () => fill(current() ? [current()] : [], places(current()?.cells ?? [])));
  on("several", "click", () =>
    run("several", { number: ui.number, diverse: byId("diverse").checked, seconds: ui.seconds, allow: allowed() }),
  );
  const edit = (id, action, text) => on(id, "click", () => {
    overlay(null);
    change(action);
    showStatus(text);
  });
  edit("lock-all", (next) => lock(next, slots()), "All words are locked: fills keep them.");
  edit("unlock-all", (next) => unlock(next, slots()), "All words are unlocked: the next fill may change them.");
  edit("clear-fill", clearFill, "The fill is cleared.");
  edit("clear-letters", clearLetters, "The letters are cleared.");
}

/** The slots with two selected cells and more, or else those through the selected cell. */
function selectedSlots(cells) {
  const share = (slot) => slot.cells.filter((cell) => cells.has(cell.join())).length;
  const whole = slots().filter((slot) => share(slot) > 1);
  return whole.length ? whole : slots().filter((slot) => share(slot) > 0);
}

let wanted = null; // the cells that the next fill is for, or null: all
let selected = null; // those of them that are to change, before others do

/**
 * Fill the grid, or the words through the selected cells, with other words than now where they are selected
 * whole. A fill with holes keeps as many good words as possible, unless it is to be filled `anew`.
 */
export function fill(chosen = selectedSlots(selectedCells()), cells = selectedCells(), anew = ui.objective !== "") {
  const offer = chosen.length || anew ? null : suggested();
  if (offer) {
    placeFill(offer);
    return void showStatus("Filled as suggested.");
  }
  select(null);
  wanted = chosen.length ? places(chosen.flatMap((slot) => slot.cells)) : null;
  const keys = new Set(chosen.map(slotKey));
  const { any, hole } = fillState();
  const keep = any && (hole || wanted) && !anew ? filledWords(doc, keys) : null;
  const whole = chosen.filter((slot) => slot.cells.every((cell) => cells.has(cell.join())));
  const before = (whole.length ? whole : chosen).flatMap((slot) => (wholeWord(slot)?.state === "filled" ? [wordIn(slot)] : []));
  selected = keep && before.length ? cells : null;
  return run("fill", {
    backend: ui.backend, seconds: ui.seconds, seed: keep ? 0 : nextSeed(any), keep, objective: ui.objective || null,
    allow: allowed(), ...(before.length ? { avoid: before } : {}),
  });
}

// An empty grid has a fixed seed at first; each fill of it, another one.
let lastKey = "";
let seed = 0;
function nextSeed(any) {
  const key = puzzleKey();
  seed = key === lastKey ? seed + 1 : any ? Math.ceil(Math.random() * 1e6) : 0;
  lastKey = key;
  return seed;
}
