"""CS50's structure files, and the grid as CS50 prints it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from satcross.errors import InputError
from satcross.formats.files import Text
from satcross.grid import BLOCKED, FULL_BLOCK, OPEN, Cell, Grid
from satcross.support.frozen import frozen
from satcross.support.wording import join_phrases

MAX_SIDE = 255
"""Maximum number of rows and of columns, which a .puz file stores in one byte each."""
_SIGN_NAMES = {" ": "blanks", "\u00a0": "blanks", "\u200b": "characters without width"}
WORDS_FOR_STRUCTURE = "it looks like a word list; the structure comes before the words"
"""The remedy for a structure whose lines are words."""


@frozen
class Structure:
    """A grid read from a file, and remarks about the file, one line each.

    ``prefilled`` has the cells whose given letters the published crossword shows. All other given
    letters belong to the solution, which a written puzzle must not reveal.
    """

    grid: Grid
    notes: tuple[str, ...]
    prefilled: frozenset[Cell] = frozenset()


def parse_structure(source: Text, *, letters: bool | None = False) -> Structure:
    """Parse a structure as CS50 does: one line per row, ``_`` is open, anything else blocked.

    A file without ``_`` that has nothing but dots, ``#`` and letters, as other programs write, is
    a *dotted* structure: its dots are open cells. Rows shorter than the longest are padded with
    blocked cells. With ``letters``, a letter is an open cell with that given letter; None means
    True for a file that has a ``#``, else False. Raises InputError for a file without rows or
    slots, for a grid with more than ``MAX_SIDE`` rows or columns, and for a letter whose capital is
    several letters.
    """
    if letters is None:
        letters = BLOCKED in source.text
    text = unicodedata.normalize("NFC", source.text) if letters else source.text
    is_known = (cell in f".{BLOCKED}" or cell.isspace() or cell.isalpha() for cell in text)
    dotted = "." in text and all(is_known)
    if dotted:
        text = text.replace(".", OPEN)
    rows = text.splitlines()
    check_size(source.name, len(rows), max(map(len, rows), default=0))
    if not any(rows):
        problem = "the structure is empty"
        raise source.error(problem, f"write {OPEN} for an open cell, {BLOCKED} for a blocked one")
    if letters:
        _check_capitals(source.name, rows)
    grid = Grid.from_rows(rows, letters=letters)
    if not grid.slots:
        raise _no_slot(source.name, rows)
    notes = list(source.notes)
    if dotted:
        notes.append(f"there is no {OPEN}; dots are open cells")
    notes += _remarks(rows, grid.width)
    if not letters and any(cell.isalpha() for row in rows for cell in row):
        notes.append(
            "letters are read as blocked cells, as in CS50; with --letters they are given letters"
        )
    return Structure(grid, tuple(notes))


def _remarks(rows: Sequence[str], width: int) -> Iterator[str]:
    """Yield what is odd about the rows of a structure."""
    signs = sorted({cell for row in rows for cell in row if cell != OPEN and not cell.isalpha()})
    if len(signs) > 1:
        names = (_SIGN_NAMES.get(sign, sign) for sign in signs)
        yield f"{join_phrases(names)} are read as blocked cells"
    blank = [number for number, row in enumerate(rows, 1) if not row.strip()]
    short = [number for number, row in enumerate(rows, 1) if row.strip() and len(row) < width]
    if blank:
        yield f"{_lines(blank)} blank; read as blocked cells"
    if short:
        yield f"{_lines(short)} short; padded with blocked cells"


def _no_slot(name: str, rows: Sequence[str]) -> InputError:
    problem = "the structure has no slot: no two open cells are side by side"
    remedy = f"write {OPEN} for an open cell, {BLOCKED} for a blocked one"
    if all(row.split(";")[0].isalpha() for row in rows if row):
        remedy = WORDS_FOR_STRUCTURE
    return InputError(problem, remedy, file=name)


def _check_capitals(name: str, rows: Sequence[str]) -> None:
    for number, row in enumerate(rows, 1):
        for cell in row:
            if cell.isalpha() and len(cell.upper()) > 1:
                problem = f"the capital of {cell} is {cell.upper()}, and a cell takes one letter"
                raise InputError(problem, "write one letter per cell", file=name, line=number)


def _lines(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"line {numbers[0]} is"
    shown = ", ".join(map(str, numbers[:5])) + (" ..." if len(numbers) > 5 else "")
    return f"lines {shown} are"


def draw_text(
    structure: Sequence[Sequence[bool]],
    letters: Sequence[Sequence[str | None]],
    *,
    block: str = FULL_BLOCK,
) -> str:
    """Return the grid as CS50 prints it: ``block`` for a blocked cell, a space for no letter.

    ``structure`` is true where a cell is open; ``letters`` has the same shape, with None for no
    letter.
    """
    rows = (zip(*pair, strict=True) for pair in zip(structure, letters, strict=True))
    lines = ("".join((cell or " ") if is_open else block for is_open, cell in row) for row in rows)
    return "".join(f"{line}\n" for line in lines)


def check_size(name: str, height: int, width: int) -> None:
    """Raise InputError for a grid of more than ``MAX_SIDE`` rows or columns."""
    if max(height, width) > MAX_SIDE:
        problem = f"the grid has {height:,} rows and {width:,} columns"
        raise InputError(problem, f"satcross reads at most {MAX_SIDE} of each", file=name)
