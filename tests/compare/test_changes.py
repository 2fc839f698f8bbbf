"""Slower, faster or noise: changes between two sets of runs, planted in made-up times."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from compare.made_up import run

from satcross.compare.changes import (
    APART_FLOOR,
    MIN_FLOOR,
    MIN_PUZZLES,
    Change,
    compare_versions,
    compare_with_baseline,
)
from satcross.compare.records import Record
from satcross.compare.scores import standings

# --- Calibration: a machine that drifts and is noisy, and contenders that take turns on it. ---


class Machine:
    """Made-up runs: a random walk of the speed, noise in every run, and now and then a hiccup."""

    def __init__(self, seed: int, *, drift: float, noise: float) -> None:
        self._random = random.Random(seed)
        self._drift, self._noise = drift, noise
        self._speed = 0.0
        self._number = 0

    def run(self, contender: str, puzzle: str, seconds: float, **more: Any) -> Record:
        self._speed = 0.98 * self._speed + self._random.gauss(0, self._drift)
        noise = self._random.gauss(0, self._noise)
        if self._random.random() < 0.03:
            noise += self._random.expovariate(2)
        self._number += 1
        return run(
            contender,
            puzzle,
            seconds * math.exp(self._speed + noise),
            started=f"{self._number:09}",
            limits=(None, 1e6),
            **more,
        )


def side_by_side(
    seed: int,
    factor: float = 1.0,
    *,
    repeats: int = 20,
    puzzles: int = 12,
) -> Change:
    """The change that is found when a version slower by ``factor`` takes turns with another."""
    machine = Machine(seed, drift=0.02, noise=0.06)
    hardness = {f"p{item}": math.exp(random.Random(item).gauss(0, 2)) for item in range(puzzles)}
    records = []
    for repeat in range(repeats):
        for puzzle, seconds in hardness.items():
            both = [("a", "", factor), ("a@old", "old", 1.0)]
            for name, against, times in both if repeat % 2 == 0 else both[::-1]:
                more = {"backend": "a", "against": against, "repeat": repeat}
                records.append(machine.run(name, puzzle, seconds * times, **more))
    [change] = compare_versions(standings(records))
    assert (change.contender, change.baseline) == ("a", "a@old")
    assert (change.puzzles, change.repeats) == (puzzles, repeats)
    return change


CLEAR = ("slower", "faster")


@pytest.mark.parametrize(("repeats", "puzzles"), [(10, 8), (5, 6)])
def test_the_same_against_itself_is_no_change(repeats: int, puzzles: int) -> None:
    changes = [side_by_side(seed, repeats=repeats, puzzles=puzzles) for seed in range(20)]
    assert sum(item.judgement in CLEAR for item in changes) <= 1


def test_the_interval_by_itself_is_calibrated() -> None:
    """Without the noise floor: about one in twenty of the intervals may exclude 1."""
    changes = [side_by_side(seed, repeats=6, puzzles=8) for seed in range(100, 180)]
    assert sum(not item.low <= 1 <= item.high for item in changes) <= 8


def test_a_planted_slow_down_is_found() -> None:
    judgements = [side_by_side(seed, 1.1).judgement for seed in range(10)]
    assert judgements.count("slower") >= 9
    assert "faster" not in judgements
    assert side_by_side(0, 1 / 1.1).judgement == "faster"


def test_runs_one_after_the_other_say_little() -> None:
    """A drift that lasts can't be told from a change, however often the runs are repeated."""
    machine = Machine(1, drift=0.0, noise=0.01)
    old, new = (
        [
            machine.run("a", f"p{puzzle}", factor, repeat=repeat)
            for repeat in range(10)
            for puzzle in range(8)
        ]
        for factor in (1.0, 1.3)
    )
    [change], _ = compare_with_baseline(standings(new), standings(old))
    assert change.low > 1.2
    assert change.judgement == "no clear change"
    assert (change.floor, change.why) == (APART_FLOOR, "the runs did not take turns")
    # The same runs as two files, but recorded by turns.
    turns = [
        [machine.run("a", f"p{puzzle}", factor, repeat=repeat) for puzzle in range(8)]
        for repeat in range(10)
        for factor in (1.0, 1.3)
    ]
    old, new = ([item for part in turns[start::2] for item in part] for start in (0, 1))
    [change], _ = compare_with_baseline(standings(new), standings(old))
    assert (change.judgement, change.why) == ("slower", "")


def test_a_drift_between_repeats_widens_the_interval() -> None:
    """Old before new in every repeat, and a machine that jumps: the repeats tell."""

    def change(jump: float) -> Change:
        records: list[Record] = []
        generator = random.Random(5)
        for repeat in range(10):
            for against in ("old", ""):
                level = generator.gauss(0, jump)
                for puzzle in range(50):
                    number = f"{len(records):05}"
                    more: dict[str, Any] = {"against": against, "repeat": repeat, "started": number}
                    cpu = math.exp(level + generator.gauss(0, 0.02))
                    records.append(run("a", f"p{puzzle}", cpu, backend="a", **more))
        [item] = compare_versions(standings(records))
        return item

    calm, jumpy = change(0.0), change(0.1)
    assert calm.high / calm.low < 1.02
    assert jumpy.high / jumpy.low > 1.1


# --- Arithmetic, on runs that could be done by hand. ---

PUZZLES = "pqrstuvwxyz"
OTHER_LIMITS = (100.0, 60.0)


def pairs(factors: Sequence[float], **more: Any) -> Iterator[list[Record]]:
    """Runs now and runs then, which took turns in five repeats."""
    for side in (0, 1):
        yield [
            run("a", puzzle, (factor, 1.0)[side], repeat=repeat, started=f"{repeat}{side}", **more)
            for repeat in range(5)
            for puzzle, factor in zip(PUZZLES, factors, strict=False)
        ]


@pytest.mark.parametrize(
    ("factors", "judgement"),
    [
        ([2.0, 1.5, 1.8] * 3, "slower"),
        ([0.5, 0.7, 0.6] * 3, "faster"),
        ([0.5, 2.0, 1.0] * 3, "no clear change"),
        ([2.0] * (MIN_PUZZLES - 1), "too few puzzles"),
    ],
)
def test_change(factors: list[float], judgement: str) -> None:
    now, then = map(standings, pairs(factors))
    [change], _ = compare_with_baseline(now, then)
    assert change.judgement == judgement
    assert change.puzzles == len(factors)
    assert change.floor == pytest.approx(MIN_FLOOR)
    assert change.ratio == pytest.approx(math.prod(factors) ** (1 / len(factors)))
    assert change.low <= change.ratio * (1 + 1e-9)
    assert change.high >= change.ratio * (1 - 1e-9)


@pytest.mark.parametrize(
    ("factor", "judgement"), [(1.9, "no clear change"), (2.1, "slower"), (0.4, "faster")]
)
def test_single_runs_without_times(factor: float, judgement: str) -> None:
    then = standings([run("a", puzzle, 1) for puzzle in PUZZLES])
    now = standings([run("a", puzzle, factor) for puzzle in PUZZLES])
    [change], _ = compare_with_baseline(now, then)
    assert (change.judgement, change.repeats) == (judgement, 1)
    assert change.why == "the records have no times"
    assert change.low == pytest.approx(factor)


def test_change_counts_the_lost_and_the_gained() -> None:
    then = standings([run("a", "p", 5), run("a", "q", 10, "unknown"), run("a", "r", 9, "unknown")])
    now = standings([run("a", "p", 10, "unknown"), run("a", "q", 5), run("a", "r", 9, "unknown")])
    [change], _ = compare_with_baseline(now, then)
    assert [item.puzzle for item in change.lost] == ["p"]
    assert [item.puzzle for item in change.gained] == ["q"]
    assert change.puzzles == 2
    assert change.ratio == pytest.approx(1)
    seeds = [run("a", "p", 5), run("a", "p", 10, "unknown", seed=1)]
    [same], _ = compare_with_baseline(standings(seeds), standings(seeds))
    assert (same.lost, same.gained) == ((), ())  # nothing changes beside itself


def test_the_limit_of_the_run_itself_counts() -> None:
    longer = run("b", "p", 50, limits=OTHER_LIMITS)
    then, now = (standings([run("a", "p", *cost), longer]) for cost in ((10, "unknown"), (5,)))
    [change, _], _ = compare_with_baseline(now, then)
    assert change.ratio == pytest.approx(5 / 20)


def test_a_baseline_on_other_terms_is_no_baseline() -> None:
    then = standings([run("a", "p", 5, limits=OTHER_LIMITS), run("b", "p", 5), run("c", "q", 5)])
    now = standings([run("a", "p", 9), run("b", "p", 6), run("c", "p", 5)])
    changes, [first, second] = compare_with_baseline(now, then)
    assert [change.contender for change in changes] == ["b"]
    assert first.startswith("a: the baseline has no run with the same")
    assert second.startswith("c: the baseline has no run on the same puzzles")


def test_a_baseline_is_found_under_another_name() -> None:
    # Beside the same with other limits, it is called "a (cpu 10 s)".
    now = standings([run("a", "p", 9), run("a", "p", 9, limits=OTHER_LIMITS)])
    [change], _ = compare_with_baseline(now, standings([run("a", "p", 3)]))
    assert change.contender == "a (cpu 10 s)"
    assert change.ratio == pytest.approx(3)


def test_a_changed_program_is_compared_with_its_baseline() -> None:
    now, then = (run("a", "p", 1, command="a {cnf}", program=item) for item in ("12", "34"))
    assert len(compare_with_baseline(standings([now]), standings([then]))[0]) == 1
    both = standings([now, then])
    assert both.contenders == ("a (program 12)", "a (program 34)")
    [change, _], _ = compare_with_baseline(both, both)
    assert change.contender == "a (program 12)"
