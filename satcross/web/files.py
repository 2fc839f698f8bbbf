"""Import and export of crossword files for the page."""

from __future__ import annotations

import tempfile
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import clean
from satcross.formats.files import GZIP_MAGIC, decompress
from satcross.formats.readers import READERS, import_crossword
from satcross.formats.writers import WRITERS, write_crossword
from satcross.grid import BLOCKED, OPEN
from satcross.web.limits import MAX_ROWS
from satcross.web.puzzles import read_grid
from satcross.web.schema import Export, Imported, SheetData


def export_formats() -> list[str]:
    """Return the extensions of the formats that can be exported."""
    return list(WRITERS)


def import_formats() -> list[str]:
    """Return the extensions of the formats that can be imported; other files are read as text."""
    return [".txt", *READERS]


def export_crossword(export: Export) -> tuple[bytes, list[str]]:
    """Return the file content, and the parts of the crossword that the format can't store.

    Raises InputError for an invalid crossword.
    """
    crossword = _crossword(export.sheet)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"crossword{export.format}")
        try:
            lost = write_crossword(crossword, path, export.style, paper=export.paper)
        except InputError as error:
            raise _without_path(error) from None
        return path.read_bytes(), lost


def _crossword(data: SheetData) -> Crossword:
    grid, solution = read_grid(data.rows), read_grid(data.solution)
    if solution.structure != grid.structure:
        raise InputError(
            "the solution does not have the grid's shape",
            "send a solution with the same blocked cells",
        )
    letters = tuple(
        tuple(None if cell in (BLOCKED, OPEN) else cell for cell in row) for row in solution.rows
    )
    clues = {name.upper(): clean(clue) for name, clue in data.clues.items()}
    texts = {
        name: clean(getattr(data, name))
        for name in ("title", "author", "copyright", "notes", "date")
    }
    circled = frozenset((row, column) for row, column in data.circled)
    try:
        return Crossword(grid, letters, clues, circled=circled, **texts)
    except ValueError as error:
        raise InputError(str(error)) from None


def import_upload(data: bytes, extension: str, max_bytes: int) -> Imported:
    """Return the crossword in an uploaded file. Raises InputError for an unreadable file."""
    content = unpack(data, max_bytes)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"upload{extension if extension in READERS else '.txt'}")
        path.write_bytes(content)
        try:
            found = import_crossword(str(path), letters=True)
        except InputError as error:
            raise _without_path(error) from None
    crossword = found.crossword
    height, width = crossword.grid.height, crossword.grid.width
    if max(height, width) > MAX_ROWS:
        raise InputError(
            f"the grid has {height} rows and {width} columns",
            f"import a grid with at most {MAX_ROWS} of each",
        )
    solution = [
        "".join(
            BLOCKED if cell == BLOCKED else letter or OPEN
            for cell, letter in zip(cells, letters, strict=True)
        )
        for cells, letters in zip(crossword.grid.rows, crossword.solution, strict=True)
    ]
    return Imported(
        rows=list(crossword.grid.rows),
        solution=solution,
        clues=dict(crossword.clues),
        title=crossword.title,
        author=crossword.author,
        copyright=crossword.copyright,
        notes=crossword.notes,
        date=crossword.date,
        circled=sorted(crossword.circled),
        remarks=[*found.notes, *([found.solution_problem] if found.solution_problem else [])],
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
