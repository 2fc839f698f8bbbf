// @ts-check
// The dialog “New”: a crossword from your own words, a pattern for a theme, an empty grid, an example.

import { usedLists } from "./api.js";
import { button, byId, make, on, plural, say, sentences, showStatus, thumbnail } from "./dom.js";
import { newGrid, openCrossword } from "./files.js";
import { emptyGrid, findSlots, fromDigits, fromRows, toRows } from "./grid.js";
import { onJob, run } from "./jobs.js";
import { addLists, setLanguage } from "./lists.js";
import { change, doc, onDocument, slots, startWith, ui } from "./store.js";
import { openTab } from "./tabs.js";

const SIZES = [5, 7, 9, 11, 13, 15, 21];
const nameOf = (size) => `${size} × ${size}`;
/** Patterns as `fromDigits` reads them. @type {[number, string][]} */
const STOCK = [
  [9, "070000c01o"],
  [13, "0102la0102lu0802la401"],
  [15, "080ala000ala100etegg0ala"],
  [15, "2402002001230h0s1gg8g30o"],
  [15, "13g00g0000o8g30127321000"],
  [21, "0447000420004000200g1ogc810o20007030101g040og0480g1o847"],
];
const EXAMPLE = {
  rows: ["#___#", "#_##_", "#_##_", "#_##_", "#____"],
  words: "ONE\nTWO\nSIX\nTEN\nFOUR\nFIVE\nNINE\nTHREE\nSEVEN\nEIGHT\n",
};

const LIST = "numbers.txt"; // the example's words, which serve no other crossword

function close() {
  byId("begin").close();
  if (doc.lists.at(-1).title !== LIST) return;
  change((next) => {
    next.lists.pop();
    next.lists[0].used = true;
  });
}

/** Lines of one word each; words on one line, separated by commas, count as lines. */
const linesOf = (text) =>
  text.split("\n").flatMap((line) => (/[\t;]/.test(line) ? [line] : line.split(","))).map((line) => line.trim()).filter(Boolean);

const chosen = () => byId("begin-language").value;

function layOut() {
  const words = linesOf(byId("own-words").value);
  if (words.length < 2) return say("begin-about", "Write at least two words, one per line.");
  close();
  run("layout", { words: words.join("\n"), language: chosen(), paper: ui.paper, seconds: Math.min(ui.seconds, 20) }, { about: null });
}

function makePattern() {
  const size = Number(byId("pattern-size").value);
  const entries = linesOf(byId("entries").value);
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
    language: chosen(),
    seconds: ui.seconds,
    seed: Math.floor(Math.random() * 1e6),
  }, { about: null });
}

async function example() {
  close();
  startWith(fromRows(EXAMPLE.rows), { title: "Numbers", lists: doc.lists.map((one) => ({ ...one, used: false })) });
  await addLists([new File([EXAMPLE.words], LIST)]);
  openTab("teach");
  run("steps", { seconds: 20 });
}

/** Show the ways to begin. */
export function openBegin() {
  say("begin-about", "");
  byId("begin-language").value = doc.language;
  byId("begin").showModal();
  byId("entries").focus();
}

export function startBegin() {
  on("begin-open", "click", openBegin);
  let shown = doc.id;
  onDocument(() => {
    if (doc.id !== shown) byId("begin").close(); // another crossword is open now
    shown = doc.id;
  });
  on("begin-close", "click", () => byId("begin").close());
  on("lay-out", "click", layOut);
  on("make-pattern", "click", makePattern);
  for (const id of ["example", "steps-example"]) on(id, "click", example);
  const choice = (name, cells, properties = {}) => button(name, () => {
    close();
    newGrid(cells, (next) => setLanguage(next, chosen()));
  }, properties);
  byId("empty-sizes").append(...SIZES.map((size) => choice(nameOf(size), emptyGrid(size, size))));
  byId("stock").append(...STOCK.map(([size, digits]) => {
    const cells = fromDigits(size, digits);
    const made = choice(`${nameOf(size)}, ${findSlots({ cells }).length} words`, cells, { className: "fill" });
    made.prepend(thumbnail(toRows(cells)));
    return made;
  }));
  byId("pattern-size").append(...SIZES.map((size) => make("option", { value: size, selected: size === 15 }, nameOf(size))));
  onJob("layout", {
    done(result) {
      if (!result.crossword) return showStatus(result.reason, "bad");
      openCrossword(result.crossword, "");
      const size = `${doc.cells.length} rows and ${doc.cells[0].length} columns`;
      showStatus([`${plural(slots().length, "word")} in ${size}. “Publish” prints it as a worksheet.`, ...sentences(result.notes)].join(" "));
      openTab("clues");
    },
  });
  onJob("pattern", {
    done(result) {
      if (!result.rows) return showStatus(result.reason, "bad");
      startWith(fromRows(result.rows), {}, (next) => setLanguage(next, chosen()));
      const locked = /[^#_.]/.test(result.rows.join(""));
      showStatus(`A pattern that the lists can fill${locked ? "; your words are locked in it" : ""}.`);
    },
  });
}
