"""Text: CS50's structure files and printed grids."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats import common
from satcross.formats.files import Text
from satcross.formats.sniff import DECORATED, LETTERS, PRINTED, Kind
from satcross.grid import BLOCKED, OPEN, Cell, Grid
from satcross.grid import FULL_BLOCK as FULL_BLOCK
from satcross.support.frozen import frozen

_MIN_SPACED = 5
"""Width from which a grid without anything in its even columns has blanks between its cells."""
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
    dotted = is_dotted(text)
    if dotted:
        text = text.replace(".", OPEN)
    rows = text.splitlines()
    common.check_size(source.name, len(rows), max(map(len, rows), default=0))
    if not any(rows):
        raise source.error(
            "the structure is empty", f"write {OPEN} for an open cell, {BLOCKED} for a blocked one"
        )
    if letters:
        _check_capitals(source.name, rows)
    grid = Grid.from_rows(rows, letters=letters)
    if not grid.slots:
        raise _no_slot(source.name, rows)
    notes = list(source.notes)
    if dotted:
        notes.append(f"there is no {OPEN}; dots are open cells")
    blank = [number for number, row in enumerate(rows, 1) if not row.strip()]
    short = [number for number, row in enumerate(rows, 1) if row.strip() and len(row) < grid.width]
    if blank:
        notes.append(f"{_lines(blank)} blank; read as blocked cells")
    if short:
        notes.append(f"{_lines(short)} short; padded with blocked cells")
    if not letters and any(cell.isalpha() for row in rows for cell in row):
        notes.append(
            "letters are read as blocked cells, as in CS50; with --letters they are given letters"
        )
    return Structure(grid, tuple(notes))


def _no_slot(name: str, rows: Sequence[str]) -> InputError:
    remedy = f"write {OPEN} for an open cell, {BLOCKED} for a blocked one"
    if all(row.split(";")[0].isalpha() for row in rows if row):
        remedy = WORDS_FOR_STRUCTURE
    return InputError(
        "the structure has no slot: no two open cells are side by side", remedy, file=name
    )


def _check_capitals(name: str, rows: Sequence[str]) -> None:
    for number, row in enumerate(rows, 1):
        for cell in row:
            if cell.isalpha() and len(cell.upper()) > 1:
                raise InputError(
                    f"the capital of {cell} is {cell.upper()}, and a cell takes one letter",
                    "write one letter per cell",
                    file=name,
                    line=number,
                )


def is_dotted(text: str) -> bool:
    """Return whether a text is a structure of dots (open cells), ``#`` and letters only."""
    dotted = all(cell in f".{BLOCKED}" or cell.isspace() or cell.isalpha() for cell in text)
    return dotted and "." in text


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


def parse_printed(grid: Grid, text: str) -> dict[str, str] | None:
    """Return the fill (slot name -> word) of the last grid in ``text``, as CS50 prints grids.

    Lines before and after the grid are ignored. A missing letter is a space in the word. Returns
    None when ``text`` has no such grid.
    """
    lines = text.splitlines()
    for start in range(len(lines) - grid.height, -1, -1):
        rows = lines[start : start + grid.height]
        if all(map(_is_printed, rows, grid.rows)):
            return {
                slot.name: "".join(rows[row][column] for row, column in slot.cells)
                for slot in grid.slots
            }
    return None


def _is_printed(line: str, row: str) -> bool:
    return len(line) == len(row) and all(
        (printed == FULL_BLOCK) == (cell == BLOCKED)
        for printed, cell in zip(line, row, strict=True)
    )


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write the printed grid in UTF-8, or the structure if the solution has no letters.

    A grid with bars, circles, shades or holes is written as ``decorated_text`` describes.

    ``writers`` documents the parameters.
    """
    from satcross.formats.decorated_text import decorated_text, needs_decorations

    if needs_decorations(crossword):
        text = decorated_text(crossword.grid, crossword.solution)
    elif any(letter for row in crossword.solution for letter in row):
        text = draw_text(crossword.grid.structure, crossword.solution)
    else:
        rows = crossword.grid.structure
        lines = ("".join(OPEN if is_open else BLOCKED for is_open in row) for row in rows)
        text = "".join(f"{line}\n" for line in lines)
    path.write_bytes(text.encode("utf-8"))


def import_text(source: Text, kind: Kind, *, letters: bool) -> common.ImportedCrossword:
    """Parse a structure or a printed grid, which ``sniff`` tells apart.

    In a printed grid a full block or ``#`` is a blocked cell; a space, ``_``, ``.`` or ``?`` is a
    cell without a letter. ``letters`` has the meaning it has for ``parse_structure``. Raises
    InputError for a text that is neither.
    """
    if kind is DECORATED:
        from satcross.formats.decorated_text import parse_decorated

        return parse_decorated(source)
    if kind in (PRINTED, LETTERS):
        return parse_printed_crossword(source)
    structure = parse_structure(source, letters=letters)
    return common.ImportedCrossword(Crossword.of(structure.grid), structure.notes)


def parse_printed_crossword(source: Text) -> common.ImportedCrossword:
    """Parse a text that is a printed grid and nothing else, as ``import_text`` reads it."""
    lines = printed_lines(source)
    notes = source.notes
    if is_spaced(lines):
        lines = [line[::2] for line in lines]
        notes = (*notes, "the blanks between cells are left out")
    common.check_size(source.name, len(lines), max(map(len, lines)))
    cells = printed_cells(lines, source.name)
    grid = common.make_grid(
        source.name, [[BLOCKED if cell == BLOCKED else OPEN for cell in row] for row in cells]
    )
    return common.ImportedCrossword(common.make_crossword(grid, cells), notes)


def printed_lines(source: Text) -> list[str]:
    """Return the lines of a printed grid, without the blank ones at the end that are no rows."""
    lines = unicodedata.normalize("NFC", source.text).splitlines()
    width = max(map(len, lines), default=0)
    while lines and not lines[-1].strip() and len(lines[-1]) < width:
        lines.pop()
    return lines


def printed_cells(lines: Sequence[str], name: str) -> list[list[str | None]]:
    """Return the cells of a printed grid, as ``read_cell`` reads them."""
    width = max(map(len, lines))
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            # Text editors strip spaces at the end of a line.
            rows.append(list(map(common.read_cell, line.ljust(width))))
        except ValueError as error:
            raise InputError(
                str(error), "write one letter per cell", file=name, line=number
            ) from None
    return rows


def is_spaced(lines: Sequence[str]) -> bool:
    """Whether a blank stands between any two cells of a row, as programs print grids for people."""
    between = "".join(line[1::2] for line in lines)
    return max(map(len, lines)) >= _MIN_SPACED and bool(between) and between.isspace()
