// @ts-check
// Comparison of the backends on this puzzle: time per stage, and whether the answers agree.

import { byId, make, on, say, seconds, showStatus } from "./dom.js";
import { totalSeconds } from "./fill.js";
import { onJob, run } from "./jobs.js";
import { ui } from "./store.js";

const STAGES = { arc_consistency: "arc consistency", encode: "encoding", solve: "solving" };
let outcomes = [];

function draw() {
  const longest = Math.max(...outcomes.map((one) => totalSeconds(one.seconds)), 0.001);
  byId("compare-rows").replaceChildren(
    ...outcomes.flatMap((one) => {
      const bar = make("div", { className: "bar" });
      for (const [stage, name] of Object.entries(STAGES)) {
        const piece = make("span", { className: `stage ${stage}`, title: `${name}: ${seconds(one.seconds[stage] ?? 0)}` });
        piece.style.width = `${(100 * (one.seconds[stage] ?? 0)) / longest}%`;
        bar.append(piece);
      }
      const answers = { filled: `filled, score ${one.score}`, unfillable: "no fill exists", unknown: one.reason };
      const figures = make(
        "tr",
        {},
        make("th", { scope: "row" }, one.backend),
        make("td", {}, one.problems.length ? `wrong fill: ${one.problems[0]}` : answers[one.status]),
        ...Object.keys(STAGES).map((stage) => make("td", { className: "figure" }, seconds(one.seconds[stage] ?? 0))),
        make("td", { className: "figure" }, make("b", {}, seconds(totalSeconds(one.seconds)))),
      );
      return [figures, make("tr", { className: "bars", "aria-hidden": "true" }, make("td", { colSpan: 6 }, bar))];
    }),
  );
}

export function startCompare() {
  onJob("compare", {
    begin() {
      outcomes = [];
      say("compare-about", "The backends run one after the other, each on one processor.");
      draw();
    },
    part(outcome) {
      outcomes = [...outcomes.filter((one) => one.backend !== outcome.backend), outcome];
      draw();
    },
    done(result) {
      outcomes = result.outcomes;
      draw();
      const answered = outcomes.filter((one) => one.status !== "unknown");
      const text = !result.agreement
        ? "THE ANSWERS DISAGREE. This is a bug in satcross; please report it with this puzzle."
        : answered.length < 2
          ? "Too few answers to compare."
          : answered[0].status === "filled"
            ? "The answers agree: the grid can be filled (each fill was verified; fills may differ)."
            : "The answers agree: no fill exists.";
      say("compare-about", text);
      showStatus(text, result.agreement ? "" : "bad");
    },
  });
  on("compare", "click", () =>
    run("compare", { seconds: Math.min(ui.seconds, 60) }),
  );
}
