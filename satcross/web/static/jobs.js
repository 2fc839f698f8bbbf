// One job at a time: fill, several fills, why not, compare, steps.

import { Refused, follow, question, startJob, stopJob, unready } from "./api.js";
import { overlay } from "./board.js";
import { byId, say } from "./dom.js";
import { doc, onChange, ui, uiChanged } from "./store.js";

const kinds = {};
let running = null;

/** Handlers for a kind of job: `part(data)` for each part, `done(result, state)` at the end. */
export const handle = (kind, handlers) => (kinds[kind] = handlers);

const grid = () => JSON.stringify([doc.cells, doc.lists, doc.minScore, doc.excluded, doc.allowRepeats]);

export const isRunning = () => running !== null;

/** A job is now the one that runs; `id` is null until the server has given it one. */
const begin = (id, kind) => (running = { id, kind, listening: new AbortController() });

/** Start a job, and stop the current one, if any. */
export async function run(kind, more = {}) {
  const problem = unready();
  if (problem) return say(problem, "bad");
  await stop();
  overlay(null);
  const own = begin(null, kind);
  buttons();
  say("Starting …");
  try {
    const state = await startJob({ kind, question: question(), ...more });
    own.id = state.id;
    if (own !== running) return void stopJob(state.id).catch(() => {});
    ui.job = { id: state.id, kind, grid: grid() };
    uiChanged();
    await watch(own);
  } catch (error) {
    failed(own, error);
  }
}

async function watch(own) {
  kinds[own.kind].begin?.();
  const began = Date.now();
  const clock = setInterval(() => {
    byId("clock").textContent = `${Math.round((Date.now() - began) / 1000)} s`;
  }, 500);
  try {
    const listener = (name, data) => own === running && heard(own, name, data);
    const state = await follow(own.id, listener, own.listening.signal);
    if (own !== running) return;
    running = null;
    ui.job = null;
    uiChanged();
    overlay(null);
    if (state.state === "failed") throw new Refused(state.error, "failed");
    if (state.result) kinds[own.kind].done(state.result, state);
    else say("Stopped.");
  } catch (error) {
    failed(own, error);
  } finally {
    clearInterval(clock);
    buttons();
  }
}

function failed(own, error) {
  if (own === running) {
    running = null;
    ui.job = null;
    uiChanged();
    overlay(null);
    say(error.message, "bad");
  }
  kinds[own.kind].failed?.(error);
  buttons();
}

function heard(own, name, data) {
  if (name === "state") {
    say(data.state === "queued" ? `Waiting: place ${data.place} in the queue.` : "Working …");
    if (data.partial) overlay(data.partial);
    for (const part of data.parts) kinds[own.kind].part?.(part);
  } else if (name === "progress") {
    byId("progress").textContent = data.line;
  } else if (name === "partial") {
    overlay(data.rows);
  } else if (name === "part") {
    kinds[own.kind].part?.(data);
  }
}

/** Stop the current job and show its results so far. */
export async function stop() {
  if (!running) return;
  const own = running;
  if (!own.id) { // it is stopped as soon as the server has sent its id
    running = null;
    say("Stopped.");
    return buttons();
  }
  say("Stopping …");
  try {
    await stopJob(own.id);
  } catch (error) { // the job or the server has ended
    if (error.code === "gone") own.listening.abort(error);
  }
}

function buttons() {
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
  buttons();
  const left = ui.job;
  if (!left || !kinds[left.kind] || left.grid !== grid()) {
    ui.job = null;
    return;
  }
  const own = begin(left.id, left.kind);
  buttons();
  watch(own);
}

export function startJobs() {
  byId("stop").addEventListener("click", stop);
  onChange((what) => {
    // The answer would be for an older version of the document.
    if (what === "document" && running?.id && ui.job && ui.job.grid !== grid()) stop();
  });
}
