// Every crossword that was made in this browser: stored at each change, with earlier versions; deleted
// ones can be restored for 30 days.

import { LIBRARY, newId, readDocument, readLibrary, writeLibrary } from "./document.js";
import { button, byId, make, plural, redraw, saveFile, showStatus, thumbnail } from "./dom.js";
import { restoreLists } from "./lists.js";
import { allPuzzles, removeOldLists, removePuzzle, storePuzzle, storedList, storedPuzzle } from "./shelf.js";
import { doc, letterRows, onChange, open, renameDocument, usedListNames } from "./store.js";

const REVISION_PAUSE = 10 * 60 * 1000; // milliseconds between two stored versions
const MAX_REVISIONS = 20;
const MAX_DELETED = 30 * 24 * 3600 * 1000; // milliseconds
const SAVE_PAUSE = 500; // milliseconds after a change

let changed = null; // the document as it is to be stored
let timer = 0;
let release = null; // gives up the lock on the crossword of this page
let held = "";

const nameOf = (one) => one.title || `Untitled, ${one.cells.length} × ${one.cells[0].length}`;
const when = (time) => new Date(time).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
const picture = (one) => thumbnail(letterRows(one));

/**
 * Hold the lock on this page's crossword. If another page has it open, this page goes on with a copy,
 * so that neither overwrites the other.
 */
async function hold() {
  if (held === doc.id || !navigator.locks) return;
  held = doc.id;
  release?.();
  release = null;
  const free = await new Promise((resolve) => {
    navigator.locks.request(`satcross.${doc.id}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise((done) => (release = done));
    });
  });
  if (free) return;
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
  return saved ? inTurn(() => write(saved)) : queue;
}

async function write(saved) {
  const before = await storedPuzzle(saved.id);
  if (before && JSON.stringify(before.doc) === JSON.stringify(saved)) return;
  const now = Date.now();
  const revisions = before?.revisions ?? [];
  if (before && now - (revisions.at(-1)?.changed ?? before.created) > REVISION_PAUSE) {
    revisions.push({ changed: before.changed, doc: before.doc });
  }
  const created = before?.created ?? now;
  await storePuzzle({ id: saved.id, created, changed: now, deleted: null, doc: saved, revisions: revisions.slice(-MAX_REVISIONS) });
  await draw();
}

function show(one, text) {
  open(one, []);
  showStatus(`${nameOf(one)} is open${text}. Undo leads back to the crossword before it.`);
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

function row(record) {
  const revisions = record.revisions.toReversed().map((one) =>
    make("li", {}, button(when(one.changed), () => openStored(one.doc, `, as it was on ${when(one.changed)}`), { className: "quiet" })));
  const name = nameOf(record.doc);
  return make(
    "li",
    { className: "puzzle" },
    picture(record.doc),
    make(
      "div",
      {},
      make("b", {}, name),
      make("span", { className: "small" }, ` ${when(record.changed)}${record.id === doc.id ? ", open in this page" : ""}`),
      make(
        "div",
        { className: "actions" },
        record.deleted
          ? button("Restore", () => setDeleted(record, null), { "aria-label": `Restore ${name}`, "data-key": `restore ${record.id}` })
          : button("Open", () => openStored(record.doc), { "aria-label": `Open ${name}`, "data-key": `open ${record.id}` }),
        record.deleted
          ? button("Delete for good", () => inTurn(() => removePuzzle(record.id).then(draw)), { className: "quiet", "aria-label": `Delete ${name} for good` })
          : button("Delete", () => setDeleted(record, Date.now()), { className: "quiet", "aria-label": `Delete ${name}` }),
      ),
      revisions.length ? make("details", {}, make("summary", {}, `Earlier versions (${revisions.length})`), make("ul", { className: "plain" }, ...revisions)) : null,
    ),
  );
}

async function draw() {
  const records = (await allPuzzles()).sort((a, b) => b.changed - a.changed);
  const present = records.filter((one) => !one.deleted);
  const deleted = records.filter((one) => one.deleted);
  redraw(byId("library"), present.map(row), byId("backup"));
  byId("library-about").textContent = present.length ? "" : "Crosswords are stored here as soon as you change them.";
  byId("deleted-box").hidden = !deleted.length;
  byId("deleted-about").textContent = `Deleted (${deleted.length}); kept for 30 days`;
  redraw(byId("deleted"), deleted.map(row), byId("deleted-about"));
}

async function listsOf(records) {
  const names = new Set(records.flatMap((one) => one.doc.lists.map((list) => list.name)));
  const lists = {};
  for (const name of names) {
    const content = await storedList(name);
    if (content) lists[name] = content;
  }
  return lists;
}

async function backup() {
  await save();
  const records = await allPuzzles();
  saveFile(`crosswords${LIBRARY}`, new Blob([await writeLibrary(records, await listsOf(records))], { type: "application/json" }));
  showStatus(`Saved as crosswords${LIBRARY}. It has ${plural(records.length, "crossword")}, to be opened here again.`);
}

/** Add the crosswords of a backup file. Return false if the text is none; throws an Error for a broken one. */
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

export async function startLibrary() {
  byId("backup").addEventListener("click", backup);
  onChange((what) => {
    if (what !== "document") return;
    if (changed && changed.id !== doc.id) save(); // another crossword is shown now
    changed = doc;
    hold();
    timer = timer || setTimeout(save, SAVE_PAUSE);
  });
  addEventListener("pagehide", () => timer && save());
  await hold();
  const records = await allPuzzles();
  for (const one of records) if (one.deleted && Date.now() - one.deleted > MAX_DELETED) await removePuzzle(one.id);
  // Lists that undo or a stored crossword needs stay.
  await removeOldLists([...usedListNames(), ...records.flatMap((one) => one.doc.lists.map((list) => list.name))]);
  await draw();
}
