// Uploaded word lists, kept in the browser: the server forgets them when it ends.

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
    return undefined; // a browser that keeps nothing
  }
}

export const holdList = (name, content) => use("readwrite", (store) => store.put(content, name));
export const heldList = (name) => use("readonly", (store) => store.get(name));
export const dropList = (name) => use("readwrite", (store) => store.delete(name));
