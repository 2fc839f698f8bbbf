"""Conversion of puzzle specifications in requests to puzzles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satcross.errors import InputError
from satcross.formats.common import read_letters as read_rebus_letters
from satcross.formats.common import read_prefilled
from satcross.formats.entries import read_word
from satcross.formats.json import UNKNOWN_LETTER
from satcross.grid import BLOCKED, OPEN, Bar, Cell, Grid, Slot
from satcross.puzzle import Puzzle
from satcross.rules import all_keys, allowed_words, build_puzzle
from satcross.support.letters import split_letters
from satcross.vocabulary import Vocabulary
from satcross.web.limits import MAX_ROWS
from satcross.web.schema import Bars, PuzzleSpec, RebusCell

NO_BARS = Bars()


def read_grid(rows: Sequence[str], bars: Bars = NO_BARS, rebus: Sequence[RebusCell] = ()) -> Grid:
    """Return the grid of a request. Raises InputError for an invalid grid or one without slots."""
    if max(map(len, rows)) > MAX_ROWS:
        raise InputError("the grid is too large", f"use at most {MAX_ROWS} columns")
    if len({len(row) for row in rows}) > 1:
        raise InputError(
            "the rows of the grid differ in length", "give every row the same number of cells"
        )
    try:
        cells = [list(map(_read_cell, row)) for row in rows]
        several = frozenset(_read_rebus(cell, cells) for cell in rebus)
        grid = Grid(tuple(map("".join, cells)), bars=_read_bars(bars, cells), rebus=several)
    except ValueError as error:
        raise InputError(f"the grid {error}") from None
    if not grid.slots:
        raise InputError(
            "the grid has no slot: no two open cells are side by side", "open some cells"
        )
    return grid


def _read_rebus(given: RebusCell, cells: list[list[str]]) -> tuple[Cell, str]:
    """Return a rebus cell, and put its first letter into the cells."""
    letters = read_rebus_letters(given.letters)
    if given.row >= len(cells) or given.column >= len(cells[given.row]):
        raise ValueError("has a rebus cell outside")
    if cells[given.row][given.column] == BLOCKED:
        raise ValueError("has a rebus cell that is blocked")
    cells[given.row][given.column] = letters[0]
    return (given.row, given.column), letters


def _read_bars(bars: Bars, cells: list[list[str]]) -> frozenset[Bar]:
    """Return the bars between cells; those at the edge of the grid have no effect."""
    found = [((r, c), (r, c + 1)) for r, c in bars.right]
    found += [((r, c), (r + 1, c)) for r, c in bars.below]
    inside = {(r, c) for r, row in enumerate(cells) for c in range(len(row))}
    return frozenset(bar for bar in found if inside.issuperset(bar))


def _read_cell(cell: str) -> str:
    if cell in (BLOCKED, OPEN):
        return cell
    return OPEN if cell == UNKNOWN_LETTER else read_prefilled(cell)


def rows_with(letters: Mapping[Cell, str], rows: Sequence[str]) -> list[str]:
    """Return the rows of a grid with these letters alone; ``.`` is a cell without one."""
    return [
        "".join(
            BLOCKED if cell == BLOCKED else letters.get((row, column), UNKNOWN_LETTER)
            for column, cell in enumerate(line)
        )
        for row, line in enumerate(rows)
    ]


def read_words(words: Mapping[str, str], puzzle: Puzzle) -> dict[str, str]:
    """Return words by the names of their slots. Raises InputError for one that does not fit."""
    found = {}
    for name, text in words.items():
        word = read_word(text, puzzle.vocabulary)
        slot = puzzle.grid.slot_named(name)
        if slot is None or puzzle.grid.slots[slot].length != len(word):
            raise InputError(f"{word} does not fit slot {name.upper()}", "send words of the grid")
        found[puzzle.grid.slots[slot].name] = word
    return found


def is_allowed(puzzle: Puzzle, slot: Slot, word: str) -> bool:
    """Return whether a list has the word and the rules about single words allow it in the slot."""
    if word not in puzzle.vocabulary:
        return False
    lexicon = puzzle.lexicon(slot.length)
    return bool(lexicon.bit_of(word) & allowed_words(puzzle, lexicon, slot.name))


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
    return build_puzzle(read_grid(spec.rows, spec.bars, spec.rebus), vocabulary, rules, read)


def check(spec: PuzzleSpec) -> None:
    """Raise InputError if the specification is invalid whatever the word lists contain.

    Letters with marks are packed in worker processes only, which look at such a grid themselves.
    """
    if all(len(split_letters(row)) == len(row) for row in spec.rows):
        make_puzzle(spec, Vocabulary(()))
