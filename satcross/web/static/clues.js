// @ts-check
// Clues beside the grid, and the page that is printed.

import { get } from "./api.js";
import { current, currentView, drawings, goToSlot } from "./board.js";
import { button, byId, debounce, every, make, plural, say } from "./dom.js";
import { BLOCKED, lettersIn, spokenName } from "./grid.js";
import { change, clueKey, clues, doc, field, letterAt, onChange, slotNamed, slots, ui, wordIn } from "./store.js";

const MANY_CLUES = 40;
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
        input.addEventListener("input", () =>
          change((next) => {
            const key = clueKey(slotNamed(name));
            if (input.value) next.clues[key] = input.value;
            else delete next.clues[key];
          }, `clue ${name}`),
        );
        input.addEventListener("keydown", (event) => {
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
            const key = clueKey(slotNamed(name));
            next.drafts = next.drafts.includes(key) ? next.drafts.filter((one) => one !== key) : [...next.drafts, key];
          });
        }, { className: "draft", "aria-label": `${spokenName(slot.name)} is a draft` });
        const answer = make("span", { className: "answer" });
        const row = make(
          "li",
          {},
          make("span", { className: "clue-number" }, String(slot.number)),
          make("span", { className: "clue-text" }, input, answer, draft),
        );
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
    const clue = doc.clues[clueKey(slot)] ?? "";
    if (input.value !== clue) input.value = clue;
    row.querySelector(".draft").setAttribute("aria-pressed", String(doc.drafts.includes(clueKey(slot))));
  }
  const without = slots().filter((slot) => !doc.clues[clueKey(slot)]).length;
  const drafts = slots().filter((slot) => doc.drafts.includes(clueKey(slot))).length;
  say("clues-about", [
    without ? `${plural(without, "word")} without a clue` : "Every word has a clue",
    ...(drafts ? [plural(drafts, "draft")] : []),
  ].join(", ") + ".");
  soon();
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

let about = ""; // the word that is looked up

async function lookUp() {
  const slot = current();
  const shown = slot ? wordIn(slot) : "";
  const word = shown.includes("·") ? "" : shown;
  if (word === about || (word && ui.tab !== "clues")) return;
  about = word;
  byId("facts").hidden = true;
  if (!word) return;
  try {
    const found = await get(/** @type {"/api/words/{word}"} */ (`/api/words/${encodeURIComponent(word)}`));
    if (word === about) showFacts(slot, found);
  } catch { // the server is busy, or gone, which other parts of the page say
    about = "";
  }
}

/** @param {Api.WordFacts} found */
function showFacts(slot, found) {
  byId("facts").hidden = false;
  say("facts-title", found.written);
  say("facts-about", found.clues.length || found.definitions.length
    ? ""
    : "No dictionary or clue database of “satcross sources” knows this word.");
  const take = (text) => change((next) => {
    const key = clueKey(slot);
    next.clues[key] = text;
    if (!next.drafts.includes(key)) next.drafts.push(key); // a looked-up clue is a draft of a new one
  });
  byId("facts-clues").replaceChildren(...found.clues.map((one) =>
    make("li", {}, button(one.text, () => take(one.text), { className: "quiet", title: "Begin with this clue" }),
      make("span", { className: "small" }, ` ${[one.year || "", one.times > 1 ? `${one.times} times` : ""].filter(Boolean).join(", ")}`))));
  byId("facts-definitions").replaceChildren(...found.definitions.map(([, text]) => make("li", {}, text)));
}

const soon = debounce(lookUp, 250);

/** The grid as it is printed: cells as on the page, with their letters or without. */
function printedGrid(withLetters) {
  const numbers = new Map(slots().map((slot) => [slot.cells[0].join(), slot.number]));
  const drawnAt = drawings();
  return doc.cells.map((row, r) =>
    make("div", { className: "row" }, ...row.map((_, c) => {
      const letters = letterAt(r, c);
      const cell = make("div", { className: ["cell", lettersIn(letters) > 1 ? "rebus" : "", ...drawnAt(r, c)].join(" ") },
        make("span", { className: "number" }, String(numbers.get(`${r},${c}`) ?? "")),
        withLetters ? make("b", {}, letters) : "");
      cell.style.setProperty("--letters", Math.max(1, lettersIn(letters)));
      return cell;
    })),
  );
}

function drawPrint() {
  const texts = clues();
  const paper = byId("paper");
  const solved = ui.printed === "solution";
  const [height, width] = [doc.cells.length, doc.cells[0].length];
  say("print-title", doc.title || "Crossword");
  say("print-author", [doc.author, doc.copyright].filter(Boolean).join(" · "));
  say("print-notes", doc.notes);
  paper.style.setProperty("--columns", Math.max(height, width));
  // Words that cross here and there need no black paper around them.
  paper.classList.toggle("loose", doc.cells.flat().filter((cell) => cell === BLOCKED).length > 0.4 * height * width);
  byId("print-grid").replaceChildren(...printedGrid(solved));
  const words = slots().map(wordIn).filter((word) => !word.includes("·"));
  byId("print-bank").hidden = !ui.bank || solved || !words.length;
  say("print-bank-words", words.sort().join("   "));
  byId("print-key").hidden = !ui.answers || solved;
  byId("print-key-grid").replaceChildren(...(ui.answers ? printedGrid(true) : []));
  const lines = Object.keys(texts).length === 0 ? [] : [["A", "Across"], ["D", "Down"]].flatMap(([direction, name]) => [
    make("h2", {}, name),
    ...slots().filter((slot) => slot.direction === direction).map((slot) =>
      make("p", {}, make("b", {}, `${slot.number} `), withEnumerations({ [slot.name]: texts[slot.name] ?? "" })[slot.name])),
  ]);
  const [first, rest, main] = [byId("print-first"), byId("print-clues"), byId("print-main")];
  first.replaceChildren();
  rest.replaceChildren(...lines);
  // Many clues are set as in a newspaper: one column beside the grid, the others below it.
  paper.classList.add("measured");
  paper.classList.toggle("newspaper", lines.length > MANY_CLUES);
  while (lines.length > MANY_CLUES && first.offsetHeight < main.offsetHeight) first.append(rest.children[0]);
  paper.classList.remove("measured");
}

export function startClues() {
  for (const name of ["title", "author", "copyright", "notes"]) field(`crossword-${name}`, name);
  onChange(draw);
  draw();
  addEventListener("beforeprint", drawPrint);
}
