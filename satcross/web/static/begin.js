// @ts-check
// The dialog “New”: a crossword from your own words, a pattern for a theme, an empty grid, an example.

import { usedLists } from "./api.js";
import { button, byId, make, on, plural, showStatus } from "./dom.js";
import { newGrid, openCrossword } from "./files.js";
import { fromRows } from "./grid.js";
import { onJob, run } from "./jobs.js";
import { addLists } from "./lists.js";
import { doc, slots, startWith, ui } from "./store.js";
import { openTab } from "./tabs.js";

const SIZES = [5, 7, 9, 11, 13, 15, 21];
const EXAMPLE = {
  rows: ["#___#", "#_##_", "#_##_", "#_##_", "#____"],
  words: "ONE\nTWO\nSIX\nTEN\nFOUR\nFIVE\nNINE\nTHREE\nSEVEN\nEIGHT\n",
};

const close = () => byId("begin").close();

/** Lines of one word each; words on one line, separated by commas, count as lines. */
const linesOf = (text) =>
  text.split("\n").flatMap((line) => (/[\t;]/.test(line) ? [line] : line.split(","))).map((line) => line.trim()).filter(Boolean);

function layOut() {
  const words = linesOf(byId("own-words").value);
  if (words.length < 2) return say("Write at least two words, one per line.");
  close();
  run("layout", { words: words.join("\n"), seconds: Math.min(ui.seconds, 20) }, { about: null });
}

function makePattern() {
  const size = Number(byId("pattern-size").value);
  const entries = byId("entries").value.split(/[\n,;]+/).map((word) => word.trim()).filter(Boolean);
  close();
  run("pattern", {
    height: size,
    width: size,
    style: byId("pattern-style").value,
    symmetry: byId("pattern-symmetry").value,
    max_words: byId("pattern-words").valueAsNumber || null,
    max_blocks: byId("pattern-blocks").valueAsNumber || null,
    entries,
    lists: usedLists(),
    min_score: doc.minScore,
    seconds: ui.seconds,
    seed: Math.floor(Math.random() * 1e6),
  }, { about: null });
}

async function example() {
  close();
  startWith(fromRows(EXAMPLE.rows), { title: "Numbers" });
  await addLists([new File([EXAMPLE.words], "numbers.txt")]);
  openTab("steps");
  run("steps", { seconds: 20 });
}

const say = (text) => (byId("begin-about").textContent = text);

export function startBegin() {
  on("begin-open", "click", () => {
    say("");
    byId("begin").showModal();
    byId("own-words").focus();
  });
  on("begin-close", "click", close);
  on("lay-out", "click", layOut);
  on("make-pattern", "click", makePattern);
  for (const id of ["example", "steps-example"]) on(id, "click", example);
  byId("empty-sizes").append(...SIZES.map((size) =>
    button(`${size} × ${size}`, () => {
      close();
      newGrid(size, size);
    })));
  byId("pattern-size").append(...SIZES.map((size) => make("option", { value: size, selected: size === 15 }, `${size} × ${size}`)));
  onJob("layout", {
    done(result) {
      if (!result.crossword) return showStatus(result.reason, "bad");
      openCrossword(result.crossword, "");
      const size = `${doc.cells.length} rows and ${doc.cells[0].length} columns`;
      showStatus([`${plural(slots().length, "word")} in ${size}. “File” prints it as a worksheet.`, ...result.notes].join(" "));
      openTab("clues");
    },
  });
  onJob("pattern", {
    done(result) {
      if (!result.rows) return showStatus(result.reason, "bad");
      startWith(fromRows(result.rows));
      const letters = result.rows.join("").replace(/[#_.]/g, "").length;
      showStatus(`A pattern that the lists can fill${letters ? `; your words are locked in it (${plural(letters, "letter")})` : ""}. Make it again for another one.`);
    },
  });
}
