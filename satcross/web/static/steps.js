// @ts-check
// The textbook search, step by step: domains shrink, words are tried, the search backtracks.

import { overlay } from "./board.js";
import { byId, make, on, plural, say, showStatus } from "./dom.js";
import { mapCells, spread } from "./grid.js";
import { onJob, run } from "./jobs.js";
import { places } from "./model.js";
import { doc, onDocument, ownCells, slotNamed, slots } from "./store.js";
import { openTab } from "./tabs.js";

let steps = [];
let status = "";
let position = 0; // index of the step shown
let timer = 0;
let shownFor = null;

/** The call that each step is in the course's project; the textbook writes REVISE for revise. */
const NAMES = {
  start: () => "domains",
  node: () => "enforce_node_consistency()",
  revise: (step) => `ac3(): revise(${step.slot}, ${step.because})`,
  ac3: (step) => `ac3() is ${step.possible ? "True" : "False"}`,
  assign: (step) => `select_unassigned_variable(): ${step.slot}; order_domain_values(): ${step.word}`,
  consistent: () => "infer() is True",
  contradiction: () => "infer() is False",
  fail: (step) => `backtrack(): remove ${step.word}`,
};

/** The words lost, each with the letter at the crossing in bold type. */
function lostWords(step) {
  const cells = (name) => slotNamed(name)?.cells ?? [];
  const other = places(cells(step.because));
  const crossing = cells(step.slot).findIndex((cell) => other.has(cell.join()));
  const at = slotNamed(step.slot)?.starts[crossing] ?? 0;
  return step.example.map((word) => {
    const letters = [...word];
    return make("span", { className: "lost" }, letters.slice(0, at).join(""), make("b", {}, letters[at] ?? ""), letters.slice(at + 1).join(""));
  });
}

function showQueue(step) {
  const arcs = (step.arcs ?? []).map(([x, y]) => `(${x}, ${y})`).join(" ");
  byId("step-queue").replaceChildren(
    ...(step.kind === "revise" ? ["Removed, clashing letter in bold: ", ...lostWords(step), make("br")] : []),
    step.queue === undefined ? "" : `Queue: ${plural(step.queue, "arc")}${arcs ? `, next ${arcs}${step.queue > step.arcs.length ? " …" : ""}` : ""}.`,
  );
}

const SENTENCES = {
  start: (step) => `${plural(step.slots, "slot")} and ${plural(step.words, "word")}. At first, the domain of every slot has every word.`,
  node: () => "Node consistency removes words of another length and words that contradict given letters.",
  revise: (step) => `${step.slot} loses ${plural(step.lost, "word")}: no word of ${step.because} has their letter at the crossing.`,
  ac3: (step) => step.possible
    ? "AC-3 is done: every remaining word agrees with a word in each crossing slot. The search begins."
    : "AC-3 has removed all words of a slot: there is no fill.",
  assign: (step) => `Try ${step.word} in ${step.slot}, ${step.of === 1 ? "its only word" : `one of ${plural(step.of, "word")}`}${step.depth > 1 ? ` (${plural(step.depth - 1, "slot")} filled before)` : ""}.`,
  consistent: (step) => `${step.word} in ${step.slot} leaves every slot at least one word: continue.`,
  contradiction: (step) => `${step.word} in ${step.slot} leaves ${step.empty.join(", ") || "a slot"} no word: a contradiction.`,
  fail: (step) => `There is no fill with ${step.word} in ${step.slot}: backtrack.`,
};

function show(index) {
  position = Math.min(Math.max(index, 0), steps.length - 1);
  if (!steps.length) return;
  const domains = {};
  let path = [];
  for (const step of steps.slice(0, position + 1)) {
    Object.assign(domains, step.domains);
    if (step.kind === "assign") path = [...path.slice(0, step.depth - 1), { slot: step.slot, word: step.word }];
    if (step.kind === "fail") path = path.slice(0, step.depth - 1);
    if (step.kind === "contradiction") path = path.slice(0, step.depth);
  }
  const step = steps[position];
  const last = position === steps.length - 1;
  const end = { filled: " That is a fill.", unfillable: " Everything has been tried: no fill exists.", unknown: " (Later steps are not recorded.)" };
  say("step-text", SENTENCES[step.kind](step) + (last ? end[status] : ""));
  say("step-name", NAMES[step.kind](step));
  showQueue(step);
  say("step-number", `step ${position + 1} of ${steps.length}`);
  byId("step-slider").value = String(position);
  const first = steps[0].domains;
  byId("domains").replaceChildren(
    ...slots().map((slot) => {
      const domain = domains[slot.name] ?? { size: 0, words: [] };
      const maximum = Math.log2(1 + (first[slot.name]?.size ?? 1));
      const bar = make("span", { className: "domain-bar", "aria-hidden": "true" });
      bar.style.setProperty("--share", Math.log2(1 + domain.size) / maximum);
      const row = make("li", {}, make("b", {}, slot.name), bar,
        make("span", { className: "figure" }, domain.size.toLocaleString("en")),
        make("span", { className: "domain-words" }, domain.words?.join(" ")));
      if (slot.name === step.slot) row.classList.add("here");
      if (slot.name === step.because) row.classList.add("other");
      if (path.some((one) => one.slot === slot.name)) row.classList.add("assigned");
      return row;
    }),
  );
  const letters = mapCells(ownCells(), (cell) => cell || ".");
  const marks = new Map();
  for (const { slot: name, word } of path) {
    const slot = slotNamed(name);
    slot?.cells.forEach(([r, c], index) => (letters[r][c] = spread(slot, word)[index]));
  }
  for (const [name, mark] of [[step.because, "step-other"], [step.slot, step.kind === "contradiction" || step.kind === "fail" ? "step-bad" : "step-here"]]) {
    for (const cell of slotNamed(name)?.cells ?? []) marks.set(cell.join(), mark);
  }
  overlay(letters, marks);
  if (last) pause();
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  say("step-play", "Play");
}

function play() {
  if (timer) return pause();
  if (position === steps.length - 1) show(0);
  say("step-play", "Pause");
  const go = () => {
    timer = setTimeout(() => {
      go();
      show(position + 1);
    }, Number(byId("step-speed").value));
  };
  go();
}

export function startSteps() {
  onJob("steps", {
    done(result) {
      steps = result.steps;
      status = result.status;
      shownFor = doc;
      openTab("teach");
      const slider = byId("step-slider");
      slider.max = String(steps.length - 1);
      byId("stepper").hidden = false;
      show(0);
      showStatus(`${plural(steps.length, "step")}.`);
    },
  });
  on("steps", "click", () => run("steps", { seconds: 20 }));
  const moves = { first: () => 0, back: () => position - 1, next: () => position + 1, last: () => steps.length - 1 };
  for (const [name, to] of Object.entries(moves)) on(`step-${name}`, "click", () => show(to()));
  on("step-play", "click", play);
  on("step-slider", "input", () => show(Number(byId("step-slider").value)));
  on("step-close", "click", close);
  onDocument(() => shownFor && shownFor !== doc && close());
}

function close() {
  pause();
  shownFor = null;
  steps = [];
  byId("stepper").hidden = true;
  overlay(null);
}
