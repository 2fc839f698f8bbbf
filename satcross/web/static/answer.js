// @ts-check
// Answering the clues: the letters of the proposed answers, shaded by how sure they are.

import { get, usedLists } from "./api.js";
import { shade } from "./board.js";
import { button, byId, make, on, plural, redraw, sentences, showStatus } from "./dom.js";
import { crossword } from "./files.js";
import { onJob, run } from "./jobs.js";
import { place, takeClues } from "./model.js";
import { change, clues, doc, onDocument, slotNamed, slots, ui, wholeWord } from "./store.js";

let shownFor = null; // the document with the answers
const LIKELY = 0.5; // probability
const percent = (share) => `${Math.round(100 * share)} %`;

function show(result) {
  const probabilities = new Map();
  for (const one of result.slots) {
    const slot = slotNamed(one.name);
    slot?.cells.forEach((cell, index) => {
      const key = cell.join();
      probabilities.set(key, Math.max(probabilities.get(key) ?? 0, one.letters[slot.starts[index]] ?? 0));
    });
  }
  // A guess stays a guess: only answers that are more likely than not stand in the grid.
  const likely = result.slots.filter((one) => one.word && one.probability >= LIKELY);
  change((next) => {
    place(next, Object.fromEntries(likely.map((one) => [one.name, one.word])));
    takeClues(next, ["given", "chosen", "filled"]);
  });
  shownFor = doc;
  shade(probabilities);
  byId("answers-legend").hidden = false;
  byId("answers").replaceChildren(
    ...result.slots.filter((one) => one.clue).map((one) => {
      const others = (one.candidates ?? []).map(({ word }) => word).filter((word) => word !== one.word).slice(0, 3);
      return make("li", {},
        make("b", {}, `${one.name} ${one.word ?? "–"}`), ` ${percent(one.probability)}`,
        make("span", { className: "small" }, others.length ? ` or ${others.join(", ")}` : ""));
    }),
  );
  const sure = result.slots.filter((one) => one.probability > 0.9).length;
  showStatus([`${plural(sure, "answer")} of ${result.slots.length} are sure (more than 90 %).`, ...sentences(result.notes)].join(" "));
}

function clear() {
  shownFor = null;
  shade(new Map());
  byId("answers").replaceChildren();
  byId("answers-legend").hidden = true;
}

/** List the dictionaries, with a button for each that is not set up yet. */
async function showSources() {
  try {
    redraw(byId("sources"), (await get("/api/sources")).map(({ name, title, licence, ready }) => make("li", {}, `${title} (${licence}) `,
      ready ? "✓" : button("Set up", () => run("setup", { source: name, seconds: 300 }, { about: null }), { "aria-label": `Set up ${title}`, "data-key": name }))),
    byId("answer"));
  } catch (error) {
    showStatus(error.message, "bad");
  }
}

export function startAnswer() {
  onJob("answer", { done: show });
  onJob("setup", {
    done({ ready, megabytes }) {
      showStatus(`${ready} is ready (${megabytes} MB).`);
      showSources();
    },
  });
  on("sources-box", "toggle", showSources);
  on("answer", "click", () => {
    if (!Object.keys(clues()).length) return showStatus("There are no clues yet: write some, or import a puzzle that has them.", "bad");
    const locks = {};
    for (const slot of slots()) {
      const whole = wholeWord(slot);
      if (whole && whole.state !== "filled") locks[slot.name] = whole.word;
    }
    run("answer", { crossword: crossword(), locks, lists: usedLists(), seconds: ui.seconds }, { about: null });
  });
  onDocument(() => shownFor && shownFor !== doc && clear());
}
