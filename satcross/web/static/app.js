// @ts-check
// Starts the page, and handles the controls outside the panels.

import { get } from "./api.js";
import { startAnswer } from "./answer.js";
import { loadBegin, openBegin, startBegin } from "./begin.js";
import { draw, goTo, goToTightest, startBoard } from "./board.js";
import { startClues } from "./clues.js";
import { startCompare } from "./compare.js";
import { byId, every, on, showStatus, targetOf } from "./dom.js";
import { printSheet, showAbout, startFiles } from "./files.js";
import { fill, startFill } from "./fill.js";
import { resume, startJobs, stop } from "./jobs.js";
import { startLibrary } from "./library.js";
import { startKeyboard } from "./keyboard.js";
import { startLists } from "./lists.js";
import { startReview } from "./review.js";
import { startSteps } from "./steps.js";
import { canRedo, canUndo, control, doc, onChange, redo, restore, restoredFrom, ui, undo } from "./store.js";
import { startSuggest } from "./suggest.js";
import { startTabs } from "./tabs.js";
import { startWhy } from "./why.js";
import { startWords } from "./words.js";

const showTheme = () => (document.documentElement.dataset.theme = ui.theme);

function startShortcuts() {
  addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    const writing = targetOf(event).matches?.("textarea, input:not(#board input)");
    const key = event.key.toLowerCase();
    if (document.querySelector("dialog[open]")) return;
    if (control && event.key === "Enter") fill();
    else if (event.key === "Escape") stop();
    else if (control && key === "p") printSheet();
    else if (control && key === "z" && !writing) (event.shiftKey ? redo : undo)();
    else if (control && key === "y" && !writing) redo();
    else return;
    event.preventDefault();
  });
}

/** An open menu is closed by a click elsewhere, by a button in it, and by Escape. */
function startMenus() {
  const close = (kept) => {
    for (const menu of every("details.menu[open]")) if (menu !== kept) menu.open = false;
  };
  addEventListener("pointerdown", (event) => close(targetOf(event).closest?.("details.menu")));
  addEventListener("click", (event) => targetOf(event).closest?.("details.menu button") && close(null));
  addEventListener("keydown", (event) => event.key === "Escape" && close(null));
}

async function start() {
  const unreadable = restore();
  for (const begin of [startBoard, startTabs, startFill, startWhy, startCompare, startSteps, startClues, startLists, startFiles, startBegin, startReview, startAnswer, startSuggest, startKeyboard]) begin();
  for (const id of ["symmetry", "pen", "blocks", "selecting", "heat", "theme"]) control(id);
  const showPen = () => {
    byId("pen").hidden = !ui.blocks;
    byId("board").classList.toggle("held", ui.blocks || ui.selecting); // a finger draws or selects, and moves nothing
  };
  onChange(showPen);
  showPen();
  on("tightest", "click", goToTightest);
  on("undo", "click", undo);
  on("redo", "click", redo);
  on("theme", "change", showTheme);
  showTheme();
  const showDocument = () => {
    byId("undo").disabled = !canUndo();
    byId("redo").disabled = !canRedo();
    document.title = `${doc.title || "Crossword"} – satcross`;
  };
  onChange(showDocument);
  showDocument();
  startShortcuts();
  startMenus();
  startJobs();
  draw();
  goTo(ui.row, ui.column, ui.direction, false);
  document.body.classList.add("ready");
  startLibrary(); // what is done before the server answers is stored, too
  if (!restoredFrom && !unreadable) openBegin();
  document.body.classList.add("started");
  try {
    showAbout(await get("/api/about"));
    await loadBegin();
  } catch (error) {
    showStatus(error.message, "bad");
  }
  startWords();
  resume();
  if (unreadable) showStatus(unreadable, "bad");
}

start();
