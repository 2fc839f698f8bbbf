"""Scores from records made by hand, so that every figure can be worked out on paper."""

from __future__ import annotations

import math
from typing import Any

import pytest

from satcross.compare.records import Record
from satcross.compare.scores import (
    CPU,
    MIN_PAIRS,
    VIRTUAL_BEST,
    Score,
    compare_with_baseline,
    crashed_on_all,
    explain_unmatched,
    reasons,
    standings,
)
from satcross.compare.verdict import judge


def run(contender: str, puzzle: str, cpu: float, status: str = "filled", **more: Any) -> Record:
    values: dict[str, Any] = {
        "limits": {"wall": 100.0, "cpu": 10.0, "memory": None},
        "reason": "cpu limit" if status == "unknown" else "",
        **more,
    }
    return Record(
        *(puzzle, "s.txt", "w.txt", contender, "backend", status),
        **{"backend": contender, "cpu": cpu, "wall": 2 * cpu, **values},
    )


RUNS = [
    run("a", "p", 1),
    run("a", "q", 4),
    run("a", "r", 10.1, "unknown"),
    run("b", "p", 2),
    run("b", "q", 3, "crashed"),
    run("b", "r", 5),
]


def test_scores() -> None:
    assert standings(RUNS).scores() == [
        Score("a", 3, 2, (1 + 4 + 20) / 3, 4, alone=1, fastest=2),
        Score("b", 3, 2, (2 + 20 + 5) / 3, 5, alone=1, fastest=1),
        Score(VIRTUAL_BEST, 3, 3, (1 + 4 + 5) / 3, 4, alone=0, fastest=0),
    ]


def test_auto_takes_nothing_from_the_backends_that_it_runs() -> None:
    runs = [run("a", "p", 1), run("b", "p", 1, "unknown"), run("auto", "p", 1)]
    assert {one.contender: one.alone for one in standings(runs).scores()} == {
        "a": 1,
        "auto": 0,
        "b": 0,
        VIRTUAL_BEST: 0,
    }


def test_on_the_clock_the_limit_is_that_of_the_clock() -> None:
    [first, *_] = standings(RUNS, "wall").scores()
    assert first.par2 == pytest.approx((2 + 8 + 200) / 3)
    without = [run("a", "p", 1, "unknown", limits={"wall": 7.0, "cpu": None, "memory": None})]
    assert standings(without, CPU).scores()[0].par2 == 14


def test_the_virtual_best_solves_whatever_somebody_solves() -> None:
    # Two workers together use more CPU time than wall-clock time passes.
    limits = {"wall": 10.0, "cpu": None, "memory": None}
    runs = [
        run("a", "p", 19, limits=limits, workers=2),
        run("b", "p", 10, "unknown", limits=limits, workers=1),
        run("c", "p", 70, limits=limits, workers=1),  # more threads than it was told
    ]
    scores = standings(runs[:2]).scores()
    assert [(one.contender, one.par2) for one in scores] == [
        ("a", 19),
        ("b", 40),
        (VIRTUAL_BEST, 19),
    ]
    assert standings(runs[1:3]).scores()[-1].solved == 1


def test_limits_of_their_own_but_one_penalty() -> None:
    short, long = ({"wall": 99.0, "cpu": cpu, "memory": None} for cpu in (10.0, 60.0))
    runs = [run("a", "p", 10, "unknown", limits=short), run("b", "p", 50, limits=long)]
    table = standings(runs)
    assert [(one.contender, one.par2) for one in table.scores()][:2] == [("b", 50), ("a", 120)]
    assert "different limits (10 s to 60 s)" in table.note
    assert standings(RUNS).note == ""
    # Against a baseline the limit of the run itself counts.
    now = standings([run("a", "p", 5, limits=short), *runs[1:]])
    [change, _] = compare_with_baseline(now, table)
    assert change.ratio == pytest.approx(5 / 20)


def test_half_unsolved_has_no_median() -> None:
    [score] = standings([run("a", "p", 1), run("a", "q", 1, "unknown")]).scores()
    assert score.median is None
    assert score.par2 == (1 + 20) / 2


def test_only_what_all_have_run_counts() -> None:
    table = standings([*RUNS, run("a", "easy", 0.1)])
    assert (len(table.shared), table.unshared) == (3, 1)
    assert table.scores() == standings(RUNS).scores()


def test_the_last_of_several_runs_counts() -> None:
    table = standings([run("a", "p", 9), run("a", "p", 1)])
    assert table.superseded == 1
    assert table.scores()[0].par2 == 1


def test_seeds_are_instances_of_their_own() -> None:
    table = standings([run("a", "p", 1, seed=seed) for seed in (1, 2, 3)])
    assert [score.instances for score in table.scores()] == [3]


def test_a_denied_fill_is_not_solved_and_is_a_disagreement() -> None:
    runs = [run("a", "p", 1), run("b", "p", 0.1, "unfillable")]
    scores = {score.contender: score for score in standings(runs).scores()}
    assert (scores["a"].solved, scores["b"].solved, scores["b"].par2) == (1, 0, 20)
    assert judge(runs).problems() == [
        "DISAGREEMENT on s.txt with w.txt: filled by a; unfillable by b"
    ]


def test_an_answer_the_suite_does_not_expect() -> None:
    [score] = standings([run("b", "p", 1, "unfillable", expected="filled")]).scores()
    assert score.solved == 0
    verdict = judge([run("b", "p", 1, "unfillable", expected="filled", name="corner")])
    assert not verdict.agreement
    assert verdict.problems() == [
        "UNEXPECTED ANSWER on corner: unfillable by b, but the suite expects filled"
    ]
    assert judge([run("b", "p", 1, "unknown", expected="filled")]).agreement


def test_the_same_name_on_other_terms_is_somebody_else() -> None:
    other = {"wall": 100.0, "cpu": 60.0, "memory": None}
    table = standings([run("a", "p", 11, limits=other), run("a", "p", 10, "unknown")])
    assert table.contenders == ("a (cpu 60 s)", "a (cpu 10 s)")


def test_why_runs_are_unsolved() -> None:
    runs = [
        *RUNS,
        run("a", "s", 1, "unfillable", expected="filled"),
        run("a", "t", 1, "unknown"),
        *[run("c", one, 1, "crashed", reason="crash", detail="no licence") for one in "pq"],
    ]
    table = standings(runs)
    assert reasons(table) == {
        "a": {"cpu limit": 2, "wrong answer": 1},
        "b": {"crashed": 1},
        "c": {"crash": 2},
    }
    assert crashed_on_all(table) == ["c CRASHED on everything (2): no licence"]


def test_families() -> None:
    runs = [
        run("a", "p", 1, family="x"),
        run("a", "q", 3, family="y"),
        run("a", "r", 5, family="x"),
    ]
    table = standings(runs)
    assert {
        family: [score.par2 for score in table.scores(its)]
        for family, its in table.families().items()
    } == {"x": [3], "y": [3]}


PUZZLES = "pqrstuvwxyz"


@pytest.mark.parametrize(
    ("factors", "judgement"),
    [
        ([2.0, 1.5, 1.8] * 3, "slower"),
        ([0.5, 0.7, 0.6] * 3, "faster"),
        ([0.5, 2.0, 1.0] * 3, "no clear change"),
        ([2.0] * (MIN_PAIRS - 1), "too few puzzles"),
    ],
)
def test_change(factors: list[float], judgement: str) -> None:
    then = standings([run("a", puzzle, 1) for puzzle in PUZZLES])
    now = standings([run("a", *pair) for pair in zip(PUZZLES, factors, strict=False)])
    [change] = compare_with_baseline(now, then)
    assert change.judgement == judgement
    assert change.pairs == len(factors)
    assert change.ratio == pytest.approx(math.prod(factors) ** (1 / len(factors)))
    assert min(factors) - 1e-9 <= change.low <= change.ratio <= change.high <= max(factors) + 1e-9


def test_change_counts_the_lost_and_the_gained() -> None:
    then = standings([run("a", "p", 5), run("a", "q", 10, "unknown"), run("a", "r", 9, "unknown")])
    now = standings([run("a", "p", 10, "unknown"), run("a", "q", 5), run("a", "r", 9, "unknown")])
    [change] = compare_with_baseline(now, then)
    assert [one.puzzle for one in change.lost] == ["p"]
    assert [one.puzzle for one in change.gained] == ["q"]
    assert change.pairs == 2
    assert change.ratio == pytest.approx(1)


def test_a_baseline_on_other_terms_is_no_baseline() -> None:
    other = {"wall": 100.0, "cpu": 60.0, "memory": None}
    then = standings([run("a", "p", 5, limits=other), run("b", "p", 5), run("c", "q", 5)])
    now = standings([run("a", "p", 9), run("b", "p", 6), run("c", "p", 5)])
    assert [one.contender for one in compare_with_baseline(now, then)] == ["b"]
    first, second = explain_unmatched(now, then)
    assert first.startswith("a: the baseline has no run with the same")
    assert second.startswith("c: the baseline has no run on the same puzzles")


def test_a_baseline_is_found_under_another_name() -> None:
    # Beside the same with other limits, it is called "a (cpu 10 s)".
    other = {"wall": 100.0, "cpu": 60.0, "memory": None}
    now = standings([run("a", "p", 9), run("a", "p", 9, limits=other)])
    [change] = compare_with_baseline(now, standings([run("a", "p", 3)]))
    assert change.contender == "a (cpu 10 s)"
    assert change.ratio == pytest.approx(3)


def test_a_changed_program_is_compared_with_its_baseline() -> None:
    now, then = (run("a", "p", 1, command="a {cnf}", program=one) for one in ("12", "34"))
    assert len(compare_with_baseline(standings([now]), standings([then]))) == 1
    both = standings([now, then])
    assert both.contenders == ("a (program 12)", "a (program 34)")
    [change, _] = compare_with_baseline(both, both)
    assert change.contender == "a (program 12)"


def test_no_change_without_something_in_common() -> None:
    assert compare_with_baseline(standings([run("a", "p", 1)]), standings([run("b", "p", 1)])) == []
