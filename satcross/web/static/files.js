// Import, export, printing, and new grids.

import { NO_SLOT, post, upload } from "./api.js";
import { LIBRARY, PROJECT, readProject, writeProject } from "./document.js";
import { byId, make, plural, saveFile, showStatus } from "./dom.js";
import { BLOCKED, emptyGrid, findSlots, fromRows, toRows } from "./grid.js";
import { openBackup } from "./library.js";
import { addLists, restoreLists } from "./lists.js";
import { storedList } from "./shelf.js";
import {
  change, clueKey, clues, doc, clearPencil, history, letterRows, onChange, open, slots, startEmpty, startWith, ui,
} from "./store.js";

/** The crossword as the `SheetData` of the API. */
function crossword() {
  return {
    rows: toRows(doc.cells.map((row) => row.map((cell) => (cell === BLOCKED ? BLOCKED : "")))),
    solution: letterRows(),
    clues: clues(),
    title: doc.title,
    author: doc.author,
    copyright: doc.copyright,
    notes: doc.notes,
    date: doc.date,
    circled: doc.circled.filter(([r, c]) => (doc.cells[r]?.[c] ?? BLOCKED) !== BLOCKED),
  };
}

const fileName = (extension) =>
  (doc.title.normalize("NFKD").replace(/[^\w -]/g, "").trim().replace(/\s+/g, "-").toLowerCase() || "crossword") + extension;

async function saveProject() {
  const lists = {};
  for (const list of doc.lists) {
    const content = list.name === "default" ? undefined : await storedList(list.name);
    if (content) lists[list.name] = content;
  }
  saveFile(fileName(PROJECT), new Blob([await writeProject(doc, history(), lists)], { type: "application/json" }));
  showStatus(`Saved as ${fileName(PROJECT)}. It keeps everything, also word lists and the history.`);
}

async function openProject(name, project) {
  await restoreLists(project.lists, [project.document]);
  open(project.document, project.history);
  showStatus(`${name} is open. Undo also leads back to the crossword before it.`);
}

async function exportFile() {
  const format = byId("format").value;
  try {
    if (format === PROJECT) return await saveProject();
    if (format === "structure") {
      saveFile(fileName("-structure.txt"), new Blob([toRows(doc.cells).join("\n") + "\n"], { type: "text/plain" }));
      return showStatus("The structure is saved.");
    }
    if (!slots().length) return showStatus(NO_SLOT, "bad");
    const answer = await post("/api/export", { sheet: crossword(), format, style: byId("style").value || null });
    saveFile(fileName(format), await answer.blob());
    const lost = JSON.parse(answer.headers.get("x-satcross-lost") ?? "[]");
    showStatus([`Saved as ${fileName(format)}.`, ...lost.map((one) => `Not stored in this format: ${one}.`)].join(" "));
  } catch (error) {
    showStatus(error.message, "bad");
  }
}

/** The beginning of a file as text, decompressed if it is gzipped. */
async function beginningOf(file) {
  const packed = /\.gz$/i.test(file.name);
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.slice(0, 1 << 16).stream();
  const { value } = await stream.getReader().read();
  return new TextDecoder().decode(value?.slice(0, 1 << 16));
}

/** Whether a text is a list of words: lines of letters of different lengths, without open cells. */
function looksLikeWords(name, text) {
  if (/\.(dict|csv)(\.gz)?$/i.test(name)) return true;
  if (!/(\.txt(\.gz)?|^[^.]+)$/i.test(name)) return false;
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  const words = lines.filter((line) => /^\p{L}/u.test(line) && !/[_#]/.test(line));
  const lengths = new Set(lines.map((line) => line.length));
  return lines.length > 0 && words.length > 0.8 * lines.length && (lengths.size > 1 || lines.length > 25);
}

/** Open a file that was dropped on the page: a project, a word list, a structure or a crossword. */
async function takeFile(file) {
  try {
    if (looksLikeWords(file.name, await beginningOf(file))) return await addLists([file]);
  } catch { /* it can't be read: importing it says why */ }
  return importFile(file);
}

async function importFile(file) {
  showStatus(`Reading ${file.name} …`);
  const dot = file.name.replace(/\.gz$/i, "").match(/\.[a-z0-9]{1,10}$/i);
  try {
    if (file.name.endsWith(LIBRARY) && await openBackup(file.name, await file.text())) return;
    const project = /\.(satcross|json)$/i.test(file.name) ? readProject(await file.text()) : null;
    if (project) return await openProject(file.name, project);
    const extension = encodeURIComponent((dot?.[0] ?? ".txt").toLowerCase());
    const found = await upload(`/api/import?extension=${extension}`, file);
    const cells = fromRows(found.rows);
    const clueTexts = {};
    for (const slot of findSlots(cells)) {
      if (found.clues[slot.name]) clueTexts[clueKey(slot)] = found.clues[slot.name];
    }
    const letters = fromRows(found.solution).map((row) => row.map((cell) => (cell === BLOCKED ? "" : cell)));
    // A fill must not replace these letters before the user unlocks them.
    startWith(cells.map((row, r) => row.map((cell, c) => cell || letters[r][c])), {
      clues: clueTexts,
      title: found.title,
      author: found.author,
      copyright: found.copyright,
      notes: found.notes,
      date: found.date,
      circled: found.circled,
    });
    showStatus([
      `${file.name}: ${cells.length} rows, ${cells[0].length} columns, ${plural(Object.keys(clueTexts).length, "clue")}.`,
      letters.flat().some(Boolean) ? "Its letters are locked; “Unlock all” lets fills change them." : "",
      ...found.remarks.map((remark) => `${remark}.`),
    ].filter(Boolean).join(" "));
  } catch (error) {
    showStatus(`${file.name}: ${error.message}`, "bad");
  }
}

/** The requested numbers of rows and columns. */
function size() {
  const maximum = Number(byId("rows").max);
  return ["rows", "columns"].map((id) =>
    Math.min(Math.max(Math.round(Number(byId(id).value)) || 9, 2), maximum));
}

function resize() {
  const [height, width] = size();
  if (height === doc.cells.length && width === doc.cells[0].length) return;
  change((next) => {
    next.cells = emptyGrid(height, width).map((row, r) => row.map((_, c) => next.cells[r]?.[c] ?? ""));
    clearPencil(next); // the words no longer fit the slots
  });
}

/** Fill the choices and limits of the page from the server's capabilities. */
export function showAbout(about) {
  const names = {
    ".png": "picture (.png)", ".svg": "picture (.svg)", ".pdf": "document (.pdf)", ".html": "web page to solve (.html)",
    ".puz": "Across Lite (.puz)", ".ipuz": "ipuz (.ipuz)", ".xd": "xd (.xd)", ".json": "satcross (.json)", ".txt": "text (.txt)",
  };
  byId("format").replaceChildren(
    make("option", { value: PROJECT }, `project, everything (${PROJECT})`),
    ...about.formats.map((format) => make("option", { value: format }, names[format] ?? format)),
    make("option", { value: "structure" }, "structure only (.txt)"),
  );
  const styles = { fill: "letters only", puzzle: "empty, with numbers", solution: "numbers and letters", newspaper: "empty, with clues" };
  byId("style").replaceChildren(
    make("option", { value: "" }, "the default"),
    ...about.styles.map((style) => make("option", { value: style }, styles[style] ?? style)),
  );
  byId("import").accept = [PROJECT, LIBRARY, ...about.imports, ".gz"].join(",");
  byId("rows").max = byId("columns").max = about.most_rows;
  byId("backend").replaceChildren(...about.backends.map((name) => make("option", { value: name }, name)));
  byId("backend").value = ui.backend;
  byId("seconds").max = about.seconds;
  byId("number").max = about.most_fills;
  byId("version").textContent = about.version;
}

export function startFiles() {
  byId("export").addEventListener("click", exportFile);
  byId("import").addEventListener("change", (event) => {
    if (event.target.files[0]) importFile(event.target.files[0]);
    event.target.value = "";
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) takeFile(file);
  });
  byId("resize").addEventListener("click", resize);
  byId("new").addEventListener("click", () => {
    startEmpty(...size());
    showStatus("New grid. Undo restores the old one.");
  });
  for (const printed of ["puzzle", "solution"]) {
    byId(`print-${printed}`).addEventListener("click", () => {
      ui.printed = printed;
      window.print();
    });
  }
  const show = () => {
    if (document.activeElement !== byId("rows")) byId("rows").value = doc.cells.length;
    if (document.activeElement !== byId("columns")) byId("columns").value = doc.cells[0].length;
  };
  onChange((what) => what === "document" && show());
  show();
}
