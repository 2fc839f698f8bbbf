// Uploaded word lists, stored in the browser, because the server loses them when it ends.

const open = () =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open("satcross", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("lists");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function withStore(mode, act) {
  try {
    const base = await open();
    return await new Promise((resolve, reject) => {
      const request = act(base.transaction("lists", mode).objectStore("lists"));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return undefined; // a browser without storage
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
  return withStore("readwrite", (store) => store.put(content, name));
}

export const storedList = (name) => withStore("readonly", (store) => store.get(name));

/** Remove lists that no page has used for 14 days; `names` are the lists of this page. */
export async function removeOldLists(names) {
  const times = noteUse(names);
  for (const name of (await withStore("readonly", (store) => store.getAllKeys())) ?? []) {
    if (!(Date.now() - times[name] < MAX_UNUSED)) await withStore("readwrite", (store) => store.delete(name));
  }
}
