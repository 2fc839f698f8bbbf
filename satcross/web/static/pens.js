// @ts-check
// What is drawn into the grid, and with most of it what the symmetry demands.

import { showStatus } from "./dom.js";
import { BLOCKED } from "./grid.js";
import { settle } from "./model.js";
import { change, doc, ui } from "./store.js";

const SYMMETRIES = { // the cells that change with a cell of a grid whose last row is h and last column w
  rotation: (r, c, h, w) => [[h - r, w - c]],
  mirror: (r, c, h, w) => [[r, w - c]],
  flip: (r, c, h) => [[h - r, c]],
  both: (r, c, h, w) => [[h - r, w - c], [r, w - c], [h - r, c]],
  diagonal: (r, c) => [[c, r]],
  quarter: (r, c, h, w) => [[h - r, w - c], [c, w - r], [h - c, r]],
};

/** A cell and its images under the symmetry, also those outside the grid. */
const images = ([r, c]) => [[r, c], ...(SYMMETRIES[ui.symmetry]?.(r, c, doc.cells.length - 1, doc.cells[0].length - 1) ?? [])];

const isOpen = ({ cells }, [r, c]) => cells[r]?.[c] !== undefined && cells[r][c] !== BLOCKED;
const isSame = (one) => (other) => other.join() === one.join();

function put(list, entry, on) {
  const at = list.findIndex(isSame(entry));
  if (on && at < 0) list.push(entry);
  if (!on && at >= 0) list.splice(at, 1);
}

function block(next, cells, on) {
  const inside = cells.filter(([r, c]) => next.cells[r]?.[c] !== undefined);
  const changed = inside.filter(([r, c]) => (next.cells[r][c] === BLOCKED) !== on);
  for (const [r, c] of changed) next.cells[r][c] = on ? BLOCKED : "";
  settle(next); // slots of another length lose their words
  return inside;
}

const stamp = (isHole) => (next, cell, on) => {
  for (const one of block(next, images(cell), on)) put(next.holes, one, isHole && on);
};

/** The cells on the two sides of a bar, `[r, c, "right" or "below"]`. */
export const sidesOf = ([r, c, side]) => [[r, c], side === "right" ? [r, c + 1] : [r + 1, c]];

function barBetween(one, other) {
  const [[r, c], [, right]] = [one, other].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [r, c, right > c ? "right" : "below"];
}

function drawBar(next, bar, on) {
  const [ones, others] = sidesOf(bar).map(images);
  const bars = ones.map((one, index) => [one, others[index]]).filter((ends) => ends.every((end) => isOpen(next, end)));
  for (const ends of bars) put(next.bars, barBetween(...ends), on);
  settle(next);
}

/** A pen that marks open cells. */
const mark = (list, words) => ({
  has: (cell) => doc[list].some(isSame(cell)),
  draw: (next, cell, on) => isOpen(next, cell) && put(next[list], cell, on),
  words,
});

/** Whether something is drawn at a place, how it is drawn or removed, and what is said then. */
const PENS = {
  block: {
    has: ([r, c]) => doc.cells[r][c] === BLOCKED,
    draw: stamp(false),
    words: ["blocked", "opened"],
  },
  bar: {
    has: (bar) => doc.bars.some(isSame(bar)),
    draw: drawBar,
    words: ["has a bar", "has no bar any more"],
  },
  circle: mark("circled", ["circled", "no longer circled"]),
  shade: mark("shaded", ["shaded", "no longer shaded"]),
  hole: {
    has: (cell) => doc.holes.some(isSame(cell)),
    draw: stamp(true),
    words: ["is a hole", "opened"],
  },
};

export const isDrawn = (place, pen = ui.pen) => PENS[pen].has(place);

/** Draw something or remove it; changes with the same `merge` are undone together. */
export function drawAt(place, on, merge = "", pen = ui.pen) {
  change((next) => PENS[pen].draw(next, place, on), merge);
  showStatus(`Row ${place[0] + 1}, column ${place[1] + 1} ${PENS[pen].words[on ? 0 : 1]}.`);
}

export const toggleAt = (place, pen = ui.pen) => drawAt(place, !isDrawn(place, pen), "", pen);

/** What the pen draws at a point of a cell, `x` and `y` from 0 to 1: the cell, or its nearest bar. */
export function placeAt(r, c, x, y) {
  if (ui.pen !== "bar") return [r, c];
  const [nearest] = [[x, [r, c - 1, "right"]], [1 - x, [r, c, "right"]], [y, [r - 1, c, "below"]], [1 - y, [r, c, "below"]]]
    .sort(([a], [b]) => a - b);
  return nearest[1];
}

/** What the pen draws at the cursor: a bar behind the cell, in the direction of the cursor. */
export const placeHere = () =>
  ui.pen === "bar" ? [ui.row, ui.column, ui.direction === "A" ? "right" : "below"] : [ui.row, ui.column];
