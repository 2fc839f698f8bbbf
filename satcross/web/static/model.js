// @ts-check
// What stands in a grid. The unit is the word in its slot: it is given (letter by letter), chosen (from the
// candidates, or locked) or filled (by the program). Letters of one's own are those of given and chosen words,
// and single ones. An edit takes the place of the words that it contradicts, and opens every slot that would
// otherwise read a word that nobody put there. Clues belong to words.

import { BLOCKED, findSlots, lettersIn, lettersOf, mapCells, spread } from "./grid.js";

/** @typedef {{ slots: any[], own: string[][], shown: string[][], words: Map<string, { word: string, state: string }> }} Reading */

/** A name of a slot that its number has no part in, since numbers change while the grid is edited. */
export const slotKey = (slot) => `${slot.cells[0].join()},${slot.direction}`;

/** A list of places, such as cells, as a set of texts: "r,c". */
export const places = (list) => new Set(list.map((place) => place.join()));

const withoutBlocks = (cells) => mapCells(cells, (cell) => (cell === BLOCKED ? "" : cell));

const agrees = (slot, word, letters) =>
  lettersOf(word).length === slot.length && spread(slot, word).every((piece, index) => {
    const [r, c] = slot.cells[index];
    return !letters[r][c] || letters[r][c] === piece;
  });

function write(slot, word, letters) {
  spread(slot, word).forEach((piece, index) => {
    const [r, c] = slot.cells[index];
    letters[r][c] ||= piece;
  });
}

/**
 * The letters of a document as they are shown, those of one's own, and the whole words. A slot whose letters
 * are there although no word was put into it is shown open, unless all are one's own.
 * @returns {Reading}
 */
function readAnew(doc) {
  const slots = findSlots(doc);
  const own = withoutBlocks(doc.cells);
  const placed = slots.filter((slot) => doc.words[slotKey(slot)]);
  const put = (state, letters) => {
    for (const slot of placed) {
      const { word, state: found } = doc.words[slotKey(slot)];
      if (found === state) write(slot, word, letters);
    }
  };
  put("chosen", own);
  const shown = own.map((row) => [...row]);
  put("filled", shown);
  const whole = slots.filter((slot) => slot.cells.every(([r, c]) => shown[r][c]));
  const isOwn = (slot) => slot.cells.every(([r, c]) => own[r][c]);
  const hidden = whole.filter((slot) => !doc.words[slotKey(slot)] && !isOwn(slot)).flatMap((slot) => slot.cells);
  for (const [r, c] of hidden) shown[r][c] = own[r][c];
  const words = new Map();
  for (const slot of whole) {
    if (!slot.cells.every(([r, c]) => shown[r][c])) continue;
    const given = slot.cells.every(([r, c]) => doc.cells[r][c]);
    const state = given ? "given" : doc.words[slotKey(slot)]?.state ?? "chosen";
    words.set(slotKey(slot), { word: slot.cells.map(([r, c]) => shown[r][c]).join(""), state });
  }
  return { slots, own, shown, words };
}

const readings = new WeakMap();

/** The same of a document that does not change any more. */
export function reading(doc) {
  if (!readings.has(doc)) readings.set(doc, readAnew(doc));
  return readings.get(doc);
}

/** Take words out of a copy of a document that contradict its letters, or the words in `fresh`. */
export function settle(next, fresh = new Set()) {
  const letters = withoutBlocks(next.cells);
  const rank = (key) => (next.words[key].state === "chosen" ? 0 : 2) + (fresh.has(key) ? 0 : 1);
  const kept = {};
  const placed = findSlots(next).filter((slot) => next.words[slotKey(slot)]);
  for (const slot of placed.sort((a, b) => rank(slotKey(a)) - rank(slotKey(b)))) {
    const key = slotKey(slot);
    const { word } = next.words[key];
    if (slot.cells.every(([r, c]) => next.cells[r][c]) || !agrees(slot, word, letters)) continue;
    write(slot, word, letters);
    kept[key] = next.words[key];
  }
  next.words = kept;
}

/** Give the word of each slot whose clue was written before its answer that clue. */
export function takeClues(next, states = ["given", "chosen"]) {
  const { words } = readAnew(next);
  for (const [key, { word, state }] of words) {
    const [before, after] = [`@${key}`, word];
    if (!states.includes(state) || next.clues[before] === undefined || next.clues[after] !== undefined) continue;
    next.clues[after] = next.clues[before];
    delete next.clues[before];
    next.drafts = next.drafts.map((id) => (id === before ? after : id));
  }
}

const through = (next, cells) => {
  const chosen = places(cells);
  return findSlots(next).filter((slot) => slot.cells.some((cell) => chosen.has(cell.join())));
};

/** Write a letter, or the letters of a rebus cell, as one's own. */
export function setLetter(next, r, c, letter) {
  if (next.cells[r][c] === BLOCKED) return;
  next.cells[r][c] = letter;
  settle(next);
  takeClues(next);
}

/** Remove a letter, and with it the words that it was a part of. */
export function erase(next, r, c) {
  if (next.cells[r][c] === BLOCKED) return;
  next.cells[r][c] = "";
  dropWords(next, [[r, c]]);
}

/** Remove the chosen and filled words through some cells. */
export function dropWords(next, cells, slots = through(next, cells)) {
  for (const slot of slots) delete next.words[slotKey(slot)];
  settle(next);
}

/** Put words (slot name -> word) into their slots, as chosen ones. */
export function choose(next, words) {
  put(next, words, () => "chosen");
  takeClues(next);
}

/**
 * Put the words of a fill (slot name -> word) into their slots; with `only`, a set of "r,c", those whose
 * other cells have a letter already.
 */
export function place(next, words, only = null) {
  const { shown } = readAnew(next);
  const fits = (slot) => !only || slot.cells.every(([r, c]) => only.has(`${r},${c}`) || shown[r][c]);
  const chosen = new Set(Object.keys(next.words).filter((key) => next.words[key].state === "chosen"));
  put(next, words, (slot) => fits(slot) && !chosen.has(slotKey(slot)) && "filled");
}

function put(next, words, stateOf) {
  const fresh = new Set();
  for (const slot of findSlots(next)) {
    const [word, state] = [words[slot.name], stateOf(slot)];
    if (!word || !state) continue;
    next.words[slotKey(slot)] = { word, state };
    fresh.add(slotKey(slot));
  }
  settle(next, fresh);
}

/** Remove every filled word. */
export function clearFill(next) {
  next.words = Object.fromEntries(Object.entries(next.words).filter(([, { state }]) => state !== "filled"));
}

/** Remove every letter. */
export function clearLetters(next) {
  next.words = {};
  next.cells = mapCells(next.cells, (cell) => (cell === BLOCKED ? cell : ""));
}

/** Make the words of these slots one's own: fills keep them. */
export function lock(next, slots) {
  const { words } = readAnew(next);
  for (const slot of slots) {
    const found = words.get(slotKey(slot));
    if (found?.state === "filled") next.words[slotKey(slot)] = { word: found.word, state: "chosen" };
  }
  settle(next);
}

/** Let fills change the words of these slots. Letters that other words of one's own share stay. */
export function unlock(next, slots) {
  const { words } = readAnew(next);
  const keys = new Set(slots.map(slotKey));
  const owned = findSlots(next).filter((slot) => ["given", "chosen"].includes(words.get(slotKey(slot))?.state ?? ""));
  const others = places(owned.filter((slot) => !keys.has(slotKey(slot)) && words.get(slotKey(slot))?.state === "given").flatMap((slot) => slot.cells));
  for (const slot of owned.filter((one) => keys.has(slotKey(one)))) {
    for (const [r, c] of slot.cells) if (lettersIn(next.cells[r][c]) === 1 && !others.has(`${r},${c}`)) next.cells[r][c] = "";
    next.words[slotKey(slot)] = { word: words.get(slotKey(slot))?.word ?? "", state: "filled" };
  }
  settle(next);
}

/** The filled words of a document (slot name -> word), which a fill shall keep if it can. */
export function filledWords(doc, without = new Set()) {
  const filled = reading(doc).slots.filter((slot) => doc.words[slotKey(slot)]?.state === "filled" && !without.has(slotKey(slot)));
  return Object.fromEntries(filled.map((slot) => [slot.name, doc.words[slotKey(slot)].word]));
}

/** The whole words of a document (slot name -> word). */
export const wholeWords = (doc) =>
  Object.fromEntries(reading(doc).slots.flatMap((slot) => {
    const found = reading(doc).words.get(slotKey(slot));
    return found ? [[slot.name, found.word]] : [];
  }));

/**
 * Where a slot's clue is stored: by its word; by the word and the slot, if the word stands twice with two
 * clues; by "@" and the slot as long as it has no whole word.
 */
export function clueId(doc, slot, words = reading(doc).words) {
  const word = words.get(slotKey(slot))?.word;
  const special = `${word ?? ""}@${slotKey(slot)}`;
  return word === undefined || doc.clues[special] !== undefined ? special : word;
}

/** Write a clue for a slot of a copy of a document; "" removes it. */
export function setClue(next, slot, text) {
  const { slots, words } = readAnew(next);
  let id = clueId(next, slot, words);
  const shared = slots.some((other) => slotKey(other) !== slotKey(slot) && words.get(slotKey(other))?.word === id);
  if (shared && text && next.clues[id] !== undefined && next.clues[id] !== text) id = `${id}@${slotKey(slot)}`;
  if (text) next.clues[id] = text;
  else delete next.clues[id];
  return id;
}

/** Let clues that name slots ("See 9-Across") follow them when an edit changes their numbers. */
export function followNumbers(before, next) {
  const now = new Map(findSlots(next).map((slot) => [slotKey(slot), slot.number]));
  const moved = new Map(findSlots(before).map((slot) => [slot.name, now.get(slotKey(slot))]));
  for (const [id, text] of Object.entries(next.clues)) {
    next.clues[id] = text.replace(/((?:\d+-?(?:, | and | & |\/))*\d+-?\s?)(across|down|a|d)\b/gi, (_, numbers, way) =>
      numbers.replace(/\d+/g, (number) => moved.get(number + way[0].toUpperCase()) ?? number) + way);
  }
}

/** Bring a document of an earlier version up to date: it had letters, no words. */
export function modernise(doc, pencil, clues, drafts) {
  const letters = mapCells(doc.cells, (cell, r, c) => (cell === BLOCKED ? "" : cell || pencil[r][c]));
  const slots = findSlots(doc);
  const words = Object.fromEntries(slots.map((slot) => [slot.name, slot.cells.map(([r, c]) => letters[r][c])]));
  place(doc, Object.fromEntries(Object.entries(words).filter(([, word]) => word.every(Boolean)).map(([name, word]) => [name, word.join("")])));
  for (const slot of slots) {
    const clue = clues[slotKey(slot)];
    if (!clue) continue;
    const id = setClue(doc, slot, clue);
    if (drafts.includes(slotKey(slot))) doc.drafts.push(id);
  }
}
