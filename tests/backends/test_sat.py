"""Tests that only the sat backend needs."""

from __future__ import annotations

import pytest
from helpers import DATA, example, load_grid, unfillable

from satcross import Puzzle, Status, UnavailableError, Vocabulary, solve
from satcross.backends.registry import ENCODINGS, SOLVERS
from satcross.network import narrowing

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


def test_growing_a_vocabulary_that_starts_with_nothing_useful(
    monkeypatch: pytest.MonkeyPatch, default_vocabulary: Vocabulary
) -> None:
    """Starting with one word per slot, cores and growth still lead to the answer."""
    monkeypatch.setattr(narrowing, "MAX_FIRST_BATCH", 1)
    puzzle = Puzzle(load_grid(DATA / "grids" / "9x9-b.txt"), default_vocabulary)
    options = {"narrowing": "none", "solver": "minisat22"}  # with the default one, tables fill it
    outcome = solve(puzzle, "sat", workers=1, options=options)
    assert outcome.status is Status.FILLED
    assert int(outcome.stats["rounds"]) > 1


def test_growing_proves_unfillable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narrowing, "MAX_FIRST_BATCH", 1)
    for name in REFUTED:
        outcome = solve(unfillable(name), "sat", options={"narrowing": "none"})
        assert outcome.status is Status.UNFILLABLE


def test_the_direct_encoding_knows_its_limits(default_vocabulary: Vocabulary) -> None:
    puzzle = Puzzle(load_grid(DATA / "grids" / "9x9-a.txt"), default_vocabulary)
    with pytest.raises(
        UnavailableError, match=r"direct encoding of this puzzle has [\d,]+ clauses"
    ):
        solve(puzzle, "sat", options={"encoding": "direct"})
