"""Several fills of one puzzle."""

from __future__ import annotations

import sys
from dataclasses import replace
from random import Random

import pytest
from helpers import DATA, load_grid
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Vocabulary
from satcross.outcome import FillList
from satcross.solving.several import several
from satcross.solving.solve import solve
from satcross.verify import verify


def assert_fills_of(small: SmallPuzzle, found: FillList, number: int) -> None:
    """They are fills of the puzzle, different, and as many as there are or are wanted."""
    truth = [dict(fill) for fill in small.fills()]
    fills = [dict(outcome.fill or {}) for outcome in found.outcomes]
    assert len(fills) == min(number, len(truth))
    assert all(fill in truth for fill in fills)
    assert all(fill not in fills[:place] for place, fill in enumerate(fills))
    assert found.complete or len(truth) >= number


@pytest.mark.parametrize("pool", [2, 500])
@settings(max_examples=60)
@given(small_puzzles(), st.integers(1, 5), st.booleans())
def test_as_many_different_fills_as_there_are(
    pool: int, small: SmallPuzzle, number: int, diverse: bool
) -> None:
    """With a pool of two fills, further different fills have to be searched for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[several.__module__], "POOL", pool)
        found = several(small.puzzle, number, "backtrack", diverse=diverse)
    assert_fills_of(small, found, number)
    assert not found.complete or len(found.outcomes) == len([*small.fills()])


@pytest.mark.parametrize("diverse", [False, True])
def test_good_words_come_first(default_vocabulary: Vocabulary, diverse: bool) -> None:
    rows = ("____#____",) * 4 + ("#########",) + ("____#____",) * 4
    puzzle = Puzzle(Grid(rows), default_vocabulary)
    found = several(puzzle, 4, diverse=diverse, workers=1)
    assert len({tuple((one.fill or {}).values()) for one in found.outcomes}) == 4
    assert found.outcomes[0].fill == solve(puzzle, workers=1).fill
    lowest = [one.quality.lowest for one in found.outcomes if one.quality]
    assert [score or 0 for score in lowest if (score or 0) < 50] == []
    assert len(lowest) == 4
    plain = several(puzzle, 4, quality="any", diverse=diverse)
    assert not any(one.quality for one in plain.outcomes)


@settings(max_examples=60)
@given(small_puzzles(min_scores=False), st.integers(1, 5), st.randoms())
def test_with_scores_there_are_as_many_fills(
    small: SmallPuzzle, number: int, random: Random
) -> None:
    """Those of solve, of the floors and of the whole list together are all fills, and once."""
    puzzle = small.puzzle
    scores = {word: random.choice((20, 40, 55, 80)) for word in sorted(puzzle.vocabulary)}
    puzzle = replace(puzzle, vocabulary=Vocabulary(scores))
    found = several(puzzle, number, workers=1)
    assert_fills_of(small, found, number)


def test_diverse_fills_share_fewer_words(default_vocabulary: Vocabulary) -> None:
    puzzle = Puzzle(load_grid(DATA / "grids" / "15x15-80.txt"), default_vocabulary)
    alike = several(puzzle, 3, "backtrack")
    different = several(puzzle, 3, "backtrack", diverse=True)
    assert len(different.outcomes) == len(alike.outcomes) == 3
    assert different.max_shared_words < alike.max_shared_words
    for outcome in different.outcomes:
        assert verify(puzzle, outcome.fill or {}) == []


def test_ctrl_c_after_the_search_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Puzzle(Grid.from_rows(["___"]), Vocabulary(["CAT", "DOG"]))
    module, calls = sys.modules[several.__module__], []
    real = module.verified

    def interrupted_once(*arguments: object) -> object:
        calls.append(arguments)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(module, "verified", interrupted_once)
    assert len(several(puzzle, 2).outcomes) == 2
