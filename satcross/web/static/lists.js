// @ts-check
// Word lists and rules.

import { uploadList } from "./api.js";
import { button, byId, make, on, plural, redraw, showStatus } from "./dom.js";
import { storedList, storeList } from "./shelf.js";
import { change, doc, field, onChange } from "./store.js";

export async function addLists(files) {
  for (const file of files) {
    showStatus(`Reading ${file.name} …`);
    try {
      const content = await file.arrayBuffer();
      const state = await uploadList(file.name, content);
      const stored = storeList(state.name, new Blob([content]));
      const replaced = doc.lists.some((one) => one.name === "default" && one.used);
      change((next) => {
        next.lists = next.lists.filter((one) => one.name !== state.name);
        for (const list of next.lists) if (list.name === "default") list.used = false;
        next.lists.push({ name: state.name, title: file.name, used: true, words: state.words });
      });
      await stored;
      const told = replaced ? ["It replaces the default list; tick that one, under Lists, to use both."] : [];
      showStatus([`${file.name}: ${plural(state.words, "word")}.`, ...told, ...state.notes].join(" "));
    } catch (error) {
      showStatus(`${file.name}: ${error.message}`, "bad");
    }
  }
}

/** The stored word lists (name -> content) of documents. */
export async function listsOf(documents) {
  const lists = {};
  for (const { name } of documents.flatMap((one) => one.lists)) {
    const content = await storedList(name);
    if (content) lists[name] = content;
  }
  return lists;
}

/** Give a file's word lists (name -> content) to the server and the browser; `documents` name them. */
export async function restoreLists(lists, documents) {
  const titles = new Map(documents.flatMap((one) => one.lists.map((list) => [list.name, list.title])));
  for (const [name, content] of Object.entries(lists)) {
    await uploadList(titles.get(name) ?? "", content);
    await storeList(name, content);
  }
}

function draw() {
  redraw(
    byId("lists"),
    doc.lists.map((list, index) => {
      const box = make("input", {
        type: "checkbox", checked: list.used, id: `list-${index}`, "data-key": list.name,
      });
      box.addEventListener("change", () => change((next) => (next.lists[index].used = box.checked)));
      const about = list.words ? ` (${plural(list.words, "word")})` : "";
      const label = make("label", { for: box.id }, list.title + about);
      const row = make("li", {}, box, label);
      if (list.name !== "default") {
        row.append(button("Remove", () => change((next) => next.lists.splice(index, 1)), {
          className: "quiet",
          "aria-label": `Remove ${list.title}`,
        }));
      }
      return row;
    }),
    byId("list-file"),
  );
}

export function startLists() {
  const file = byId("list-file");
  on("list-file", "change", () => {
    addLists([...file.files]);
    file.value = "";
  });
  field("repeats", "allowRepeats");
  for (const name of ["floors", "excluded", "preferred", "endings"]) field(name);
  for (const name of ["min-score", "theme-least", "max-shared"]) field(name, name.replace(/-./, (text) => text[1].toUpperCase()));
  field("theme-words", "theme");
  onChange(draw);
  draw();
}
