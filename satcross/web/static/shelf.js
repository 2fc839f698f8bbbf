// What is stored in the browser's database: uploaded word lists, because the server loses them when it
// ends, and crosswords. In a browser without storage nothing is found, and nothing fails.

const STORES = ["lists", "puzzles"];
const VERSION = 2;
let connection = null;

const connect = () =>
  (connection ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("satcross", VERSION);
    request.onupgradeneeded = () => {
      for (const name of STORES) {
        if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
      }
    };
    request.onsuccess = () => {
      // Another page may need a later version, and the browser may lose the database.
      request.result.onversionchange = () => request.result.close();
      request.result.onclose = () => (connection = null);
      resolve(request.result);
    };
    request.onerror = request.onblocked = () => reject(request.error);
  }));

async function withStore(name, mode, act) {
  try {
    const base = await connect();
    return await new Promise((resolve, reject) => {
      const transaction = base.transaction(name, mode);
      const request = act(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(request.error);
    });
  } catch {
    connection = null;
    return undefined;
  }
}

const USE_KEY = "satcross.lists"; // list name -> time of last use by a page
const MAX_UNUSED = 14 * 24 * 3600 * 1000; // milliseconds

function noteUse(names) {
  let times = {};
  try {
    times = JSON.parse(localStorage.getItem(USE_KEY)) ?? {};
    for (const name of names) times[name] = Date.now();
    localStorage.setItem(USE_KEY, JSON.stringify(times));
  } catch { /* a browser without storage */ }
  return times;
}

export function storeList(name, content) {
  noteUse([name]);
  return withStore("lists", "readwrite", (store) => store.put(content, name));
}

export const storedList = (name) => withStore("lists", "readonly", (store) => store.get(name));

/** Remove lists that nothing has used for 14 days; `names` are lists that are still needed. */
export async function removeOldLists(names) {
  const times = noteUse(names);
  for (const name of (await withStore("lists", "readonly", (store) => store.getAllKeys())) ?? []) {
    if (!(Date.now() - times[name] < MAX_UNUSED)) await withStore("lists", "readwrite", (store) => store.delete(name));
  }
}

/** A crossword of the library: `{ id, created, changed, deleted, doc, revisions }`, times in milliseconds. */
export const storePuzzle = (record) => withStore("puzzles", "readwrite", (store) => store.put(record, record.id));

export const storedPuzzle = (id) => withStore("puzzles", "readonly", (store) => store.get(id));

export const removePuzzle = (id) => withStore("puzzles", "readwrite", (store) => store.delete(id));

export const allPuzzles = async () => (await withStore("puzzles", "readonly", (store) => store.getAll())) ?? [];
