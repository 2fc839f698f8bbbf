// @ts-check
// The current job, at most one at a time: fill, several, explain, compare or steps.
//
// idle -> starting -> queued or running -> (lost ->) ... -> stopping -> idle. `enter` and `leave`
// are the only functions that change the state, and an event of an earlier job changes nothing.

import { RequestError, follow, puzzleSpec, startJob, stopJob, puzzleProblem } from "./api.js";
import { overlay } from "./board.js";
import { byId, on, say, showStatus } from "./dom.js";
import { onDocument, puzzleKey, ui, uiChanged } from "./store.js";

/** What each kind of job does, for messages: “Making a pattern …”. */
const NAMES = {
  fill: "Filling", several: "Looking for fills", explain: "Looking for the reason", compare: "Comparing", steps: "Recording the steps",
  layout: "Interlocking the words", pattern: "Making a pattern", answer: "Answering the clues", setup: "Setting up a dictionary",
  codeword: "Making a codeword", "fill-in": "Making a fill-in", arrowword: "Making an arrowword",
};
const IDLE = /** @type {any} */ (Object.freeze({ state: "idle" }));
/** @type {Record<string, any>} */
const handlers = {}; // by kind of job
let job = IDLE; // { state, kind, id, key, listening }

/**
 * Handlers for a kind of job: `part(data)` for each part, `done(result, state, key)` at the end,
 * `failed(error)`. `key` is the `puzzleKey()` of the puzzle that the job was started for.
 */
export const onJob = (kind, functions) => (handlers[kind] = functions);

/** The job, in the state `starting`; `id` is null until the server has given it one. */
const begin = (kind, id, key) => (job = { state: "starting", kind, id, key, listening: new AbortController() });

/** Change the state of the job, as `leave` ends it. Return false if it is no longer the current one. */
function enter(own, state, text, mood = "") {
  if (own !== job) return false;
  job.state = state;
  showStatus(text, mood);
  controls();
  return true;
}

function leave(own, text, mood = "") {
  if (own !== job) return false;
  job = IDLE;
  ui.job = null;
  uiChanged();
  overlay(null);
  showStatus(text, mood);
  controls();
  return true;
}

/** Why no job of this kind can start now, or "": it takes the place of one of its kind, and of no other one. */
export const hindrance = (kind) =>
  job === IDLE || job.kind === kind || job.state === "stopping" ? "" : `${NAMES[job.kind]} is not finished: wait, or stop it first (Escape).`;

/**
 * Start a job, and stop the current one of the same kind, if any. A job about something else than the puzzle
 * on the page has `about: null`; its answer counts however the puzzle changes.
 * @param {Api.Requests["/api/jobs"]["kind"]} kind
 */
export async function run(kind, more = {}, { about = puzzleKey() } = {}) {
  const problem = hindrance(kind) || (about === null ? "" : puzzleProblem());
  if (problem) return showStatus(problem, "bad");
  await stop();
  overlay(null);
  const own = begin(kind, null, about);
  enter(own, "starting", `${NAMES[kind]} …`);
  try {
    own.id = (await startJob(/** @type {any} */ ({ kind, ...(about === null ? {} : { question: puzzleSpec() }), ...more }))).id;
    if (own !== job) return void stopJob(own.id).catch(() => {});
    ui.job = { id: own.id, kind, key: own.key };
    uiChanged();
    await watch(own);
  } catch (error) {
    failed(own, error);
  }
}

async function watch(own) {
  handlers[own.kind].begin?.();
  const began = Date.now();
  const clock = setInterval(() => {
    if (own === job) say("clock", `${Math.round((Date.now() - began) / 1000)} s`);
  }, 500);
  try {
    const last = await follow(own.id, (name, data) => own === job && EVENTS[name]?.(own, data), own.listening.signal);
    if (last.state === "failed") throw new RequestError(`${NAMES[own.kind]} failed: ${last.error}.`, "failed");
    if (!leave(own, `${NAMES[own.kind]} was stopped.`)) return;
    if (last.result && isStale(own)) showStatus("The puzzle has changed; the answer for the old one was discarded.");
    else if (last.result) handlers[own.kind].done(last.result, last, own.key);
  } catch (error) {
    failed(own, error);
  } finally {
    clearInterval(clock);
  }
}

const isStale = (own) => own.key !== null && own.key !== puzzleKey();

function failed(own, error) {
  if (leave(own, error.message || `${NAMES[own.kind]} failed.`, "bad")) handlers[own.kind].failed?.(error);
}

const EVENTS = {
  state(own, data) {
    if (own.state !== "stopping") {
      const queued = data.state === "queued";
      enter(own, data.state, queued ? `Waiting: number ${data.place} in the queue.` : `${NAMES[own.kind]} …`);
    }
    if (data.partial) overlay(data.partial);
    for (const part of data.parts) handlers[own.kind].part?.(part);
  },
  progress: (own, data) => say("progress", data.line),
  partial: (own, data) => overlay(data.rows),
  part: (own, data) => handlers[own.kind].part?.(data),
  lost: (own) =>
    own.state !== "stopping" && enter(own, "lost", "The connection to the server is lost; trying again …", "bad"),
};

export async function stop() {
  const own = job;
  if (own === IDLE) return;
  if (!own.id) return void leave(own, `${NAMES[own.kind]} was stopped.`); // the server stops it as soon as its id is known
  enter(own, "stopping", "Stopping …");
  try {
    await stopJob(own.id);
  } catch (error) { // the job or the server has ended
    if (error.code === "gone") own.listening.abort(error);
  }
}

export const isIdle = () => job === IDLE;

function controls() {
  const busy = job !== IDLE;
  const button = byId("stop");
  const left = !busy && document.activeElement === button;
  button.disabled = !busy;
  document.body.dataset.job = job.state;
  document.body.dataset.beside = String(busy && job.key === null);
  byId("fill").disabled = hindrance("fill") !== "";
  if (left) byId("fill").focus();
  if (!busy) say("progress", say("clock", ""));
}

/** Follow the job that was running when the page was closed. */
export function resume() {
  controls();
  const left = ui.job;
  if (!left || !handlers[left.kind] || isStale(left)) return void (ui.job = null);
  const own = begin(left.kind, left.id, left.key);
  enter(own, "starting", "Connecting …");
  watch(own);
}

export function startJobs() {
  on("stop", "click", stop);
  onDocument(() => {
    if (job === IDLE) showStatus(""); // it was about the grid before
    // The result would be for an older version of the puzzle.
    if (job.id && job.state !== "stopping" && isStale(job)) stop();
  });
}
