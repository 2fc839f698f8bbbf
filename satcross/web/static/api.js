// @ts-check
// Requests to the server.

import { rebusOf, toRows } from "./grid.js";
import { doc, isEnglish, ownCells, slots } from "./store.js";
import { storedList } from "./shelf.js";

/** A failed request, with a message for people and a `code` for programs. */
export class RequestError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

async function send(method, path, body, kind) {
  let answer;
  try {
    const headers = kind ? { "content-type": kind } : {};
    answer = await fetch(path, { method, body, headers });
  } catch {
    throw new RequestError("The server does not answer. Is satcross serve still running?", "gone");
  }
  if (answer.ok) return answer;
  let problem = {};
  try {
    problem = await answer.json();
  } catch { /* the body is not an error of the API */ }
  throw new RequestError(problem.error ?? `The server responded with status ${answer.status}.`, problem.code ?? "");
}

/**
 * @template {keyof Api.Responses} P
 * @param {P} path
 * @returns {Promise<Api.Responses[P]>}
 */
export const get = async (path) => (await send("GET", path)).json();

/**
 * Post JSON. Word lists that the server no longer has are uploaded again.
 * @template {keyof Api.Requests} P
 * @param {P} path
 * @param {Api.Requests[P]} data
 */
export async function post(path, data) {
  const request = () => send("POST", path, JSON.stringify(data), "application/json");
  try {
    return await request();
  } catch (error) {
    if (error.code !== "unknown-list" || !(await uploadMissingLists())) throw error;
    return request();
  }
}

export const upload = async (path, content) =>
  (await send("POST", path, content, "application/octet-stream")).json();

/**
 * Give the server a word list.
 * @returns {Promise<Api.ListState>}
 */
export const uploadList = (title, content) => upload(`/api/lists?title=${encodeURIComponent(title.slice(0, 200))}&language=${doc.language}`, content);

async function uploadMissingLists() {
  let uploaded = false;
  for (const list of doc.lists.filter((one) => one.used && one.name !== "default")) {
    const content = await storedList(list.name);
    if (!content) continue;
    await uploadList(list.title, content);
    uploaded = true;
  }
  return uploaded;
}

export const NO_SLOT = "The grid has no slot: open at least two adjacent cells.";
const MAX_WORDS = 2000; // the server's limit

/** Return the words of a text; those of more than 100 letters fit no slot and are left out. */
const wordsOf = (text) => text.split(/[\s,;]+/).filter((word) => word && word.length <= 100);

/** The minimum scores by length in a text such as "3=60 4=55". */
const FLOOR = /(\d{1,2})\s*[=:]\s*(-?\d{1,6})(?:[\s,;]+|$)/g;
const floors = () => Object.fromEntries([...doc.floors.matchAll(FLOOR)].map(([, length, score]) => [length, Number(score)]));

export const barsOf = (bars) =>
  Object.fromEntries(["right", "below"].map((side) => [side, bars.filter((bar) => bar[2] === side).map(([r, c]) => [r, c])]));

/** @returns {Api.PuzzleSpec} */
export const puzzleSpec = () => ({
  rows: toRows(ownCells()),
  bars: barsOf(doc.bars),
  rebus: rebusOf(doc.cells),
  lists: usedLists(),
  language: /** @type {any} */ (doc.language),
  min_score: doc.minScore,
  excluded: wordsOf(doc.excluded),
  allow_repeats: doc.allowRepeats,
  min_scores: floors(),
  theme: wordsOf(doc.theme),
  theme_least: doc.theme.trim() ? doc.themeLeast : null,
  preferred: wordsOf(doc.preferred),
  max_shared: doc.maxShared,
  endings: wordsOf(doc.endings),
});

export const usedLists = () => doc.lists.filter((list) => list.used).map((list) => list.name);

/** A message that says why the document is not a complete puzzle, or "". */
export function puzzleProblem() {
  if (!slots().length) return NO_SLOT;
  if (!doc.lists.some((list) => list.used)) return `${isEnglish() ? "Choose a word list" : "The default list is English: add one of this language"} (under Lists and rules).`;
  const unread = doc.floors.replaceAll(FLOOR, "").trim();
  if (unread) return `“${unread}” is no minimum score by length: write 3=60 (under Lists and rules).`;
  for (const [field, verb] of [["excluded", "excluded"], ["theme", "theme words"], ["preferred", "preferred"]]) {
    if (wordsOf(doc[field]).length <= MAX_WORDS) continue;
    return `At most ${MAX_WORDS.toLocaleString("en")} words can be ${verb} (under Lists and rules).`;
  }
  return "";
}

/**
 * Follow a job: call `onEvent(name, data)` for each event, and resolve with the final state of the
 * job. A lost connection is the event "lost"; it is opened again (its first event is the state of
 * the job) until `signal` is aborted.
 */
export function follow(id, onEvent, signal) {
  return new Promise((resolve, reject) => {
    const source = new EventSource(`/api/jobs/${id}/events`);
    signal.addEventListener("abort", () => {
      source.close();
      reject(signal.reason);
    });
    const ended = (state) => ["done", "cancelled", "failed"].includes(state.state);
    const finish = (state) => {
      source.close();
      resolve(state);
    };
    for (const name of ["state", "progress", "partial", "part", "end"]) {
      source.addEventListener(name, (event) => {
        const data = JSON.parse(event.data);
        if (name === "end" || (name === "state" && ended(data))) finish(data);
        else onEvent(name, data);
      });
    }
    source.addEventListener("error", async () => {
      if (source.readyState !== EventSource.CLOSED) return onEvent("lost"); // the browser reconnects by itself
      try {
        const state = await get(/** @type {"/api/jobs/{id}"} */ (`/api/jobs/${id}`));
        if (ended(state)) return finish(state);
        reject(new RequestError("The connection to the server is lost.", "gone"));
      } catch (error) {
        const forgotten = error.code === "not-found";
        reject(forgotten ? new RequestError("The server was restarted and no longer has the job.", "gone") : error);
      }
    });
  });
}

/**
 * @param {Api.Requests["/api/jobs"]} request
 * @returns {Promise<Api.JobState>}
 */
export const startJob = async (request) => (await post("/api/jobs", request)).json();

/** @returns {Promise<Api.JobState>} */
export const stopJob = async (id) => (await send("DELETE", `/api/jobs/${id}`)).json();
