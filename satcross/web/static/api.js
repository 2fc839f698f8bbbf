// Requests to the server.

import { toRows } from "./grid.js";
import { doc, slots } from "./store.js";
import { storedList } from "./shelf.js";

/** A failed request, with a message for people and a `code` for programs. */
export class RequestError extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

async function send(method, path, body, kind, signal) {
  let answer;
  try {
    const headers = kind ? { "content-type": kind } : {};
    answer = await fetch(path, { method, body, headers, signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new RequestError("The server does not answer. Is satcross serve still running?", "gone");
  }
  if (answer.ok) return answer;
  let problem = {};
  try {
    problem = await answer.json();
  } catch { /* the body is not an error of the API */ }
  throw new RequestError(problem.error ?? `The server responded with status ${answer.status}.`, problem.code ?? "");
}

export const get = async (path) => (await send("GET", path)).json();

/** Post JSON. Word lists that the server no longer has are uploaded again. */
export async function post(path, data, signal) {
  const request = () => send("POST", path, JSON.stringify(data), "application/json", signal);
  try {
    return await request();
  } catch (error) {
    if (error.code !== "unknown-list" || !(await uploadMissingLists())) throw error;
    return request();
  }
}

/** Post a file. */
export const upload = async (path, content) =>
  (await send("POST", path, content, "application/octet-stream")).json();

async function uploadMissingLists() {
  let uploaded = false;
  for (const list of doc.lists.filter((one) => one.used && one.name !== "default")) {
    const content = await storedList(list.name);
    if (!content) continue;
    await upload(`/api/lists?title=${encodeURIComponent(list.title)}`, content);
    uploaded = true;
  }
  return uploaded;
}

export const NO_SLOT = "The grid has no slot: open at least two adjacent cells.";
const MAX_EXCLUDED = 2000; // the server's limit

/** The excluded words, without those that are too long for any slot. */
const excluded = () =>
  doc.excluded.split(/[\s,;]+/).filter((word) => word && word.length <= 100);

/** The document as a `PuzzleSpec` of the API. */
export const puzzleSpec = () => ({
  rows: toRows(doc.cells),
  lists: doc.lists.filter((list) => list.used).map((list) => list.name),
  min_score: doc.minScore,
  excluded: excluded(),
  allow_repeats: doc.allowRepeats,
});

/** A message that says why the document is not a complete puzzle, or "". */
export function puzzleProblem() {
  if (!slots().length) return NO_SLOT;
  if (!doc.lists.some((list) => list.used)) return "Choose a word list (under Lists).";
  if (excluded().length > MAX_EXCLUDED) {
    return `At most ${MAX_EXCLUDED.toLocaleString("en")} words can be excluded (under Lists).`;
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
        const state = await get(`/api/jobs/${id}`);
        if (ended(state)) return finish(state);
        reject(new RequestError("The connection to the server is lost.", "gone"));
      } catch (error) {
        const forgotten = error.code === "not-found";
        reject(forgotten ? new RequestError("The server was restarted and no longer has the job.", "gone") : error);
      }
    });
  });
}

export const startJob = async (request) => (await post("/api/jobs", request)).json();

export const stopJob = async (id) => (await send("DELETE", `/api/jobs/${id}`)).json();
