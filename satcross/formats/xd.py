"""The .xd text format, version 3 (github.com/century-arcade/xd).

A file has sections for headers, grid, clues and notes, either under ``## Headings`` or separated by
two blank lines. If there is a Special header, lower-case letters are circled or shaded cells. The
format can't store prefilled letters or bars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import (
    ImportedCrossword,
    check_room,
    excerpt,
    iso_date,
    make_crossword,
    make_grid,
    note_unplaced_clues,
    read_letter,
    read_letters,
    read_limited_text,
)
from satcross.formats.files import Text
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell, Grid, Slot

_METADATA, _GRID, _CLUES, _NOTES = "metadata", "grid", "clues", "notes"
_SECTIONS = (_METADATA, _GRID, _CLUES, _NOTES)
_CLUE = re.compile(r"([A-Z]?)(\d+)\.(.*)", re.DOTALL | re.ASCII)
_CLUE_DATA = re.compile(r"[A-Z]?\d+\s+\^", re.ASCII)
_MARKUP = re.compile(r"\{([/*_-])([^{}]*)\1\}")
_HOLE = "_"
_BLOCKS = f"{BLOCKED}{_HOLE}"
_EMPTY = "."
_NO_CLUE = "[XXX]"  # as the tools of the format write it
_TEXTS = {"title": "title", "author": "author", "copyright": "copyright", "date": "date"}
_SPECIAL, _REBUS = "special", "rebus"
_CIRCLE, _SHADED = "circle", "shaded"
_SPARE_KEYS = "123456789"
_LINE = re.compile("\r\n|\r|\n")

Line = tuple[int, str]
"""The number of a line in the file, from 1, and the line."""


def import_crossword(path: str) -> ImportedCrossword:
    """Read an .xd crossword.

    Raises InputError, with the line if possible, for a file that is not an .xd crossword.
    """
    source = read_limited_text(path)
    sections = _split(source)
    headers = _read_headers(source, sections[_METADATA])
    notes = list(source.notes)
    special = headers.pop(_SPECIAL, None)
    rebus = _read_rebus(source, headers.pop(_REBUS, (0, "")))
    rows, letters, marked, holes = _read_grid(source, sections[_GRID], rebus)
    if not rows:
        raise InputError(
            "is not an .xd crossword: it has no grid",
            "write headers, grid and clues with two blank lines between them",
            file=source.name,
        )
    texts = {}
    for key, (_, value) in headers.items():
        if key in _TEXTS:
            texts[_TEXTS[key]] = value
    if (day := texts.pop("date", "")) and (found := iso_date(day)) is not None:
        texts["date"] = found
    elif day:
        notes.append(f"ignored: {excerpt(day)}, which is not a date")
    if ignored := [key.capitalize() for key in headers if key not in _TEXTS]:
        notes.append(f"ignored: {', '.join(map(excerpt, ignored[:5]))}")
    decorations: dict[str, list[Cell]] = {"holes": holes}
    if special is not None:
        decorations["shaded" if special[1].lower() == _SHADED else "circled"] = marked
    grid = make_grid(source.name, rows, decorations)
    clues = _read_clues(source, sections[_CLUES], grid, notes)
    texts["notes"] = "\n".join(line for _, line in sections[_NOTES]).strip("\n")
    crossword = make_crossword(grid, letters, clues=clues, texts=texts)
    return ImportedCrossword(crossword, tuple(notes))


def _read_grid(
    source: Text, lines: Sequence[Line], rebus: Mapping[str, str]
) -> tuple[list[list[str]], list[list[str | None]], list[Cell], list[Cell]]:
    """Return the rows, the letters, the cells in lower case, and the holes."""
    rows: list[list[str]] = []
    letters: list[list[str | None]] = []
    marked: list[Cell] = []
    holes: list[Cell] = []
    for number, line in lines:
        check_room(source, number, rows, len(line))
        if rows and len(line) != len(rows[0]):
            raise InputError(
                f"the row has {len(line)} cells, the first row has {len(rows[0])}",
                "give every row the same number of cells",
                file=source.name,
                line=number,
            )
        marked += [(len(rows), column) for column, cell in enumerate(line) if cell.islower()]
        holes += [(len(rows), column) for column, cell in enumerate(line) if cell == _HOLE]
        try:
            letters.append([_read_cell(cell, rebus) for cell in line])
        except ValueError as error:
            raise InputError(
                str(error), "write one letter per cell", file=source.name, line=number
            ) from None
        rows.append([BLOCKED if cell in _BLOCKS else OPEN for cell in line])
    return rows, letters, marked, holes


def _split(source: Text) -> dict[str, list[Line]]:
    """Return the lines of each section; lines of grid, headers and clues are stripped."""
    lines = list(enumerate(_LINE.split(source.text), 1))
    first = next((line for _, line in lines if line.strip()), "")
    named = _heading(first) is not None
    sections = _split_at_headings(lines) if named else _split_at_blanks(lines)
    for key in (_METADATA, _GRID, _CLUES):
        sections[key] = [(number, line.strip()) for number, line in sections[key] if line.strip()]
    return sections


def _split_at_headings(lines: list[Line]) -> dict[str, list[Line]]:
    sections: dict[str, list[Line]] = {key: [] for key in _SECTIONS}
    current: list[Line] = []
    for number, line in lines:
        if (heading := _heading(line)) is not None:
            current = sections.get(heading, [])
        else:
            current.append((number, line))
    return sections


def _heading(line: str) -> str | None:
    """Return the name of the section that a line begins, in lower case, or None."""
    return line[2:].strip().lower() if line[:2] == "##" and line[2:3].isspace() else None


def _split_at_blanks(lines: list[Line]) -> dict[str, list[Line]]:
    sections: dict[str, list[Line]] = {key: [] for key in _SECTIONS}
    index, blank = 0, 0
    for number, line in lines:
        last = index == len(_SECTIONS) - 1
        if not line.strip() and not last:
            blank += 1
            continue
        if blank >= 2 and sections[_SECTIONS[index]]:
            index += 1
        blank = 0
        sections[_SECTIONS[index]].append((number, line))
    return sections


def _read_headers(source: Text, lines: list[Line]) -> dict[str, tuple[int, str]]:
    """Return the line number and value of each header, by name in lower case."""
    headers: dict[str, tuple[int, str]] = {}
    for number, line in lines:
        key, colon, value = line.partition(":")
        if not colon:
            raise InputError(
                f"{excerpt(line)} is not a header",
                "write Title: ..., and two blank lines before the grid",
                file=source.name,
                line=number,
            )
        headers.setdefault(key.strip().lower(), (number, value.strip()))
    return headers


def _read_rebus(source: Text, header: Line) -> dict[str, str]:
    """Parse a Rebus header such as ``1=HEART 2=DIAMOND`` into key -> letters."""
    number, text = header
    rebus = {}
    for part in text.split():
        key, equals, letters = part.partition("=")
        if len(key) != 1 or not equals or not letters:
            raise InputError(
                f"the Rebus header has {excerpt(part)}",
                "write KEY=LETTERS, such as 1=HEART",
                file=source.name,
                line=number,
            )
        rebus[key] = letters
    return rebus


def _read_cell(cell: str, rebus: Mapping[str, str]) -> str | None:
    if cell in rebus:
        return read_letters(rebus[cell])
    return None if cell in _BLOCKS or cell == _EMPTY else read_letter(cell)


def _read_clues(source: Text, lines: list[Line], grid: Grid, notes: list[str]) -> dict[str, str]:
    """Return the clue of each slot; append a remark to ``notes`` about clues without a slot."""
    names = {slot.name for slot in grid.slots}
    clues: dict[str, str] = {}
    unplaced: list[str] = []
    for number, line in lines:
        found = _CLUE.fullmatch(line)
        if not found:
            if _CLUE_DATA.match(line):
                continue
            raise InputError(
                f"{excerpt(line)} is not a clue",
                "write it as A1. clue ~ ANSWER",
                file=source.name,
                line=number,
            )
        group, position, rest = found.groups()
        clue, tilde, _ = f"{rest} ".rpartition(" ~ ")
        name = f"{position}{group}"
        if name in clues:
            notes.append(f"{group}{position} has two clues; the second is ignored")
            continue
        if name not in names:
            unplaced.append(f"{group}{position}")
            continue
        text = (clue if tilde else rest).strip()
        if text != _NO_CLUE:
            clues[name] = _MARKUP.sub(r"\2", text).replace("\\", "\n")
    notes += note_unplaced_clues(unplaced)
    return clues


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write an .xd crossword; ``writers`` documents the parameters."""
    path.write_bytes(crossword_to_text(crossword).encode("utf-8"))


def crossword_to_text(crossword: Crossword) -> str:
    """Return the .xd text of a crossword, with two blank lines between sections."""
    grid = crossword.grid
    if grid.bars:
        raise InputError(".xd can't store bars", "write .ipuz instead")
    # A lower-case letter decorates a cell, in one way for the whole file; others can't be.
    special = _CIRCLE if grid.circled or not grid.shaded else _SHADED
    marked = frozenset(
        (row, column)
        for row, column in grid.circled or grid.shaded
        if crossword.solution[row][column] is not None
    )
    rebus: dict[str, str] = {}
    rows = [
        "".join(
            _write_cell(crossword, (row, column), marked, rebus)
            for column in range(crossword.grid.width)
        )
        for row in range(crossword.grid.height)
    ]
    headers = {
        "Title": crossword.title,
        "Author": crossword.author,
        "Copyright": crossword.copyright,
    }
    headers["Date"] = crossword.date
    if marked:
        headers["Special"] = special
    headers["Rebus"] = " ".join(f"{key}={letter}" for key, letter in rebus.items())
    sections = [
        [f"{key}: {_one_line(text)}" for key, text in headers.items() if text] or ["Title:"],
        rows,
        [*_write_clues(crossword, ACROSS), "", *_write_clues(crossword, DOWN)],
    ]
    text = "\n\n\n".join("\n".join(section).strip("\n") for section in sections)
    return f"{text}\n\n\n{crossword.notes}\n" if crossword.notes else f"{text}\n"


def _write_cell(
    crossword: Crossword, cell: Cell, marked: frozenset[Cell], rebus: dict[str, str]
) -> str:
    """Return the character of a cell; letters with another meaning get a key in ``rebus``."""
    row, column = cell
    if crossword.grid.rows[row][column] == BLOCKED:
        return _HOLE if cell in crossword.grid.holes else BLOCKED
    letter = crossword.solution[row][column]
    if letter is None:
        return _EMPTY
    if cell not in marked:
        if letter not in ("#", "_", ".") and len(letter) == 1 and not (letter.islower() and marked):
            return letter
        return _key(letter, _SPARE_KEYS, crossword, rebus)
    lower = letter.lower()
    if len(letter) == 1 and lower != letter and len(lower) == 1 and lower.upper() == letter:
        return lower
    return _key(letter, "abcdefghijklmnopqrstuvwxyz", crossword, rebus)


def _key(letter: str, keys: str, crossword: Crossword, rebus: dict[str, str]) -> str:
    used = {known for row in crossword.solution for known in row if known}
    unavailable = used | {known.lower() for known in used} | set(rebus)
    for key in keys:
        if rebus.get(key) == letter:
            return key
    for key in keys:
        if key not in unavailable:
            rebus[key] = letter
            return key
    raise InputError(f".xd can't store the letter {letter!r}", "write .ipuz instead")


def _write_clues(crossword: Crossword, direction: str) -> Iterator[str]:
    for slot in crossword.grid.slots:
        if slot.direction == direction:
            clue = _one_line(crossword.clues.get(slot.name, ""), "\\")
            yield f"{direction[0].upper()}{slot.name[:-1]}. {clue} ~ {_answer(crossword, slot)}"


def _answer(crossword: Crossword, slot: Slot) -> str:
    return "".join(crossword.solution[row][column] or _EMPTY for row, column in slot.places)


def _one_line(text: str, separator: str = " ") -> str:
    return separator.join(_LINE.split(text)).strip()
