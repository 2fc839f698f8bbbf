// Updated on every edit: candidates of the slot at the cursor, heat, slots that can't be filled.

import { post, question, unready } from "./api.js";
import { current, setView } from "./board.js";
import { button, byId, make, plural, say, settled } from "./dom.js";
import { spoken } from "./grid.js";
import { change, onChange, setLetter, slots, ui, uiChanged } from "./store.js";

let asked = "";
let stopping = null;
let again = 0;
let complaint = "";
let complainedOf = "";

async function look() {
  const slot = current()?.name ?? null;
  const request = { question: question(), slot, rank: ui.rank, most: 80 };
  const text = JSON.stringify(request);
  if (text === asked) return;
  asked = text;
  clearTimeout(again);
  stopping?.abort();
  const own = (stopping = new AbortController());
  const problem = unready();
  if (problem) {
    setView(null);
    show(null);
    complain(problem, text, "");
    return;
  }
  try {
    const found = await (await post("/api/look", request, own.signal)).json();
    if (own !== stopping) return;
    setView(found);
    show(found.candidates);
    tell(found, JSON.stringify(request.question));
  } catch (error) {
    if (error.name === "AbortError" || own !== stopping) return;
    asked = ""; // a later request may succeed
    setView(null);
    show(null);
    complain(error.message, text);
    if (error.code === "busy" || error.code === "gone") again = setTimeout(soon, 2000);
  }
}

const soon = settled(look, 120);

/** Show a problem of the document once, so that it does not hide other messages. */
function tell(found, question) {
  const names = (list) => list.map(spoken).join(", ");
  if (found.empty.length) {
    complain(`No word fits ${names(found.empty)}.`, question);
  } else if (found.wiped_out) {
    complain(`The crossings leave no word for ${spoken(found.wiped_out)}. Ask why not.`, question);
  } else if (found.unlisted.length) {
    const text = `The locked word of ${names(found.unlisted)} is in no list; it is used all the same.`;
    complain(text, question, "");
  } else {
    if (complaint && byId("status").textContent === complaint) say("");
    complaint = "";
  }
}

function complain(text, question, kind = "bad") {
  if (text === complaint && question === complainedOf) return;
  complaint = text;
  complainedOf = question;
  say(text, kind);
}

function put(word) {
  const slot = current();
  if (!slot) return;
  change((next) => {
    Array.from(word).forEach((letter, index) => setLetter(next, ...slot.cells[index], letter));
  });
  say(`${word} is locked in ${spoken(slot.name)}.`);
}

function show(found) {
  const list = byId("candidates");
  const title = byId("candidates-title");
  if (!found) {
    title.textContent = "Candidates";
    list.replaceChildren();
    return;
  }
  title.textContent = `${spoken(found.slot)}: ${plural(found.total, "candidate")}`;
  const rooms = found.words.map((one) => one.room);
  const [low, high] = [Math.min(...rooms), Math.max(...rooms)];
  list.replaceChildren(
    ...found.words.map((one) => {
      const tight = one.tightest === null ? "" : `leaves ${one.left} for ${one.tightest}`;
      const dead = one.dead_end ? "dead end" : "";
      const bar = make("span", { className: "room", "aria-hidden": "true" });
      bar.style.setProperty("--share", high > low ? (one.room - low) / (high - low) : 1);
      const chosen = button("", () => put(one.word), { className: dead ? "candidate no" : "candidate" });
      chosen.append(
        make("span", { className: "text" }, one.word),
        make("span", { className: "score" }, make("span", { className: "unseen" }, " score "), String(one.score)),
        bar,
        make("span", { className: "tight" }, dead || tight),
      );
      return make("li", {}, chosen);
    }),
  );
}

export function startWords() {
  const rank = byId("rank");
  rank.value = ui.rank;
  rank.addEventListener("change", () => {
    ui.rank = rank.value;
    uiChanged();
  });
  onChange(soon);
  soon();
}
