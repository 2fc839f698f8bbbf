"""What the readers of published formats have in common: result, limits and checks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import Data, Text, as_text, read_data
from satcross.grid import BLOCKED, OPEN, Cell, Grid

LONGEST_SIDE = 255
"""Rows and columns at most; what .puz has a byte for, and five times what newspapers print."""
LARGEST_FILE = 4_000_000
"""Bytes at most, unpacked. A crossword has some ten thousand."""

# All control characters but tab and line breaks, and halves of surrogate pairs.
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Published:
    """A crossword as read from a file, and what its reader may want to know.

    ``lacking`` says why letters of the file's solution are not in the crossword, "" when all are.
    """

    crossword: Crossword
    notes: tuple[str, ...] = ()
    lacking: str = ""


def read_limited(path: str) -> Data:
    """Read a file (``-``: standard input) of at most ``LARGEST_FILE`` bytes."""
    return read_data(path, LARGEST_FILE)


def read_limited_text(path: str) -> Text:
    """The same as text, gzipped or not."""
    return as_text(read_limited(path), LARGEST_FILE)


def make_crossword(
    name: str,
    rows: Sequence[Sequence[str]],
    solution: Sequence[Sequence[str | None]],
    *,
    clues: Mapping[str, str] = {},
    circled: Iterable[Cell] = (),
    left_out: Iterable[str] = (),
    texts: Mapping[str, str] = {},
) -> Crossword:
    """A crossword from the cells of a file.

    ``rows`` are as ``Grid`` has them; letters of ``solution`` on blocked cells and circles around
    such are passed over. ``texts``: the fields of ``Crossword`` that are text. Raises InputError,
    which names the file, for a grid that is no rectangle, has no slot or is too large.
    """
    check_size(name, len(rows), max(map(len, rows), default=0))
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise InputError(
                f"row {number} of the grid has {len(row)} cells, row 1 has {len(rows[0])}",
                "give every row as many",
                file=name,
            )
    grid = Grid(tuple(map("".join, rows)), frozenset(left_out))
    if not grid.slots:
        raise InputError(
            "the grid has no slot: no two open cells are side by side",
            "give a crossword",
            file=name,
        )
    letters = tuple(
        tuple(None if cell == BLOCKED else letter for cell, letter in zip(row, found, strict=True))
        for row, found in zip(rows, solution, strict=True)
    )
    circles = frozenset(at for at in circled if grid.rows[at[0]][at[1]] != BLOCKED)
    kept = {slot: clean(clue) for slot, clue in clues.items() if clue}
    cleaned = {field: clean(text) for field, text in texts.items()}
    return Crossword(grid, letters, kept, circled=circles, **cleaned)


def check_size(name: str, height: int, width: int) -> None:
    """Raise InputError for a grid larger than we read."""
    if max(height, width) > LONGEST_SIDE:
        raise InputError(
            f"a grid of {height:,} rows and {width:,} columns",
            f"{LONGEST_SIDE} of each is the most we read",
            file=name,
        )


def read_letter(text: str) -> str:
    """A cell's letter as the vocabulary has it: one capital, composed.

    Raises ValueError for several letters, a blank, or something that can't be printed.
    """
    composed = unicodedata.normalize("NFC", text)
    upper = composed.upper()
    letter = upper if len(upper) == 1 else composed
    if len(letter) > 1:
        raise ValueError(f"has a cell of several letters, {shown(text)}")
    if not letter.isprintable() or letter.isspace() or not letter:
        raise ValueError(f"has a cell with {text!r}, which is no letter")
    return letter


def read_given(text: str) -> str:
    """The same for a letter the grid gives, which can be neither ``#`` nor ``_``."""
    letter = read_letter(text)
    if letter in (BLOCKED, OPEN):
        raise ValueError(f"gives {letter} in a cell, which is no letter")
    return letter


def unplaced_clues(labels: Sequence[str]) -> list[str]:
    """A note on clues for which the grid has no slot; none when there are none."""
    if not labels:
        return []
    if len(labels) == 1:
        return [f"1 clue left out, for which there is no slot ({shown(labels[0])})"]
    first = shown(labels[0])
    return [f"{len(labels)} clues left out, for which there is no slot (first {first})"]


def clean(text: str) -> str:
    """Text without control characters but tab and line breaks, and without half characters."""
    return _UNWANTED.sub("", text)


def shown(text: str) -> str:
    """What a file says, fit for one line of a message."""
    short = text if len(text) <= 20 else text[:20] + "..."
    return short if short.isprintable() else repr(short)


def iso_date(text: str) -> str | None:
    """A date in ISO 8601's usual form, 2024-12-31; None when it isn't one in any ISO form."""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        return None
