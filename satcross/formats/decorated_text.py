"""Decorated structures: text with bars, holes, circles and shades, which CS50's can't say.

The first line is ``satcross grid``, so that no other structure is read as one. Then come rows of
cells, separated by a space, or by ``|`` where a bar is between two cells. Hyphens in a line between
two rows stand under the cells that have a bar below::

    satcross grid
    C _|(_) #
      - -
    _ _ [E] ~

A cell is ``_`` (open), ``#`` or a full block (blocked), ``~`` (a hole) or a letter. ``(_)`` is
circled, ``[_]`` shaded, ``([_])`` both. Braces quote a letter that is one of these signs: ``{-}``,
and hold the letters of a rebus cell: ``{HEART}``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import (
    ImportedCrossword,
    excerpt,
    make_crossword,
    make_grid,
    read_letters,
    read_prefilled,
)
from satcross.formats.files import Text
from satcross.grid import BLOCKED, FULL_BLOCK, OPEN, Bar, Cell, Grid

HEADING = "satcross grid"

_HOLE = "~"
_SIGNS = f"{BLOCKED}{FULL_BLOCK}{OPEN}{_HOLE}|-()[]{{}}"
_CELL = re.compile(r"(\(?)(\[?)(\{[^{}]+\}|[^\s|(){}\[\]])(\]?)(\)?)")
_BAR_LINE = re.compile(r"[\s-]*-[\s-]*")


@dataclass(slots=True)
class _Cells:
    """The rows and letters read so far, their decorations, and the place of each cell."""

    rows: list[list[str]] = field(default_factory=list)
    letters: list[list[str | None]] = field(default_factory=list)
    decorations: dict[str, list[Cell]] = field(
        default_factory=lambda: {"circled": [], "shaded": [], "holes": []}
    )
    bars: list[Bar] = field(default_factory=list)
    spans: list[range] = field(default_factory=list)
    """The columns of the text that the cells of the last row take."""


def parse_decorated(source: Text) -> ImportedCrossword:
    """Parse a decorated structure; its letters are the solution.

    Raises InputError, with the line, for a text that is not one.
    """
    found = _Cells()
    text = unicodedata.normalize("NFC", source.text)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    for number, line in lines[1:]:
        try:
            if _BAR_LINE.fullmatch(line):
                _read_bars_below(line, found)
            else:
                _read_row(line, found)
        except ValueError as error:
            raise InputError(
                str(error),
                "write cells with spaces between: _ open, # blocked",
                file=source.name,
                line=number,
            ) from None
    grid = make_grid(source.name, found.rows, {**found.decorations, "bars": found.bars})
    return ImportedCrossword(make_crossword(grid, found.letters), source.notes)


def _read_row(line: str, found: _Cells) -> None:
    row = len(found.rows)
    found.rows.append([])
    found.letters.append([])
    found.spans = []
    position = 0
    while position < len(line.rstrip()):
        match = _CELL.match(line, position)
        if match is None:
            if line[position] == "|" and found.spans:
                column = len(found.spans)
                found.bars.append(((row, column - 1), (row, column)))
            elif not line[position].isspace():
                raise ValueError(f"{excerpt(line[position:])} is not a cell")
            position += 1
            continue
        position = match.end()
        found.spans.append(range(match.start(), position))
        if line[position : position + 1].strip(" |"):
            raise ValueError(f"there is no space after the cell {match.group()}")
        _read_cell(match, (row, len(found.spans) - 1), found)


def _read_cell(match: re.Match[str], cell: Cell, found: _Cells) -> None:
    opening, square, content, square_end, closing = match.groups()
    if bool(opening) != bool(closing) or bool(square) != bool(square_end):
        raise ValueError(f"the cell {match.group()} has a bracket without its partner")
    found.decorations["circled"] += [cell] * bool(opening)
    found.decorations["shaded"] += [cell] * bool(square)
    found.decorations["holes"] += [cell] * (content == _HOLE)
    is_blocked = content in (BLOCKED, FULL_BLOCK, _HOLE)
    found.rows[-1].append(BLOCKED if is_blocked else OPEN)
    is_letter = not is_blocked and content != OPEN
    letter = content[1:-1] if len(content) > 2 and content.startswith("{") else content
    found.letters[-1].append(_read_letters(letter) if is_letter else None)


def _read_letters(text: str) -> str:
    letters = read_letters(text)
    return read_prefilled(letters) if len(letters) == 1 else letters


def _read_bars_below(line: str, found: _Cells) -> None:
    row = len(found.rows) - 1
    for position, character in enumerate(line):
        if character == "-":
            columns = [n for n, span in enumerate(found.spans) if position in span]
            if not columns:
                raise ValueError(f"the bar in column {position + 1} is below no cell")
            found.bars.append(((row, columns[0]), (row + 1, columns[0])))


def decorated_text(
    grid: Grid, letters: Sequence[Sequence[str | None]], *, block: str = FULL_BLOCK
) -> str:
    """Return the text of a grid with these letters, one row for each row of the grid."""
    return "\n".join([HEADING, *_lines(grid, letters, block)]) + "\n"


def _lines(grid: Grid, letters: Sequence[Sequence[str | None]], block: str) -> Iterator[str]:
    cells = [
        [_written(grid, (row, column), letters[row][column], block) for column in range(grid.width)]
        for row in range(grid.height)
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row, contents in enumerate(cells):
        line, below = "", ""
        for column, (content, width) in enumerate(zip(contents, widths, strict=True)):
            cell = (row, column)
            line += content.center(width) + "| "[(cell, (row, column + 1)) not in grid.bars]
            sign = "-" if (cell, (row + 1, column)) in grid.bars else " "
            below += (sign * len(content)).center(width) + " "
        yield line.rstrip()
        if below.strip():
            yield below.rstrip()


def _written(grid: Grid, cell: Cell, letter: str | None, block: str) -> str:
    row, column = cell
    if grid.rows[row][column] == BLOCKED:
        return _HOLE if cell in grid.holes else block
    text = letter or OPEN
    if letter is not None and (len(letter) > 1 or letter in _SIGNS):
        text = f"{{{letter}}}"
    text = f"[{text}]" if cell in grid.shaded else text
    return f"({text})" if cell in grid.circled else text


def needs_decorations(crossword: Crossword) -> bool:
    """Return whether a crossword has what plain text can't say: bars, decorations, rebus cells."""
    grid = crossword.grid
    return bool(grid.bars or grid.circled or grid.shaded or grid.holes or crossword.rebus)


def crossword_text(crossword: Crossword) -> str:
    """Return the text of a crossword with its solution."""
    return decorated_text(crossword.grid, crossword.solution)
