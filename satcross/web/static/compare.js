// @ts-check
// Comparison of the backends on this puzzle: time per stage, and whether the answers agree.

import { byId, make, on, say, seconds, showStatus } from "./dom.js";
import { totalSeconds } from "./fill.js";
import { onJob, run } from "./jobs.js";
import { onChange, puzzleKey, ui } from "./store.js";

const STAGES = ["arc_consistency", "encode", "solve"];
let outcomes = [];
let about = "";
let shown = ""; // the puzzle that was compared

function draw() {
  const here = shown === puzzleKey();
  const longest = Math.max(...outcomes.map(({ seconds }) => totalSeconds(seconds)), 0.001);
  const figure = (value) => {
    const bar = make("span", { className: "room", "aria-hidden": "true" });
    bar.style.setProperty("--share", String(value / longest));
    return make("td", { className: "figure" }, seconds(value), bar);
  };
  say("compare-about", here ? about : "");
  byId("compare-rows").replaceChildren(...(here ? outcomes : []).map((one) => {
    const answers = { filled: `filled, score ${one.score}`, unfillable: "no fill exists", unknown: one.reason };
    return make("tr", {},
      make("th", { scope: "row" }, one.backend),
      make("td", {}, one.problems.length ? `wrong fill: ${one.problems[0]}` : answers[one.status]),
      ...[...STAGES.map((stage) => one.seconds[stage] ?? 0), totalSeconds(one.seconds)].map(figure),
    );
  }));
}

export function startCompare() {
  onJob("compare", {
    begin() {
      outcomes = [];
      shown = puzzleKey();
      about = "The backends run one after the other, each on one processor.";
      draw();
    },
    part(outcome) {
      outcomes = [...outcomes.filter((one) => one.backend !== outcome.backend), outcome];
      draw();
    },
    done(result) {
      outcomes = result.outcomes;
      const answered = outcomes.filter((one) => one.status !== "unknown");
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
