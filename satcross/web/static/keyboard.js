// @ts-check
// A keyboard on the page for touch screens, and the enlargement of the grid.

import { pressKey } from "./board.js";
import { button, byId, make, on } from "./dom.js";
import { ui, uiChanged } from "./store.js";

const ROWS = ["QWERTYUIOP", "ASDFGHJKL", "■⇄ZXCVBNM⌫›"];
const NAMES = { "⌫": ["Backspace", "Delete the letter"], "⇄": [" ", "Across or down"], "■": [".", "Block or open the cell"], "›": ["PageDown", "Next slot"] };
const ZOOMS = [1, 1.4, 2, 2.8];

function zoom(by) {
  const at = Math.max(0, ZOOMS.indexOf(ui.zoom));
  ui.zoom = ZOOMS[Math.min(Math.max(at + by, 0), ZOOMS.length - 1)];
  showZoom();
  uiChanged();
  document.getElementById(`cell-${ui.row}-${ui.column}`)?.scrollIntoView({ block: "center", inline: "center" });
}

function showZoom() {
  byId("board").style.setProperty("--zoom", ui.zoom);
  byId("zoom-in").disabled = ui.zoom === ZOOMS.at(-1);
  byId("zoom-out").disabled = ui.zoom === ZOOMS[0];
}

export function startKeyboard() {
  const keyOf = (text) => {
    const [key, name] = NAMES[text] ?? [text, text];
    const made = button(text, () => pressKey(key), { "aria-label": name, tabIndex: -1 });
    made.addEventListener("pointerdown", (event) => event.preventDefault()); // the cell keeps the focus
    return made;
  };
  byId("keyboard").replaceChildren(...ROWS.map((row) => make("div", {}, ...[...row].map(keyOf))));
  on("zoom-in", "click", () => zoom(1));
  on("zoom-out", "click", () => zoom(-1));
  showZoom();
}
