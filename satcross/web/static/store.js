// The document, with undo and redo, stored in the browser so that a reload loses nothing.

import { newDocument, readDocument } from "./document.js";
import { BLOCKED, emptyGrid, findSlots, toRows } from "./grid.js";

const KEY = "satcross.workbench";
const BROKEN_KEY = `${KEY}.unreadable`;
const MAX_UNDO_STEPS = 200;
const MAX_STORED_STEPS = 60;

const past = []; // earlier documents, as JSON, for undo
const future = []; // undone documents, as JSON, for redo
const listeners = [];
let mergeKey = ""; // changes with this key are undone together with the last one
let changedAt = 0; // milliseconds
let saveTimer = 0;

/** The document: replaced as a whole, never changed in place. */
export let doc = newDocument();

/** The state of the user interface, which is not part of the document and not undone. */
export const ui = {
  row: 0,
  column: 0,
  direction: "A",
  symmetry: true,
  blocks: false,
  heat: true,
  backend: "auto",
  seconds: 60,
  number: 3,
  rank: "best",
  tab: "words",
  theme: "auto",
  printed: "puzzle",
  job: null,
};

/** The names of the document's word lists, including those that undo or redo would restore. */
export const usedListNames = () =>
  [doc, ...[...past, ...future].map((step) => JSON.parse(step))]
    .flatMap((one) => one.lists.map((list) => list.name));

let slotCells = null;
let cachedSlots = [];

/** The slots of the document's grid. */
export function slots() {
  if (slotCells !== doc.cells) {
    slotCells = doc.cells;
    cachedSlots = findSlots(doc.cells);
  }
  return cachedSlots;
}

let keyOf = null;
let key = "";

/** A key of the puzzle: answers are valid only for a puzzle with the same key. */
export function puzzleKey() {
  if (keyOf !== doc) {
    keyOf = doc;
    const { cells, minScore, excluded, allowRepeats } = doc;
    const used = doc.lists.filter((list) => list.used).map((list) => list.name);
    key = JSON.stringify([cells, used, minScore, excluded, allowRepeats]);
  }
  return key;
}

/** Call `listener(what)` after each change: "document" or "ui". */
export const onChange = (listener) => listeners.push(listener);

export function uiChanged() {
  save();
  for (const listener of listeners) listener("ui");
}

/**
 * Change the document: `edit` changes a copy in place. Changes in quick succession with the same
 * `merge` are undone together.
 */
export function change(edit, merge = "") {
  const before = JSON.stringify(doc);
  const copy = JSON.parse(before);
  edit(copy);
  if (JSON.stringify(copy) === before) return;
  const now = Date.now();
  if (!merge || merge !== mergeKey || now - changedAt > 2000) past.push(before);
  if (past.length > MAX_UNDO_STEPS) past.shift();
  mergeKey = merge;
  changedAt = now;
  future.length = 0;
  replaceDocument(copy);
}

/** The documents that undo would restore, oldest first. */
export const history = () => past.slice(-MAX_STORED_STEPS).map((step) => JSON.parse(step));

/** Show the document of a project, with its undo steps. Undo can also restore the present document. */
export function open(next, steps) {
  past.push(JSON.stringify(doc), ...steps.map((step) => JSON.stringify(step)));
  past.splice(0, past.length - MAX_UNDO_STEPS);
  future.length = 0;
  mergeKey = "";
  replaceDocument(next);
}

/** Give the document another id, also in its undo steps: it becomes a copy of its own. */
export function renameDocument(id) {
  for (const steps of [past, future]) {
    steps.splice(0, steps.length, ...steps.map((step) => step.replaceAll(JSON.stringify(doc.id), JSON.stringify(id))));
  }
  replaceDocument({ ...doc, id });
}

export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

export function undo() {
  if (!past.length) return;
  future.push(JSON.stringify(doc));
  mergeKey = "";
  replaceDocument(JSON.parse(past.pop()));
}

export function redo() {
  if (!future.length) return;
  past.push(JSON.stringify(doc));
  mergeKey = "";
  replaceDocument(JSON.parse(future.pop()));
}

function replaceDocument(next) {
  doc = next;
  ui.row = Math.min(ui.row, doc.cells.length - 1);
  ui.column = Math.min(ui.column, doc.cells[0].length - 1);
  save();
  for (const listener of listeners) listener("document");
}

/** Replace the cells and clear the document except its lists and rules; `fields` sets other fields. */
export function startWith(cells, fields = {}) {
  change((next) => {
    const { lists, minScore, excluded, allowRepeats } = next;
    Object.assign(next, newDocument(cells), { lists, minScore, excluded, allowRepeats }, fields);
  });
}

export const startEmpty = (height, width) => startWith(emptyGrid(height, width));

/** The letter shown in a cell. */
export const letterAt = (r, c) =>
  doc.cells[r][c] === BLOCKED ? "" : doc.cells[r][c] || doc.pencil[r][c];

/** The rows of a document with all its letters, as the server takes them. */
export const letterRows = (one = doc) =>
  toRows(one.cells.map((row, r) => row.map((cell, c) => cell || one.pencil[r][c])));

/** Lock a letter in a copy of the document, or unlock it. Removes pencilled words that contradict it. */
export function setLetter(next, r, c, letter) {
  if (next.cells[r][c] === BLOCKED) return;
  const before = next.cells[r][c] || next.pencil[r][c];
  if (letter && before && letter !== before) dropWords(next, [[r, c]]);
  next.cells[r][c] = letter;
}

/** Remove the pencilled letters of the slots through some cells, and of the cells themselves. */
export function dropWords(next, cells, found = findSlots(next.cells)) {
  const chosen = new Set(cells.map((cell) => cell.join()));
  const words = found.filter((slot) => slot.cells.some((cell) => chosen.has(cell.join())));
  for (const [r, c] of [...cells, ...words.flatMap((slot) => slot.cells)]) next.pencil[r][c] = "";
}

/** Whether there are pencilled letters, and whether an open cell is empty. */
export function pencilState() {
  const open = doc.cells.flatMap((row, r) => row.map((cell, c) => [cell, doc.pencil[r][c]]))
    .filter(([cell]) => cell !== BLOCKED);
  return { any: open.some(([cell, letter]) => !cell && letter), hole: open.some(([cell, letter]) => !cell && !letter) };
}

/** Remove the pencilled fill from a copy of the document. */
export const clearPencil = (next) => {
  next.pencil = next.cells.map((row) => row.map(() => ""));
};

/** Lock all letters of a slot, or unlock them (they stay pencilled). Return whether they are locked. */
export function toggleLock(slot) {
  const locked = slot.cells.every(([r, c]) => doc.cells[r][c]);
  change((next) => {
    for (const [r, c] of slot.cells) {
      if (locked) {
        next.pencil[r][c] = next.cells[r][c];
        next.cells[r][c] = "";
      } else {
        next.cells[r][c] = next.cells[r][c] || next.pencil[r][c];
      }
    }
  });
  return !locked;
}

/** Clues are stored by the first cell of their slot, since numbers change while the grid is edited. */
export const clueKey = (slot) => `${slot.cells[0][0]},${slot.cells[0][1]},${slot.direction}`;

/** Slot name -> clue. */
export function clues() {
  const found = {};
  for (const slot of slots()) {
    const clue = (doc.clues[clueKey(slot)] ?? "").trim();
    if (clue) found[slot.name] = clue;
  }
  return found;
}

function store() {
  saveTimer = 0;
  const state = {
    doc,
    ui,
    past: past.slice(-MAX_STORED_STEPS),
    future: future.slice(-MAX_STORED_STEPS),
  };
  const all = JSON.stringify(state);
  const withoutHistory = JSON.stringify({ ...state, past: [], future: [] });
  // The session storage belongs to one page, so that two pages don't overwrite each other. A new page
  // begins with the document in the local storage: the one stored last.
  for (const storage of ["sessionStorage", "localStorage"]) {
    try {
      window[storage].setItem(KEY, all);
    } catch {
      try { // the storage is full: store the document without its undo history
        window[storage].setItem(KEY, withoutHistory);
      } catch { /* a browser without storage */ }
    }
  }
}

function save() {
  saveTimer = saveTimer || setTimeout(store, 250);
}

addEventListener("pagehide", () => saveTimer && store());

/** The value if it has the type of the default value, else the default value. */
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
    doc = restored;
    past.push(...before);
    future.push(...after);
    for (const name of Object.keys(ui)) {
      if (name === "job") ui.job = kept.ui?.job ?? null;
      else ui[name] = like(ui[name], kept.ui?.[name]);
    }
    ui.row = Math.min(Math.max(0, ui.row), doc.cells.length - 1);
    ui.column = Math.min(Math.max(0, ui.column), doc.cells[0].length - 1);
    return "";
  } catch (error) {
    try {
      if (text !== null) localStorage.setItem(BROKEN_KEY, text);
    } catch { /* a browser without storage */ }
    return text === null ? "" : `The stored crossword can't be read (${error.message}). A new one is shown.`;
  }
}
