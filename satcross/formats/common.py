"""What the readers of crossword formats share: their result, size limits and checks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import Data, Text, decode_text, read_data
from satcross.grid import BLOCKED, OPEN, Cell, Grid

MAX_SIDE = 255
"""Maximum number of rows and of columns, which a .puz file stores in one byte each."""
MAX_FILE_BYTES = 4_000_000
"""Maximum size of a file, decompressed. A crossword usually takes about 10,000 bytes."""

# Control characters except tab and line breaks, and lone surrogates.
_UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class ImportedCrossword:
    """A crossword read from a file, with remarks about the file.

    ``notes`` are remarks, one line each. ``solution_problem`` says why the crossword lacks letters
    of the file's solution; it is "" when the crossword has all of them.
    """

    crossword: Crossword
    notes: tuple[str, ...] = ()
    solution_problem: str = ""


def read_limited(path: str) -> Data:
    """Return the bytes of a file, or of standard input for ``-``.

    Raises InputError when the file can't be read or is larger than ``MAX_FILE_BYTES``.
    """
    return read_data(path, MAX_FILE_BYTES)


def read_limited_text(path: str) -> Text:
    """Return the text of a file, gzipped or not, or of standard input for ``-``.

    Raises InputError when the file can't be read, is not text or is larger than
    ``MAX_FILE_BYTES``, decompressed.
    """
    return decode_text(read_limited(path), MAX_FILE_BYTES)


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
    """Return the crossword made of the cells and texts of a file.

    ``name`` names the file in errors. ``rows`` are rows as in ``Grid.rows`` and ``solution`` has
    the same shape. Letters and circles on blocked cells are dropped. ``left_out`` names runs of
    cells that are not slots. ``texts`` maps text fields of ``Crossword``, such as ``title``, to
    their values.

    Raises InputError for a grid that is not a rectangle, has no slot or is too large.
    """
    check_size(name, len(rows), max(map(len, rows), default=0))
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise InputError(
                f"row {number} of the grid has {len(row)} cells, row 1 has {len(rows[0])}",
                "give every row the same number of cells",
                file=name,
            )
    grid = Grid(tuple(map("".join, rows)), frozenset(left_out))
    if not grid.slots:
        raise InputError(
            "the grid has no slot: no two open cells are side by side",
            "give a grid with two open cells side by side",
            file=name,
        )
    letters = tuple(
        tuple(
            None if cell == BLOCKED else letter for cell, letter in zip(row, letters, strict=True)
        )
        for row, letters in zip(rows, solution, strict=True)
    )
    circles = frozenset(
        (row, column) for row, column in circled if grid.rows[row][column] != BLOCKED
    )
    cleaned_clues = {slot: clean(clue) for slot, clue in clues.items() if clue}
    cleaned = {field: clean(text) for field, text in texts.items()}
    return Crossword(grid, letters, cleaned_clues, circled=circles, **cleaned)


def check_size(name: str, height: int, width: int) -> None:
    """Raise InputError for a grid of more than ``MAX_SIDE`` rows or columns."""
    if max(height, width) > MAX_SIDE:
        raise InputError(
            f"the grid has {height:,} rows and {width:,} columns",
            f"satcross reads at most {MAX_SIDE} of each",
            file=name,
        )


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


def read_prefilled(text: str) -> str:
    """Return a given or prefilled letter of the grid, as ``read_letter`` does.

    Raises ValueError also for ``#`` and ``_``, which mark cells in ``Grid.rows``.
    """
    letter = read_letter(text)
    if letter in (BLOCKED, OPEN):
        raise ValueError(f"a cell is prefilled with {letter}, which is not a letter")
    return letter


def note_unplaced_clues(labels: Sequence[str]) -> list[str]:
    """Return a remark about clues whose slot the grid lacks, or no remark if there are none."""
    if not labels:
        return []
    if len(labels) == 1:
        return [f"1 clue ignored: the grid has no such slot ({excerpt(labels[0])})"]
    first = excerpt(labels[0])
    return [f"{len(labels)} clues ignored: the grid has no such slots (first {first})"]


def clean(text: str) -> str:
    """Return the text without lone surrogates and control characters except tab and line breaks."""
    return _UNWANTED.sub("", text)


def excerpt(text: str) -> str:
    """Return at most 20 characters of a text, escaped where needed, to quote in a message."""
    short = text if len(text) <= 20 else text[:20] + "..."
    return short if short.isprintable() else repr(short)


def iso_date(text: str) -> str | None:
    """Return a date in the form 2024-12-31, or None if the text is not an ISO 8601 date."""
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        return None
