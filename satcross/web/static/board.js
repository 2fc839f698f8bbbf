// The grid on the page: drawing it, moving in it, typing into it.

import { byId, make, plural, showStatus } from "./dom.js";
import { BLOCKED, asLetter, findSlots, slotAt, spokenName } from "./grid.js";
import {
  change, doc, dropWords, letterAt, onChange, puzzleKey, setLetter, slots, toggleLock, ui, uiChanged,
} from "./store.js";

const HEAT = [1, 2, 4, 7, 11]; // maximum number of possible letters for each colour, hottest first

/** Letters and marks drawn over the document while a job runs or a reason is shown. */
const overlaid = { letters: null, marks: new Map() };

/** The server's last `View` (see the API), and the key of its puzzle. */
let answered = { view: null, key: "" };

let boxes = [];
let shape = "";

export function setView(view, key) {
  answered = { view, key };
  draw();
}

/** The `View` of the current puzzle, or null. */
const currentView = () => (answered.key === puzzleKey() ? answered.view : null);

/** Show rows of letters over the grid (null: none), and mark cells: a map of "r,c" to a class. */
export function overlay(letters, marks = new Map()) {
  overlaid.letters = letters;
  overlaid.marks = marks;
  draw();
}

/** The slot the cursor is in, or undefined. */
export const current = () => slotAt(slots(), ui.row, ui.column, ui.direction);

/** Move the cursor and the keyboard focus to a cell. */
export function goTo(r, c, direction = ui.direction, focus = true) {
  ui.row = r;
  ui.column = c;
  ui.direction = slotAt(slots(), r, c, direction)?.direction ?? direction;
  uiChanged();
  if (focus) boxes[r]?.[c]?.input.focus({ preventScroll: true });
}

export const goToSlot = (slot, focus = true) => goTo(...slot.cells[0], slot.direction, focus);

function build() {
  const board = byId("board");
  const [height, width] = [doc.cells.length, doc.cells[0].length];
  shape = `${height}x${width}`;
  board.style.setProperty("--columns", width);
  board.style.setProperty("--rows", height);
  board.setAttribute("aria-rowcount", height);
  board.setAttribute("aria-colcount", width);
  boxes = doc.cells.map((row, r) =>
    row.map((_, c) => {
      const input = make("input", {
        type: "text",
        autocomplete: "off",
        autocapitalize: "characters",
        spellcheck: false,
        enterKeyHint: "next",
        id: `cell-${r}-${c}`,
      });
      input.dataset.row = r;
      input.dataset.column = c;
      const number = make("span", { className: "number", "aria-hidden": "true" });
      const cell = make("div", { role: "gridcell", className: "cell" }, number, input);
      return { cell, input, number };
    }),
  );
  board.replaceChildren(
    ...boxes.map((row) => make("div", { role: "row" }, ...row.map((box) => box.cell))),
  );
}

function heatClass(count) {
  const level = HEAT.findIndex((maximum) => count <= maximum);
  return count === 0 ? "heat-none" : level < 0 ? "" : `heat-${level + 1}`;
}

/** Update the page to the document, the overlay and the view. */
export function draw() {
  if (shape !== `${doc.cells.length}x${doc.cells[0].length}`) build();
  const view = currentView();
  const starts = new Map();
  const through = doc.cells.map((row) => row.map(() => []));
  const dead = new Set([...(view?.empty ?? []), ...(view?.wiped_out ? [view.wiped_out] : [])]);
  for (const slot of slots()) {
    starts.set(slot.cells[0].join(), slot.number);
    for (const [r, c] of slot.cells) through[r][c].push(slot);
  }
  const here = current();
  const circled = new Set(doc.circled.map((cell) => cell.join()));
  const inWord = new Map(here?.cells.map((cell, position) => [cell.join(), position]));
  boxes.forEach((row, r) =>
    row.forEach(({ cell, input, number }, c) => {
      const content = doc.cells[r][c];
      const blocked = content === BLOCKED;
      const shown = overlaid.letters?.[r]?.[c];
      const overlaidLetter = shown && shown !== "." && shown !== "_" && shown !== BLOCKED ? shown : "";
      const letter = content && !blocked ? content : overlaidLetter || (overlaid.letters ? "" : letterAt(r, c));
      const count = view?.cells?.[r]?.[c];
      const classes = ["cell"];
      if (blocked) classes.push("blocked");
      else {
        if (content) classes.push("locked");
        else if (overlaidLetter) classes.push("live");
        else if (letter) classes.push("pencil");
        const position = inWord.get(`${r},${c}`);
        if (position !== undefined) {
          classes.push("word", here.direction === "A" ? "across" : "down");
          if (position === 0) classes.push("first");
          if (position === here.cells.length - 1) classes.push("last");
        }
        if (through[r][c].some((slot) => dead.has(slot.name))) classes.push("dead");
        else if (ui.heat && !overlaid.letters && !letter && count !== undefined && count !== null) {
          classes.push(heatClass(count));
        }
        if (circled.has(`${r},${c}`)) classes.push("circled");
        const forced = view?.forced?.[r]?.[c];
        number.dataset.forced = !overlaid.letters && !letter && forced && forced !== "." ? forced : "";
      }
      const mark = overlaid.marks.get(`${r},${c}`);
      if (mark) classes.push(mark);
      const isHere = r === ui.row && c === ui.column;
      if (isHere) classes.push("here");
      const name = classes.filter(Boolean).join(" ");
      if (cell.className !== name) cell.className = name;
      if (input.value !== letter) input.value = blocked ? "" : letter;
      input.readOnly = blocked || ui.blocks;
      input.tabIndex = isHere ? 0 : -1;
      const printed = String(starts.get(`${r},${c}`) ?? "");
      if (number.textContent !== printed) number.textContent = printed;
      const label = describeCell(r, c, through[r][c], letter, classes, count);
      if (input.getAttribute("aria-label") !== label) input.setAttribute("aria-label", label);
    }),
  );
  byId("here").textContent = here ? describeSlot(here) : "This cell is in no slot.";
}

function describeSlot(slot) {
  const pattern = slot.cells.map(([r, c]) => doc.cells[r][c] || "·").join("");
  const count = currentView()?.slots.find((one) => one.name === slot.name)?.candidates;
  const words = count === undefined ? "" : `, ${plural(count, "candidate")}`;
  return `${spokenName(slot.name)}: ${pattern}, ${slot.cells.length} letters${words}`;
}

function describeCell(r, c, through, letter, classes, count) {
  const parts = [`row ${r + 1}, column ${c + 1}`];
  if (classes.includes("blocked")) return `${parts[0]}, blocked`;
  parts.push(letter || "empty");
  if (classes.includes("locked")) parts.push("locked");
  parts.push(through.map((slot) => spokenName(slot.name)).join(" and ") || "in no slot");
  if (classes.includes("dead")) parts.push("no word fits");
  else if (!letter && Number.isInteger(count)) parts.push(`${count} letters possible`);
  if (classes.some((one) => one.startsWith("why"))) parts.push("part of the reason");
  return parts.join(", ");
}

function move(dr, dc) {
  const r = Math.min(Math.max(ui.row + dr, 0), doc.cells.length - 1);
  const c = Math.min(Math.max(ui.column + dc, 0), doc.cells[0].length - 1);
  goTo(r, c, dr ? "D" : "A");
}

/** Move to the previous or next cell in the current direction, if it is open. */
function step(by) {
  const [dr, dc] = ui.direction === "A" ? [0, by] : [by, 0];
  const content = doc.cells[ui.row + dr]?.[ui.column + dc];
  if (content !== undefined && content !== BLOCKED) goTo(ui.row + dr, ui.column + dc);
}

function nextSlot(by) {
  const here = current();
  const all = [...slots()].sort((a, b) => (a.direction < b.direction ? -1 : a.direction > b.direction ? 1 : a.number - b.number));
  if (!all.length) return;
  goToSlot(all[(all.findIndex((one) => one.name === here?.name) + by + all.length) % all.length]);
}

export function toggleBlock(r, c) {
  const block = doc.cells[r][c] !== BLOCKED;
  const [height, width] = [doc.cells.length, doc.cells[0].length];
  change((next) => {
    const content = block ? BLOCKED : "";
    const cells = [[r, c]];
    if (ui.symmetry) cells.push([height - 1 - r, width - 1 - c]);
    const before = findSlots(next.cells);
    const changed = cells.filter(([y, x]) => (next.cells[y][x] === BLOCKED) !== block);
    for (const [y, x] of changed) next.cells[y][x] = content;
    dropWords(next, changed, [...before, ...findSlots(next.cells)]);
  });
  showStatus(`Row ${r + 1}, column ${c + 1} ${block ? "blocked" : "opened"}.`);
}

function changeDirection() {
  const other = ui.direction === "A" ? "D" : "A";
  goTo(ui.row, ui.column, other);
}

function handleInput(input) {
  const [r, c] = [Number(input.dataset.row), Number(input.dataset.column)];
  const before = letterAt(r, c);
  const all = Array.from(input.value);
  if (all.includes(" ")) changeDirection();
  if (all.includes(".") || all.includes("#")) {
    toggleBlock(r, c);
    return draw();
  }
  const added = all.length > 1 ? all.toSpliced(all.lastIndexOf(before), before ? 1 : 0) : all;
  const letter = added.map(asLetter).filter(Boolean).at(-1);
  if (letter) {
    change((next) => setLetter(next, r, c, letter));
    step(1);
  } else if (!all.length) {
    change((next) => erase(next, r, c));
  }
  draw();
}

function erase(next, r, c) {
  if (next.cells[r][c] === BLOCKED) return;
  if (next.cells[r][c]) next.cells[r][c] = "";
  else if (next.pencil[r][c]) dropWords(next, [[r, c]]);
}

function handleKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { row: r, column: c } = ui;
  const actions = {
    ArrowLeft: () => move(0, -1),
    ArrowRight: () => move(0, 1),
    ArrowUp: () => move(-1, 0),
    ArrowDown: () => move(1, 0),
    Home: () => goTo(r, 0, "A"),
    End: () => goTo(r, doc.cells[0].length - 1, "A"),
    PageUp: () => nextSlot(-1),
    PageDown: () => nextSlot(1),
    " ": () => (ui.blocks ? toggleBlock(r, c) : changeDirection()),
    ".": () => toggleBlock(r, c),
    "#": () => toggleBlock(r, c),
    Delete: () => change((next) => erase(next, r, c)),
    Backspace: () => {
      if (!letterAt(r, c)) step(-1);
      change((next) => erase(next, ui.row, ui.column));
    },
    Enter: () => {
      const slot = current();
      if (slot) showStatus(`${spokenName(slot.name)} is ${toggleLock(slot) ? "locked" : "unlocked"}.`);
    },
  };
  if (!(event.key in actions)) return;
  event.preventDefault();
  actions[event.key]();
}

export function startBoard() {
  const board = byId("board");
  board.addEventListener("keydown", handleKey);
  board.addEventListener("input", (event) => handleInput(event.target));
  board.addEventListener("focusin", (event) => {
    const { row, column } = event.target.dataset;
    if (row === undefined) return;
    event.target.select();
    if (Number(row) !== ui.row || Number(column) !== ui.column) {
      goTo(Number(row), Number(column), ui.direction, false);
    }
  });
  let wasHere = false;
  board.addEventListener("pointerdown", (event) => {
    const input = event.target.closest(".cell")?.querySelector("input");
    wasHere = input !== undefined && input === document.activeElement;
  });
  board.addEventListener("click", (event) => {
    const input = event.target.closest(".cell")?.querySelector("input");
    if (!input) return;
    const [r, c] = [Number(input.dataset.row), Number(input.dataset.column)];
    if (ui.blocks) {
      toggleBlock(r, c);
      goTo(r, c);
    } else if (wasHere && doc.cells[r][c] !== BLOCKED) changeDirection();
    else goTo(r, c);
  });
  onChange(draw);
}
