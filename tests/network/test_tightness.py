"""Heat: its numbers against a direct computation of the fixpoint, its picture and its flag."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from PIL import Image
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Vocabulary
from satcross.formats.drawing.cells import (
    NONE_LEFT,
    ONE_LEFT,
    colour_of,
    heat_to_data,
    write_heat,
)
from satcross.network.tightness import heat

RING = Grid.from_rows(["___", "_#_", "___"])


@given(small_puzzles())
def test_no_letter_or_word_of_a_fill_is_left_out(small: SmallPuzzle) -> None:
    fills = list(small.fills())
    found = heat(small.puzzle)
    infeasible = found.wiped_out or found.lacking
    assert not (infeasible and fills)
    for slot in small.puzzle.grid.slots:
        assert found.slots[slot.name] >= len({fill[slot.name] for fill in fills})
        for position, cell in enumerate(slot.cells):
            assert found.cells[cell] >= len({fill[slot.name][position] for fill in fills})
            if not infeasible:
                assert 1 <= found.cells[cell] <= found.slots[slot.name]


def test_theme_words_that_have_no_place_are_told() -> None:
    found = heat(Puzzle(RING, Vocabulary(["CAT", "CUB", "BED", "TOD"]), theme=frozenset({"ZOO"})))
    assert (found.wiped_out, found.lacking) == (None, ("ZOO",))


def test_where_nothing_is_left(tmp_path: Path) -> None:
    puzzle = Puzzle(Grid.from_rows(["__#", "#__"]), Vocabulary(["AB", "CD"]))
    found = heat(puzzle)
    assert found.wiped_out is not None
    assert found.slots[found.wiped_out] == 0
    assert 0 in found.cells.values()
    data = heat_to_data(puzzle.grid, found)
    assert data["cells"][0][2] is None  # type: ignore[index]
    write_heat(puzzle.grid, found, tmp_path / "heat.png")
    row, column = next(cell for cell, letters in found.cells.items() if not letters)
    with Image.open(tmp_path / "heat.png") as picture:
        assert picture.getpixel((column * 100 + 90, row * 100 + 90)) == NONE_LEFT


def test_fewer_letters_are_hotter() -> None:
    colours = [colour_of(letters) for letters in range(1, 31)]
    assert colours[0] == ONE_LEFT
    assert colours[25] == colours[29] == (255, 255, 255)
    brightness = [sum(colour) for colour in colours]
    assert brightness == sorted(brightness)
