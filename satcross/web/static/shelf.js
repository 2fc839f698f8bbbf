// Uploaded word lists, stored in the browser, because the server loses them when it ends.

const open = () =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open("satcross", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("lists");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

async function use(mode, act) {
  try {
    const base = await open();
    return await new Promise((resolve, reject) => {
      const asked = act(base.transaction("lists", mode).objectStore("lists"));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  } catch {
    return undefined; // a browser without storage
  }
}

const NOTE = "satcross.lists"; // name -> time of last use by a page
const FORGOTTEN = 14 * 24 * 3600 * 1000; // milliseconds

function note(names) {
  let times = {};
  try {
    times = JSON.parse(localStorage.getItem(NOTE)) ?? {};
    for (const name of names) times[name] = Date.now();
    localStorage.setItem(NOTE, JSON.stringify(times));
  } catch { /* a browser without storage */ }
  return times;
}

export function holdList(name, content) {
  note([name]);
  return use("readwrite", (store) => store.put(content, name));
}

export const heldList = (name) => use("readonly", (store) => store.get(name));

/** Remove the lists that no page has used for a long time; `names` are used by this page. */
export async function sweep(names) {
  const times = note(names);
  for (const name of (await use("readonly", (store) => store.getAllKeys())) ?? []) {
    if (!(Date.now() - times[name] < FORGOTTEN)) await use("readwrite", (store) => store.delete(name));
  }
}
