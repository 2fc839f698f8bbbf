"""Sheets: what is published of a crossword."""

from __future__ import annotations

import pytest

from satcross.crossword import Sheet
from satcross.grid import Grid

GRID = Grid.from_rows(["___", "_#_", "___"])
FILL = {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}


def test_a_sheet_knows_the_words_of_its_fill() -> None:
    assert Sheet.of(GRID, FILL).words == FILL


def test_a_slot_with_a_letter_missing_has_no_word() -> None:
    assert Sheet.of(GRID, {"1A": "CAT", "1D": "CUB"}).words == {"1A": "CAT", "1D": "CUB"}
    assert Sheet.of(GRID).words == {}


def test_clues_stand_in_the_order_of_the_slots() -> None:
    sheet = Sheet.of(GRID, FILL, {"3A": "Where to sleep", "1A": "It purrs", "2D": ""})
    assert list(sheet.clues) == ["1A", "2D", "3A"]
    assert sheet.missing_clues == ["1D", "2D"]


def test_what_does_not_fit_the_grid_is_refused() -> None:
    with pytest.raises(ValueError, match="7A"):
        Sheet.of(GRID, FILL, {"7A": "Nowhere"})
    with pytest.raises(ValueError, match="shape"):
        Sheet(GRID, ((None, None, None),))
    row = (None, None, None)
    with pytest.raises(ValueError, match="blocked"):
        Sheet(GRID, (row, (None, "X", None), row))
    with pytest.raises(ValueError, match="no open cell"):
        Sheet(GRID, Sheet.of(GRID).solution, circled=frozenset({(1, 1)}))
