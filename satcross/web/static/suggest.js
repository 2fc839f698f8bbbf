// @ts-check
// A fill that is looked for in idle time, shown faintly; “Fill” takes it.

import { follow, puzzleProblem, puzzleSpec, startJob, stopJob } from "./api.js";
import { suggest } from "./board.js";
import { debounce, on } from "./dom.js";
import { isIdle } from "./jobs.js";
import { filledWords } from "./model.js";
import { control, doc, fillState, letterRows, onDocument, puzzleKey, ui } from "./store.js";

const PAUSE = 1200; // milliseconds without a change
const SECONDS = 30;

let found = null; // { key, words }: the fill, and the state of the grid that it belongs to
let job = null; // { id, listening } of the search

/** The words of a fill, slot name -> word. */
export const wordsOfFill = (fill) => Object.fromEntries(fill.slots.map((slot) => [slot.name, slot.word]));

const state = () => JSON.stringify([puzzleKey(), letterRows()]);

function drop() {
  if (found) suggest(null);
  found = null;
  if (!job) return;
  job.listening.abort(new Error("no longer wanted"));
  stopJob(job.id).catch(() => {});
  job = null;
}

/** The preferences that fills do without. @returns {any} */
export const allowed = () => ui.allow.split(" ").filter(Boolean);

async function look() {
  if (!ui.suggest || !isIdle() || document.hidden || puzzleProblem() || !fillState().hole) return;
  const key = state();
  const listening = new AbortController();
  try {
    const keep = fillState().any ? filledWords(doc) : null;
    const { id } = await startJob({ kind: "fill", question: puzzleSpec(), seconds: SECONDS, keep, allow: allowed() });
    if (key !== state()) return void stopJob(id).catch(() => {});
    job = { id, listening };
    const { result } = await follow(id, () => {}, listening.signal);
    job = null;
    if (key !== state() || result?.status !== "filled") return;
    found = { key, words: wordsOfFill(result) };
    suggest(result.grid);
  } catch { /* a suggestion is only an offer: the server may be busy */ }
}

export const suggested = () => (found?.key === state() ? found.words : null);

export function startSuggest() {
  const soon = debounce(look, PAUSE);
  const again = () => {
    drop();
    soon();
  };
  control("suggest");
  on("suggest", "change", again);
  onDocument(again);
  soon();
}
