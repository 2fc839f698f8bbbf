"""Crosswords: solutions, clues, differences."""

from __future__ import annotations

import pytest

from satcross.crossword import Clue, Crossword
from satcross.grid import Grid

GRID = Grid.from_rows(["___", "_#_", "___"])
FILL = {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}


def test_a_crossword_knows_the_words_of_its_fill() -> None:
    assert Crossword.of(GRID, FILL).words == FILL


def test_a_slot_with_a_letter_missing_has_no_word() -> None:
    assert Crossword.of(GRID, {"1A": "CAT", "1D": "CUB"}).words == {"1A": "CAT", "1D": "CUB"}
    assert Crossword.of(GRID).words == {}


def test_clues_stand_in_the_order_of_the_slots() -> None:
    crossword = Crossword.of(GRID, FILL, {"3A": "Where to sleep", "1A": "It purrs", "2D": ""})
    assert list(crossword.clues) == ["1A", "3A"]  # an empty text is no clue
    assert crossword.missing_clues == ["1D", "2D"]


@pytest.mark.parametrize(
    ("clue", "enumeration"),
    [("Cold sweet (3,5)", "3,5"), ("(4)", "4"), ("Film (1977)", ""), ("Two (of them)", "")],
)
def test_an_enumeration_ends_a_clue(clue: str, enumeration: str) -> None:
    assert Clue.of(clue).enumeration == enumeration


def test_what_does_not_fit_the_grid_is_refused() -> None:
    with pytest.raises(ValueError, match="7A"):
        Crossword.of(GRID, FILL, {"7A": "Nowhere"})
    with pytest.raises(ValueError, match="shape"):
        Crossword(GRID, ((None, None, None),))
    row = (None, None, None)
    with pytest.raises(ValueError, match="blocked"):
        Crossword(GRID, (row, (None, "X", None), row))
    with pytest.raises(ValueError, match="not in an open cell"):
        Grid(GRID.rows, circled=frozenset({(1, 1)}))
