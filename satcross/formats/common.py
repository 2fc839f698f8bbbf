"""Common parts of the readers of crossword formats: their result, size limits and checks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from satcross.crossword import Clue, Crossword
from satcross.errors import InputError
from satcross.formats.structure import MAX_SIDE as MAX_SIDE
from satcross.formats.structure import check_size as check_size
from satcross.grid import BLOCKED, FULL_BLOCK, OPEN, Bar, Cell, Grid, cellwise
from satcross.support.frozen import frozen
from satcross.support.letters import spell

MAX_REBUS = 30
"""Maximum number of letters in a cell."""

_SIDES = {"top": (-1, 0), "left": (0, -1), "bottom": (1, 0), "right": (0, 1)}
# Control characters except tab and line breaks, and lone surrogates.
_UNWANTED = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]"
_PRINTED_BLOCKS = f"{BLOCKED}{FULL_BLOCK}"
_NO_LETTER = " _.?"
_YEAR_FIRST = r"(?a)(\d{4})[/.](\d{1,2})[/.](\d{1,2})"
_YEAR_LAST = r"(?a)(\d{1,2})([/.-])(\d{1,2})\2(\d\d(?:\d\d)?)"


@frozen
class ImportedCrossword:
    """A crossword read from a file, with remarks about the file.

    ``notes`` are remarks, one line each. ``solution_problem`` says why the crossword lacks letters
    of the file's solution; it is "" when the crossword has all of them.
    """

    crossword: Crossword
    notes: tuple[str, ...] = ()
    solution_problem: str = ""


def check_shape(name: str, rows: Sequence[Sequence[str]]) -> None:
    """Raise InputError for rows of different lengths, and for too many or too long ones."""
    check_size(name, len(rows), max(map(len, rows), default=0))
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            problem = f"row {number} of the grid has {len(row)} cells, row 1 has {len(rows[0])}"
            raise InputError(problem, "give every row the same number of cells", file=name)


def make_grid(
    name: str, rows: Sequence[Sequence[str]], decorations: Mapping[str, Iterable[Any]] = {}
) -> Grid:
    """Return the grid made of the cells of a file.

    ``name`` names the file in errors. ``rows`` are rows as in ``Grid.rows``. ``decorations`` maps
    fields of ``Grid``, such as ``circled``, to their values; circles and shades of blocked cells
    are dropped, and so are holes that are open cells.

    Raises InputError for a grid that is not a rectangle, has no slot or is too large.
    """
    check_shape(name, rows)
    sets = {field: frozenset(values) for field, values in decorations.items()}
    for field in ("circled", "shaded", "holes"):
        cells, blocked = sets.get(field, ()), field == "holes"
        sets[field] = frozenset((r, c) for r, c in cells if (rows[r][c] == BLOCKED) == blocked)
    grid = Grid(tuple(map("".join, rows)), **sets)
    if not grid.slots:
        problem = "the grid has no slot: no two open cells are side by side"
        raise InputError(problem, "give a grid with two open cells side by side", file=name)
    return grid


def make_crossword(
    grid: Grid,
    solution: Sequence[Sequence[str | None]],
    *,
    clues: Mapping[str, str] = {},
    texts: Mapping[str, str] = {},
    other_clues: Sequence[Clue] = (),
) -> Crossword:
    """Return the crossword made of the letters and texts of a file.

    ``solution`` has the grid's shape; letters on blocked cells are dropped. ``texts`` maps text
    fields of ``Crossword``, such as ``title``, to their values.
    """
    opened = cellwise(lambda cell, x: None if cell == BLOCKED else x, grid.rows, solution)
    letters = tuple(map(tuple, opened))
    cleaned: dict[str, Any] = {field: clean(text) for field, text in texts.items()}
    return Crossword(grid, letters, clues, **cleaned, other_clues=tuple(other_clues))


def bar_at(cell: Cell, side: str) -> Bar:
    """Return the bar at the top, left, bottom or right of a cell."""
    down, right = _SIDES[side]
    neighbour = (cell[0] + down, cell[1] + right)
    return min(cell, neighbour), max(cell, neighbour)


def read_letter(text: str) -> str:
    """Return the letter of a cell as the vocabulary writes letters: one capital, in NFC.

    Raises ValueError for several letters, for white space and for unprintable characters.
    """
    composed = unicodedata.normalize("NFC", text)
    upper = composed.upper()
    letter = upper if len(upper) == 1 else composed
    if len(letter) > 1:
        raise ValueError(f"a cell has several letters, {excerpt(text)}")
    if not letter.isprintable() or letter.isspace() or not letter:
        raise ValueError(f"a cell has {text!r}, which is not a letter")
    return letter


def read_cell(character: str) -> str | None:
    """Return ``#`` for a blocked cell of a printed grid, None for no letter, or the letter.

    A full block or ``#`` is blocked; a space, ``_``, ``.`` or ``?`` is a cell without a letter.
    Raises ValueError as ``read_letter`` does.
    """
    if character in _PRINTED_BLOCKS:
        return BLOCKED
    return None if character in _NO_LETTER else read_letter(character)


def read_letters(text: str) -> str:
    """Return the letter or letters of a cell of a solution, as ``read_letter`` returns one.

    Blanks between them are left out.

    Raises ValueError for more than ``MAX_REBUS`` letters, and for what is no letter.
    """
    try:
        return read_letter(text)
    except ValueError:
        letters = "".join(unicodedata.normalize("NFC", text).upper().split())
        if not 0 < len(letters) <= MAX_REBUS or not letters.isprintable():
            raise
        return letters


def read_prefilled(text: str) -> str:
    """Return a given or prefilled letter of the grid, as ``read_letter`` does.

    Raises ValueError also for ``#`` and ``_``, which mark cells in ``Grid.rows``.
    """
    letter = read_letter(text)
    if letter in (BLOCKED, OPEN):
        raise ValueError(f"a cell is prefilled with {letter}, which is not a letter")
    return letter


def is_white(colour: object) -> bool:
    """Whether the colour of a cell, or None, leaves it white."""
    return colour is None or str(colour).lower().lstrip("#") in ("", "fff", "ffffff", "white")


def clean(text: str) -> str:
    """Return the text without lone surrogates and control characters except tab and line breaks."""
    return re.sub(_UNWANTED, "", spell(text))


def excerpt(text: str) -> str:
    """Return at most 20 characters of a text, escaped where needed, to quote in a message."""
    short = text if len(text) <= 20 else text[:20] + "..."
    return short if short.isprintable() else repr(short)


def read_date(text: str) -> tuple[str, bool]:
    """Return a date in the form 2024-12-31, or "", and whether day and month may be the other way.

    ISO 8601 is read, and three numbers between slashes, dots or hyphens. The day is first between
    dots; else the month is, as in America, or the day if there is no such month. A year of two
    digits, from 1969 to 2068, may also be a day: then it is last only after a month or dots.
    """
    text = text.strip()
    if found := re.fullmatch(_YEAR_FIRST, text):
        year, month, day = map(int, found.groups())
    elif found := re.fullmatch(_YEAR_LAST, text):
        month, day, year = int(found[1]), int(found[3]), int(found[4])
        is_short = len(found[4]) == 2
        year += (1900 if year > 68 else 2000) if is_short else 0
        if found[2] == "." or (month > 12 and not is_short):
            month, day = day, month
    else:
        return iso_date(text) or "", False
    is_last = found.re.pattern == _YEAR_LAST
    is_open = is_last and found[2] != "." and month != day and max(month, day) <= 12
    return iso_date(f"{year:04}-{month:02}-{day:02}") or "", is_open


def iso_date(text: str) -> str | None:
    """Return a date in the form 2024-12-31, or None if the text is no date or time of ISO 8601."""
    try:
        return datetime.fromisoformat(text.strip()).date().isoformat()
    except ValueError:
        return None
