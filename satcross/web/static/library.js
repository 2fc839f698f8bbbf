// @ts-check
// All crosswords of this browser: stored at each change, with earlier versions; deleted ones can be
// restored for 30 days.

import { LIBRARY, newId, readDocument, readLibrary, writeLibrary } from "./document.js";
import { button, byId, make, on, plural, redraw, saveFile, say, showStatus, thumbnail } from "./dom.js";
import { listsOf, restoreLists } from "./lists.js";
import { allPuzzles, noteStored, removeOldLists, removePuzzle, storePuzzle, storedPuzzle } from "./shelf.js";
import { doc, isRestored, letterRows, onDocument, open, renameDocument, restoredFrom, usedListNames } from "./store.js";

const REVISION_PAUSE = 10 * 60 * 1000; // milliseconds between two stored versions
const MAX_REVISIONS = 20;
const MAX_DELETED = 30 * 24 * 3600 * 1000; // milliseconds
const SAVE_PAUSE = 500; // milliseconds after a change
const LOCK_PAUSE = 400; // milliseconds, less than SAVE_PAUSE

let changed = null; // the document as it is to be stored
let timer = 0;
let release = null; // gives up the lock on the crossword of this page
let held = "";

const nameOf = ({ title, cells }) => title || `Untitled, ${cells.length} × ${cells[0].length}`;
/** The kinds of what was made of a crossword, as a list: “codeword, ”. */
const kindsOf = ({ made }) => [...new Set(made?.map(({ puzzle }) => `${puzzle.puzzle.kind}, `))].join("");
const when = (time) => new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

/** Take a lock if it is free. Return whether it was. */
const take = (name) =>
  new Promise((resolve) => {
    navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise((done) => (release = done));
    });
  });

/**
 * Hold the lock on this page's crossword. If another page has it open, this page goes on with a copy,
 * so that neither overwrites the other.
 */
async function hold() {
  if (held === doc.id || !navigator.locks) return;
  held = doc.id;
  release?.();
  release = null;
  if (await take(`satcross.${doc.id}`)) return;
  await new Promise((done) => setTimeout(done, LOCK_PAUSE)); // the page before a reload may not have ended yet
  if (held !== doc.id || (await take(`satcross.${doc.id}`))) return;
  renameDocument(newId());
  showStatus("This crossword is open in another page; this page works on a copy of it.");
  await hold();
}

let queue = Promise.resolve();

/** Do one thing after the other: a deletion must not overtake the change before it. */
const inTurn = (action) => (queue = queue.then(action, action));

function save() {
  clearTimeout(timer);
  timer = 0;
  const saved = changed;
  changed = null;
  return saved ? keep(saved) : queue;
}

/** Note the crossword that the library may lack; return the one noted before. */
function unkept(id) {
  try {
    const before = localStorage.getItem("satcross.unkept");
    localStorage.setItem("satcross.unkept", id ?? "");
    return before;
  } catch { /* a browser without storage */ }
}

let writing = 0;

function keep(saved, now = Date.now()) {
  writing++;
  return inTurn(() => write(saved, now).finally(() => writing--));
}

async function write(saved, now) {
  const before = await storedPuzzle(saved.id);
  if (before && JSON.stringify(before.doc) === JSON.stringify(saved)) return noteStored("library", true);
  const revisions = before?.revisions ?? [];
  if (before && now - (revisions.at(-1)?.changed ?? before.created) > REVISION_PAUSE) {
    revisions.push({ changed: before.changed, doc: before.doc });
  }
  const created = before?.created ?? now;
  const stored = await storePuzzle({ id: saved.id, created, changed: now, deleted: null, doc: saved, revisions: revisions.slice(-MAX_REVISIONS) });
  noteStored("library", stored !== undefined);
  await draw();
}

function show(next, text) {
  open(next, []);
  showStatus(`${nameOf(next)} is open${text}. Undo leads back to the crossword before it.`);
}

/** Open a stored crossword; what can't be read is said, and left as it is. */
function openStored(data, text = "") {
  try {
    show(readDocument(data), text);
  } catch (error) {
    showStatus(`This crossword can't be read: ${error.message}.`, "bad");
  }
}

const setDeleted = ({ id }, time) =>
  inTurn(async () => {
    await storePuzzle({ ...(await storedPuzzle(id)), deleted: time });
    await draw();
  });

/** The rows of a stored crossword; a blank one if it can't be read. */
function rowsOf(data) {
  try {
    return letterRows(readDocument(data));
  } catch {
    return ["_"];
  }
}

function row(record) {
  const revisions = record.revisions.toReversed().map(({ changed, doc }) =>
    make("li", {}, button(when(changed), () => openStored(doc, `, as it was on ${when(changed)}`), { className: "quiet" })));
  const name = nameOf(record.doc);
  const act = (verb, action, className = "") =>
    button(verb, action, { className, "aria-label": `${verb}: ${name}`, "data-key": `${verb} ${record.id}` });
  const actions = record.deleted
    ? [act("Restore", () => setDeleted(record, null)), act("Delete for good", () => inTurn(() => removePuzzle(record.id).then(draw)), "quiet")]
    : [act("Open", () => openStored(record.doc)), act("Delete", () => setDeleted(record, Date.now()), "quiet")];
  return make("li", { className: "puzzle" }, thumbnail(rowsOf(record.doc)), make("div", {},
    make("b", {}, name),
    make("span", { className: "small" }, ` ${kindsOf(record.doc)}${when(record.changed)}${record.id === doc.id ? ", open in this page" : ""}`),
    make("div", { className: "actions" }, ...actions),
    revisions.length ? make("details", {}, make("summary", {}, `Earlier versions (${revisions.length})`), make("ul", {}, ...revisions)) : null));
}

async function draw() {
  const records = (await allPuzzles()).sort((a, b) => b.changed - a.changed);
  const present = records.filter((one) => !one.deleted);
  const deleted = records.filter((one) => one.deleted);
  redraw(byId("library"), present.map(row), byId("backup"));
  say("library-about", present.length ? "" : "Crosswords are stored here as soon as you change them.");
  byId("deleted-box").hidden = !deleted.length;
  say("deleted-about", `Deleted (${deleted.length}); kept for 30 days`);
  redraw(byId("deleted"), deleted.map(row), byId("deleted-about"));
}

async function backup() {
  await save();
  const records = await allPuzzles();
  saveFile(`crosswords${LIBRARY}`, await writeLibrary(records, await listsOf(records.map((one) => one.doc))));
  showStatus(`Saved as crosswords${LIBRARY}. It has ${plural(records.length, "crossword")}, to be opened here again.`);
}

/** Add the crosswords of a backup file; false if the text is none. Throws an Error for a broken one. */
export async function openBackup(name, text) {
  const found = readLibrary(text);
  if (!found) return false;
  await restoreLists(found.lists, found.records.map((one) => one.doc));
  let added = 0;
  for (const record of found.records) {
    const own = await storedPuzzle(record.id);
    if (own && own.changed >= record.changed) continue;
    await storePuzzle({ ...record, revisions: own ? [...own.revisions, { changed: own.changed, doc: own.doc }] : record.revisions });
    added++;
  }
  await draw();
  showStatus(`${name}: ${plural(added, "crossword")} added; ${found.records.length - added} were here already.`);
  return true;
}

/** Open the library's version of this crossword if only the library could store the last changes. */
async function openNewer() {
  const own = await storedPuzzle(doc.id);
  if (!own || !isRestored() || own.changed <= restoredFrom || JSON.stringify(own.doc) === JSON.stringify(doc)) return;
  openStored(own.doc, ", as the library has it: the browser's other storage is full");
}

export async function startLibrary() {
  on("backup", "click", backup);
  onDocument(() => {
    if (changed && changed.id !== doc.id) save(); // another crossword is shown now
    changed = doc;
    hold();
    timer = timer || setTimeout(save, SAVE_PAUSE);
  });
  addEventListener("pagehide", () => {
    if (timer || writing) unkept(doc.id);
    if (timer) save();
  });
  await openNewer(); // first, since `hold` may make this page's crossword a copy
  await hold();
  if (unkept(null) === doc.id) await keep(doc);
  const records = await allPuzzles();
  for (const one of records) if (one.deleted && Date.now() - one.deleted > MAX_DELETED) await removePuzzle(one.id);
  // Lists that undo or a stored crossword needs stay.
  await removeOldLists([...usedListNames(), ...records.flatMap((one) => one.doc.lists.map((list) => list.name))]);
  await draw();
}
