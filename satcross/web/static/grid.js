// Grids: rows of cells, each "#" (blocked), "" (open) or a given letter.

export const BLOCKED = "#";

/** An open grid. */
export const emptyGrid = (height, width) =>
  Array.from({ length: height }, () => Array.from({ length: width }, () => ""));

/** The slots in reading order, across before down, numbered as a printed puzzle numbers them. */
export function findSlots(cells) {
  const open = (r, c) => cells[r]?.[c] !== undefined && cells[r][c] !== BLOCKED;
  const slots = [];
  let number = 0;
  for (let r = 0; r < cells.length; r++) {
    for (let c = 0; c < cells[r].length; c++) {
      if (!open(r, c)) continue;
      const starts = [];
      for (const [direction, dr, dc] of [["A", 0, 1], ["D", 1, 0]]) {
        if (open(r - dr, c - dc) || !open(r + dr, c + dc)) continue;
        const run = [];
        for (let k = 0; open(r + k * dr, c + k * dc); k++) run.push([r + k * dr, c + k * dc]);
        starts.push([direction, run]);
      }
      if (starts.length) number++;
      for (const [direction, run] of starts) {
        slots.push({ name: `${number}${direction}`, number, direction, cells: run });
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

/** "14 across" */
export const spokenName = (name) =>
  `${name.slice(0, -1)} ${name.endsWith("A") ? "across" : "down"}`;

/** Rows for the server. */
export const toRows = (cells) => cells.map((row) => row.map((cell) => cell || "_").join(""));

/** Cells from rows of the server, in which "_" and "." are open. */
export const fromRows = (rows) =>
  rows.map((row) => Array.from(row, (cell) => (cell === "_" || cell === "." ? "" : cell)));

/** The typed text as one capital letter, or "" if it is none. */
export function asLetter(typed) {
  const upper = typed.normalize("NFC").toUpperCase();
  return Array.from(upper).length === 1 && /^\p{L}$/u.test(upper) ? upper : "";
}

/** The letters of a fill (slot name -> word) as rows of cells. */
export function lettersOf(cells, fill) {
  const letters = cells.map((row) => row.map(() => ""));
  for (const slot of findSlots(cells)) {
    const word = Array.from(fill[slot.name] ?? "");
    slot.cells.forEach(([r, c], index) => {
      if (word[index]) letters[r][c] = word[index];
    });
  }
  return letters;
}
