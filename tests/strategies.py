"""Hypothesis strategies for grids, lists and puzzles small enough for brute force."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary

LETTERS = "ABC"


@st.composite
def grids(draw: st.DrawFn, *, most: int = 4) -> Grid:
    height = draw(st.integers(1, most))
    width = draw(st.integers(1, most))
    row = st.text("___#", min_size=width, max_size=width)
    return Grid.from_rows(draw(st.lists(row, min_size=height, max_size=height)))


@dataclass(frozen=True)
class SmallPuzzle:
    puzzle: Puzzle
    words: list[str]


@st.composite
def small_puzzles(draw: st.DrawFn) -> SmallPuzzle:
    """A puzzle with a short list over few letters: many fillable, many not."""
    grid = draw(grids().filter(lambda grid: grid.slots and len(grid.slots) <= 8))
    lengths = sorted({slot.length for slot in grid.slots})
    words: set[str] = set()
    for length in lengths:
        word = st.text(LETTERS, min_size=length, max_size=length)
        words.update(draw(st.lists(word, min_size=1, max_size=9, unique=True)))
    ordered = sorted(words)
    locks = {}
    if draw(st.integers(0, 3)) == 0:
        slot = draw(st.sampled_from(grid.slots))
        word = st.text(LETTERS, min_size=slot.length, max_size=slot.length)
        locks[slot.name] = draw(word)
    repeats = draw(st.booleans())
    return SmallPuzzle(
        Puzzle(grid, Vocabulary(ordered), locks=locks, allow_repeats=repeats), ordered
    )
