"""Filling the holes of an existing fill."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from rules.model import LETTERS
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Status, Vocabulary
from satcross.solving.refill import refill
from satcross.solving.region import Region, keep_outside

Letters = list[list[str | None]]


def as_letters(grid: Grid, fill: dict[str, str]) -> Letters:
    rows: Letters = [[None] * grid.width for _ in range(grid.height)]
    for slot in grid.slots:
        for (r, c), letter in zip(slot.cells, fill[slot.name], strict=True):
            rows[r][c] = letter
    return rows


@settings(max_examples=60)
@given(small_puzzles(), st.randoms(use_true_random=False))
def test_a_fill_with_holes_keeps_every_letter(small: SmallPuzzle, random: Random) -> None:
    truth = [dict(fill) for fill in small.fills()]
    if not truth:
        return
    grid = small.puzzle.grid
    old = random.choice(truth)
    letters = as_letters(grid, old)
    for row in letters:
        row[:] = [letter if random.random() < 0.6 else None for letter in row]
    outcome = refill(small.puzzle, letters, "backtrack")
    assert outcome.fill is not None
    found = as_letters(grid, dict(outcome.fill))
    assert all(
        letter in (None, new)
        for before, after in zip(letters, found, strict=True)
        for letter, new in zip(before, after, strict=True)
    )
    whole = [
        slot.name
        for slot in grid.slots
        if all(grid.given((r, c)) or letters[r][c] for r, c in slot.cells)
    ]
    assert outcome.stats["kept_words"] == len(whole)


@settings(max_examples=60)
@given(small_puzzles(), st.randoms(use_true_random=False))
def test_letters_that_lead_nowhere_are_given_up(small: SmallPuzzle, random: Random) -> None:
    """A puzzle that can be filled is filled, whatever letters the old fill has."""
    grid = small.puzzle.grid
    letters: Letters = [
        [random.choice([*LETTERS, None]) for _ in range(grid.width)] for _ in range(grid.height)
    ]
    fillable = next(small.fills(), None) is not None
    outcome = refill(small.puzzle, letters, "backtrack")
    # Words that are kept completely need not be in the list.
    assert outcome.status is Status.FILLED or not fillable


def test_only_the_words_around_the_hole_change() -> None:
    """No word matches X?T, so the X changes, and nothing else."""
    words = ["CAT", "COT", "TOE", "TEN", "DOG", "GUM"]
    puzzle = Puzzle(Grid.from_rows(["___", "##_", "##_", "###", "___"]), Vocabulary(words))
    none: list[str | None] = [None] * 3
    letters: Letters = [["X", None, "T"], [None, None, "O"], [None, None, "E"], none, list("DOG")]
    outcome = refill(puzzle, letters, "backtrack")
    assert outcome.fill is not None
    assert [outcome.fill[slot.name] for slot in puzzle.grid.slots][1:] == ["TOE", "DOG"]
    assert outcome.fill["1A"] in ("CAT", "COT")
    assert outcome.stats["kept_words"] == 2


def test_an_unfillable_puzzle_stays_unfillable() -> None:
    puzzle = Puzzle(Grid.from_rows(["__", "__"]), Vocabulary(["AB", "CD"]))
    letters: Letters = [["A", "B"], [None, None]]
    assert refill(puzzle, letters, "backtrack").status is Status.UNFILLABLE


def test_letters_outside_a_region_are_given() -> None:
    puzzle = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["CAT", "CUB", "BED"]))
    letters: Letters = [[*"CAT"], ["U", None, "O"], [*"BED"]]
    kept = keep_outside(puzzle, letters, [Region.parse("r1c1-3"), Region.parse("r3c3")])
    assert kept.grid.rows == ("___", "U#O", "BE_")
    assert kept.vocabulary == puzzle.vocabulary
