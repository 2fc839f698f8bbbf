// @ts-check
// What is stored in the browser's database: uploaded word lists, because the server loses them when it
// ends, and crosswords. In a browser without storage nothing is found, and nothing fails.

import { byId } from "./dom.js";

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

/** The result of a method of a store, or undefined. A lost connection is opened anew, once. */
async function ask(name, method, values = [], again = true) {
  try {
    const base = await connect();
    return await new Promise((resolve, reject) => {
      const transaction = base.transaction(name, method.startsWith("get") ? "readonly" : "readwrite");
      const request = transaction.objectStore(name)[method](...values);
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(request.error);
    });
  } catch {
    connection = null;
    return again ? ask(name, method, values, false) : undefined;
  }
}

const keeps = { page: true, library: true };

/** Note whether a change was stored; where neither place takes it, the page says so. */
export function noteStored(place, stored) {
  keeps[place] = stored;
  byId("unsaved").hidden = keeps.page || keeps.library;
}

addEventListener("beforeunload", (event) => {
  if (!keeps.page && !keeps.library) event.preventDefault();
});

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
  return ask("lists", "put", [content, name]);
}

export const storedList = (name) => ask("lists", "get", [name]);

/** Remove lists that nothing has used for 14 days; `names` are lists that are still needed. */
export async function removeOldLists(names) {
  const times = noteUse(names);
  for (const name of (await ask("lists", "getAllKeys")) ?? []) {
    if (!(Date.now() - times[name] < MAX_UNUSED)) await ask("lists", "delete", [name]);
  }
}

/** A crossword of the library: `{ id, created, changed, deleted, doc, revisions }`, times in milliseconds. */
export const storePuzzle = (record) => ask("puzzles", "put", [record, record.id]);

export const storedPuzzle = (id) => ask("puzzles", "get", [id]);

export const removePuzzle = (id) => ask("puzzles", "delete", [id]);

export const allPuzzles = async () => (await ask("puzzles", "getAll")) ?? [];
