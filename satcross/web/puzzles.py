"""Conversion of puzzle specifications in requests to puzzles."""

from __future__ import annotations

from satcross.errors import InputError
from satcross.formats.common import read_prefilled
from satcross.formats.json import UNKNOWN_LETTER
from satcross.formats.words import read_word
from satcross.grid import BLOCKED, OPEN, Grid
from satcross.puzzle import Puzzle
from satcross.rules import all_keys, build_puzzle
from satcross.vocabulary import Vocabulary
from satcross.web.schema import PuzzleSpec


def read_grid(rows: tuple[str, ...] | list[str]) -> Grid:
    """Return the grid of a request. Raises InputError for an invalid grid or one without slots."""
    if len({len(row) for row in rows}) > 1:
        raise InputError(
            "the rows of the grid differ in length", "give every row the same number of cells"
        )
    try:
        grid = Grid(tuple("".join(map(_read_cell, row)) for row in rows))
    except ValueError as error:
        raise InputError(f"the grid {error}") from None
    if not grid.slots:
        raise InputError(
            "the grid has no slot: no two open cells are side by side", "open some cells"
        )
    return grid


def _read_cell(cell: str) -> str:
    if cell in (BLOCKED, OPEN):
        return cell
    return OPEN if cell == UNKNOWN_LETTER else read_prefilled(cell)


def read_letters(rows: tuple[str, ...] | list[str], grid: Grid) -> list[list[str | None]]:
    """Return the letters of a partial fill. Raises InputError when the grid has another shape."""
    if [len(row) for row in rows] != [grid.width] * grid.height:
        raise InputError("the fill to keep and the grid differ in size", "give rows of one size")
    cells = [[_read_cell(cell) for cell in row] for row in rows]
    return [[None if cell in (BLOCKED, OPEN) else cell for cell in row] for row in cells]


def make_puzzle(spec: PuzzleSpec, vocabulary: Vocabulary) -> Puzzle:
    """Return the puzzle of a request. Raises InputError for an invalid grid or rule."""

    def read(word: str) -> str:
        return read_word(word, vocabulary)

    rules = {key: getattr(spec, key) for key in all_keys()}
    for name, word in rules["locks"].items():
        if not read(word).isprintable():
            raise InputError(
                f"lock {name.upper()}={read(word)!r}: a control character is not a letter"
            )
    return build_puzzle(read_grid(spec.rows), vocabulary, rules, read)


def check(spec: PuzzleSpec) -> None:
    """Raise InputError if the specification is invalid whatever the word lists contain."""
    make_puzzle(spec, Vocabulary(()))
