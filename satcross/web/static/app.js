// Starts the page, and handles the controls outside the panels.

import { get } from "./api.js";
import { draw, goTo, startBoard } from "./board.js";
import { startClues } from "./clues.js";
import { startCompare } from "./compare.js";
import { byId, showStatus } from "./dom.js";
import { showAbout, startFiles } from "./files.js";
import { fill, startFill } from "./fill.js";
import { resume, startJobs, stop } from "./jobs.js";
import { startLibrary } from "./library.js";
import { startLists } from "./lists.js";
import { startSteps } from "./steps.js";
import { doc, canRedo, canUndo, onChange, redo, restore, undo, ui, uiChanged } from "./store.js";
import { startTabs } from "./tabs.js";
import { startWhy } from "./why.js";
import { startWords } from "./words.js";

function startCheckbox(id, name) {
  const input = byId(id);
  input.checked = ui[name];
  input.addEventListener("change", () => {
    ui[name] = input.checked;
    uiChanged();
  });
}

function showTheme() {
  document.documentElement.dataset.theme = ui.theme;
  byId("theme").value = ui.theme;
}

function startShortcuts() {
  addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    const writing = event.target.matches?.("textarea, input:not(#board input)");
    const key = event.key.toLowerCase();
    if (control && event.key === "Enter") fill();
    else if (event.key === "Escape") stop();
    else if (control && key === "z" && !writing) (event.shiftKey ? redo : undo)();
    else if (control && key === "y" && !writing) redo();
    else return;
    event.preventDefault();
  });
}

/** An open menu is closed by a click elsewhere, by a button in it, and by Escape. */
function startMenus() {
  const close = (kept) => {
    for (const menu of document.querySelectorAll("details.menu[open]")) if (menu !== kept) menu.open = false;
  };
  addEventListener("pointerdown", (event) => close(event.target.closest?.("details.menu")));
  addEventListener("click", (event) => event.target.closest?.("details.menu button") && close(null));
  addEventListener("keydown", (event) => event.key === "Escape" && close(null));
}

async function start() {
  const unreadable = restore();
  startBoard();
  startTabs();
  startFill();
  startWhy();
  startCompare();
  startSteps();
  startClues();
  startLists();
  startFiles();
  startCheckbox("symmetry", "symmetry");
  startCheckbox("blocks", "blocks");
  startCheckbox("heat", "heat");
  byId("undo").addEventListener("click", undo);
  byId("redo").addEventListener("click", redo);
  byId("theme").addEventListener("change", (event) => {
    ui.theme = event.target.value;
    showTheme();
    uiChanged();
  });
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
  try {
    showAbout(await get("/api/about"));
  } catch (error) {
    showStatus(error.message, "bad");
  }
  startWords();
  resume();
  startLibrary();
  if (unreadable) showStatus(unreadable, "bad");
}

start();
