// @ts-check
// What an editor would look at: weak words, what is unusual in the pattern, and its figures.

import { post } from "./api.js";
import { goToSlot, overlay } from "./board.js";
import { button, byId, capitalized, make, plural, redraw, say, showStatus } from "./dom.js";
import { spokenName } from "./grid.js";
import { wholeWords } from "./model.js";
import { doc, excludeWord, onDocument, slotNamed } from "./store.js";

const MAX_WEAK = 30;
let marked = false; // whether the cells of a warning are marked in the grid

function show(warning) {
  const cells = [...warning.cells, ...warning.slots.flatMap((name) => slotNamed(name)?.cells ?? [])];
  marked = true;
  overlay(null, new Map(cells.map((cell) => [cell.join(), "warned"])));
  showStatus(`${capitalized(warning.text)}.`);
}

export function scoreField(word, score) {
  const field = make("input", {
    type: "number", value: score, "aria-label": `Score of ${word} in all crosswords`, title: "A new score counts in all crosswords",
    "data-key": `score ${word}`, onclick: () => field.select(),
  });
  field.addEventListener("change", async () => {
    if (!Number.isInteger(field.valueAsNumber)) return void (field.value = score);
    try {
      await post("/api/edits", { word, action: field.valueAsNumber });
      showStatus(`${word} has the score ${field.valueAsNumber} in all crosswords now (satcross words forgets or lists such edits).`);
      refresh();
    } catch (error) {
      showStatus(error.message, "bad");
    }
  });
  return field;
}

/** A placed word, with its score, which can be changed, and what excludes it. */
export function wordRow({ slot: name, word, score }) {
  const place = button(word, () => slotNamed(name) && goToSlot(slotNamed(name)), {
    className: "quiet", "aria-label": `Go to ${word}, ${spokenName(name)}`, "data-key": `go ${name}`,
  });
  const never = button("Never use", () => excludeWord(word), { className: "small", "aria-label": `Never use ${word}`, "data-key": `never ${name}` });
  const mark = score === null ? make("span", { className: "figure" }, "in no list") : scoreField(word, score);
  return make("li", { className: "weak-row" }, place, mark, never);
}

let judged = ""; // the words that the verdict is about, as JSON

/**
 * Show what is thought of a full grid: the same in the status, under Check and in every command. The next edit
 * withdraws it.
 * @param {Api.View | null} view
 */
export function showVerdict(view = null, words = {}) {
  if (!view) {
    if (judged === JSON.stringify(wholeWords(doc))) return;
    judged = "";
  } else judged = JSON.stringify(words);
  const unlisted = (view?.words ?? []).filter((placed) => placed.score === null).map((placed) => placed.word);
  const text = view?.quality ? `${capitalized(view.quality)}.` : "";
  const beside = unlisted.length && text ? ` In no list, yours: ${unlisted.slice(0, 6).join(", ")}${unlisted.length > 6 ? " …" : ""}.` : "";
  say("verdict", text + beside);
  say("quality-more", text + beside);
}

let refresh = () => {};

/** Show the server's `View`; `again` requests a new one. @param {Api.View} view */
export function showReview(view, again) {
  refresh = again;
  const { statistics: figures, words } = view;
  const scores = words.map((one) => one.score).filter((score) => score !== null);
  const weak = words.filter((one) => one.score === null || one.score < view.weak_below)
    .sort((a, b) => (a.score ?? -Infinity) - (b.score ?? -Infinity));
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  say("quality", scores.length
    ? `${plural(words.length, "word")} of ${figures.words} placed: mean score ${mean.toFixed(0)}, lowest ${Math.min(...scores)}.`
    : "No slot has a whole word yet.");
  const slotOf = (word) => slotNamed(words.find((one) => one.word === word)?.slot ?? "");
  redraw(byId("counted"), Object.entries(view.counted).map(([kind, found]) => make("li", {}, `${capitalized(kind)}: `, ...found.map((word) =>
    button(word, () => slotOf(word) && goToSlot(slotOf(word)), { className: "quiet", "data-key": `${kind} ${word}` })))), byId("tab-check"));
  byId("weak-title").hidden = !weak.length;
  say("weak-title", `Words below ${view.weak_below} (${weak.length})`);
  redraw(byId("weak"), weak.slice(0, MAX_WEAK).map(wordRow), byId("tab-check"));
  redraw(
    byId("warnings"),
    view.warnings.length
      ? view.warnings.map((one) =>
        make("li", {}, one.cells.length + one.slots.length ? button(one.text, () => show(one), { className: "quiet", "data-key": one.text }) : one.text))
      : [make("li", {}, "Nothing unusual.")],
    byId("tab-check"),
  );
  const share = (part, whole) => `${Math.round((100 * part) / Math.max(1, whole))} %`;
  const cells = figures.blocks + figures.open_cells;
  const letters = Object.entries(figures.lengths).reduce((sum, [length, number]) => sum + Number(length) * number, 0);
  const rows = [
    ["words", String(figures.words)],
    ["mean length", (letters / Math.max(1, figures.words)).toFixed(2)],
    ["blocks", `${figures.blocks} (${share(figures.blocks, cells)})`],
    ["checked cells", share(figures.checked, figures.open_cells)],
    ["symmetry", figures.symmetries.join(", ") || "none"],
    ["words by length", Object.entries(figures.lengths).map(([length, number]) => `${length}: ${number}`).join(", ")],
  ];
  byId("statistics").replaceChildren(...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

export function startReview() {
  onDocument(() => {
    if (!marked) return;
    marked = false;
    overlay(null);
  });
}
