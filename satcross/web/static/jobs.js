// The current job, at most one at a time: fill, several, explain, compare or steps.

import { RequestError, follow, puzzleSpec, startJob, stopJob, puzzleProblem } from "./api.js";
import { overlay } from "./board.js";
import { byId, showStatus } from "./dom.js";
import { doc, onChange, ui, uiChanged } from "./store.js";

const handlers = {}; // by kind of job
let running = null;

/**
 * Set the functions to call for a kind of job: `begin()`, `part(data)` for each part of the result,
 * `done(result, state)` at the end, `failed(error)`. All but `done` are optional.
 */
export const onJob = (kind, functions) => (handlers[kind] = functions);

const puzzleKey = () => JSON.stringify([doc.cells, doc.lists, doc.minScore, doc.excluded, doc.allowRepeats]);

export const isRunning = () => running !== null;

/** Make a job the current one; `id` is null until the server has sent it. */
const makeCurrent = (id, kind) => (running = { id, kind, listening: new AbortController() });

/** Start a job, and stop the current one, if any. */
export async function run(kind, parameters = {}) {
  const problem = puzzleProblem();
  if (problem) return showStatus(problem, "bad");
  await stop();
  overlay(null);
  const job = makeCurrent(null, kind);
  showRunning();
  showStatus("Starting …");
  try {
    const state = await startJob({ kind, question: puzzleSpec(), ...parameters });
    job.id = state.id;
    if (job !== running) return void stopJob(state.id).catch(() => {});
    ui.job = { id: state.id, kind, grid: puzzleKey() };
    uiChanged();
    await watch(job);
  } catch (error) {
    failed(job, error);
  }
}

async function watch(job) {
  handlers[job.kind].begin?.();
  const began = Date.now();
  const clock = setInterval(() => {
    byId("clock").textContent = `${Math.round((Date.now() - began) / 1000)} s`;
  }, 500);
  try {
    const listener = (name, data) => job === running && handleEvent(job, name, data);
    const state = await follow(job.id, listener, job.listening.signal);
    if (job !== running) return;
    running = null;
    ui.job = null;
    uiChanged();
    overlay(null);
    if (state.state === "failed") throw new RequestError(state.error, "failed");
    if (state.result) handlers[job.kind].done(state.result, state);
    else showStatus("Stopped.");
  } catch (error) {
    failed(job, error);
  } finally {
    clearInterval(clock);
    showRunning();
  }
}

function failed(job, error) {
  if (job === running) {
    running = null;
    ui.job = null;
    uiChanged();
    overlay(null);
    showStatus(error.message, "bad");
  }
  handlers[job.kind].failed?.(error);
  showRunning();
}

function handleEvent(job, name, data) {
  if (name === "state") {
    showStatus(data.state === "queued" ? `Waiting: number ${data.place} in the queue.` : "Working …");
    if (data.partial) overlay(data.partial);
    for (const part of data.parts) handlers[job.kind].part?.(part);
  } else if (name === "progress") {
    byId("progress").textContent = data.line;
  } else if (name === "partial") {
    overlay(data.rows);
  } else if (name === "part") {
    handlers[job.kind].part?.(data);
  }
}

/** Stop the current job; its results so far are shown. */
export async function stop() {
  if (!running) return;
  const job = running;
  if (!job.id) { // `run` stops the job as soon as the server has sent its id
    running = null;
    showStatus("Stopped.");
    return showRunning();
  }
  showStatus("Stopping …");
  try {
    await stopJob(job.id);
  } catch (error) { // the job or the server has ended
    if (error.code === "gone") job.listening.abort(error);
  }
}

function showRunning() {
  const busy = isRunning();
  byId("stop").disabled = !busy;
  document.body.classList.toggle("busy", busy);
  if (!busy) {
    byId("progress").textContent = "";
    byId("clock").textContent = "";
  }
}

/** Follow the job that was running when the page was closed. */
export function resume() {
  showRunning();
  const stored = ui.job;
  if (!stored || !handlers[stored.kind] || stored.grid !== puzzleKey()) {
    ui.job = null;
    return;
  }
  const job = makeCurrent(stored.id, stored.kind);
  showRunning();
  watch(job);
}

export function startJobs() {
  byId("stop").addEventListener("click", stop);
  onChange((what) => {
    // The result would be for an older version of the document.
    if (what === "document" && running?.id && ui.job && ui.job.grid !== puzzleKey()) stop();
  });
}
