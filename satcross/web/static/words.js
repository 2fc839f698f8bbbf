// Candidates of the slot at the cursor, heat, and slots that can't be filled, updated on every edit.

import { post, puzzleSpec, puzzleProblem } from "./api.js";
import { current, goTo, setView } from "./board.js";
import { button, byId, make, plural, redraw, showStatus, debounce } from "./dom.js";
import { spokenName } from "./grid.js";
import { change, onChange, puzzleKey, setLetter, ui, uiChanged } from "./store.js";

let requested = ""; // the last request, as JSON
let running = null; // the AbortController of the current request
let retryTimer = 0;
let shownProblem = "";
let shownProblemKey = ""; // the puzzle that has the problem, as JSON
let shownFor = ""; // the puzzle and the slot of the candidates on the page

const here = () => JSON.stringify([puzzleKey(), current()?.name]);

async function inspect() {
  const slot = current()?.name ?? null;
  const [key, place] = [puzzleKey(), here()];
  const request = { question: puzzleSpec(), slot, rank: ui.rank, most: 80 };
  const text = JSON.stringify(request);
  if (text === requested) return;
  requested = text;
  clearTimeout(retryTimer);
  running?.abort();
  const controller = (running = new AbortController());
  const problem = puzzleProblem();
  if (problem) {
    setView(null, key);
    show(null);
    showProblem(problem, text, "");
    return;
  }
  try {
    const found = await (await post("/api/look", request, controller.signal)).json();
    if (controller !== running) return;
    if (place !== here()) return; // another request is on its way
    setView(found, key);
    show(found.candidates, place);
    showProblemsOf(found, JSON.stringify(request.question));
  } catch (error) {
    if (error.name === "AbortError" || controller !== running) return;
    requested = ""; // a later request may succeed
    setView(null, key);
    show(null);
    showProblem(error.message, text);
    if (error.code === "busy" || error.code === "gone") retryTimer = setTimeout(soon, 2000);
  }
}

const soon = debounce(inspect, 120);

/** Show a problem of the document, but only once, so that it does not hide other messages. */
function showProblemsOf(found, key) {
  const names = (list) => list.map(spokenName).join(", ");
  if (found.empty.length) {
    showProblem(`No word fits ${names(found.empty)}.`, key);
  } else if (found.wiped_out) {
    showProblem(`The crossings leave no word for ${spokenName(found.wiped_out)}. “Why not?” explains it.`, key);
  } else if (found.unlisted.length) {
    const text = `The locked word of ${names(found.unlisted)} is in no list; locking makes it legal.`;
    showProblem(text, key, "");
  } else {
    if (shownProblem && byId("status").textContent === shownProblem) showStatus("");
    shownProblem = "";
  }
}

function showProblem(text, key, kind = "bad") {
  if (text === shownProblem && key === shownProblemKey) return;
  shownProblem = text;
  shownProblemKey = key;
  showStatus(text, kind);
}

/** Lock a candidate, if the slot and the puzzle are still those that it was ranked for. */
function lockWord(word) {
  const slot = current();
  if (!slot || shownFor !== here()) return;
  change((next) => {
    Array.from(word).forEach((letter, index) => setLetter(next, ...slot.cells[index], letter));
  });
  // On a touch screen the focus would open the keyboard.
  goTo(ui.row, ui.column, ui.direction, !matchMedia("(pointer: coarse)").matches);
  showStatus(`${word} is locked in ${spokenName(slot.name)}.`);
}

/** Candidates of another slot or of an older puzzle can't be chosen. */
function markStale() {
  const stale = shownFor !== here();
  byId("candidates").inert = stale;
  byId("panel-words").setAttribute("aria-busy", String(stale));
}

function show(found, place = here()) {
  const list = byId("candidates");
  const title = byId("candidates-title");
  shownFor = place;
  markStale();
  if (!found) {
    title.textContent = "Candidates";
    return redraw(list, []);
  }
  title.textContent = `${spokenName(found.slot)}: ${plural(found.total, "candidate")}`;
  const rooms = found.words.map((one) => one.room);
  const [low, high] = [Math.min(...rooms), Math.max(...rooms)];
  redraw(
    list,
    found.words.map((one, index) => {
      const tight = one.tightest === null ? "" : `leaves ${one.left} for ${one.tightest}`;
      const about = one.dead_end ? "dead end: the crossings leave it no fill" : tight;
      const bar = make("span", { className: "room", "aria-hidden": "true" });
      bar.style.setProperty("--share", high > low ? (one.room - low) / (high - low) : 1);
      const chosen = button("", () => lockWord(one.word), {
        className: one.dead_end ? "candidate no" : "candidate",
        title: about,
        tabIndex: index ? -1 : 0, // one stop of the Tab key; arrow keys move on
        "data-key": one.word,
      });
      chosen.append(
        make("span", { className: "text" }, one.word),
        make("span", { className: "score" }, make("span", { className: "unseen" }, " score "), String(one.score)),
        bar,
        make("span", { className: "unseen" }, ` ${about}`),
      );
      return make("li", {}, chosen);
    }),
  );
}

/** Move the focus in the columns of the candidates with the arrow keys. */
function moveInList(event) {
  const buttons = [...byId("candidates").querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement);
  const columns = buttons.filter((one) => one.offsetTop === buttons[0]?.offsetTop).length;
  const to = {
    ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns, Home: 0, End: buttons.length - 1,
  }[event.key];
  if (at < 0 || !buttons[to]) return;
  event.preventDefault();
  buttons[at].tabIndex = -1;
  buttons[to].tabIndex = 0;
  buttons[to].focus();
}

export function startWords() {
  byId("candidates").addEventListener("keydown", moveInList);
  const rank = byId("rank");
  rank.value = ui.rank;
  rank.addEventListener("change", () => {
    ui.rank = rank.value;
    uiChanged();
  });
  onChange(() => {
    markStale();
    soon();
  });
  soon();
}
