// @ts-check
// Candidates of the slot at the cursor, heat, slots that can't be filled.

import { post, puzzleSpec, puzzleProblem } from "./api.js";
import { current, goTo, preview, setView } from "./board.js";
import { showFaults } from "./clues.js";
import { scoreField, showReview, showVerdict, wordRow } from "./review.js";
import { button, byId, debounce, focused, make, on, plural, redraw, say, showMessage, showStatus } from "./dom.js";
import { slotAt, spokenName } from "./grid.js";
import { choose, dropWords, place, wholeWords } from "./model.js";
import { change, clues, control, doc, excludeWord, fillState, letterAt, onChange, puzzleKey, slotNamed, slots, ui } from "./store.js";

let requested = ""; // last request, puzzle
let open = 0; // unanswered requests
const MAX_OPEN = 2; // a held arrow key would fill the server's queue
let shownFor = ""; // puzzle and slot
const previews = new Map(); // "slot candidate" -> the words (slot name -> word) that it would bring

/** The slot that crosses the current one at the cursor, or undefined. */
function crossing() {
  const other = ui.direction === "A" ? "D" : "A";
  const slot = slotAt(slots(), ui.row, ui.column, other);
  return slot && slot.name !== current()?.name ? slot : undefined;
}

/** How candidates are ranked: usually by how they fit in, where a fill stands around the slot. */
function rank() {
  if (ui.order !== "usual") return ui.order;
  const cells = current()?.cells ?? [];
  return fillState().any && 2 * cells.filter(([r, c]) => letterAt(r, c)).length > cells.length ? "fit" : "best";
}

const here = () => JSON.stringify([puzzleKey(), current()?.name, rank(), rank() === "fit" ? wholeWords(doc) : ""]);

async function inspect() {
  const slot = current()?.name ?? null;
  const [key, place] = [puzzleKey(), here()];
  const request = {
    question: puzzleSpec(),
    slot,
    crossing: crossing()?.name ?? null,
    filter: byId("filter").value.slice(0, 25),
    words: wholeWords(doc),
    clues: ui.tab === "clues" ? clues() : {},
    rank: /** @type {any} */ (rank()),
    max_candidates: 80,
  };
  const text = JSON.stringify([request, key]); // a space in a rule changes the key
  if (text === requested || open >= MAX_OPEN) return;
  requested = text;
  const problem = puzzleProblem();
  if (problem) {
    setView(null, key);
    show(null);
    for (const id of ["counted", "weak", "weak-title", "warnings", "statistics"]) say(id, "");
    say("quality", problem);
    showProblem(fillState().hole || doc.lists.some((list) => list.used) ? problem : "", "");
    return;
  }
  open += 1;
  try {
    const found = await (await post("/api/look", request)).json();
    if (text !== requested || place !== here()) return; // another request follows
    setView(found, key);
    showVerdict(found, request.words);
    show(found.candidates, place, found.words.filter((one) => one.slot === slot));
    showCrossing(found.crossing, place);
    showReview(found, () => {
      requested = "";
      soon();
    });
    showFaults(found.clue_faults);
    showProblemsOf(found);
  } catch (error) {
    if (text !== requested) return;
    requested = ""; // a later request may succeed
    setView(null, key);
    show(null);
    showProblem(error.message);
    if (error.code === "busy" || error.code === "gone") setTimeout(soon, 500);
  } finally {
    if (open-- === MAX_OPEN) soon(); // for what was not asked meanwhile
  }
}

const soon = debounce(inspect, 30);

function showProblemsOf(found) {
  const names = (list) => list.map(spokenName).join(", ");
  if (found.empty.length) showProblem(`No word fits ${names(found.empty)}.`);
  else if (found.wiped_out) showProblem(`The crossings leave no word for ${spokenName(found.wiped_out)}. “Why not?” explains it.`);
  else if (found.unlisted.length) showProblem(`The locked word of ${names(found.unlisted)} is in no list; locking makes it legal.`, "");
  else showProblem("");
}

/** Show a problem of the document in a line of its own: the answer to an action stays. */
function showProblem(text, kind = "bad") {
  // A lost server is also the answer to an action, and is over for both.
  const over = byId("problem").textContent;
  if (!text && over && byId("status").textContent === over) showStatus("");
  showMessage("problem", text, kind);
}

/** Lock a candidate, if the slot and the puzzle are still those that it was ranked for. */
function lockWord({ word, swaps, opens }, name) {
  const slot = slotNamed(name);
  if (!slot || shownFor !== here()) return;
  endPreview();
  change((next) => {
    dropWords(next, [], opens.map(slotNamed));
    choose(next, { [name]: word });
    place(next, swaps);
  });
  // On a touch screen, focus opens the keyboard.
  goTo(ui.row, ui.column, ui.direction, !matchMedia("(pointer: coarse)").matches);
  showStatus(`${word} is yours in ${spokenName(slot.name)}.`);
}

/** Candidates of another slot or of an older puzzle can't be chosen. */
function markStale() {
  const stale = shownFor !== here();
  byId("candidates").inert = byId("crossing-candidates").inert = stale;
  byId("panel-words").setAttribute("aria-busy", String(stale));
}

function show(found, place = here(), placed = []) {
  redraw(byId("word-here"), placed.map(wordRow), byId("filter"));
  byId("word-actions").hidden = !placed.length;
  const list = byId("candidates");
  list.style.setProperty("--word", current()?.length ?? 0);
  shownFor = place;
  markStale();
  if (!found) {
    say("candidates-title", "Candidates");
    return redraw(list, []);
  }
  const text = byId("filter").value.trim();
  say("candidates-title", `${spokenName(found.slot)}: ${plural(found.total, "candidate")}${text ? ` with ${text}` : ""}`);
  redraw(list, rowsOf(found), byId("filter"));
}

/** Show the candidates of the crossing slot, as long as the cursor is in it. */
function showCrossing(found, place) {
  const used = found && place === here() && crossing()?.name === found.slot ? found : null;
  byId("crossing-title").hidden = !used;
  byId("crossing-candidates").style.setProperty("--word", crossing()?.length ?? 0);
  if (used) say("crossing-title", `Crossing, ${spokenName(used.slot)}: ${plural(used.total, "candidate")}`);
  redraw(byId("crossing-candidates"), used ? rowsOf(used) : []);
}

function rowsOf({ slot: name, words }) {
  const rooms = words.map(({ room }) => room);
  const [low, high] = [Math.min(...rooms), Math.max(...rooms)];
  const preferred = new Set(puzzleSpec().preferred.map((word) => word.toUpperCase()));
  return words.map((found, index) => {
    const { word, swaps, opens, room, score } = found;
    const changed = Object.keys(swaps).length + opens.length;
    const fits = rank() !== "fit" ? "" : [
      changed ? `changes ${plural(changed, "word")}: ${[...Object.entries(swaps).map(([slot, to]) => `${slot} ${to}`), ...opens.map((slot) => `${slot} opens`)].join(", ")}`
        : "changes no other word", found.quality].filter(Boolean).join("; ");
    previews.set(`${name} ${word}`, { ...swaps, [name]: word });
    const tight = fits || (found.tightest === null ? "" : `leaves ${found.left} for ${found.tightest}`);
    const about = [preferred.has(word) ? "preferred" : "", found.dead_end ? "dead end: the crossings leave it no fill" : tight].filter(Boolean).join(", ");
    const bar = make("span", { className: "room", "aria-hidden": "true" });
    bar.style.setProperty("--share", high > low ? (room - low) / (high - low) : 1);
    const chosen = button("", () => lockWord(found, name), {
      className: found.dead_end ? "candidate no" : "candidate",
      title: about,
      tabIndex: index ? -1 : 0, // one stop of the Tab key; arrow keys move on
      "data-key": word,
      "data-slot": name,
    });
    chosen.append(
      make("span", { className: preferred.has(word) ? "text preferred" : "text" }, word),
      fits ? make("span", { className: opens.length ? "cost bad" : "cost", "aria-hidden": "true" }, changed ? `${changed}${opens.length ? " !" : ""}` : "✓") : bar,
      make("span", { className: "unseen" }, ` score ${score} ${about}`),
    );
    const never = button("×", () => neverUse(word), {
      className: "never", title: `Never use ${word}`, "aria-label": `Never use ${word}`, tabIndex: -1,
    });
    const field = scoreField(word, score);
    Object.assign(field, { className: "score", tabIndex: -1 });
    return make("li", {}, chosen, field, never);
  });
}

function neverUse(word) {
  endPreview();
  excludeWord(word);
}

let previewed; // "slot candidate"

function endPreview() {
  previewed = undefined;
  preview(null);
}

/** Show a candidate in the grid while the pointer or the focus is on it. */
function previewOf(event) {
  const { key, slot: name } = event.target.closest?.(".candidate")?.dataset ?? {};
  const shown = key && `${name} ${key}`;
  if (shownFor !== here() || shown === previewed) return;
  previewed = shown;
  preview(key ? previews.get(`${name} ${key}`) : null);
}

function moveInList(event) {
  const buttons = [...event.currentTarget.querySelectorAll(".candidate")];
  const at = buttons.indexOf(document.activeElement);
  const columns = buttons.filter((one) => one.offsetTop === buttons[0]?.offsetTop).length;
  const to = {
    ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns, Home: 0, End: buttons.length - 1,
  }[event.key];
  if (at >= 0 && event.key === "Delete") {
    event.preventDefault();
    return neverUse(focused().dataset.key);
  }
  if (at >= 0 && /^\d$/.test(event.key)) return buttons[at].nextSibling.select(); // the digit replaces the score
  if (at < 0 || !buttons[to]) return;
  event.preventDefault();
  buttons[at].tabIndex = -1;
  buttons[to].tabIndex = 0;
  buttons[to].focus();
}

export function startWords() {
  for (const id of ["candidates", "crossing-candidates"]) {
    const list = byId(id);
    list.addEventListener("keydown", moveInList);
    for (const kind of ["pointermove", "focusin"]) list.addEventListener(kind, previewOf);
    for (const kind of ["pointerleave", "focusout"]) list.addEventListener(kind, endPreview);
  }
  on("filter", "input", soon);
  control("rank", "order");
  onChange(() => {
    showVerdict();
    markStale();
    soon();
  });
  markStale();
  soon();
}
