// @ts-check
// Word lists and rules.

import { uploadList } from "./api.js";
import { button, byId, every, make, ofFile, on, plural, redraw, sentences, showStatus } from "./dom.js";
import { storedList, storeList } from "./shelf.js";
import { change, doc, field, isEnglish, onChange, onDocument } from "./store.js";

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
      const more = replaced ? ["It replaces the default list; tick that one, under Lists, to use both."] : [];
      showStatus([`${file.name}: ${plural(state.words, "word")}.`, ...more, ...sentences(state.notes)].join(" "));
    } catch (error) {
      showStatus(`${file.name}: ${ofFile(error)}`, "bad");
    }
  }
}

const names = new Intl.DisplayNames("en", { type: "language" });

/** Give a document a language. The default list is English, and serves no other one. */
export function setLanguage(next, code) {
  next.language = code;
  const usual = next.lists.find((one) => one.name === "default");
  usual.used = isEnglish(code) && (usual.used || !next.lists.some((one) => one.used));
}

/** Offer the languages of the server (code -> "ltr" or "rtl"), and follow the one of the document. */
export function showLanguages(languages) {
  for (const select of every(".language")) {
    select.append(...Object.keys(languages).map((code) => make("option", { value: code }, names.of(code))));
  }
  on("language", "change", () => change((next) => setLanguage(next, byId("language").value)));
  const show = () => {
    byId("language").value = doc.language;
    for (const element of [byId("board"), byId("candidates"), ...every(".clue-columns")]) {
      Object.assign(element, { lang: doc.language, dir: languages[doc.language] ?? "" });
    }
  };
  onDocument(show);
  show();
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
      const remove = button("Remove", () => change((next) => next.lists.splice(index, 1)), { className: "quiet", "aria-label": `Remove ${list.title}` });
      return make("li", {}, box, make("label", { for: box.id }, list.title + about), list.name === "default" ? null : remove);
    }),
    byId("list-file"),
  );
}

/** The rules that are set: what is said of each, and the fields that removing it clears. */
function rulesSet() {
  const words = (text) => text.split(/[\s,;]+/).filter(Boolean);
  const named = (text) => (words(text).length > 3 ? plural(words(text).length, "word") : words(text).join(", "));
  const theme = doc.themeLeast === null ? "theme" : `theme, at least ${doc.themeLeast}`;
  return /** @type {[string | false, Record<string, any>][]} */ ([
    [doc.minScore !== null && `${doc.minScore} or more`, { minScore: null }],
    [words(doc.floors).length > 0 && `by length: ${doc.floors}`, { floors: "" }],
    [words(doc.theme).length > 0 && `${theme}: ${named(doc.theme)}`, { theme: "", themeLeast: null }],
    [words(doc.excluded).length > 0 && `without ${named(doc.excluded)}`, { excluded: "" }],
    [words(doc.preferred).length > 0 && `preferred: ${named(doc.preferred)}`, { preferred: "" }],
    [doc.maxShared !== null && `share at most ${plural(doc.maxShared, "letter")}`, { maxShared: null }],
    [words(doc.endings).length > 0 && `endings: ${named(doc.endings)}`, { endings: "" }],
    [doc.allowRepeats && "words may repeat", { allowRepeats: false }],
  ]).filter(([text]) => text);
}

/** The rules that fills follow, beside “Fill”. */
function drawRules() {
  const used = doc.lists.filter((list) => list.used).map((list) => list.title).join(", ") || "no list";
  redraw(byId("rules"), [
    button(used, () => {}, { id: "open-lists", title: "Lists and rules", "data-key": "lists" }),
    ...rulesSet().map(([text, cleared]) => make("span", { className: "chip" }, String(text), button("×", () => change((next) => void Object.assign(next, cleared)), {
      "aria-label": `Remove the rule: ${text}`, "data-key": String(text),
    }))),
  ], byId("fill"));
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
  for (const show of [draw, drawRules]) {
    onChange(show);
    show();
  }
}
