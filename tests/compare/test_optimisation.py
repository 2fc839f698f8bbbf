"""Runs that look for the best fill: what they claim, and how they are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from compare.made_up import LIMITS, RING, run

from satcross import Puzzle, Vocabulary
from satcross.compare.backend_contenders import BackendContender
from satcross.compare.command_lines import ExternalSolver, Program
from satcross.compare.commands.recorded_runs import ShownRun, run_table
from satcross.compare.contenders import Contender, Instance, Run
from satcross.compare.records import Record, RunOutcome
from satcross.compare.runs import execute
from satcross.compare.scores import (
    best_known_table,
    challenge_scores,
    reasons,
    score_table,
    shares,
    standings,
)
from satcross.compare.verdict import judge

SCORES = {"CAT": 50, "CUB": 60, "BED": 70, "TOD": 80, "CAR": 90, "ROD": 30}
WORTH = Instance(Puzzle(RING, Vocabulary(SCORES)), "s", "w")
BEST = 260  # CAT CUB TOD BED; with CAR and ROD for CAT and TOD it is 250


def best(contender: str, puzzle: str, cpu: float, score: int, **more: Any) -> Record:
    trace = more.pop("trace", ((cpu, score),))
    return run(contender, puzzle, cpu, goal="total", score=score, trace=trace, **more)


def test_a_false_optimum_is_caught_by_any_better_fill() -> None:
    records = [
        best("a", "p", 1, 17, claim=True, bound=17),
        best("b", "p", 5, 19, bound=30),
        best("c", "p", 5, 12, bound=18),
        best("d", "p", 5, 19, claim=True, bound=19),
    ]
    verdict = judge(records)
    assert not verdict.agreement
    assert "bound 18" in judge([best("a", "p", 1, 19, bound=18)]).problems()[0]  # below its own
    assert verdict.problems() == [
        "FALSE OPTIMUM of s.txt with w.txt by a: it claims that 17 is the best, but b has 19",
        "FALSE OPTIMUM of s.txt with w.txt by c: it claims the bound 18, but b has 19",
    ]
    outcomes = {name: row["p"].runs[0].outcome for name, row in standings(records).results.items()}
    assert outcomes == {
        "a": RunOutcome.FAILED,
        "b": RunOutcome.OUT_OF_RESOURCES,
        "c": RunOutcome.FAILED,
        "d": RunOutcome.ANSWERED,
    }
    [row] = best_known_table(standings(records)).cells
    assert row[1:5] == ["b, d", "19", "19", "yes"]
    assert judge(records[1::2]).agreement
    cells = run_table([ShownRun("p", record.contender, record) for record in records]).cells
    assert [row[3:6] for row in cells[1::2]] == [["19", "30", "no"], ["19", "19", "yes"]]
    assert "score" not in run_table([ShownRun("p", "a", run("a", "p", 1))]).headings


def test_scores_by_quality() -> None:
    records = [
        best("a", "p", 1, 10),
        best("b", "p", 3, 10),  # as good, three times as slow
        best("a", "q", 1, 8, trace=((0.5, 4), (1.0, 8))),
        best("b", "q", 2, 9),
        best("a", "r", 1, 7, claim=True),
        best("b", "r", 1, 7),
    ]
    table = standings([*records, best("b", "s", 1, 7, reason="time limit")])
    assert reasons(table)["b"] == {"not proved optimal": 4}  # not "wrong answer"
    assert table.disqualified == {}
    table = standings(records)
    assert challenge_scores(table, table.shared) == {"a": 1.75, "b": 1.25}
    assert "challenge" in score_table(table).headings
    assert "challenge" not in score_table(standings([run("a", "p", 1)])).headings
    steps = shares(table, "a", ("q",))
    assert steps == [(0, 0), (0.5, pytest.approx(4 / 9)), (1, pytest.approx(8 / 9))]


def _contenders(folder: Path) -> list[Contender]:
    (folder / "hasty").write_text("echo CAR; echo U#O; echo BED; echo s OPTIMUM FOUND\n")
    (folder / "steps").write_text(
        "for w in CAR,U#O CAT,U#O; do echo $w | tr , '\\n'; echo BED; echo ----------; done\n"
        "echo ==========\n"
    )
    return [
        BackendContender("backtrack"),
        BackendContender("cpsat"),
        Program(f"hasty=sh {folder / 'hasty'} {{opb}}"),
        Program(f"steps=sh {folder / 'steps'} {{mzn}}"),
        Program(f"grid=sh {folder / 'hasty'} {{structure}}"),
        ExternalSolver("sat=true {cnf}"),
    ]


def test_contenders_look_for_the_best_fill(tmp_path: Path) -> None:
    records = [
        execute(Run(WORTH, contender, LIMITS, goal="total")) for contender in _contenders(tmp_path)
    ]
    first, second, hasty, steps, *others = records
    for record in (first, second, steps):
        assert record.score == record.bound == record.trace[-1][1] == BEST
        assert (record.claim, record.verified) == (True, True)
    assert (hasty.score, hasty.claim) == (250, True)
    assert [record.reason for record in others] == ["not asked", "not asked"]
    [problem] = judge(records).problems()
    assert problem.startswith("FALSE OPTIMUM of s with w by hasty: it claims that 250")
    assert Record.from_line(first.to_line()) == first
