"""Every backend on each rule separately; test_random_puzzles mixes the rules."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from conformance.declared import solve
from rules.models import MODELS

from satcross import Grid, Puzzle, Status, Vocabulary, count
from satcross.backends.registry import get_backend
from satcross.verify import verify

TWO = Grid.from_rows(["____", "####", "____"])
COUNTS = [case for model in MODELS for case in model.counts]
RING = Grid.from_rows(["___", "_#_", "___"])


def fills(backend: str, puzzle: Puzzle) -> int:
    """Return the number of fills, after one solve; ``backtrack`` counts if the backend can't."""
    outcome = solve(puzzle, backend, workers=1)
    counts = get_backend(backend).capabilities.count
    number = count(puzzle, backend if counts else "backtrack").count
    assert (number > 0) == (outcome.status is Status.FILLED)
    return number


@pytest.mark.parametrize(("words", "rules", "number"), COUNTS)
def test_two_slots(backend: str, words: str, rules: dict[str, Any], number: int) -> None:
    assert fills(backend, Puzzle(TWO, Vocabulary(words.split()), **rules)) == number


@pytest.mark.parametrize(("words", "rules", "number"), COUNTS)
def test_the_checker_knows_each_rule(words: str, rules: dict[str, Any], number: int) -> None:
    puzzle = Puzzle(TWO, Vocabulary(words.split()), **rules)
    more = {*puzzle.theme, *puzzle.locks.values(), *puzzle.extra_words.values()}
    pairs = product(sorted({*words.split(), *more}), repeat=2)
    right = [
        pair for pair in pairs if not verify(puzzle, dict(zip(("1A", "2A"), pair, strict=True)))
    ]
    assert len(right) == number


def test_preferred_words_come_first(backend: str) -> None:
    if not get_backend(backend).capabilities.prefers:
        pytest.skip(f"{backend} does not try preferred words first")
    grid = Grid.from_rows(["____", "####", "_____"])
    words = [a + b + "XY" for a in "ABCDE" for b in "AEIOU"]
    longer = [word + "Z" for word in words]
    preferred = frozenset({"DOXY", "BEXYZ"})
    puzzle = Puzzle(grid, Vocabulary([*words, *longer]), preferred=preferred)
    fill = solve(puzzle, backend, workers=1).fill
    assert fill is not None
    assert set(fill.values()) == preferred
    assert puzzle.worth("DOXY") > puzzle.worth("AAXY")
