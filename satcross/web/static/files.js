// @ts-check
// Import, export, printing, and new grids.

import { NO_SLOT, barsOf, follow, post, startJob, upload } from "./api.js";
import { LIBRARY, PROJECT, readProject, writeProject } from "./document.js";
import { button, byId, capitalized, make, ofFile, on, plural, redraw, saveFile, say, sentences, showStatus } from "./dom.js";
import { BLOCKED, emptyGrid, findSlots, fromRows, lettersOf, mapCells, rebusOf, toRows } from "./grid.js";
import { openBackup } from "./library.js";
import { addLists, listsOf, restoreLists, setLanguage, showLanguages } from "./lists.js";
import { unfinished, withEnumerations } from "./clues.js";
import { setClue, settle } from "./model.js";
import { sidesOf } from "./pens.js";
import {
  change, clues, doc, history, letterRows, onDocument, open, ownCells, slots, startWith, ui, control,
} from "./store.js";
import { closeSheet } from "./tabs.js";

const isCell = (r, c, blocked) => doc.cells[r]?.[c] !== undefined && (doc.cells[r][c] === BLOCKED) === blocked;

/** @returns {Api.CrosswordData} */
export function crossword() {
  const { title, author, copyright, notes, date } = doc;
  return {
    rows: toRows(mapCells(doc.cells, (cell) => (cell === BLOCKED ? BLOCKED : ""))),
    solution: letterRows(),
    rebus: rebusOf(doc.cells),
    bars: barsOf(doc.bars.filter((bar) => sidesOf(bar).every(([r, c]) => isCell(r, c, false)))),
    clues: ui.enumerations ? withEnumerations(clues()) : clues(),
    title, author, copyright, notes, date,
    language: /** @type {any} */ (doc.language),
    circled: doc.circled.filter(([r, c]) => isCell(r, c, false)),
    shaded: doc.shaded.filter(([r, c]) => isCell(r, c, false)),
    holes: doc.holes.filter(([r, c]) => isCell(r, c, true)),
  };
}

const fileName = (extension) =>
  (doc.title.normalize("NFKD").replace(/[^\w -]/g, "").trim().replace(/\s+/g, "-").toLowerCase() || "crossword") + extension;

async function saveProject() {
  saveFile(fileName(PROJECT), await writeProject(doc, history(), await listsOf([doc])));
  showStatus(`Saved as ${fileName(PROJECT)}. It keeps everything, also word lists and the history.`);
}

async function openProject(name, project) {
  await restoreLists(project.lists, [project.document]);
  open(project.document, project.history);
  showStatus(`${name} is open. Undo also leads back to the crossword before it.`);
}

/** Save the grid with its locked letters: as a text that CS50's programs read, or else a decorated one. */
async function saveStructure() {
  const { clues: _, ...structure } = crossword();
  const isPlain = [structure.circled, structure.shaded, structure.holes, structure.rebus, doc.bars].every((list) => !list.length);
  const text = isPlain
    ? toRows(ownCells()).join("\n") + "\n"
    : await (await post("/api/export", { crossword: { ...structure, solution: toRows(ownCells()) }, format: ".txt" })).text();
  saveFile(fileName("-structure.txt"), text);
  showStatus("The structure is saved.");
}

async function exportFile() {
  const format = byId("format").value;
  try {
    if (format === PROJECT) return await saveProject();
    if (format === "structure") return await saveStructure();
    await saveAs(format, byId("style").value || null);
  } catch (error) {
    showStatus(error.message, "bad");
  }
}

/** Save what the server makes of the crossword. @param {"/api/export" | "/api/print"} path */
async function saveMade(path, request, name, use = "") {
  if (!slots().length) return showStatus(NO_SLOT, "bad");
  try {
    const answer = await post(path, { crossword: crossword(), paper: ui.paper, ...request });
    saveFile(name, await answer.blob());
    const lost = JSON.parse(answer.headers.get("x-satcross-lost") ?? "[]");
    const left = Object.keys(clues()).length || request.show === "submission" || /puz|jpz|xd/.test(request.format) ? unfinished() : "";
    showStatus([`Saved as ${name}${use}.`, ...(left ? [`Not finished: ${left}.`] : []), ...lost.map((one) => `Not stored in this format: ${one}.`)].join(" "));
  } catch (error) {
    showStatus(error.message, "bad");
  }
}

const saveAs = (format, style = null) => saveMade("/api/export", { format, style }, fileName(format));

/** Save a PDF of the crossword: the puzzle, its solution, or a submission form. */
export const printSheet = (show = "puzzle") => saveMade("/api/print", {
  show, large: ui.large, name_line: ui.nameLine, word_bank: ui.bank, answer_key: ui.answers, address: ui.address.slice(0, 2000),
}, fileName(show === "puzzle" ? ".pdf" : `-${show}.pdf`), ", to be printed");

/** Open a file of a codeword, fill-in or arrowword, which the server writes anew, in a tab. */
async function openMade({ puzzle }, extension) {
  const tab = window.open("", "_blank"); // now, since later the browser would take it for an advertisement
  try {
    const { id } = await startJob({ kind: "puzzle", puzzle, paper: /** @type {any} */ (ui.paper), language: puzzle.language ?? "" });
    const { error } = await follow(id, () => {}, new AbortController().signal);
    if (error) throw new Error(error);
    if (tab) tab.location.href = `/api/jobs/${id}/puzzle${extension}`;
  } catch (error) {
    tab?.close();
    showStatus(error.message, "bad");
  }
}

function showMade() {
  redraw(byId("made"), doc.made.toReversed().map((one, index) => {
    const { kind, half } = one.puzzle.puzzle;
    const action = (text, extension) => button(text, () => openMade(one, extension), { "data-key": `${index} ${extension}`, "aria-label": `${text}: ${kind}` });
    const name = `${capitalized(kind)}${one.puzzle.title ? ` “${one.puzzle.title}”` : ""}`;
    return make("li", {}, make("h2", {}, name), make("p", { className: "small" }, one.text),
      make("p", { className: "actions" }, half ? null : action("Solve it on screen", ".html"), action("Print it", ".pdf")));
  }));
  byId("of-crossword").hidden = !doc.made.length;
}

/** Start with a crossword of the server, and say so. @param {Api.Imported} found */
export function openCrossword(found, text) {
  const cells = fromRows(found.rows);
  const letters = mapCells(fromRows(found.solution), (cell) => (cell === BLOCKED ? "" : cell));
  for (const one of found.rebus) cells[one.row][one.column] = one.letters;
  const bars = ["right", "below"].flatMap((side) => found.bars[side].map(([r, c]) => [r, c, side]));
  const { title, author, copyright, notes, date, language, circled, shaded, holes } = found;
  // A fill must not replace these letters before the user unlocks them.
  startWith(mapCells(cells, (cell, r, c) => cell || letters[r][c]), {
    title, author, copyright, notes, date, circled, shaded, holes, bars,
  }, (next) => {
    setLanguage(next, language);
    for (const slot of findSlots(next)) if (found.clues[slot.name]) setClue(next, slot, found.clues[slot.name]);
  });
  showStatus(text);
}

async function importFile(file) {
  showStatus(`Reading ${file.name} …`);
  const dot = file.name.replace(/\.gz$/i, "").match(/\.[a-z0-9]{1,10}$/i);
  try {
    if (file.name.endsWith(LIBRARY) && await openBackup(file.name, await file.text())) return;
    const project = /\.(satcross|json)$/i.test(file.name) ? readProject(await file.text()) : null;
    if (project) return await openProject(file.name, project);
    if (file.name.endsWith(PROJECT)) throw new Error("this is no project of satcross, or it is damaged.");
    const extension = encodeURIComponent((dot?.[0] ?? ".txt").toLowerCase());
    const found = await upload(`/api/import?extension=${extension}`, file);
    const letters = found.solution.some((row) => /[^#_.]/.test(row));
    const [clueCount, first] = [Object.keys(found.clues).length, found.rows[0]];
    openCrossword(found, [
      `${file.name}: ${plural(found.rows.length, "row")}, ${plural(lettersOf(first).length, "column")}, ${plural(clueCount, "clue")}.`,
      letters ? "Its letters are locked; “Letters” unlocks them." : "",
      !letters && clueCount ? "“Answer the clues” (under Clues) looks for the answers." : "",
      ...sentences(found.remarks),
    ].filter(Boolean).join(" "));
  } catch (error) {
    if (/ a list of words/.test(error.message)) return addLists([file]);
    showStatus(`${file.name}: ${ofFile(error)}`, "bad");
  }
}

function size() {
  const maximum = Number(byId("rows").max);
  return ["rows", "columns"].map((id) =>
    Math.min(Math.max(Math.round(Number(byId(id).value)) || 9, 2), maximum));
}

export function newGrid(cells, edit = (next) => {}) {
  startWith(cells, {}, edit);
  closeSheet();
  showStatus("New grid. Undo restores the old one.");
}

function resize() {
  const [height, width] = size();
  if (height === doc.cells.length && width === doc.cells[0].length) return;
  change((next) => {
    next.cells = mapCells(emptyGrid(height, width), (_, r, c) => next.cells[r]?.[c] ?? "");
    settle(next); // slots of another length lose their words
  });
}

/** Fill in the server's choices and limits. @param {Api.About} about */
export function showAbout(about) {
  const names = {
    ".png": "picture", ".svg": "picture", ".pdf": "document", ".html": "web page to solve", ".puz": "Across Lite",
    ".json": "satcross", ".txt": "text",
  };
  byId("format").replaceChildren(
    make("option", { value: PROJECT }, `project, everything (${PROJECT})`),
    ...about.formats.map((format) => make("option", { value: format }, names[format] ? `${names[format]} (${format})` : format)),
    make("option", { value: "structure" }, "structure only (.txt)"),
  );
  const styles = { fill: "letters only", puzzle: "empty, with numbers", solution: "numbers and letters", newspaper: "empty, with clues" };
  byId("style").replaceChildren(
    make("option", { value: "" }, "the default"),
    ...about.styles.map((style) => make("option", { value: style }, styles[style] ?? style)),
  );
  byId("import").accept = [PROJECT, LIBRARY, ...about.imports, ".gz"].join(",");
  byId("rows").max = byId("columns").max = String(about.max_rows);
  byId("backend").replaceChildren(...about.backends.map((name) => make("option", { value: name }, name)));
  byId("backend").value = ui.backend;
  byId("seconds").max = String(about.seconds);
  byId("number").max = String(about.max_fills);
  say("version", about.version);
  showLanguages(about.languages);
}

export function startFiles() {
  on("export", "click", exportFile);
  const file = byId("import");
  on("import", "change", () => {
    if (file.files[0]) importFile(file.files[0]);
    file.value = "";
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) importFile(file);
  });
  on("save-page", "click", () => saveAs(".html"));
  on("resize", "click", resize);
  on("new", "click", () => newGrid(emptyGrid(...size())));
  control("paper-size", "paper");
  for (const name of ["bank", "answers", "enumerations", "large"]) control(`with-${name}`, name);
  control("with-name-line", "nameLine");
  control("address");
  for (const show of ["puzzle", "solution", "submission"]) on(`print-${show}`, "click", () => printSheet(show));
  let shown = "";
  const show = () => {
    showMade();
    const now = [doc.cells.length, doc.cells[0].length];
    if (`${now}` !== shown) [byId("rows").value, byId("columns").value] = now; // else typed sizes stay
    shown = `${now}`;
  };
  onDocument(show);
  show();
}
