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

from satcross.formats import common
from satcross.formats.draft import Draft
from satcross.formats.files import Text
from satcross.formats.kinds import HEADING
from satcross.grid import BLOCKED, FULL_BLOCK, OPEN, Cell, Grid

_HOLE = "~"
_SIGNS = f"{BLOCKED}{FULL_BLOCK}{OPEN}{_HOLE}|-()[]{{}}"
_CELL = re.compile(r"(\(?)(\[?)(\{[^{}]+\}|[^\s|(){}\[\]])(\]?)(\)?)")
_MAX_LINE = 40 * common.MAX_SIDE  # characters; a rebus cell has many
_BAR_LINE = re.compile(r"[\s-]*-[\s-]*")


def parse_decorated(source: Text) -> common.ImportedCrossword:
    """Parse a decorated structure; its letters are the solution.

    Raises InputError, with the line, for a text that is not one.
    """
    draft = Draft(source.name)
    spans: list[range] = []
    text = unicodedata.normalize("NFC", source.text)
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]

    def read(line: str) -> None:
        if _BAR_LINE.fullmatch(line):
            _read_bars_below(line, draft, spans)
        else:
            spans[:] = _read_row(line, draft)

    remedy = "write cells with spaces between: _ open, # blocked"
    draft.read_rows(lines[1:], read, remedy, _MAX_LINE)
    grid = common.make_grid(source.name, draft.rows, draft.decorations)
    return common.ImportedCrossword(common.make_crossword(grid, draft.letters), source.notes)


def _read_row(line: str, draft: Draft) -> list[range]:
    """Add a row; return the columns of the text that its cells take."""
    row = len(draft.rows)
    draft.rows.append([])
    draft.letters.append([])
    spans: list[range] = []
    position = 0
    while position < len(line.rstrip()):
        match = _CELL.match(line, position)
        if match is None:
            if line[position] == "|" and spans:
                draft.add_bar((row, len(spans) - 1), "right")
            elif not line[position].isspace():
                raise ValueError(f"{common.excerpt(line[position:])} is not a cell")
            position += 1
            continue
        position = match.end()
        spans.append(range(match.start(), position))
        if line[position : position + 1].strip(" |"):
            raise ValueError(f"there is no space after the cell {match.group()}")
        _read_cell(match, (row, len(spans) - 1), draft)
    return spans


def _read_cell(match: re.Match[str], cell: Cell, draft: Draft) -> None:
    opening, square, content, square_end, closing = match.groups()
    if bool(opening) != bool(closing) or bool(square) != bool(square_end):
        raise ValueError(f"the cell {match.group()} has a bracket without its partner")
    marks = {"circled": opening, "shaded": square, "holes": content == _HOLE}
    for kind in (kind for kind, is_marked in marks.items() if is_marked):
        draft.decorate(kind, cell)
    is_blocked = content in (BLOCKED, FULL_BLOCK, _HOLE)
    draft.rows[-1].append(BLOCKED if is_blocked else OPEN)
    is_letter = not is_blocked and content != OPEN
    text = content[1:-1] if len(content) > 2 and content.startswith("{") else content
    read = common.read_letter if " " in text else common.read_letters
    letters = read(text) if is_letter else None
    if letters and len(letters) == 1:
        letters = common.read_prefilled(letters)
    draft.letters[-1].append(letters)


def _read_bars_below(line: str, draft: Draft, spans: Sequence[range]) -> None:
    row = len(draft.rows) - 1
    for position, character in enumerate(line):
        if character == "-":
            columns = [n for n, span in enumerate(spans) if position in span]
            if not columns:
                raise ValueError(f"the bar in column {position + 1} is below no cell")
            draft.add_bar((row, columns[0]), "bottom")


def decorated_text(
    grid: Grid, letters: Sequence[Sequence[str | None]], *, block: str = FULL_BLOCK
) -> str:
    """Return the text of a grid with these letters, one row for each row of the grid."""
    return "\n".join([HEADING, *_lines(grid, letters, block)]) + "\n"


def _lines(grid: Grid, letters: Sequence[Sequence[str | None]], block: str) -> Iterator[str]:
    cells = [
        [_written(grid, (row, column), letter, block) for column, letter in enumerate(line)]
        for row, line in enumerate(letters)
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row, contents in enumerate(cells):
        line, below = "", ""
        for column, (content, width) in enumerate(zip(contents, widths, strict=True)):
            cell = (row, column)
            line += content.center(width) + "| "[common.bar_at(cell, "right") not in grid.bars]
            sign = "-" if common.bar_at(cell, "bottom") in grid.bars else " "
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
