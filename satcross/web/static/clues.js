// @ts-check
// Clues beside the grid.

import { get } from "./api.js";
import { current, currentView, goToSlot } from "./board.js";
import { button, byId, debounce, every, make, plural, say } from "./dom.js";
import { spokenName } from "./grid.js";
import { clueId, setClue } from "./model.js";
import { allPuzzles } from "./shelf.js";
import { change, clueOf, clues, doc, field, isEnglish, onChange, slotNamed, slots, ui, wholeWord, wordIn } from "./store.js";

let shape = ""; // names and lengths of the slots shown

function build() {
  for (const [direction, id] of [["A", "across"], ["D", "down"]]) {
    byId(`clues-${id}`).replaceChildren(
      ...slots().filter((slot) => slot.direction === direction).map((slot) => {
        const input = make("input", {
          maxLength: 2000,
          placeholder: "clue",
          "aria-label": `clue of ${spokenName(slot.name)}`,
        });
        const name = slot.name;
        input.dataset.slot = name;
        input.oninput = () => change((next) => void setClue(next, slotNamed(name), input.value), `clue ${name}`);
        input.addEventListener("keydown", (event) => {
          if (event.ctrlKey && event.key === "i") {
            event.preventDefault();
            input.setRangeText(`<i>${input.value.slice(input.selectionStart, input.selectionEnd)}</i>`);
            input.oninput(event);
          }
          if (event.key !== "Enter" || event.ctrlKey || event.isComposing) return;
          event.preventDefault();
          const all = every("#panel-clues .clues input");
          all[(all.indexOf(input) + (event.shiftKey ? all.length - 1 : 1)) % all.length].focus();
        });
        input.addEventListener("focus", () => {
          const here = slotNamed(name);
          if (here && current()?.name !== name) goToSlot(here, false);
        });
        const draft = button("draft", () => {
          change((next) => {
            const key = clueId(doc, slotNamed(name));
            next.drafts = next.drafts.includes(key) ? next.drafts.filter((one) => one !== key) : [...next.drafts, key];
          });
        }, { className: "draft", "aria-label": `${spokenName(slot.name)} is a draft` });
        const answer = make("span", { className: "answer" });
        const fault = make("span", { className: "fault" });
        const row = make("li", {}, make("span", { className: "clue-number" }, String(slot.number)),
          make("span", { className: "clue-text" }, input, answer, draft, fault));
        row.dataset.slot = name;
        return row;
      }),
    );
  }
}

function draw() {
  const newShape = slots().map((slot) => slot.name + slot.cells.length).join();
  if (newShape !== shape) {
    shape = newShape;
    build();
  }
  const here = current()?.name;
  for (const row of every("#panel-clues li[data-slot]")) {
    const slot = slotNamed(row.dataset.slot);
    row.querySelector(".answer").textContent = wordIn(slot);
    row.classList.toggle("here", slot.name === here);
    const input = row.querySelector("input");
    const clue = clueOf(slot);
    if (input.value !== clue) input.value = clue;
    row.querySelector(".draft").setAttribute("aria-pressed", String(doc.drafts.includes(clueId(doc, slot))));
  }
  const shown = new Set(slots().map((slot) => clueId(doc, slot)));
  const aside = Object.keys(doc.clues).filter((id) => !shown.has(id)).length;
  say("clues-about", (unfinished() || "Every word has a clue") + (aside ? `. ${plural(aside, "clue")} of words that are no longer here, kept for their return.` : "."));
  soon();
}

/** What the clues lack, or "". */
export function unfinished() {
  const without = slots().filter((slot) => !clueOf(slot)).length;
  const drafts = slots().filter((slot) => doc.drafts.includes(clueId(doc, slot))).length;
  return [without && `${plural(without, "word")} without a clue`, drafts && plural(drafts, "draft")].filter(Boolean).join(", ");
}

/** Show what an editor would object to beside the clues. @param {Api.ClueFault[]} faults */
export function showFaults(faults) {
  for (const row of every("#panel-clues li[data-slot]")) {
    const found = faults.filter(({ slot }) => slot === row.dataset.slot);
    row.querySelector(".fault").textContent = found.map(({ text }) => text).join("; ");
  }
}

/** The lengths of the parts of a slot's answer, such as "3,5". */
function enumerationOf(slot) {
  return currentView()?.words.find((one) => one.word === wordIn(slot))?.enumeration || String(slot.length);
}

/** Clues with enumerations: the lengths of the answer's parts, where the clue doesn't end in them. */
export const withEnumerations = (texts) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => {
    const slot = slotNamed(name);
    return [name, /\([\d,\- ]+\)$/.test(text) || !slot ? text : `${text} (${enumerationOf(slot)})`];
  }));

let about = ""; // the crossword and the word that is looked up

async function lookUp() {
  const slot = current();
  const shown = slot ? wordIn(slot) : "";
  const word = shown.includes("·") ? "" : shown;
  const key = word && `${doc.id}${doc.language} ${word}`;
  if (key === about || (word && ui.tab !== "clues")) return;
  about = key;
  byId("facts").hidden = true;
  if (!word) return;
  try {
    const found = await get(/** @type {"/api/words/{word}"} */ (`/api/words/${encodeURIComponent(word)}`));
    const own = await ownClues(word);
    if (key === about) showFacts(slot, found, own);
  } catch { // the server is busy, or gone, which other parts of the page say
    about = "";
  }
}

/** The clues that other crosswords of this browser have for a word, with their titles. */
async function ownClues(word) {
  const others = (await allPuzzles()).filter((record) => record.id !== doc.id && !record.deleted);
  return others.map(({ doc: { clues = {}, title } }) => ({ text: clues[word], title })).filter(({ text }) => text);
}

/** @param {Api.WordFacts} found */
function showFacts(slot, found, own) {
  byId("facts").hidden = false;
  say("facts-title", found.written);
  say("facts-about", own.length || found.clues.length || found.definitions.length
    ? ""
    : "No dictionary that is set up (see below the clues) knows this word.");
  const take = (text) => change((next) => {
    const key = setClue(next, slot, text);
    if (!next.drafts.includes(key)) next.drafts.push(key); // a looked-up clue is a draft of a new one
  });
  const offer = (text, note) => make("li", {},
    button(text, () => take(text), { className: "quiet", title: "Begin with this clue" }), make("span", { className: "small" }, ` ${note}`));
  byId("facts-clues").replaceChildren(
    ...own.map((clue) => offer(clue.text, `your clue in ${clue.title || "another crossword"}`)),
    ...found.clues.map((clue) => offer(clue.text, [clue.year || "", clue.times > 1 ? `${clue.times} times` : ""].filter(Boolean).join(", "))));
  byId("facts-definitions").replaceChildren(...found.definitions.map(([, text]) => make("li", {}, text)));
  const wordplay = isEnglish() ? found.wordplay : []; // its tables are English
  const devices = [...new Set(wordplay.map(({ device }) => device))];
  byId("facts-wordplay").replaceChildren(...devices.map((name) =>
    make("li", {}, `${name}: ${wordplay.filter(({ device }) => device === name).map(({ text }) => text).join(", ")}`)));
}

const soon = debounce(lookUp, 250);

export function startClues() {
  for (const name of ["title", "author", "copyright", "notes"]) field(`crossword-${name}`, name);
  onChange(draw);
  draw();
}
