// Word lists and rules.

import { upload } from "./api.js";
import { byId, button, make, plural, redraw, showStatus } from "./dom.js";
import { storeList } from "./shelf.js";
import { change, doc, onChange } from "./store.js";

/** Upload word lists and use them. */
export async function addLists(files) {
  for (const file of files) {
    showStatus(`Reading ${file.name} …`);
    try {
      const content = await file.arrayBuffer();
      const state = await upload(`/api/lists?title=${encodeURIComponent(file.name.slice(0, 200))}`, content);
      await storeList(state.name, new Blob([content]));
      change((next) => {
        next.lists = next.lists.filter((one) => one.name !== state.name);
        // An uploaded list replaces the default list.
        for (const list of next.lists) if (list.name === "default") list.used = false;
        next.lists.push({ name: state.name, title: file.name, used: true, words: state.words });
      });
      showStatus([`${file.name}: ${plural(state.words, "word")}.`, ...state.notes].join(" "));
    } catch (error) {
      showStatus(`${file.name}: ${error.message}`, "bad");
    }
  }
}

/** Give the word lists (name -> content) of a file to the server and the browser; `documents` name them. */
export async function restoreLists(lists, documents) {
  const titles = new Map(documents.flatMap((one) => one.lists.map((list) => [list.name, list.title])));
  for (const [name, content] of Object.entries(lists)) {
    await upload(`/api/lists?title=${encodeURIComponent((titles.get(name) ?? "").slice(0, 200))}`, content);
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
  const score = doc.minScore === null ? "" : String(doc.minScore);
  if (byId("min-score").value !== score) byId("min-score").value = score;
  if (byId("excluded").value !== doc.excluded) byId("excluded").value = doc.excluded;
  byId("repeats").checked = doc.allowRepeats;
}

export function startLists() {
  byId("list-file").addEventListener("change", (event) => {
    addLists([...event.target.files]);
    event.target.value = "";
  });
  byId("min-score").addEventListener("input", (event) => {
    const value = event.target.value.trim();
    const number = Math.round(Number(value));
    if (value !== "" && !(Math.abs(number) <= 1_000_000)) return;
    change((next) => (next.minScore = value === "" ? null : number), "score");
  });
  byId("min-score").addEventListener("change", draw); // removes an invalid value
  byId("excluded").addEventListener("input", (event) =>
    change((next) => (next.excluded = event.target.value), "excluded"),
  );
  byId("repeats").addEventListener("change", (event) =>
    change((next) => (next.allowRepeats = event.target.checked)),
  );
  onChange(draw);
  draw();
}
