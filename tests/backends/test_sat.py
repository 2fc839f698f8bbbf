"""Tests that only the sat backend needs."""

from __future__ import annotations

import pytest
from helpers import DATA, example, load_grid, unfillable

from satcross import Puzzle, Status, UnavailableError, Vocabulary, solve
from satcross.backends.registry import ENCODINGS, SOLVERS

REFUTED = ("needs-search", "needs-a-repeat", "too-few-words")


@pytest.mark.parametrize(
    ("option", "value"),
    [*(("solver", name) for name in SOLVERS), *(("encoding", name) for name in ENCODINGS)],
)
def test_every_solver_and_encoding(option: str, value: str) -> None:
    outcome = solve(example(1, 1), "sat", options={option: value})
    assert outcome.status is Status.FILLED
    assert outcome.stats[option] == value
    for name in REFUTED:
        assert solve(unfillable(name), "sat", options={option: value}).status is Status.UNFILLABLE


def test_the_direct_encoding_knows_its_limits(default_vocabulary: Vocabulary) -> None:
    puzzle = Puzzle(load_grid(DATA / "grids" / "9x9-a.txt"), default_vocabulary)
    with pytest.raises(
        UnavailableError, match=r"direct encoding of this puzzle has [\d,]+ clauses"
    ):
        solve(puzzle, "sat", options={"encoding": "direct"})
