// The document, with undo and redo, stored in the browser so that a reload loses nothing.

import { BLOCKED, emptyGrid, findSlots, fromRows } from "./grid.js";

const KEY = "satcross.workbench";
const MOST_STEPS = 200;
const MOST_KEPT = 60;

const START = [
  "___#___##", "___#_____", "_________", "_____#___", "#___#___#",
  "___#_____", "_________", "_____#___", "##___#___",
];

function newDocument(cells) {
  return {
    cells,
    pencil: cells.map((row) => row.map(() => "")),
    clues: {},
    title: "",
    author: "",
    copyright: "",
    notes: "",
    date: "",
    circled: [],
    lists: [{ name: "default", title: "English, comes with satcross", used: true }],
    minScore: null,
    excluded: "",
    allowRepeats: false,
  };
}

const past = [];
const future = [];
const listeners = [];
let merging = "";
let mergedAt = 0;
let saving = 0;

/** The document: replaced as a whole, never changed in place. */
export let doc = newDocument(fromRows(START));

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

/** The names of uploaded lists, including those that undo or redo would restore. */
export const listsKept = () =>
  [doc, ...[...past, ...future].map((step) => JSON.parse(step))]
    .flatMap((one) => one.lists.map((list) => list.name));

let slotsOf = null;
let slotsFound = [];

/** The slots of the document's grid. */
export function slots() {
  if (slotsOf !== doc.cells) {
    slotsOf = doc.cells;
    slotsFound = findSlots(doc.cells);
  }
  return slotsFound;
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
  if (!merge || merge !== merging || now - mergedAt > 2000) past.push(before);
  if (past.length > MOST_STEPS) past.shift();
  merging = merge;
  mergedAt = now;
  future.length = 0;
  take(copy);
}

export const mayUndo = () => past.length > 0;
export const mayRedo = () => future.length > 0;

export function undo() {
  if (!past.length) return;
  future.push(JSON.stringify(doc));
  merging = "";
  take(JSON.parse(past.pop()));
}

export function redo() {
  if (!future.length) return;
  past.push(JSON.stringify(doc));
  merging = "";
  take(JSON.parse(future.pop()));
}

function take(next) {
  doc = next;
  ui.row = Math.min(ui.row, doc.cells.length - 1);
  ui.column = Math.min(ui.column, doc.cells[0].length - 1);
  save();
  for (const listener of listeners) listener("document");
}

/** Replace the cells and clear the rest of the document, except lists and rules. */
export function startWith(cells, more = {}) {
  change((next) => {
    const { lists, minScore, excluded, allowRepeats } = next;
    Object.assign(next, newDocument(cells), { lists, minScore, excluded, allowRepeats }, more);
  });
}

export const startEmpty = (height, width) => startWith(emptyGrid(height, width));

/** The letter shown in a cell. */
export const letterAt = (r, c) =>
  doc.cells[r][c] === BLOCKED ? "" : doc.cells[r][c] || doc.pencil[r][c];

/** Lock or remove a letter. A pencilled fill that contradicts the letter is removed. */
export function setLetter(next, r, c, letter) {
  if (next.cells[r][c] === BLOCKED) return;
  if (letter && next.pencil[r][c] && letter !== next.pencil[r][c]) dropPencil(next);
  next.cells[r][c] = letter;
}

export const dropPencil = (next) => {
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

function write() {
  saving = 0;
  const kept = {
    doc,
    ui,
    past: past.slice(-MOST_KEPT),
    future: future.slice(-MOST_KEPT),
  };
  const all = JSON.stringify(kept);
  const least = JSON.stringify({ ...kept, past: [], future: [] });
  // Each page has a storage key of its own, so that two pages don't overwrite each other. A new page
  // begins with the document stored last.
  for (const storage of ["sessionStorage", "localStorage"]) {
    try {
      window[storage].setItem(KEY, all);
    } catch {
      try { // the storage is full: store the document without its undo history
        window[storage].setItem(KEY, least);
      } catch { /* a browser without storage */ }
    }
  }
}

function save() {
  saving = saving || setTimeout(write, 250);
}

addEventListener("pagehide", () => saving && write());

/** Load the stored document. */
export function restore() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY));
    if (!Array.isArray(kept?.doc?.cells?.[0])) return;
    doc = { ...newDocument(kept.doc.cells), ...kept.doc };
    Object.assign(ui, kept.ui);
    past.push(...(kept.past ?? []));
    future.push(...(kept.future ?? []));
  } catch { /* nothing is stored, or it has another format */ }
}
