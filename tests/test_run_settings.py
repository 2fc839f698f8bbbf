"""The settings of a run: keyword arguments, wrong names and wrong values."""

from __future__ import annotations

from typing import Any

import pytest

from satcross import Grid, Puzzle, UnavailableError, Vocabulary, best, count, solve
from satcross.run_settings import RunSettings
from satcross.solving.cross_check import cross_check
from satcross.solving.explain import explain
from satcross.solving.several import several

PUZZLE = Puzzle(
    Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["CAT", "CUB", "BED", "TOD", "TAD"])
)


def test_settings_and_keyword_arguments_say_the_same() -> None:
    settings = RunSettings(time_limit=20, seed=3)
    one = solve(PUZZLE, "backtrack", settings)
    other = solve(PUZZLE, "backtrack", time_limit=20, seed=3)
    assert (one.fill, one.seed) == (other.fill, 3)
    assert solve(PUZZLE, "backtrack", settings, seed=5).seed == 5


@pytest.mark.parametrize(
    "call",
    [
        lambda **how: solve(PUZZLE, **how),
        lambda **how: count(PUZZLE, **how),
        lambda **how: best(PUZZLE, **how),
        lambda **how: several(PUZZLE, 2, **how),
        lambda **how: cross_check(PUZZLE, ["sat"], **how),
        lambda **how: explain(PUZZLE, **how),
    ],
)
def test_a_wrong_name_names_the_nearest_right_one(call: Any) -> None:
    with pytest.raises(TypeError, match="no argument 'time_limt'; did you mean 'time_limit'"):
        call(time_limt=3)


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        ({"time_limit": "10"}, TypeError, "time_limit must be a number of seconds or None"),
        ({"time_limit": -1}, ValueError, "time_limit must be 0 or more seconds, not -1"),
        ({"time_limit": float("nan")}, ValueError, "time_limit"),
        ({"seed": 1.5}, TypeError, "seed must be a whole number"),
        ({"seed": None}, TypeError, "seed must be a whole number"),
        ({"workers": 0}, ValueError, "workers must be at least 1"),
        ({"options": "solver=x"}, TypeError, "options must map names to texts"),
        ({"on_progress": "print"}, TypeError, "on_progress must be a function"),
        ({"options": {"solvr": "x"}}, UnavailableError, "no option 'solvr'; did you mean 'solver'"),
        ({"backend": "sta"}, UnavailableError, "there is no backend 'sta'; choose from auto"),
    ],
)
def test_a_wrong_value_raises_at_once(values: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        solve(PUZZLE, **values)


def test_a_wrong_measure_names_the_measures() -> None:
    with pytest.raises(UnavailableError, match="no measure 'size'; choose from quality, total"):
        best(PUZZLE, "size")
