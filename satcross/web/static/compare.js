// @ts-check
// Comparison of the backends on this puzzle: time per stage, and whether the answers agree.

import { byId, make, on, say, seconds, showStatus } from "./dom.js";
import { totalSeconds } from "./fill.js";
import { onJob, run } from "./jobs.js";
import { onChange, puzzleKey, ui } from "./store.js";

const STAGES = ["arc_consistency", "encode", "solve"];
let outcomes = [];
let about = "";
let compared = ""; // the puzzle that was compared

function draw() {
  const here = compared === puzzleKey();
  const longest = Math.max(...outcomes.map((outcome) => totalSeconds(outcome.seconds)), 0.001);
  const figure = (value) => {
    const bar = make("span", { className: "room", "aria-hidden": "true" });
    bar.style.setProperty("--share", String(value / longest));
    return make("td", { className: "figure" }, seconds(value), bar);
  };
  say("compare-about", here ? about : "");
  byId("compare-rows").replaceChildren(...(here ? outcomes : []).map((outcome) => {
    const answers = { filled: `filled, score ${outcome.score}`, unfillable: "no fill exists", unknown: outcome.reason };
    return make("tr", {},
      make("th", { scope: "row" }, outcome.backend),
      make("td", {}, outcome.problems.length ? `wrong fill: ${outcome.problems[0]}` : answers[outcome.status]),
      ...[...STAGES.map((stage) => outcome.seconds[stage] ?? 0), totalSeconds(outcome.seconds)].map(figure),
    );
  }));
}

export function startCompare() {
  onJob("compare", {
    begin() {
      outcomes = [];
      compared = puzzleKey();
      about = "The backends run one after the other, each on one processor.";
      draw();
    },
    part(outcome) {
      outcomes = [...outcomes.filter((earlier) => earlier.backend !== outcome.backend), outcome];
      draw();
    },
    done(result) {
      outcomes = result.outcomes;
      const answered = outcomes.filter((outcome) => outcome.status !== "unknown");
      about = !result.agreement ? "THE ANSWERS DISAGREE. This is a bug in satcross; please report it with this puzzle."
        : answered.length < 2 ? "Too few answers to compare."
        : answered[0].status === "unfillable" ? "The answers agree: no fill exists."
        : "The answers agree: the grid can be filled (each fill was verified; fills may differ).";
      draw();
      showStatus(about, result.agreement ? "" : "bad");
    },
  });
  on("compare", "click", () => run("compare", { seconds: Math.min(ui.seconds, 60) }));
  onChange(draw);
}
