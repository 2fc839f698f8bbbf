// @ts-check
// The document, with undo and redo, stored in the browser so that a reload loses nothing.

import { byId, showStatus } from "./dom.js";
import { RULES, newDocument, readDocument } from "./document.js";
import { BLOCKED, findSlots, toRows } from "./grid.js";
import { clueId, dropWords, followNumbers, reading, slotKey } from "./model.js";
import { noteStored } from "./shelf.js";

const KEY = "satcross.workbench";
const BROKEN_KEY = `${KEY}.unreadable`;
const MAX_UNDO_STEPS = 200;
const MAX_STORED_STEPS = 60;

const past = []; // earlier documents, as JSON, for undo
const future = []; // undone documents, as JSON, for redo
const listeners = [];
let mergeKey = ""; // of the last change
let changedAt = 0; // milliseconds
let saveTimer = 0;

/** The document: replaced as a whole, never changed in place. */
export let doc = newDocument();

/** The state of the user interface, which is not part of the document and not undone. */
export const ui = {
  row: 0,
  column: 0,
  direction: "A",
  symmetry: "rotation",
  blocks: false, // whether the pointer draws with the pen
  pen: "block",
  heat: true,
  backend: "auto",
  objective: "", // "", or the measure by which the best fill is wanted
  suggest: false,
  bank: false,
  nameLine: false,
  large: false,
  address: "",
  zoom: 1,
  sheet: true, // whether the panels are open, on a small screen
  answers: false,
  paper: "a4",
  selecting: false, // whether a finger selects cells
  enumerations: false, // whether clues end in lengths
  allow: "", // preferences to do without
  seconds: 60,
  number: 3,
  order: "usual", // of candidates
  tab: "words",
  theme: "auto",
  job: null,
};

/** The names of the document's word lists, including those that undo or redo would restore. */
export const usedListNames = () =>
  [doc, ...[...past, ...future].map((step) => JSON.parse(step))]
    .flatMap((one) => one.lists.map((list) => list.name));

export const slots = () => reading(doc).slots;

export const slotNamed = (name) => slots().find((slot) => slot.name === name);

let keyOf = null;
let key = "";

/** A key of the puzzle: answers are valid only for a puzzle with the same key. */
export function puzzleKey() {
  if (keyOf !== doc) {
    keyOf = doc;
    const used = doc.lists.filter((list) => list.used).map((list) => list.name);
    key = JSON.stringify([ownCells(), doc.bars, used, RULES.map((rule) => doc[rule])]);
  }
  return key;
}

/** Call `listener(what)` after each change: "document" or "ui". */
export const onChange = (listener) => listeners.push(listener);

export const onDocument = (listener) => onChange((what) => what === "document" && listener());

export function uiChanged() {
  save();
  for (const listener of listeners) listener("ui");
}

/** Let a control show and set a field of `ui`; `valid` makes a valid value of what was typed. */
export function control(id, name = id, valid = (value) => value) {
  const element = byId(id);
  const property = element.type === "checkbox" ? "checked" : "value";
  element[property] = ui[name];
  element.addEventListener("change", () => {
    ui[name] = element[property] = valid(element[property]);
    uiChanged();
  });
}

/** Let an input show and set a field of the document: a text, a whole number or null, a truth value. */
export function field(id, name = id) {
  const input = byId(id);
  const show = () => {
    if (input.type === "checkbox") return void (input.checked = doc[name]);
    const text = String(doc[name] ?? "");
    if (input.value !== text) input.value = text;
  };
  input.addEventListener("input", () => {
    const values = { number: input.value ? Number(input.value) : null, checkbox: input.checked };
    const value = input.type in values ? values[input.type] : input.value;
    if (input.validity.valid) change((next) => (next[name] = value), name);
  });
  input.addEventListener("change", show); // removes an invalid value
  onChange(show);
  show();
}

/**
 * Change the document: `edit` changes a copy in place. Changes in quick succession with the same
 * `merge` are undone together.
 */
export function change(edit, merge = "") {
  const before = JSON.stringify(doc);
  const copy = JSON.parse(before);
  edit(copy);
  if (copy.id === doc.id) followNumbers(doc, copy);
  if (JSON.stringify(copy) === before) return;
  const now = Date.now();
  if (!merge || merge !== mergeKey || now - changedAt > 2000) past.push(before);
  if (past.length > MAX_UNDO_STEPS) past.shift();
  mergeKey = merge;
  changedAt = now;
  future.length = 0;
  replaceDocument(copy);
}

/** What undo would restore, oldest first. */
export const history = () => past.slice(-MAX_STORED_STEPS).map((step) => JSON.parse(step));

/** Show a project's document. Undo also restores the present one. */
export function open(next, steps) {
  past.push(JSON.stringify(doc), ...steps.map((step) => JSON.stringify(step)));
  past.splice(0, past.length - MAX_UNDO_STEPS);
  future.length = 0;
  mergeKey = "";
  replaceDocument(next);
}

/** Give the document another id, also in its undo steps. */
export function renameDocument(id) {
  for (const steps of [past, future]) {
    steps.splice(0, steps.length, ...steps.map((step) => step.replaceAll(JSON.stringify(doc.id), JSON.stringify(id))));
  }
  replaceDocument({ ...doc, id });
}

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

function travel(from, to) {
  if (!from.length) return;
  to.push(JSON.stringify(doc));
  mergeKey = "";
  replaceDocument(JSON.parse(from.pop()));
}

export const undo = () => travel(past, future);
export const redo = () => travel(future, past);

/** Let the cursor be in the grid. */
function moveInside() {
  ui.row = Math.min(Math.max(0, ui.row), doc.cells.length - 1);
  ui.column = Math.min(Math.max(0, ui.column), doc.cells[0].length - 1);
}

function replaceDocument(next) {
  if (next.id !== doc.id) for (const name of ["bank", "answers"]) byId(`with-${name}`).checked = ui[name] = false;
  doc = next;
  moveInside();
  save();
  for (const listener of listeners) listener("document");
}

/** Begin a crossword with these cells and the same lists; `fields` sets other fields, and `edit` the rest. */
export function startWith(cells, fields = {}, edit = (next) => {}) {
  [ui.row, ui.column] = findSlots({ cells, ...fields })[0]?.cells[0] ?? [0, 0];
  ui.direction = "A";
  change((next) => {
    Object.assign(next, newDocument(cells), { lists: next.lists, language: next.language }, fields);
    edit(next);
  });
}

/** Whether the crossword is in English, or in no language that is stated. */
export const isEnglish = (code = doc.language) => /^(en)?$/.test(code);

export const letterAt = (r, c) => reading(doc).shown[r][c];

/** Blocks and the letters of one's own. */
export const ownCells = () => doc.cells.map((row, r) => row.map((cell, c) => (cell === BLOCKED ? cell : reading(doc).own[r][c])));

/** The rows of a document with all its letters, as the server takes them. */
export const letterRows = (of = doc) => toRows(of.cells.map((row, r) => row.map((cell, c) => (cell === BLOCKED ? cell : reading(of).shown[r][c]))));

/** Exclude a word from all fills, and remove it from the present one. */
export function excludeWord(excluded) {
  change((next) => {
    next.excluded = [...new Set([...next.excluded.split(/[\s,;]+/).filter(Boolean), excluded])].join(" ");
    dropWords(next, [], findSlots(next).filter((slot) => next.words[slotKey(slot)]?.word === excluded));
  });
  showStatus(`${excluded} is excluded, see the rules beside Fill. Undo brings it back.`);
}

/** Whether there are filled words, and whether an open cell is empty. */
export function fillState() {
  const filled = Object.values(doc.words).some(({ state }) => state === "filled");
  return { any: filled, hole: doc.cells.some((row, r) => row.some((cell, c) => cell !== BLOCKED && !letterAt(r, c))) };
}

/** The letters in a slot, with "·" for each empty cell. */
export const wordIn = (slot) => slot.cells.map(([r, c]) => letterAt(r, c) || "·").join("");

/** The whole word of a slot, `{ word, state }`, or undefined. */
export const wholeWord = (slot) => reading(doc).words.get(slotKey(slot));

export const clueOf = (slot) => doc.clues[clueId(doc, slot)] ?? "";

export function clues() {
  /** @type {Record<string, string>} */
  const found = {};
  for (const slot of slots()) {
    const clue = clueOf(slot).trim();
    if (clue) found[slot.name] = clue;
  }
  return found;
}

function store() {
  saveTimer = 0;
  const state = {
    doc,
    ui,
    saved: Date.now(),
    past: past.slice(-MAX_STORED_STEPS),
    future: future.slice(-MAX_STORED_STEPS),
  };
  const all = JSON.stringify(state);
  const withoutHistory = JSON.stringify({ ...state, past: [], future: [] });
  // The session storage belongs to one page, so that two pages don't overwrite each other. A new page
  // begins with the document in the local storage: the one stored last.
  let stored = false;
  for (const storage of ["sessionStorage", "localStorage"]) {
    for (const text of [all, withoutHistory]) { // where the storage is full, the document alone may fit
      try {
        window[storage].setItem(KEY, text);
        stored = true;
        break;
      } catch { /* full, or a browser without storage; the library has the document, too */ }
    }
  }
  noteStored("page", stored);
}

/** When the document that `restore` found was stored, in milliseconds. */
export let restoredFrom = 0;
let restoredDoc = null;

export const isRestored = () => doc === restoredDoc;

function save() {
  saveTimer = saveTimer || setTimeout(store, 250);
}

addEventListener("pagehide", () => saveTimer && store());

/** The value if it has the type of the default one, or else that. */
const like = (usual, value) => (typeof value === typeof usual ? value : usual);

/**
 * Load the stored document. What can't be read is set aside under another key, so that a later
 * version may still read it, and the reason is returned; "" when all is well.
 */
export function restore() {
  let text = null;
  try {
    text = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY);
    if (text === null) return "";
    const kept = JSON.parse(text);
    const steps = (list) => (Array.isArray(list) ? list : []).map((step) => JSON.stringify(readDocument(JSON.parse(step))));
    const [restored, before, after] = [readDocument(kept.doc), steps(kept.past), steps(kept.future)];
    doc = restoredDoc = restored;
    restoredFrom = like(0, kept.saved);
    past.push(...before);
    future.push(...after);
    for (const name of Object.keys(ui)) {
      if (name === "job") ui.job = kept.ui?.job ?? null;
      else ui[name] = like(ui[name], kept.ui?.[name]);
    }
    moveInside();
    return "";
  } catch (error) {
    try {
      if (text !== null) localStorage.setItem(BROKEN_KEY, text);
    } catch { /* a browser without storage */ }
    return text === null ? "" : `The stored crossword can't be read (${error.message}). A new one is shown.`;
  }
}
