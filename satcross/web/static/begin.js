// @ts-check
// The dialog “New”: the ways to begin.

import { get, usedLists } from "./api.js";
import { button, byId, every, make, on, plural, say, sentences, showStatus, thumbnail } from "./dom.js";
import { crossword, newGrid, openCrossword } from "./files.js";
import { findSlots, fromRows, lettersOf } from "./grid.js";
import { hindrance, onJob, run } from "./jobs.js";
import { addLists, setLanguage } from "./lists.js";
import { change, doc, onDocument, slots, startWith, ui } from "./store.js";
import { openTab } from "./tabs.js";

const SIZES = [5, 7, 9, 11, 13, 15, 21];
const EXAMPLE = {
  rows: ["#___#", "#_##_", "#_##_", "#_##_", "#____"],
  words: "ONE\nTWO\nSIX\nTEN\nFOUR\nFIVE\nNINE\nTHREE\nSEVEN\nEIGHT\n",
};

const MAX_MADE = 6; // codewords, fill-ins and arrowwords that a crossword keeps
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

const byNumber = new Intl.Collator("en", { numeric: true }).compare;
const options = (names, chosen) => names.sort(byNumber).map((name) => make("option", { defaultSelected: name === chosen }, name));

/** @type {Record<string, string[]>} */
let grids = {}; // by name: the standard grids, and some without blocks

function showGrids() {
  const named = Object.keys(grids).filter((name) => name.startsWith(`${byId("stock-kind").value}-`));
  byId("stock").replaceChildren(...named.map((name) => {
    const cells = fromRows(grids[name]);
    const made = button(`${findSlots({ cells }).length} words`, () => {
      close();
      newGrid(cells, (next) => setLanguage(next, chosen()));
    }, { className: "fill", title: name });
    made.prepend(thumbnail(grids[name]));
    return made;
  }));
}

const chosen = () => byId("begin-language").value;

/** A control for a field of a request, by its JSON schema. */
function controlOf(id, { enum: values, type, maxLength, minLength, minimum: min, maximum: max, default: value, examples }) {
  if (values) return make("select", { id }, ...options(values, value));
  if (type === "array" || maxLength > 999) return make("textarea", { id, rows: 3, required: minLength > 0, placeholder: examples?.[0] });
  return make("input", { id, min, max, type: { boolean: "checkbox", integer: "number" }[type] ?? "text", defaultValue: value, defaultChecked: value === true, placeholder: value === null ? "usual" : "" });
}

/** What is in the control of a field. */
function valueOf({ type, valueAsNumber, checked, value }, field) {
  if (type === "textarea") return field.type === "array" ? linesOf(value) : value;
  return type === "checkbox" ? checked : type === "number" ? valueAsNumber : value;
}

/** Give a form the controls for a kind of job, by the request's schema. */
function showForm(form, properties) {
  const kind = properties.kind.enum[0];
  const fields = Object.entries(properties).map(([name, one]) => [name, { ...one, ...one.anyOf?.[0] }]).filter(([, field]) => field.title);
  form.prepend(make("div", { className: "choices" }, ...fields.map(([name, field]) =>
    make("label", {}, `${field.title} `, controlOf(`${kind}-${name}`, field)))));
  form.onsubmit = (event) => {
    event.preventDefault();
    const reason = hindrance(kind);
    if (reason) return showStatus(reason, "bad");
    const request = Object.fromEntries(fields.map(([name, field]) => [name, valueOf(byId(`${kind}-${name}`), field)]));
    const beside = {
      lists: usedLists(), paper: ui.paper, min_score: doc.minScore, crossword: crossword(), language: chosen(), seed: Math.floor(Math.random() * 1e6),
      seconds: kind === "layout" ? Math.min(ui.seconds, 20) : ui.seconds,
    };
    for (const [name, value] of Object.entries(beside)) if (name in properties) request[name] ??= value;
    close();
    run(kind, request, { about: null });
  };
}

/** Say of a theme's entries which have none of their length to stand opposite them. */
function showPairs() {
  const typed = (name) => byId(`pattern-${name}`).value;
  const lengths = linesOf(typed("entries")).map((entry) => lettersOf(entry.replace(/[^\p{L}\p{M}]/gu, "")).length);
  const single = [...new Set(lengths)].filter((one) => lengths.filter((length) => length === one).length % 2);
  say("pairs", single.length > 1 && typed("symmetry") !== "none"
    ? `Other words will stand opposite the entries of ${single.join(", ")} letters: but for one in the middle, entries pair by length.` : "");
}

/** Ask the server for the standard grids, and for what can be said of each kind of job. */
export async function loadBegin() {
  const [found, description] = await Promise.all([get("/api/grids"), get(/** @type {any} */ ("/api/openapi.json"))]);
  grids = found;
  for (const size of SIZES) grids[`empty-${size}`] = Array(size).fill("_".repeat(size));
  byId("stock-kind").append(...options([...new Set(Object.keys(grids).map((name) => name.replace(/-\w+$/, "")))], "american-15"));
  showGrids();
  for (const form of every("#begin form")) showForm(form, description.components.schemas[form.dataset.schema].properties);
  byId("pairs").closest("form").oninput = showPairs;
  if (byId("begin").open) focusFirst();
}

async function example() {
  const reason = hindrance("steps");
  if (reason) return showStatus(reason, "bad");
  close();
  startWith(fromRows(EXAMPLE.rows), { title: "Numbers", lists: doc.lists.map((one) => ({ ...one, used: false })) });
  await addLists([new File([EXAMPLE.words], LIST)]);
  openTab("teach");
  run("steps", { seconds: 20 });
}

const focusFirst = () => every("#begin textarea")[0]?.focus();

/** Show the ways to begin. */
export function openBegin() {
  say("begin-about", "");
  byId("begin-language").value = doc.language;
  const full = doc.cells.every((row) => row.every(Boolean));
  for (const field of every("#begin [id$=-grid]")) field.value = full ? "this crossword" : "british-13";
  byId("begin").showModal();
  focusFirst();
}

export function startBegin() {
  on("begin-open", "click", openBegin);
  let shown = doc.id;
  onDocument(() => {
    if (doc.id !== shown) { // another crossword is open now
      byId("begin").close();
      for (const form of every("#begin form")) form.reset();
      say("pairs", "");
    }
    shown = doc.id;
  });
  on("begin-close", "click", () => byId("begin").close());
  for (const id of ["example", "steps-example"]) on(id, "click", example);
  on("stock-kind", "change", showGrids);
  onJob("layout", {
    done(result) {
      if (!result.crossword) return showStatus(result.reason, "bad");
      openCrossword(result.crossword, "");
      const size = `${doc.cells.length} rows and ${doc.cells[0].length} columns`;
      showStatus([`${plural(slots().length, "word")} in ${size}. “Publish” prints it as a worksheet.`, ...sentences(result.notes)].join(" "));
      openTab("clues");
    },
  });
  const printed = {
    done({ crossword: of, text, puzzle }) {
      if (of) openCrossword(of, "");
      change((next) => (next.made = [...next.made, { text, puzzle }].slice(-MAX_MADE)));
      showStatus(text);
      openTab("publish");
    },
  };
  for (const kind of ["codeword", "fill-in", "arrowword"]) onJob(kind, printed);
  onJob("pattern", {
    done(result) {
      if (!result.rows) return showStatus(result.reason, "bad");
      startWith(fromRows(result.rows), {}, (next) => setLanguage(next, chosen()));
      const locked = /[^#_.]/.test(result.rows.join(""));
      showStatus(`A pattern that the lists can fill${locked ? "; your words are locked in it" : ""}.`);
    },
  });
}
