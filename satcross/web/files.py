"""Import and export of crossword files for the page."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from satcross.crossword import ITALIC, UPRIGHT, Clue, Crossword
from satcross.errors import InputError
from satcross.formats.common import clean
from satcross.formats.drawing import layout, sheet
from satcross.formats.drawing.pdf import write_pages
from satcross.formats.files import GZIP_MAGIC, Data, decompress
from satcross.formats.markup import with_italics
from satcross.formats.readers import READERS, import_data
from satcross.formats.writers import write_crossword
from satcross.grid import BLOCKED, OPEN, Cell
from satcross.web.limits import MAX_ROWS
from satcross.web.protocol import Written, for_the_page
from satcross.web.puzzles import read_grid
from satcross.web.schema import Bars, CrosswordData, Export, Imported, RebusCell, Sheet

_TEXTS = ("title", "author", "copyright", "notes", "date", "language")
_MARKS = ("circled", "shaded", "holes")
_ITALICS = re.compile("<i>(.*?)</i>", re.DOTALL)


IMPORTS = (".txt", *READERS)
"""The extensions of the formats that can be imported; other files are read as text."""


def export_crossword(export: Export) -> Written:
    """Return the file content, and the parts of the crossword that the format can't store.

    Raises InputError for an invalid crossword.
    """
    crossword = crossword_from_data(export.crossword)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"crossword{export.format}")
        try:
            lost = write_crossword(crossword, path, export.style, paper=export.paper)
        except InputError as error:
            raise _without_path(error) from None
        return Written(path.read_bytes(), list(map(for_the_page, lost)))


def crossword_from_data(data: CrosswordData) -> Crossword:
    """Return the crossword of a request. Raises InputError for an invalid one."""
    grid = read_grid(data.rows, data.bars)
    solution = read_grid(data.solution, data.bars, data.rebus)
    if solution.structure != grid.structure:
        raise InputError(
            "the solution does not have the grid's shape",
            "send a solution with the same blocked cells",
        )
    height, width = range(grid.height), range(grid.width)
    letters = tuple(tuple(solution.content((r, c)) for c in width) for r in height)
    clues = {name.upper(): clue_of(text) for name, text in data.clues.items()}
    texts: dict[str, Any] = {name: clean(getattr(data, name)) for name in _TEXTS}
    try:
        marks: dict[str, Any] = {name: _cells(getattr(data, name)) for name in _MARKS}
        return Crossword(replace(grid, **marks), letters, clues, **texts)
    except ValueError as error:
        raise InputError(str(error)) from None


def clue_of(text: str) -> Clue:
    """Return a clue of the page, where ``<i>`` and ``</i>`` stand around what is in italics."""
    return Clue(_ITALICS.sub(rf"{ITALIC}\1{UPRIGHT}", clean(text)))


def _cells(positions: Iterable[Sequence[int]]) -> frozenset[Cell]:
    return frozenset((row, column) for row, column in positions)


def import_upload(data: bytes, extension: str, max_bytes: int) -> Imported:
    """Return the crossword in an uploaded file. Raises InputError for an unreadable file."""
    content = unpack(data, max_bytes)
    try:
        found = import_data(Data(f"upload{extension}", content), letters=True)
    except InputError as error:
        raise _without_path(error) from None
    crossword = found.crossword
    height, width = crossword.grid.height, crossword.grid.width
    if height > MAX_ROWS and not crossword.clues and all(map(all, crossword.solution)):
        raise InputError("is a list of words of one length", "add it as a list", file="the file")
    if max(height, width) > MAX_ROWS:
        raise InputError(
            f"the grid has {height} rows and {width} columns",
            f"import a grid with at most {MAX_ROWS} of each",
        )
    notes = [*found.notes, *([found.solution_problem] if found.solution_problem else [])]
    if lost := _lost(crossword):
        notes.append(f"the page does not keep {', '.join(lost)}")
    return crossword_to_data(crossword, map(for_the_page, notes))


def _lost(crossword: Crossword) -> list[str]:
    """Return what the page has no place for."""
    clues = list(map(Clue.of, crossword.clues.values()))
    parts = {
        "clues for no slot": crossword.other_clues,
        "the colours of shaded cells": crossword.colours,
        "which slots a clue continues in": any(clue.also for clue in clues),
    }
    return [name for name, is_there in parts.items() if is_there]


def crossword_to_data(crossword: Crossword, remarks: Iterable[str] = ()) -> Imported:
    """Return a crossword as the page gets it."""
    grid = crossword.grid
    # The letters of a structure's rebus cells may not be in its solution.
    rebus = dict(grid.rebus) | dict(crossword.rebus)
    solution = [
        "".join(
            BLOCKED if cell == BLOCKED else (rebus.get((row, column)) or letter or OPEN)[0]
            for column, (cell, letter) in enumerate(zip(cells, letters, strict=True))
        )
        for row, (cells, letters) in enumerate(zip(grid.rows, crossword.solution, strict=True))
    ]
    bars = sorted(grid.bars)
    right = tuple(cell for cell, end in bars if end[0] == cell[0])
    below = tuple(cell for cell, end in bars if end[0] > cell[0])
    texts: dict[str, Any] = {name: getattr(crossword, name) for name in _TEXTS}
    marks: dict[str, Any] = {name: tuple(sorted(getattr(grid, name))) for name in _MARKS}
    return Imported(
        rows=grid.rows,
        solution=tuple(solution),
        clues={name: with_italics(Clue.of(clue).marked) for name, clue in crossword.clues.items()},
        bars=Bars(right, below),
        rebus=tuple(RebusCell(*cell, letters) for cell, letters in sorted(rebus.items())),
        remarks=tuple(remarks),
        **texts,
        **marks,
    )


def _without_path(error: InputError) -> InputError:
    """Return the error with "the file" in place of the name of a temporary file."""
    return InputError(error.problem, error.remedy, file="the file", line=error.line)


def unpack(data: bytes, max_bytes: int) -> bytes:
    """Return the content of a file, decompressed if it is gzipped.

    Raises InputError for a damaged file, for more than ``max_bytes`` bytes, and for a file gzipped
    twice, which could decompress to any size.
    """
    if not data.startswith(GZIP_MAGIC):
        return data
    content = decompress(data, "the file", max_bytes)
    if content.startswith(GZIP_MAGIC):
        raise InputError("is gzipped twice", "decompress it once", file="the file")
    return content


def print_pages(order: Sheet) -> Written:
    """Return the PDF of a sheet. Raises InputError for an invalid crossword."""
    crossword, paper = crossword_from_data(order.crossword), layout.PAPERS[order.paper]
    address = order.address if order.show == "submission" else None
    how = sheet.Sheet(order.large, order.name_line, order.word_bank, order.answer_key, address)
    style = "newspaper" if any(crossword.clues.values()) else "puzzle"
    shown = style if order.show == "puzzle" else order.show
    drawings = sheet.puzzle_pages(crossword, shown, paper, how)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pages.pdf")
        write_pages(drawings, path, crossword.title, crossword.author)
        return Written(path.read_bytes(), [])
