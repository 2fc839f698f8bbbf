// @ts-check
// The document of the page: its fields, and how a stored document or a project file is read.

import { fromRows, lettersIn } from "./grid.js";
import { modernise, settle } from "./model.js";

/** The fields that say which fills are wanted: answers depend on them. */
export const RULES = ["minScore", "excluded", "allowRepeats", "theme", "themeLeast", "preferred", "maxShared", "endings", "floors", "language"];

const MAX_SIZE = 25; // rows and columns
const MAX_REBUS = 30; // letters of one cell
const VERSION = 2; // version 1 had letters where this one has words, and clues of slots
const FORMAT = "satcross project";
const LIBRARY_FORMAT = "satcross backup";

const START = ["___#___##", "___#_____", "_________", "_____#___", "#___#___#", "___#_____", "_________", "_____#___", "##___#___"];
const TEXTS = ["id", "title", "author", "copyright", "notes", "date", "language", "excluded", "theme", "preferred", "endings", "floors"];
/** @type {{ name: string, title: string, used: boolean, words?: number }} */
const DEFAULT_LIST = { name: "default", title: "default list (English)", used: true };

/** A name for a document that no other one has. */
export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36).padStart(2, "0")).join("");

export function newDocument(cells = fromRows(START)) {
  return {
    id: newId(),
    cells,
    words: {}, // by slot: { word, state: "chosen" or "filled" }; given words are letters in the cells
    clues: {}, // by word, see clueId in model.js
    drafts: [], // ids of clues that are not yet as they shall be
    title: "",
    author: "",
    copyright: "",
    notes: "",
    date: "",
    language: "", // a code such as "de"
    circled: [],
    shaded: [],
    holes: [],
    bars: [], // [r, c, "right" or "below"]: a bar on that side of a cell
    lists: [{ ...DEFAULT_LIST }],
    minScore: null,
    excluded: "",
    allowRepeats: false,
    theme: "", // words of which the fill has at least `themeLeast`
    themeLeast: null,
    preferred: "",
    maxShared: null, // letters in a row that two words may share
    endings: "", // words that differ only by one of them have the same stem
    made: [], // codewords, fill-ins and arrowwords: { text, puzzle }, the latter as the server takes it
    floors: "", // minimum scores by length: "3=60 4=55"
  };
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string";

/** Whether a value is a table of texts, each with at most so many letters. */
function isTable(value, maximum, height = value?.length, width = value?.[0]?.length) {
  const isCell = (cell) => isText(cell) && lettersIn(cell) <= maximum;
  const sized = (rows, size) => Array.isArray(rows) && rows.length === size && size >= 1 && size <= MAX_SIZE;
  return sized(value, height) && value.every((row) => sized(row, width) && row.every(isCell));
}

/**
 * A document with the known fields of `data`, and the usual value for each that is missing. Throws
 * an Error with a sentence for a field of another kind, since the rest can't be trusted then.
 */
export function readDocument(data) {
  const wrong = (field) => new Error(`the field “${field}” is not as satcross writes it`);
  if (!isObject(data) || !isTable(data.cells, MAX_REBUS)) throw wrong("cells");
  const { cells, ...rest } = structuredClone(data);
  const made = newDocument(cells);
  const take = (field, valid) => {
    if (rest[field] === undefined) return;
    if (!valid(rest[field])) throw wrong(field);
    made[field] = rest[field];
  };
  const isPlace = (one) => Array.isArray(one) && one.length === 2 && one.every(Number.isInteger);
  const isList = (one) => isObject(one) && isText(one.name) && isText(one.title) && typeof one.used === "boolean";
  const isWord = (one) => isObject(one) && isText(one.word) && ["chosen", "filled"].includes(one.state);
  take("words", (value) => isObject(value) && Object.values(value).every(isWord));
  take("clues", (value) => isObject(value) && Object.values(value).every(isText));
  take("drafts", (value) => Array.isArray(value) && value.every(isText));
  for (const field of TEXTS) take(field, isText);
  for (const field of ["circled", "shaded", "holes"]) take(field, (value) => Array.isArray(value) && value.every(isPlace));
  const isBar = (one) => Array.isArray(one) && one.length === 3 && isPlace(one.slice(0, 2)) && ["right", "below"].includes(one[2]);
  take("bars", (value) => Array.isArray(value) && value.every(isBar));
  take("made", (value) => Array.isArray(value) && value.every((one) => isObject(one) && isText(one.text) && isText(one.puzzle?.puzzle?.kind)));
  take("lists", (value) => Array.isArray(value) && value.every(isList));
  for (const field of ["minScore", "themeLeast", "maxShared"]) take(field, (value) => value === null || Number.isInteger(value));
  take("allowRepeats", (value) => typeof value === "boolean");
  if (data.pencil !== undefined) {
    if (!isTable(data.pencil, 1, cells.length, cells[0].length)) throw wrong("pencil");
    const { clues, drafts } = made;
    Object.assign(made, { clues: {}, drafts: [] });
    modernise(made, data.pencil, clues, drafts);
  }
  settle(made);
  if (!made.lists.some((list) => list.name === DEFAULT_LIST.name)) made.lists.unshift({ ...DEFAULT_LIST, used: false });
  return made;
}

/** The extensions of project files and of backups of all crosswords. */
export const PROJECT = ".satcross";
export const LIBRARY = ".satcross-backup";

const toBase64 = (blob) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*?,/, ""));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });

const fromBase64 = (text) => new Blob([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))]);

async function writeFile(format, content, lists) {
  const texts = {};
  for (const [name, blob] of Object.entries(lists)) texts[name] = await toBase64(blob);
  return JSON.stringify({ format, version: VERSION, ...content, lists: texts });
}

/** The content of a file of this format, its `lists` as blobs; null for another file. Throws an Error. */
function readFile(format, text) {
  let data;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  if (data?.format !== format) return null;
  if (![1, VERSION].includes(data.version)) throw new Error(`its version is ${data.version}, and this page reads versions 1 and ${VERSION}`);
  const lists = isObject(data.lists) ? Object.entries(data.lists).filter(([, content]) => isText(content)) : [];
  return { ...data, lists: Object.fromEntries(lists.map(([name, content]) => [name, fromBase64(content)])) };
}

/** The text of a backup: records, and the word lists (name -> blob) they use. */
export const writeLibrary = (records, lists) => writeFile(LIBRARY_FORMAT, { records }, lists);

/** What `writeLibrary` was given; null for another text. Throws an Error for a broken one. */
export function readLibrary(text) {
  const data = readFile(LIBRARY_FORMAT, text);
  if (!data) return null;
  const time = (value) => (Number.isFinite(value) ? value : 0);
  const version = ({ changed, doc }) => ({ changed: time(changed), doc: readDocument(doc) });
  const records = (Array.isArray(data.records) ? data.records : []).map((one) => {
    const { changed, doc } = version(one);
    return { id: doc.id, created: time(one.created), changed, deleted: one.deleted ? time(one.deleted) : null, doc, revisions: (one.revisions ?? []).map(version) };
  });
  return { records, lists: data.lists };
}

/** The text of a project file; `history` are undo steps, oldest first. */
export const writeProject = (document, history, lists) => writeFile(FORMAT, { document, history }, lists);

/** As `readLibrary`, of a project. */
export function readProject(text) {
  const data = readFile(FORMAT, text);
  if (!data) return null;
  const history = Array.isArray(data.history) ? data.history.map(readDocument) : [];
  return { document: readDocument(data.document), history, lists: data.lists };
}
