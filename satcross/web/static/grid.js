// @ts-check
// Grids: rows of cells, each "#" (blocked), "" (open), a given letter, or the given letters of a rebus cell.

import { byId } from "./dom.js";

export const BLOCKED = "#";

export const emptyGrid = (height, width) =>
  Array.from({ length: height }, () => Array.from({ length: width }, () => ""));

/** The directions of slots, with the steps down and right. @type {[string, number, number][]} */
const WAYS = [["A", 0, 1], ["D", 1, 0]];

/** A table of what `make(cell, r, c)` makes of each cell. */
export const mapCells = (cells, make) => cells.map((row, r) => row.map((cell, c) => make(cell, r, c)));

/** The letters of a text: characters with the marks behind them, such as vowel signs. @returns {string[]} */
export const lettersOf = (text) => text.match(/.[\p{M}\u200d\u0e33\u0eb3]*/gsu) ?? [];

export const lettersIn = (cell) => (cell === BLOCKED ? 0 : Math.max(1, lettersOf(cell).length));

/**
 * The slots of a grid in reading order, across before down, numbered as a printed puzzle numbers them.
 * `length` is the number of letters; `starts` has the index of the first letter of each cell.
 * @returns {{ name: string, number: number, direction: string, cells: number[][], starts: number[], length: number }[]}
 */
export function findSlots({ cells, bars = [] }) {
  const barred = new Set(bars.map((bar) => bar.join()));
  const open = (r, c) => cells[r]?.[c] !== undefined && cells[r][c] !== BLOCKED;
  /** Whether a cell and the next one in the direction are of one slot. */
  const joined = (r, c, dr, dc) =>
    open(r, c) && open(r + dr, c + dc) && !barred.has(`${r},${c},${dr ? "below" : "right"}`);
  const slots = [];
  let number = 0;
  for (let r = 0; r < cells.length; r++) {
    for (let c = 0; c < cells[r].length; c++) {
      if (!open(r, c)) continue;
      /** @type {[string, number[][]][]} */
      const starts = [];
      for (const [direction, dr, dc] of WAYS) {
        if (joined(r - dr, c - dc, dr, dc) || !joined(r, c, dr, dc)) continue;
        const run = [[r, c]];
        for (let k = 0; joined(r + k * dr, c + k * dc, dr, dc); k++) run.push([r + (k + 1) * dr, c + (k + 1) * dc]);
        starts.push([direction, run]);
      }
      if (starts.length) number++;
      for (const [direction, run] of starts) {
        let length = 0;
        const starts = run.map(([y, x]) => (length += lettersIn(cells[y][x])) - lettersIn(cells[y][x]));
        slots.push({ name: `${number}${direction}`, number, direction, cells: run, starts, length });
      }
    }
  }
  return slots;
}

/** The slot through a cell in a direction, or else in the other one, or undefined. */
export function slotAt(slots, r, c, direction) {
  const through = slots.filter((slot) => slot.cells.some(([y, x]) => y === r && x === c));
  return through.find((slot) => slot.direction === direction) ?? through[0];
}

export const spokenName = (name) =>
  `${name.slice(0, -1)} ${name.endsWith("A") ? "across" : "down"}`;

/** The letters of a word in each cell of its slot: several in a rebus cell. */
export function spread(slot, word) {
  const letters = lettersOf(word);
  return slot.starts.map((start, index) => letters.slice(start, slot.starts[index + 1] ?? slot.length).join(""));
}

/** Rows for the server, which have the first letter of each rebus cell. */
export const toRows = (cells) => mapCells(cells, (cell) => lettersOf(cell)[0] ?? "_").map((row) => row.join(""));

export const rebusOf = (cells) =>
  mapCells(cells, (letters, row, column) => ({ row, column, letters })).flat().filter((one) => lettersIn(one.letters) > 1);

/** Cells from rows of the server, in which "_" and "." are open. */
export const fromRows = (rows) =>
  rows.map((row) => lettersOf(row).map((cell) => (cell === "_" || cell === "." ? "" : cell)));

/** The typed text as one capital letter or digit, or "" if it is none. */
export function asLetter(typed) {
  const upper = typed.normalize("NFC").toLocaleUpperCase(byId("board").lang || "en");
  return /^[\p{L}\p{N}]\p{M}*$/u.test(upper) ? upper : "";
}
