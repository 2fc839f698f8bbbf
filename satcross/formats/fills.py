"""Reading somebody's fill, by the file's extension: what ``satcross check`` is given."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import Text, read_text
from satcross.formats.readers import check_readable, read_published
from satcross.formats.text import FULL_BLOCK, without_blank_end
from satcross.grid import BLOCKED
from satcross.verify import MISSING

_BLOCKED = f"#{FULL_BLOCK}"
_NO_LETTER = " _.?"


@dataclass(frozen=True, slots=True)
class GivenFill:
    """A filled grid as somebody wrote it down.

    ``rows`` are as ``verify_rows`` takes them; ``words`` (slot name -> word) where the file lists
    words, too.
    """

    rows: tuple[str, ...]
    words: Mapping[str, str] = field(default_factory=dict)


def read_fills(path: str) -> list[GivenFill]:
    """Read a file with one fill or, in our JSON, several.

    Raises InputError when it can't be read, or holds nothing that could be a fill.
    """
    extension = Path(path).suffix.lower()
    reader = READERS.get(extension, read_text_fill)
    return reader(path)


def read_text_fill(path: str) -> list[GivenFill]:
    """A line a row, as CS50 prints it or as our JSON has the rows.

    A full block or ``#`` is a blocked cell; a blank, ``_``, ``.`` or ``?`` a cell without a letter.
    """
    check_readable(path)
    source = read_text(path)
    lines = unicodedata.normalize("NFC", source.text).splitlines()
    if not source.text.strip():
        raise InputError("the fill is empty", "write a line a row", file=source.name)
    lines = without_blank_end(lines)
    width = max(map(len, lines))
    return [GivenFill(tuple(_row(line, width) for line in lines))]


def read_json_fill(path: str) -> list[GivenFill]:
    """What ``satcross solve --json`` prints, also with ``--count``."""
    from satcross.formats.json import parse_json

    source = read_text(path)
    data = parse_json(source.text, source.name)
    if isinstance(data, dict) and isinstance(data.get("fills"), list):
        entries = data["fills"]
    else:
        entries = [data]
    if isinstance(data, dict) and data.get("status") in ("unfillable", "unknown"):
        raise InputError(f"holds no fill: its status is {data['status']}", file=source.name)
    if not entries:
        raise InputError("holds no fill", file=source.name)
    return [_from_data(entry, source) for entry in entries]


def _from_data(entry: object, source: Text) -> GivenFill:
    try:
        rows: list[str] = entry["grid"]  # type: ignore[index]
        slots = entry.get("slots", [])  # type: ignore[attr-defined]
        words = {slot["name"]: slot["word"] for slot in slots if slot["word"] is not None}
    except (AttributeError, KeyError, TypeError):
        rows, words = [], {}
    texts = [*rows, *words, *words.values()] if isinstance(rows, list) else [None]
    if not rows or not all(isinstance(text, str) for text in texts):
        raise InputError(
            "not as satcross writes a fill", "give what solve --json prints", file=source.name
        )
    rows = [unicodedata.normalize("NFC", row) for row in rows]
    width = max(map(len, rows))
    return GivenFill(
        tuple(_row(row, width) for row in rows),
        {name: unicodedata.normalize("NFC", word.upper()) for name, word in words.items()},
    )


def _row(line: str, width: int) -> str:
    # Editors take away blanks at the end of a line.
    return "".join(map(_cell, line.ljust(width)))


def _cell(character: str) -> str:
    if character in _BLOCKED:
        return "#"
    if character in _NO_LETTER:
        return MISSING
    upper = character.upper()
    return upper if len(upper) == 1 else character


def read_crossword_fill(path: str) -> list[GivenFill]:
    """The solution in a file of one of the published formats.

    Where it has none, what its player has filled in. Raises InputError for a solution that is
    scrambled or has cells of several letters.
    """
    found = read_published(path)
    if found.lacking:
        raise InputError(found.lacking, "give one that is open, with one letter a cell", file=path)
    crossword = found.crossword
    filled = any(letter for row in crossword.solution for letter in row)
    letters = crossword.solution if filled else Crossword.of(crossword.grid).solution
    rows = (
        "".join(
            BLOCKED if cell == BLOCKED else letter or MISSING
            for cell, letter in zip(*pair, strict=True)
        )
        for pair in zip(crossword.grid.rows, letters, strict=True)
    )
    return [GivenFill(tuple(rows))]


READERS: dict[str, Callable[[str], list[GivenFill]]] = {
    ".json": read_json_fill,
    ".puz": read_crossword_fill,
    ".ipuz": read_crossword_fill,
    ".xd": read_crossword_fill,
    ".html": read_crossword_fill,
}
"""Extension -> reader; any other extension is text. A new format is a line here."""
