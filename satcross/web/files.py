"""Published crosswords on their way in and out of the page."""

from __future__ import annotations

import gzip
import io
import tempfile
import zlib
from pathlib import Path

from satcross.crossword import Sheet
from satcross.errors import InputError
from satcross.formats.common import clean
from satcross.formats.readers import READERS, read_published
from satcross.formats.writers import WRITERS, write_sheet
from satcross.grid import BLOCKED, OPEN
from satcross.web.limits import MOST_ROWS
from satcross.web.puzzles import read_grid
from satcross.web.schema import Export, Imported, SheetData

_GZIP_MAGIC = b"\x1f\x8b"


def export_formats() -> list[str]:
    """The extensions one may ask for."""
    return list(WRITERS)


def import_formats() -> list[str]:
    """The extensions of what is read; any other file is read as text, too."""
    return [".txt", *READERS]


def export_sheet(asked: Export) -> tuple[bytes, list[str]]:
    """The sheet as a file of the format, and what the format does not keep of it.

    Raises InputError for a sheet that is none.
    """
    sheet = _sheet(asked.sheet)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"crossword{asked.format}")
        try:
            lost = write_sheet(sheet, path, asked.style, paper=asked.paper)
        except InputError as error:
            raise _nameless(error) from None
        return path.read_bytes(), lost


def _sheet(data: SheetData) -> Sheet:
    grid, solution = read_grid(data.rows), read_grid(data.solution)
    if solution.structure != grid.structure:
        raise InputError("the solution does not have the grid's shape", "send both alike")
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
        return Sheet(grid, letters, clues, circled=circled, **texts)
    except ValueError as error:
        raise InputError(str(error)) from None


def import_sheet(data: bytes, extension: str, most: int) -> Imported:
    """What a file of that extension holds. Raises InputError when we can't take it."""
    content = unpack(data, most)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"upload{extension if extension in READERS else '.txt'}")
        path.write_bytes(content)
        try:
            found = read_published(str(path), letters=True)
        except InputError as error:
            raise _nameless(error) from None
    sheet = found.sheet
    height, width = sheet.grid.height, sheet.grid.width
    if max(height, width) > MOST_ROWS:
        raise InputError(
            f"the grid has {height} rows and {width} columns",
            f"take one with at most {MOST_ROWS} of each",
        )
    solution = [
        "".join(
            BLOCKED if cell == BLOCKED else letter or OPEN
            for cell, letter in zip(*both, strict=True)
        )
        for both in zip(sheet.grid.rows, sheet.solution, strict=True)
    ]
    return Imported(
        rows=list(sheet.grid.rows),
        solution=solution,
        clues=dict(sheet.clues),
        title=sheet.title,
        author=sheet.author,
        copyright=sheet.copyright,
        notes=sheet.notes,
        date=sheet.date,
        circled=sorted(sheet.circled),
        remarks=[*found.notes, *([found.lacking] if found.lacking else [])],
    )


def _nameless(error: InputError) -> InputError:
    """The same, without the name of our temporary file, which would say nothing."""
    return InputError(error.problem, error.remedy, file="the file", line=error.line)


def unpack(data: bytes, most: int) -> bytes:
    """A file's content, gzipped or not. Raises InputError when it is damaged, or beyond ``most``.

    A small file may unpack to a huge one, and that to another.
    """
    if not data.startswith(_GZIP_MAGIC):
        return data
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            content = stream.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"a damaged gzip file ({error})", "get a fresh copy of it") from None
    if len(content) > most:
        raise InputError(f"more than {most:,} bytes when unpacked", "give a smaller file")
    if content.startswith(_GZIP_MAGIC):
        raise InputError("gzipped twice", "unpack it once")
    return content
