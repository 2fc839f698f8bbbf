// @ts-check
// “Why not?”: shows why there is no fill, in the grid and in words, and suggests changes.

import { overlay } from "./board.js";
import { button, byId, make, on, redraw, say, showStatus, spokenCells } from "./dom.js";
import { BLOCKED } from "./grid.js";
import { onJob, run } from "./jobs.js";
import { place, settle } from "./model.js";
import { change, onDocument, puzzleKey, slotNamed, ui } from "./store.js";
import { openTab } from "./tabs.js";

let shownFor = null; // the key of the puzzle whose reason is shown

function marksOf(parts) {
  const marks = new Map();
  for (const part of parts) {
    const slot = part.slot && slotNamed(part.slot);
    for (const cell of slot?.cells ?? []) {
      marks.set(cell.join(), marks.has(cell.join()) ? "why-crossing" : "why");
    }
  }
  for (const part of parts) {
    if (part.row !== undefined) marks.set(`${part.row},${part.column}`, "why-letter");
  }
  return marks;
}

function clear() {
  shownFor = null;
  byId("why-steps").replaceChildren();
  redraw(byId("why-help"), [], byId("why"));
  byId("why-help-title").hidden = byId("why-legend").hidden = true;
  say("why-needed", "");
}

function showExplanation(result, state, key) {
  openTab("why");
  clear();
  const tell = (text, kind = "bad") => {
    say("why-about", spokenCells(text));
    showStatus(text, kind);
  };
  if (result.status === "fillable") {
    change((next) => place(next, result.fill));
    return tell("The grid can be filled; a fill is pencilled in.", "");
  }
  if (result.status === "unknown") return tell(`No answer: ${result.stopped}.`);
  tell(result.headline);
  say("why-needed", result.needed + (result.also.length ? ` ${result.also.join(", ")} can't be filled either, even alone.` : ""));
  byId("why-steps").replaceChildren(
    ...result.because.map((line) => {
      const item = make("li", {}, spokenCells(line.trim()));
      item.style.setProperty("--depth", (line.length - line.trimStart().length) / 2);
      return item;
    }),
  );
  byId("why-help-title").hidden = byId("why-legend").hidden = false;
  byId("why-help").replaceChildren(
    ...(result.suggestions.length
      ? result.suggestions.map((one) => make("li", {}, button(withoutFlag(one), () => apply(one))))
      : [make("li", {}, "No single change that helps was found.")]),
  );
  shownFor = key;
  overlay(null, marksOf(result.parts));
}

/** The text of a suggestion without its command-line flag. */
const withoutFlag = (suggestion) => spokenCells(suggestion.text.replace(/ \([^)]*--[^)]*\)/g, ""));

function apply(suggestion) {
  if (shownFor !== puzzleKey()) return;
  change((next) => {
    const { kind, cells = [suggestion], words } = suggestion;
    if (/^drop|block/.test(kind)) for (const { row, column } of cells) next.cells[row][column] = kind === "block" ? BLOCKED : "";
    if (kind === "include") next.excluded = next.excluded.split(/[\s,;]+/).filter((word) => word && !words.includes(word.toUpperCase())).join(" ");
    if (kind === "allow-repeats") next.allowRepeats = true;
    if (kind === "same-stem") next.endings = "";
    if (suggestion.length) next.floors = next.floors.replace(RegExp(`\\b${suggestion.length}\\s*[=:]\\s*-?\\d+`), "");
    const numbers = { minScore: suggestion.min_score, themeLeast: suggestion.theme_any, maxShared: suggestion.max_shared };
    for (const [field, number] of Object.entries(numbers)) next[field] = number ?? next[field];
    settle(next);
    place(next, suggestion.fill);
  });
  showStatus(`Done: ${withoutFlag(suggestion)}. A fill is pencilled in.`);
}

export function startWhy() {
  onJob("explain", { done: showExplanation });
  for (const id of ["why", "why-here"]) on(id, "click", () => run("explain", { seconds: ui.seconds }));
  onDocument(() => {
    if (shownFor && shownFor !== puzzleKey()) {
      clear();
      say("why-about", "The puzzle has changed since the reason was found.");
      overlay(null);
    }
  });
}
