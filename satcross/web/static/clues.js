// Clues beside the grid, and the page that is printed.

import { current, goToSlot } from "./board.js";
import { byId, make } from "./dom.js";
import { BLOCKED, spokenName } from "./grid.js";
import { change, clueKey, clues, doc, letterAt, onChange, slots, ui } from "./store.js";

let shape = ""; // names and lengths of the slots shown

export const answerOf = (slot) => slot.cells.map(([r, c]) => letterAt(r, c) || "·").join("");

function build() {
  for (const [direction, id] of [["A", "across"], ["D", "down"]]) {
    byId(`clues-${id}`).replaceChildren(
      ...slots().filter((slot) => slot.direction === direction).map((slot) => {
        const input = make("input", {
          type: "text",
          maxLength: 2000,
          placeholder: "clue",
          "aria-label": `clue of ${spokenName(slot.name)}`,
        });
        const name = slot.name;
        input.dataset.slot = name;
        input.addEventListener("input", () =>
          change((next) => {
            const key = clueKey(slots().find((one) => one.name === name));
            if (input.value) next.clues[key] = input.value;
            else delete next.clues[key];
          }, `clue ${name}`),
        );
        input.addEventListener("focus", () => {
          const here = slots().find((one) => one.name === name);
          if (here && current()?.name !== name) goToSlot(here, false);
        });
        const answer = make("span", { className: "answer" });
        const row = make(
          "li",
          {},
          make("span", { className: "clue-number" }, String(slot.number)),
          make("span", { className: "clue-text" }, input, answer),
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
  for (const row of document.querySelectorAll("#panel-clues li[data-slot]")) {
    const slot = slots().find((one) => one.name === row.dataset.slot);
    row.querySelector(".answer").textContent = answerOf(slot);
    row.classList.toggle("here", slot.name === here);
    const input = row.querySelector("input");
    const clue = doc.clues[clueKey(slot)] ?? "";
    if (input.value !== clue) input.value = clue;
  }
}

/** Make the page that is printed. */
export function drawPrint() {
  const texts = clues();
  const hasClues = Object.keys(texts).length > 0;
  document.querySelector(".print-clues").hidden = !hasClues;
  const solved = ui.printed === "solution";
  byId("print-title").textContent = doc.title || "Crossword";
  byId("print-author").textContent = [doc.author, doc.copyright].filter(Boolean).join(" · ");
  byId("print-notes").textContent = doc.notes;
  byId("print-grid").style.setProperty("--columns", Math.max(doc.cells.length, doc.cells[0].length));
  const circled = new Set(doc.circled.map((cell) => cell.join()));
  const numbers = new Map(slots().map((slot) => [slot.cells[0].join(), slot.number]));
  byId("print-grid").replaceChildren(
    ...doc.cells.map((row, r) =>
      make("tr", {}, ...row.map((cell, c) => {
        const ring = circled.has(`${r},${c}`) ? "circled" : "";
        const box = make("td", { className: cell === BLOCKED ? "blocked" : ring });
        box.append(make("small", {}, String(numbers.get(`${r},${c}`) ?? "")));
        if (solved) box.append(letterAt(r, c));
        return box;
      })),
    ),
  );
  for (const [direction, id] of [["A", "across"], ["D", "down"]]) {
    byId(`print-${id}`).replaceChildren(
      ...slots().filter((slot) => slot.direction === direction).map((slot) =>
        make("li", {}, make("b", {}, `${slot.number} `), `${texts[slot.name] ?? ""} (${slot.cells.length})`),
      ),
    );
  }
}

export function startClues() {
  for (const name of ["title", "author", "copyright", "notes"]) {
    const input = byId(`sheet-${name}`);
    const show = () => {
      if (input.value !== doc[name]) input.value = doc[name];
    };
    input.addEventListener("input", () => change((next) => (next[name] = input.value), name));
    onChange(show);
    show();
  }
  onChange(draw);
  draw();
  addEventListener("beforeprint", drawPrint);
}
