// @ts-check
// The grid on the page: drawing it, moving in it, typing into it.

import { byId, make, on, plural, say, showStatus, targetOf } from "./dom.js";
import { asLetter, BLOCKED, lettersIn, lettersOf, mapCells, slotAt, spokenName, spread } from "./grid.js";
import { drawAt, isDrawn, placeAt, placeHere, toggleAt } from "./pens.js";
import { choose, erase, lock, places, reading, setLetter, unlock } from "./model.js";
import { change, doc, fillState, isEnglish, letterAt, onChange, puzzleKey, slotNamed, slots, ui, uiChanged, wholeWord, wordIn } from "./store.js";

const HEAT = [1, 2, 4, 7, 11]; // maximum number of possible letters for each colour, hottest first

/** Letters and marks drawn over the document while a job runs or a reason is shown. */
const overlaid = { letters: null, marks: new Map() };

/** Letters shown where the document has none (or for a moment instead): "r,c" -> letter. */
const shown = { preview: new Map(), faint: new Map(), sureness: new Map() };

/** The selected rectangle, or null: where it began and where it ends. */
let selection = null;

export function selectedCells() {
  const found = new Set();
  if (!selection) return found;
  const [[r1, c1], [r2, c2]] = selection;
  for (let r = Math.min(r1, r2); r <= Math.max(r1, r2); r++) {
    for (let c = Math.min(c1, c2); c <= Math.max(c1, c2); c++) found.add(`${r},${c}`);
  }
  return found;
}

export function select(from, to) {
  selection = from && [from, to];
  draw();
}

/** Show words (slot name -> word) for a moment, or nothing. */
export function preview(words) {
  const before = shown.preview.size;
  shown.preview = new Map(Object.entries(words ?? {}).flatMap(([name, word]) => {
    const slot = slotNamed(name);
    return slot ? spread(slot, word).map((letters, index) => [slot.cells[index].join(), letters]) : [];
  }));
  if (before || shown.preview.size) draw();
}

export function suggest(rows) {
  shown.faint = new Map();
  rows?.forEach((row, r) => lettersOf(row).forEach((letter, c) => shown.faint.set(`${r},${c}`, letter)));
  draw();
}

/** Shade letters by their probability ("r,c" -> 0 to 1), or not. */
export function shade(probabilities) {
  shown.sureness = probabilities;
  draw();
}

/** The server's last `View` (see the API), and the key of its puzzle. @type {{ view: Api.View | null, key: string }} */
let answered = { view: null, key: "" };

let boxes = [];
let shape = "";

/**
 * @param {Api.View | null} view
 * @param {string} key
 */
export function setView(view, key) {
  answered = { view, key };
  draw();
}

/** The `View` of the current puzzle, or null. @returns {Api.View | null} */
export const currentView = () => (answered.key === puzzleKey() ? answered.view : null);

/** Show rows of letters over the grid (null: none), and mark cells: a map of "r,c" to a class. */
export function overlay(letters, marks = new Map()) {
  overlaid.letters = letters;
  overlaid.marks = marks;
  draw();
}

export const current = () => slotAt(slots(), ui.row, ui.column, ui.direction);

export function goTo(r, c, direction = ui.direction, focus = true) {
  ui.row = r;
  ui.column = c;
  ui.direction = slotAt(slots(), r, c, direction)?.direction ?? direction;
  uiChanged();
  if (!focus) return;
  const box = boxes[r]?.[c];
  box?.input.focus({ preventScroll: true });
  const stage = byId("stage"); // it scrolls where the grid is enlarged
  if (box && stage.scrollWidth + stage.scrollHeight > stage.clientWidth + stage.clientHeight + 2) {
    box.cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

export const goToSlot = (slot, focus = true) => {
  const [r, c] = slot.cells[0];
  goTo(r, c, slot.direction, focus);
};

const shapeNow = () => `${doc.cells.length}x${doc.cells[0].length} ${doc.language}`;

function build() {
  const board = byId("board");
  const [height, width] = [doc.cells.length, doc.cells[0].length];
  shape = shapeNow();
  board.style.setProperty("--columns", width);
  board.style.setProperty("--rows", height);
  board.setAttribute("aria-rowcount", height);
  board.setAttribute("aria-colcount", width);
  boxes = doc.cells.map((row, r) =>
    row.map((_, c) => {
      const input = make("input", {
        autocomplete: "off",
        autocapitalize: "characters",
        spellcheck: false,
        enterKeyHint: "next",
        // The page's own keyboard has the letters of English.
        inputMode: matchMedia("(pointer: coarse)").matches && isEnglish() ? "none" : "text",
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

const letterOf = (shown) => (shown && shown !== "." && shown !== "_" && shown !== BLOCKED ? shown : "");

/**
 * The cells of words with a low score, or of words in no list, as a set of "r,c"; words that have changed since
 * don't count.
 * @param {Api.View | null} view
 */
function cellsOf(view, marked) {
  const found = new Set();
  for (const placed of view?.words ?? []) {
    const slot = marked(placed) && slotNamed(placed.slot);
    if (slot && wordIn(slot) === placed.word) for (const cell of slot.cells) found.add(cell.join());
  }
  return found;
}

/** A function that returns the classes of what is drawn in a cell. */
function drawings() {
  const drawn = { circled: places(doc.circled), shaded: places(doc.shaded), hole: places(doc.holes) };
  const bars = places(doc.bars);
  return (r, c) => {
    const blocked = doc.cells[r][c] === BLOCKED;
    return [
      ...(blocked ? ["blocked"] : []),
      ...(blocked ? ["hole"] : ["circled", "shaded"]).filter((kind) => drawn[kind].has(`${r},${c}`)),
      ...["right", "below"].filter((side) => bars.has(`${r},${c},${side}`)).map((side) => `bar-${side}`),
    ];
  };
}

/** Set what has changed: the same value would style a cell anew. */
const put = (of, name, value) => of[name] === value || (of[name] = value);

export function draw() {
  if (shape !== shapeNow()) build();
  const view = currentView();
  const starts = new Map();
  const through = mapCells(doc.cells, () => []);
  const dead = new Set([...(view?.empty ?? []), ...(view?.wiped_out ? [view.wiped_out] : [])]);
  for (const slot of slots()) {
    starts.set(slot.cells[0].join(), slot.number);
    for (const [r, c] of slot.cells) through[r][c].push(slot);
  }
  const here = current();
  const { own } = reading(doc);
  const drawnAt = drawings();
  const weak = cellsOf(view, ({ score }) => score !== null && score < view.weak_below);
  const unlisted = cellsOf(view, ({ score }) => score === null);
  const selected = selectedCells();
  // The cursor is no part of what a job or a step shows.
  const pointed = !overlaid.letters || byId("board").contains(document.activeElement);
  const inWord = new Map(pointed && here ? here.cells.map((cell, position) => [cell.join(), position]) : []);
  boxes.forEach((row, r) =>
    row.forEach(({ cell, input, number }, c) => {
      const blocked = doc.cells[r][c] === BLOCKED;
      const content = own[r][c];
      const place = `${r},${c}`;
      const overlaidLetter = letterOf(overlaid.letters?.[r]?.[c]);
      const previewed = (!overlaid.letters && shown.preview.get(place)) || "";
      const written = content || overlaidLetter || (overlaid.letters ? "" : letterAt(r, c));
      const letter = blocked ? "" : previewed || written;
      const faint = letter || overlaid.letters || blocked ? "" : letterOf(shown.faint.get(place));
      const count = view?.cells?.[r]?.[c];
      const classes = ["cell", ...drawnAt(r, c)];
      if (!blocked) {
        if (lettersIn(letter) > 1) classes.push("rebus");
        if (previewed && previewed !== written) classes.push("live");
        else if (content) classes.push("locked");
        else if (overlaidLetter) classes.push("live");
        else if (letter) classes.push("pencil");
        const position = inWord.get(place);
        if (position !== undefined) {
          classes.push("word", here.direction === "A" ? "across" : "down");
          if (position === 0) classes.push("first");
          if (position === here.cells.length - 1) classes.push("last");
        }
        if (through[r][c].some((slot) => dead.has(slot.name))) classes.push("dead");
        else if (ui.heat && !overlaid.letters && !letter && count !== undefined && count !== null) {
          classes.push(heatClass(count));
        }
        if (selected.has(place)) classes.push("selected");
        if (!overlaid.letters && !previewed) classes.push(...(unlisted.has(place) ? ["unlisted"] : weak.has(place) ? ["weak"] : []));
        const sure = shown.sureness.get(place);
        if (sure !== undefined && letter) classes.push(sure > 0.9 ? "sure" : sure > 0.5 ? "likely" : "doubtful");
        const forced = view?.forced?.[r]?.[c];
        put(number.dataset, "forced", overlaid.letters || letter ? "" : faint || letterOf(forced));
        put(number.dataset, "faint", faint ? "yes" : "");
      }
      const mark = overlaid.marks.get(place);
      if (mark) classes.push(mark);
      const isHere = r === ui.row && c === ui.column;
      if (isHere && pointed) classes.push("here");
      put(cell, "className", classes.filter(Boolean).join(" "));
      put(input, "value", letter);
      if (lettersIn(letter) > 1) cell.style.setProperty("--letters", lettersIn(letter));
      put(input, "readOnly", blocked || ui.blocks);
      put(input, "tabIndex", isHere ? 0 : -1);
      put(number, "textContent", String(starts.get(place) ?? ""));
      const label = describeCell(r, c, through[r][c], letter, classes, count);
      if (input.getAttribute("aria-label") !== label) input.setAttribute("aria-label", label);
    }),
  );
  const { any, hole } = fillState();
  say("fill", selection ? "Fill the selection" : !any ? "Fill" : ui.objective ? "Best fill" : hole ? "Fill gaps" : "New fill");
  say("here", here ? describeSlot(here) : "This cell is in no slot.");
}

const leftwards = () => byId("board").dir === "rtl";

function describeSlot(slot) {
  const count = currentView()?.slots.find((one) => one.name === slot.name)?.candidates;
  const words = count === undefined ? "" : `, ${plural(count, "candidate")}`;
  const word = leftwards() ? `\u2068${wordIn(slot)}\u2069` : wordIn(slot);
  return `${spokenName(slot.name)}: ${word}, ${slot.length} letters${words}`;
}

/** What is said of the classes of a cell. */
const SPOKEN = {
  circled: "circled", shaded: "shaded", "bar-right": "bar at the right", "bar-below": "bar below", weak: "weak word", unlisted: "word in no list",
  selected: "selected", dead: "no word fits",
};

function describeCell(r, c, through, letter, classes, count) {
  const parts = [`row ${r + 1}, column ${c + 1}`];
  if (classes.includes("blocked")) return `${parts[0]}, ${classes.includes("hole") ? "hole" : "blocked"}`;
  parts.push(letter || "empty");
  if (classes.includes("locked")) parts.push("locked");
  parts.push(through.map((slot) => spokenName(slot.name)).join(" and ") || "in no slot");
  parts.push(...Object.keys(SPOKEN).filter((name) => classes.includes(name)).map((name) => SPOKEN[name]));
  if (!classes.includes("dead") && !letter && Number.isInteger(count)) parts.push(`${count} letters possible`);
  if (classes.some((one) => one.startsWith("why"))) parts.push("part of the reason");
  return parts.join(", ");
}

function move(dr, dc, extend = false) {
  const from = selection?.[0] ?? [ui.row, ui.column];
  const r = Math.min(Math.max(ui.row + dr, 0), doc.cells.length - 1);
  const c = Math.min(Math.max(ui.column + dc, 0), doc.cells[0].length - 1);
  selection = extend ? [from, [r, c]] : null;
  goTo(r, c, dr ? "D" : "A");
}

export function goToTightest() {
  const open = new Map(slots().filter((slot) => slot.cells.some(([r, c]) => !letterAt(r, c))).map((slot) => [slot.name, slot]));
  const counted = (currentView()?.slots ?? []).filter((one) => open.has(one.name));
  if (!counted.length) return showStatus(open.size ? "The candidates are still being counted." : "Every slot is filled.");
  const tightest = counted.reduce((a, b) => (b.candidates < a.candidates ? b : a));
  goToSlot(open.get(tightest.name));
  showStatus(`${spokenName(tightest.name)} has ${plural(tightest.candidates, "candidate")}, the fewest.`);
}

function paste(text) {
  const slot = current();
  const letters = lettersOf(text).map(asLetter).filter(Boolean);
  if (!slot || !letters.length) return;
  const at = slot.cells.findIndex(([r, c]) => r === ui.row && c === ui.column);
  // A word as long as its slot goes there from the slot's beginning.
  const whole = letters.length === slot.length;
  const cells = slot.cells.slice(at);
  const fitting = whole ? letters : letters.slice(0, cells.length);
  change((next) => (whole ? choose(next, { [slot.name]: letters.join("") }) : fitting.forEach((letter, index) => setLetter(next, ...cells[index], letter))));
  const lost = letters.length - fitting.length;
  showStatus(`Pasted ${fitting.join("")}.${lost ? ` ${plural(lost, "letter")} did not fit.` : ""}`);
}

/** Move by a cell of the current slot. Return whether there was one. */
function step(by) {
  const cells = current()?.cells ?? [];
  const to = cells[cells.findIndex(([r, c]) => r === ui.row && c === ui.column) + by];
  if (to) goTo(to[0], to[1]);
  return Boolean(to);
}

let ended = ""; // the cell at the end of a slot in which the last letter was typed

function typeLetter(letter) {
  const here = `${ui.row},${ui.column},${ui.direction}`;
  if (ended === here) return showStatus("The word ends here.");
  change((next) => setLetter(next, ui.row, ui.column, letter));
  ended = step(1) ? "" : here;
}

function nextSlot(by) {
  const here = current();
  const all = [...slots()].sort((a, b) => (a.direction < b.direction ? -1 : a.direction > b.direction ? 1 : a.number - b.number));
  if (!all.length) return;
  goToSlot(all[(all.findIndex((one) => one.name === here?.name) + by + all.length) % all.length]);
}

function changeDirection() {
  const other = ui.direction === "A" ? "D" : "A";
  goTo(ui.row, ui.column, other);
}

const placeOf = ({ dataset }) => [Number(dataset.row), Number(dataset.column)];

function handleInput(input) {
  const [r, c] = placeOf(input);
  const before = letterAt(r, c);
  const all = lettersOf(input.value);
  if (all.includes(" ")) changeDirection();
  if (all.includes(".") || all.includes("#")) {
    toggleAt([r, c], "block");
    return draw();
  }
  const old = input.value.lastIndexOf(before);
  const added = all.length > 1 && old >= 0 ? input.value.slice(0, old) + input.value.slice(old + before.length) : input.value;
  const letter = lettersOf(added).map(asLetter).filter(Boolean).at(-1);
  if (letter) typeLetter(letter);
  else if (!all.length) change((next) => erase(next, r, c));
  draw();
}

/** Do what a key of the page's own keyboard says, as if it were pressed in the grid. */
export function pressKey(key) {
  const letter = asLetter(key);
  if (letter) {
    typeLetter(letter);
    draw();
  } else handleKey(new KeyboardEvent("keydown", { key }));
}

function handleKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const { row: r, column: c } = ui;
  const extend = event.shiftKey;
  const block = () => toggleAt([r, c], "block");
  const actions = {
    ArrowLeft: () => move(0, leftwards() ? 1 : -1, extend),
    ArrowRight: () => move(0, leftwards() ? -1 : 1, extend),
    ArrowUp: () => move(-1, 0, extend),
    ArrowDown: () => move(1, 0, extend),
    "/": goToTightest,
    Home: () => goTo(r, 0, "A"),
    End: () => goTo(r, doc.cells[0].length - 1, "A"),
    PageUp: () => nextSlot(-1),
    PageDown: () => nextSlot(1),
    " ": () => (ui.blocks ? toggleAt(placeHere()) : changeDirection()),
    ".": block,
    "#": block,
    Insert: askForLetters,
    Delete: () => change((next) => erase(next, r, c)),
    Backspace: () => {
      if (!letterAt(r, c)) step(-1);
      change((next) => erase(next, ui.row, ui.column));
    },
    Enter: () => {
      const slot = current();
      const filled = slot && wholeWord(slot)?.state === "filled";
      if (!slot || !wholeWord(slot)) return;
      change((next) => (filled ? lock : unlock)(next, [slot]));
      showStatus(`${spokenName(slot.name)} is ${filled ? "locked" : "unlocked"}.`);
    },
  };
  if (!(event.key in actions)) return;
  ended = "";
  event.preventDefault();
  actions[event.key]();
}

function askForLetters() {
  byId("letters-menu").open = true;
  byId("rebus").value = letterAt(ui.row, ui.column);
  byId("rebus").select();
  byId("rebus").focus();
}

function takeLetters(event) {
  event.preventDefault();
  const letters = lettersOf(byId("rebus").value.replace(/\s/g, "")).map(asLetter);
  if (!letters.length || letters.some((letter) => !letter)) return showStatus("Write letters or digits.", "bad");
  change((next) => setLetter(next, ui.row, ui.column, letters.join("")));
  byId("letters-menu").open = false;
  goTo(ui.row, ui.column);
  showStatus(`${letters.join("")} is locked in row ${ui.row + 1}, column ${ui.column + 1}.`);
}

export function startBoard() {
  on("rebus-form", "submit", takeLetters);
  on("board", "keydown", handleKey);
  // An input method writes what is composed, once it is.
  on("board", "input", (event) => event.isComposing || handleInput(event.target));
  on("board", "compositionend", (event) => handleInput(event.target));
  on("board", "focusin", (event) => {
    const input = targetOf(event);
    const { row, column } = input.dataset;
    if (row === undefined) return;
    input.select();
    if (Number(row) !== ui.row || Number(column) !== ui.column) {
      goTo(Number(row), Number(column), ui.direction, false);
    }
  });
  on("board", "paste", (event) => {
    event.preventDefault();
    paste(event.clipboardData?.getData("text/plain") ?? "");
  });
  startPointer();
  onChange(draw);
}

function cellAt(event) {
  const input = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell")?.querySelector("input");
  return input ? placeOf(input) : null;
}

/** What the pen draws under a pointer. @param {number[]} cell */
function drawingAt(event, cell) {
  const [r, c] = cell;
  const box = boxes[r][c].cell.getBoundingClientRect();
  const x = (event.clientX - box.left) / box.width;
  return placeAt(r, c, leftwards() ? 1 - x : x, (event.clientY - box.top) / box.height);
}

/** Clicks move, turn or draw; dragging draws or selects. */
function startPointer() {
  let began = null; // { at, on, dragged, wasHere, stroke } from the press to its click
  let strokes = 0;
  on("board", "pointerdown", (event) => {
    const at = cellAt(event);
    if (!at || event.button) return;
    const on = ui.blocks && !isDrawn(drawingAt(event, at));
    const wasHere = event.target === document.activeElement;
    began = { at, on, dragged: false, wasHere, stroke: `stroke ${strokes++}` };
    if (event.pointerType === "touch" && !ui.blocks && !ui.selecting) return; // the page is moved
    if (event.shiftKey && !ui.blocks) {
      began.dragged = true;
      select([ui.row, ui.column], at);
      event.preventDefault();
    }
    if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  });
  on("board", "pointermove", (event) => {
    const at = began && (event.buttons & 1) ? cellAt(event) : null;
    if (!at || (!began.dragged && at.join() === began.at.join())) return;
    if (ui.blocks && ui.pen === "bar") return; // a bar for each edge that the pointer comes near is not meant
    if (ui.blocks) {
      if (!began.dragged) drawAt(began.at, began.on, began.stroke);
      drawAt(at, began.on, began.stroke);
    } else if (event.pointerType !== "touch" || ui.selecting) {
      select(began.at, at);
    } else return;
    began.dragged = true;
  });
  on("board", "dragstart", (event) => event.preventDefault()); // the browser would drag the letters
  on("board", "click", (event) => {
    const stroke = began;
    began = null;
    if (stroke?.dragged) return;
    const input = event.target.closest(".cell")?.querySelector("input");
    if (!input) return;
    const [r, c] = placeOf(input);
    selection = null;
    ended = "";
    if (ui.blocks) {
      goTo(r, c);
      toggleAt(event.detail ? drawingAt(event, [r, c]) : placeHere());
    } else if (stroke?.wasHere && doc.cells[r][c] !== BLOCKED) changeDirection();
    else goTo(r, c);
  });
  // What begins or ends elsewhere is no stroke.
  addEventListener("pointerdown", () => (began = null), true);
  addEventListener("click", () => (began = null));
}
