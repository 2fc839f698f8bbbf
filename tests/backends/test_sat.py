"""Tests that only the sat backend needs."""

from __future__ import annotations

import pytest
from helpers import DATA, load_grid, load_words

from satcross import Puzzle, Status, UnavailableError, Vocabulary, solve
from satcross.backends.registry import ENCODINGS, SOLVERS
from satcross.network import word_order


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver(solver: str) -> None:
    words = load_words(DATA / "words2.txt")
    puzzle = Puzzle(load_grid(DATA / "structure2.txt"), words)
    outcome = solve(puzzle, "sat", options={"solver": solver})
    assert outcome.status is Status.FILLED
    assert outcome.stats["solver"] == solver
    folder = DATA / "unfillable"
    puzzle = Puzzle(
        load_grid(folder / "needs-search.structure.txt"),
        load_words(folder / "needs-search.words.txt"),
    )
    assert solve(puzzle, "sat", options={"solver": solver}).status is Status.UNFILLABLE


def test_growing_a_vocabulary_that_starts_with_nothing_useful(
    monkeypatch: pytest.MonkeyPatch, default_vocabulary: Vocabulary
) -> None:
    """Starting with one word per slot, cores and growth still lead to the answer."""
    monkeypatch.setattr(word_order, "MAX_FIRST_BATCH", 1)
    puzzle = Puzzle(load_grid(DATA / "grids" / "9x9-b.txt"), default_vocabulary)
    options = {"narrowing": "none", "solver": "minisat22"}  # with the default one, tables fill it
    outcome = solve(puzzle, "sat", workers=1, options=options)
    assert outcome.status is Status.FILLED
    assert int(outcome.stats["rounds"]) > 1


def test_growing_proves_unfillable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_order, "MAX_FIRST_BATCH", 1)
    folder = DATA / "unfillable"
    for name in ("needs-search", "needs-a-repeat", "too-few-words"):
        puzzle = Puzzle(
            load_grid(folder / f"{name}.structure.txt"), load_words(folder / f"{name}.words.txt")
        )
        outcome = solve(puzzle, "sat", options={"narrowing": "none"})
        assert outcome.status is Status.UNFILLABLE


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding(encoding: str) -> None:
    options = {"encoding": encoding}
    puzzle = Puzzle(load_grid(DATA / "structure1.txt"), load_words(DATA / "words1.txt"))
    outcome = solve(puzzle, "sat", options=options)
    assert outcome.status is Status.FILLED
    assert outcome.stats["encoding"] == encoding
    folder = DATA / "unfillable"
    for name in ("needs-search", "needs-a-repeat", "too-few-words"):
        puzzle = Puzzle(
            load_grid(folder / f"{name}.structure.txt"), load_words(folder / f"{name}.words.txt")
        )
        assert solve(puzzle, "sat", options=options).status is Status.UNFILLABLE


def test_the_direct_encoding_knows_its_limits(default_vocabulary: Vocabulary) -> None:
    puzzle = Puzzle(load_grid(DATA / "grids" / "9x9-a.txt"), default_vocabulary)
    with pytest.raises(
        UnavailableError, match=r"direct encoding of this puzzle has [\d,]+ clauses"
    ):
        solve(puzzle, "sat", options={"encoding": "direct"})
