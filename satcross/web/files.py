"""Published crosswords on their way in and out of the page."""

from __future__ import annotations

import gzip
import io
import tempfile
import zlib
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import clean
from satcross.formats.readers import READERS, import_crossword
from satcross.formats.writers import WRITERS, write_crossword
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


def export_crossword(asked: Export) -> tuple[bytes, list[str]]:
    """The crossword as a file of the format, and what the format does not keep of it.

    Raises InputError for a crossword that is none.
    """
    crossword = _crossword(asked.sheet)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"crossword{asked.format}")
        try:
            lost = write_crossword(crossword, path, asked.style, paper=asked.paper)
        except InputError as error:
            raise _nameless(error) from None
        return path.read_bytes(), lost


def _crossword(data: SheetData) -> Crossword:
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
        return Crossword(grid, letters, clues, circled=circled, **texts)
    except ValueError as error:
        raise InputError(str(error)) from None


def import_upload(data: bytes, extension: str, most: int) -> Imported:
    """What a file of that extension holds. Raises InputError when we can't take it."""
    content = unpack(data, most)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"upload{extension if extension in READERS else '.txt'}")
        path.write_bytes(content)
        try:
            found = import_crossword(str(path), letters=True)
        except InputError as error:
            raise _nameless(error) from None
    crossword = found.crossword
    height, width = crossword.grid.height, crossword.grid.width
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
        for both in zip(crossword.grid.rows, crossword.solution, strict=True)
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
