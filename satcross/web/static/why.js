// "Why not?": the reason why there is no fill, in the grid and in words, and suggested changes.

import { overlay } from "./board.js";
import { button, byId, make, say } from "./dom.js";
import { BLOCKED, lettersOf } from "./grid.js";
import { handle, run } from "./jobs.js";
import { change, doc, onChange, slots, ui } from "./store.js";
import { openTab } from "./tabs.js";

let shownFor = null;

function marksOf(parts) {
  const marks = new Map();
  for (const part of parts) {
    const slot = part.slot && slots().find((one) => one.name === part.slot);
    for (const cell of slot?.cells ?? []) {
      marks.set(cell.join(), marks.has(cell.join()) ? "why-crossing" : "why");
    }
  }
  for (const part of parts) {
    if (part.row !== undefined) marks.set(`${part.row},${part.column}`, "why-letter");
  }
  return marks;
}

function explained(result) {
  openTab("why");
  const about = byId("why-about");
  byId("why-steps").replaceChildren();
  byId("why-help").replaceChildren();
  byId("why-help-title").hidden = byId("why-legend").hidden = true;
  byId("why-needed").textContent = "";
  if (result.status === "fillable") {
    about.textContent = "There is a fill: nothing to explain. It is pencilled in.";
    change((next) => (next.pencil = lettersOf(next.cells, result.fill)));
    return say(about.textContent);
  }
  if (result.status === "unknown") {
    about.textContent = `Not known: ${result.stopped}.`;
    return say(about.textContent, "bad");
  }
  about.textContent = result.headline;
  say(result.headline, "bad");
  byId("why-needed").textContent = result.needed + (result.also.length ? ` By themselves, ${result.also.join(", ")} can't be filled either.` : "");
  byId("why-steps").replaceChildren(
    ...result.because.map((line) => {
      const item = make("li", {}, line.trim());
      item.style.setProperty("--depth", (line.length - line.trimStart().length) / 2);
      return item;
    }),
  );
  byId("why-help-title").hidden = byId("why-legend").hidden = false;
  byId("why-help").replaceChildren(
    ...(result.suggestions.length
      ? result.suggestions.map((one) => make("li", {}, button(plain(one), () => apply(one))))
      : [make("li", {}, "No single change that helps was found.")]),
  );
  shownFor = doc;
  overlay(null, marksOf(result.parts));
}

/** The text of a suggestion without its command-line flag. */
const plain = (suggestion) => suggestion.text.replace(/ \(--[^)]*\)/g, "");

function apply(suggestion) {
  change((next) => {
    const open = ({ row, column }) => (next.cells[row][column] = "");
    switch (suggestion.kind) {
      case "drop-letter":
        open(suggestion);
        break;
      case "block":
        for (const { row, column } of suggestion.cells) next.cells[row][column] = BLOCKED;
        break;
      case "include": {
        const words = new Set(suggestion.words);
        next.excluded = next.excluded
          .split(/[\s,;]+/)
          .filter((word) => word && !words.has(word.toUpperCase()))
          .join(" ");
        break;
      }
      case "allow-repeats":
        next.allowRepeats = true;
        break;
      case "min-score":
        next.minScore = suggestion.min_score;
        break;
    }
    next.pencil = lettersOf(next.cells, suggestion.fill);
  });
  say(`Done: ${plain(suggestion)}. A fill is pencilled in.`);
}

export function startWhy() {
  handle("explain", { done: explained });
  byId("why").addEventListener("click", () => run("explain", { seconds: ui.seconds }));
  onChange((what) => {
    if (what === "document" && shownFor && shownFor !== doc) {
      shownFor = null;
      overlay(null);
    }
  });
}
