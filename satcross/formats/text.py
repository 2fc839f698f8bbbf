"""Text: structures and printed grids."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats import common
from satcross.formats.files import Text
from satcross.formats.kinds import DECORATED, LETTERS, PRINTED, Kind
from satcross.formats.structure import draw_text, parse_structure
from satcross.grid import BLOCKED, FULL_BLOCK, OPEN, Grid

_MIN_SPACED = 5
"""Width from which a grid without anything in its even columns has blanks between its cells."""


def parse_printed(grid: Grid, text: str) -> dict[str, str] | None:
    """Return the fill (slot name -> word) of the last grid in ``text``, as CS50 prints grids.

    Lines before and after the grid are ignored. A missing letter is a space in the word. Returns
    None when ``text`` has no such grid.
    """
    lines = text.splitlines()
    for start in range(len(lines) - grid.height, -1, -1):
        rows = lines[start : start + grid.height]
        if all(map(_is_printed, rows, grid.rows)):
            return {slot.name: "".join(rows[r][c] for r, c in slot.cells) for slot in grid.slots}
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
    grid = crossword.grid
    if grid.bars or grid.circled or grid.shaded or grid.holes or crossword.rebus:
        from satcross.formats.decorated_text import decorated_text

        text = decorated_text(grid, crossword.solution)
    elif any(letter for row in crossword.solution for letter in row):
        text = draw_text(grid.structure, crossword.solution)
    else:
        lines = ("".join(OPEN if is_open else BLOCKED for is_open in row) for row in grid.structure)
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
    if max(map(len, lines)) < max(map(len, source.text.splitlines())):
        notes = (*notes, "the blanks between cells are left out")
    common.check_size(source.name, len(lines), max(map(len, lines)))
    cells = printed_cells(lines, source.name)
    rows = [[BLOCKED if cell == BLOCKED else OPEN for cell in row] for row in cells]
    grid = common.make_grid(source.name, rows)
    return common.ImportedCrossword(common.make_crossword(grid, cells), notes)


def printed_lines(source: Text) -> list[str]:
    """Return the lines of a printed grid, one character a cell.

    Blank lines at the start and end, and blanks between the cells, are left out.
    """
    lines = unicodedata.normalize("NFC", source.text).splitlines()
    width = max(map(len, lines), default=0)
    for end in (-1, 0):
        while lines and not lines[end].strip() and len(lines[end]) < width:
            lines.pop(end)
    return [line[::2] for line in lines] if lines and is_spaced(lines) else lines


def printed_cells(lines: Sequence[str], name: str) -> list[list[str | None]]:
    """Return the cells of a printed grid, as ``read_cell`` reads them."""
    width = max(map(len, lines))
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            # Text editors strip spaces at the end of a line.
            rows.append(list(map(common.read_cell, line.ljust(width))))
        except ValueError as error:
            problem = str(error)
            raise InputError(problem, "write one letter per cell", file=name, line=number) from None
    return rows


def is_spaced(lines: Sequence[str]) -> bool:
    """Whether a blank stands between any two cells of a row, as programs print grids for people."""
    between = "".join(line[1::2] for line in lines)
    return max(map(len, lines)) >= _MIN_SPACED and bool(between) and between.isspace()
