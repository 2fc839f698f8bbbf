"""The open .ipuz format, version 2 (ipuz.org): JSON.

Its texts are HTML: the reader drops the common inline tags and resolves entities.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import (
    ImportedCrossword,
    check_size,
    excerpt,
    is_white,
    iso_date,
    make_crossword,
    make_grid,
    note_unplaced_clues,
    plain_text,
    read_letters,
    read_limited_text,
    read_prefilled,
)
from satcross.formats.json import dump_rows, parse_json
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Bar, Cell, Grid, describe_cell

VERSION = "http://ipuz.org/v2"
KIND = "http://ipuz.org/crossword#1"

_AMERICAN_DATE = re.compile(r"\s*(\d{1,2})/(\d{1,2})/(\d{4})\s*", re.ASCII)
_BLOCK_MARKS = ("#", "\N{FULL BLOCK}", "\N{BLACK SQUARE}")
_GREY = "d3d3d3"
_EMPTY_MARKS = ("0", "-", "\N{WHITE SQUARE}")
_UNSUPPORTED_FIELDS = (
    "editor",
    "publisher",
    "publication",
    "intro",
    "explanation",
    "difficulty",
    "url",
)

# Values of a solution cell that are not letters.
_BLOCK = "block"
_NULL = "null"


def import_crossword(path: str) -> ImportedCrossword:
    """Read an .ipuz crossword.

    The ``value`` of a cell of ``puzzle`` is a prefilled letter. Cells of several letters are left
    out of the solution, and ``solution_problem`` says so. Raises InputError for a file that is not
    an .ipuz crossword.
    """
    source = read_limited_text(path)
    data = parse_json(_unwrapped(source.text), source.name)
    try:
        return _from_data(data, source.name, source.notes)
    except RecursionError:
        raise InputError(
            "the JSON is nested too deeply", "give an .ipuz crossword", file=source.name
        ) from None
    except ValueError as error:
        raise InputError(str(error), "give an .ipuz crossword", file=source.name) from None


def _unwrapped(text: str) -> str:
    """Return the JSON within ``ipuz(...);``, the function call that version 1 files consist of."""
    call = text.strip()
    argument = call.removeprefix("ipuz").lstrip()
    if argument == call or not argument.startswith("("):
        return text
    return argument[1:].removesuffix(";").rstrip().removesuffix(")")


@dataclass(slots=True)
class _Pattern:
    """The field ``puzzle``: rows of the grid, label -> its first cell, and decorations."""

    rows: list[list[str]] = field(default_factory=list)
    labels: dict[str, Cell] = field(default_factory=dict)
    circled: list[Cell] = field(default_factory=list)
    shaded: list[Cell] = field(default_factory=list)
    holes: list[Cell] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)

    def decorate(self, cell: Cell, style: Mapping[str, object]) -> None:
        """Add the decorations of a cell's style."""
        row, column = cell
        if style.get("shapebg") == "circle":
            self.circled.append(cell)
        if style.get("highlight") or not is_white(style.get("color")):
            self.shaded.append(cell)
        sides = str(style.get("barred", "")).upper()
        before = {"T": (row - 1, column), "L": (row, column - 1)}
        after = {"B": (row + 1, column), "R": (row, column + 1)}
        self.bars += [(other, cell) for side, other in before.items() if side in sides]
        self.bars += [(cell, other) for side, other in after.items() if side in sides]

    def grid(self, name: str) -> Grid:
        """Return the grid. Raises InputError for one that satcross can't use."""
        decorations = {key: getattr(self, key) for key in ("circled", "shaded", "holes", "bars")}
        return make_grid(name, self.rows, decorations)


def _from_data(data: object, name: str, source_notes: tuple[str, ...]) -> ImportedCrossword:
    if not isinstance(data, dict) or not isinstance(data.get("kind"), list):
        raise ValueError("not an .ipuz crossword: it has no kind")
    kinds = " ".join(map(str, data["kind"]))
    if "crossword" not in kinds.lower():
        raise ValueError(f"not a crossword but {excerpt(kinds)}")
    notes = list(source_notes)
    puzzle, solved = _rows(data, "puzzle", name), _rows(data, "solution", name)
    if not solved and (solved := _rows(data, "saved", name)):
        notes.append("the file has no solution; the saved letters are used instead")
    if not puzzle and not solved:
        raise ValueError("not an .ipuz crossword: it has neither puzzle nor solution")
    rebus_cells: list[str] = []
    solution = [[_solution_cell(cell, data, rebus_cells) for cell in row] for row in solved]
    if "diagramless" in kinds.lower() and solved:
        notes.append("a diagramless puzzle; the blocked cells are taken from the solution")
        pattern = _read_pattern(puzzle, data)
        pattern.rows = _rows_of_solution(solution)
    elif puzzle:
        pattern = _read_pattern(puzzle, data)
        if solved:
            _check_blocks(pattern.rows, solution)
    else:
        pattern = _Pattern(_rows_of_solution(solution))
    letters = [[None if c in (_BLOCK, _NULL) else c for c in row] for row in solution]
    if not solved:
        letters = [[None] * len(row) for row in pattern.rows]
    _check_dimensions(data, pattern.rows)
    grid = pattern.grid(name)
    clues = _read_clues(data, grid, pattern.labels, notes)
    texts = {key: _text(data, key) for key in ("title", "author", "copyright", "notes")}
    texts["date"] = _read_date(_text(data, "date"), notes)
    ignored = [key for key in _UNSUPPORTED_FIELDS if data.get(key)]
    if ignored:
        notes.append(f"ignored: {', '.join(ignored)}")
    crossword = make_crossword(grid, letters, clues=clues, texts=texts)
    problem = f"the solution has several letters in a cell, {rebus_cells[0]}" if rebus_cells else ""
    return ImportedCrossword(crossword, tuple(notes), problem)


def _rows(data: Mapping[str, object], key: str, name: str) -> list[list[object]]:
    rows = data.get(key)
    if rows is None:
        return []
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise ValueError(f"not an .ipuz crossword: {key} is not a list of rows")
    check_size(name, len(rows), max(map(len, rows), default=0))
    return rows


def _read_pattern(puzzle: list[list[object]], data: Mapping[str, object]) -> _Pattern:
    found = _Pattern()
    block, empty = str(data.get("block", "#")), str(data.get("empty", "0"))
    for row, cells in enumerate(puzzle):
        line = []
        for column, entry in enumerate(cells):
            fields = entry if isinstance(entry, dict) else {}
            cell = fields.get("cell", 0) if isinstance(entry, dict) else entry
            if isinstance(cell, list | dict):
                raise ValueError(f"{describe_cell((row, column))} of the puzzle is not a cell")
            if cell is None or str(cell) == block:
                line.append(BLOCKED)
                if cell is None:
                    found.holes.append((row, column))
                continue
            value = fields.get("value")
            if value is not None and not isinstance(value, str):
                raise ValueError(
                    f"{describe_cell((row, column))} of the puzzle has a value that is not text"
                )
            has_letter = value not in (None, "", " ", empty)
            line.append(read_prefilled(str(value)) if has_letter else OPEN)
            if str(cell) not in (empty, "0", "", " "):
                found.labels.setdefault(str(cell), (row, column))
            found.decorate((row, column), _style(fields.get("style"), data))
        found.rows.append(line)
    return found


def _style(style: object, data: Mapping[str, object]) -> Mapping[str, object]:
    """Return the fields of a style, which may be the name of one in ``styles``."""
    if isinstance(style, str):
        named = data.get("styles")
        style = named.get(style) if isinstance(named, dict) else None
    return style if isinstance(style, dict) else {}


def _solution_cell(entry: object, data: Mapping[str, object], rebus_cells: list[str]) -> str | None:
    """Return a letter, ``_BLOCK``, ``_NULL``, or None for a cell without one letter.

    Appends the content of a cell of several letters to ``rebus_cells``.
    """
    cell = entry
    if isinstance(entry, dict):
        cell = entry.get("value", entry.get("cell", entry))
    if cell is None:
        return _NULL
    if isinstance(cell, list | dict):  # letters to choose from, or one for each direction
        rebus_cells.append(excerpt(str(cell)))
        return None
    if str(cell) == str(data.get("block", "#")):
        return _BLOCK
    if cell == 0 or str(cell) in (str(data.get("empty", "0")), "", "_", " "):
        return None
    return read_letters(str(cell))


def _rows_of_solution(solution: list[list[str | None]]) -> list[list[str]]:
    return [[BLOCKED if cell in (_BLOCK, _NULL) else OPEN for cell in row] for row in solution]


def _check_blocks(rows: list[list[str]], solution: list[list[str | None]]) -> None:
    """Raise ValueError unless puzzle and solution agree on what is blocked."""
    if [len(row) for row in rows] != [len(row) for row in solution]:
        raise ValueError("the puzzle and the solution differ in size")
    for row, cells in enumerate(zip(rows, solution, strict=True)):
        for column, (cell, letter) in enumerate(zip(*cells, strict=True)):
            solved = letter not in (None, _BLOCK, _NULL)
            if (cell == BLOCKED and solved) or (cell != BLOCKED and letter == _BLOCK):
                raise ValueError(
                    f"{describe_cell((row, column))} is blocked in only one of puzzle and solution"
                )


def _check_dimensions(data: Mapping[str, object], rows: list[list[str]]) -> None:
    dimensions = data.get("dimensions")
    if dimensions is None:
        return
    if not isinstance(dimensions, dict):
        raise ValueError("not an .ipuz crossword: dimensions lacks width and height")
    for key, actual in (("height", len(rows)), ("width", max(map(len, rows), default=0))):
        if dimensions.get(key, actual) != actual:
            value = excerpt(str(dimensions[key]))
            raise ValueError(f"the stated {key} is {value}, but the grid's is {actual}")


def _read_clues(
    data: Mapping[str, object], grid: Grid, labels: Mapping[str, Cell], notes: list[str]
) -> dict[str, str]:
    lists = data.get("clues")
    if lists is None:
        return {}
    if not isinstance(lists, dict) or not all(isinstance(each, list) for each in lists.values()):
        raise ValueError("clues does not map directions to lists")
    starts = {(slot.direction, slot.cells[0]): slot.name for slot in grid.slots}
    names = {slot.name for slot in grid.slots}
    clues: dict[str, str] = {}
    unplaced: list[str] = []
    for heading, entries in lists.items():
        direction = heading.partition(":")[0].strip().lower()
        inside = [slot.name for slot in grid.slots if slot.direction == direction]
        in_order = len(entries) == len(inside)
        for number, entry in enumerate(entries):
            label, clue = _read_clue(entry)
            name = None
            if label is None:
                name = inside[number] if in_order else None
            elif direction in (ACROSS, DOWN):
                usual_name = f"{label}{direction[0].upper()}"
                cell = labels.get(label)
                name = (
                    starts.get((direction, cell))
                    if cell
                    else usual_name
                    if usual_name in names
                    else None
                )
            if name is None or name in clues:
                unplaced.append(f"{label or ''} {heading}".strip())
            else:
                clues[name] = clue
    notes += note_unplaced_clues(unplaced)
    return clues


def _read_clue(entry: object) -> tuple[str | None, str]:
    """Return the label of the slot that a clue is for, None if it has none, and the clue."""
    label: object = None
    text: object = entry
    if isinstance(entry, list) and len(entry) >= 2:
        label, text = entry[:2]
    elif isinstance(entry, dict):
        label, text = entry.get("number", entry.get("label")), entry.get("clue", "")
        numbers = entry.get("numbers")
        if label is None and isinstance(numbers, list) and numbers:
            label = numbers[0]
    if not isinstance(text, str) or isinstance(label, list | dict):
        raise ValueError(f"not a clue: {excerpt(str(entry))}")
    return None if label is None else str(label), plain_text(text)


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} is not text")
    return plain_text(value or "")


def _read_date(text: str, notes: list[str]) -> str:
    american = _AMERICAN_DATE.fullmatch(text)
    if american:
        month, day, year = american.groups()
        text = f"{year}-{month:>02}-{day:>02}"
    found = iso_date(text)
    if found is None and text:
        notes.append(f"ignored: {excerpt(text)}, which is not a date")
    return found or ""


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write an .ipuz crossword; ``writers`` documents the parameters."""
    path.write_text(dump_rows(crossword_to_data(crossword)), encoding="utf-8")


def crossword_to_data(crossword: Crossword) -> dict[str, Any]:
    """Return the crossword as the JSON object that an .ipuz file holds."""
    letters = {letter for row in crossword.solution for letter in row}
    letters |= {letter for row in crossword.grid.rows for letter in row if letter != BLOCKED}
    block = next((mark for mark in _BLOCK_MARKS if mark not in letters), BLOCKED)
    mark = next((mark for mark in _EMPTY_MARKS if mark not in letters), "0")
    empty = 0 if mark == "0" else mark
    data: dict[str, Any] = {"version": VERSION, "kind": [KIND]}
    for key in ("title", "author", "copyright", "notes"):
        if getattr(crossword, key):
            data[key] = _marked_up(getattr(crossword, key))
    if (day := iso_date(crossword.date)) is not None:
        data["date"] = date.fromisoformat(day).strftime("%m/%d/") + day[:4]
    grid = crossword.grid
    data["dimensions"] = {"width": grid.width, "height": grid.height}
    data["block"], data["empty"] = block, mark
    data["puzzle"] = [
        [
            entry if cell != BLOCKED else None if (row, column) in grid.holes else block
            for column, (cell, entry) in enumerate(zip(*pair, strict=True))
        ]
        for row, pair in enumerate(zip(grid.rows, _puzzle_rows(crossword, empty), strict=True))
    ]
    if any(letter for row in crossword.solution for letter in row):
        data["solution"] = [
            [
                block if cell == BLOCKED else empty if letter is None else letter
                for cell, letter in zip(*pair, strict=True)
            ]
            for pair in zip(grid.rows, crossword.solution, strict=True)
        ]
    data["clues"] = {
        direction.title(): [
            [int(slot.name[:-1]), _marked_up(crossword.clues.get(slot.name, ""))]
            for slot in grid.slots
            if slot.direction == direction
        ]
        for direction in (ACROSS, DOWN)
    }
    return data


def _puzzle_rows(crossword: Crossword, empty: str | int) -> Iterator[list[object]]:
    numbers = {slot.cells[0]: int(slot.name[:-1]) for slot in crossword.grid.slots}
    for row in range(crossword.grid.height):
        line: list[object] = []
        for cell in ((row, column) for column in range(crossword.grid.width)):
            label: object = numbers.get(cell, empty)
            extras: dict[str, object] = {}
            if (letter := crossword.grid.given(cell)) is not None:
                extras["value"] = letter
            if style := _written_style(crossword.grid, cell):
                extras["style"] = style
            line.append({"cell": label, **extras} if extras else label)
        yield line


def _written_style(grid: Grid, cell: Cell) -> dict[str, str]:
    row, column = cell
    style = {"shapebg": "circle"} if cell in grid.circled else {}
    if cell in grid.shaded:
        style["color"] = _GREY
    sides = {"B": (row + 1, column), "R": (row, column + 1)}
    if barred := "".join(side for side, other in sides.items() if (cell, other) in grid.bars):
        style["barred"] = barred
    return style


def _marked_up(text: str) -> str:
    return html.escape(text, quote=False).replace("\n", "<br/>")
