"""Published crosswords on their way in and out of the page."""

from __future__ import annotations

import tempfile
import zlib
from pathlib import Path

from satcross.errors import InputError
from satcross.formats.files import Data, as_text
from satcross.formats.fills import READERS, read_fills
from satcross.formats.text import parse_structure
from satcross.formats.writers import WRITERS, sheet_writer
from satcross.grid import BLOCKED, OPEN
from satcross.sheet import Sheet
from satcross.web.limits import MOST_ROWS
from satcross.web.messages import Imported, SheetData
from satcross.web.questions import read_grid

_GZIP_MAGIC = b"\x1f\x8b"


def export_formats() -> list[str]:
    """The extensions one may ask for."""
    return list(WRITERS)


def export_sheet(data: SheetData, extension: str, style: str) -> bytes:
    """The sheet as a file of that format. Raises InputError for a sheet that is none."""
    grid = read_grid(data.rows)
    solution = read_grid(data.solution)
    if solution.structure != grid.structure:
        raise InputError("the solution does not have the grid's shape", "send both alike")
    try:
        sheet = Sheet(
            grid,
            tuple(
                tuple(None if cell in (BLOCKED, OPEN) else cell for cell in row)
                for row in solution.rows
            ),
            {name.upper(): clue for name, clue in data.clues.items()},
            data.title,
            data.author,
            data.copyright,
            data.notes,
        )
    except ValueError as error:
        raise InputError(str(error)) from None
    if extension not in WRITERS:
        raise InputError(f"can't write {extension}", f"choose {', '.join(WRITERS)}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"crossword{extension}")
        sheet_writer(extension)(sheet, path, style)
        return path.read_bytes()


def import_formats() -> list[str]:
    """The extensions that are read as something else than text."""
    return [".txt", *READERS]


def import_sheet(data: bytes, extension: str, most: int) -> Imported:
    """What a file of that extension holds. Raises InputError when we can't take it."""
    content = unpack(data, most)
    try:
        found = _read(content, extension)
    except InputError as error:  # the name of our temporary file would say nothing
        raise InputError(error.problem, error.remedy, file="the file", line=error.line) from None
    rows = found.rows
    if len(rows) > MOST_ROWS or max(map(len, rows)) > MOST_ROWS:
        raise InputError(
            f"the grid is {len(rows)}x{max(map(len, rows))}",
            f"take one of at most {MOST_ROWS}x{MOST_ROWS}",
            file="the file",
        )
    return found


def _read(content: bytes, extension: str) -> Imported:
    if extension in READERS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"upload{extension}")
            path.write_bytes(content)
            rows = read_fills(str(path))[0].rows
        structure = ["".join("#" if cell == "#" else "_" for cell in row) for row in rows]
        solution = [row.replace(" ", "_") for row in rows]
        return Imported(structure, solution, {}, "", "", "", "")
    grid = parse_structure(as_text(Data("the file", content)), letters=True).grid
    return Imported(list(grid.rows), list(grid.rows), {}, "", "", "", "")


def unpack(data: bytes, most: int) -> bytes:
    """A file's content, gzipped or not. Raises InputError when it is damaged, or beyond ``most``.

    A small file may unpack to a huge one, and that to another.
    """
    if not data.startswith(_GZIP_MAGIC):
        return data
    unpacker = zlib.decompressobj(wbits=31)
    try:
        content = unpacker.decompress(data, most)
    except zlib.error as error:
        raise InputError(f"a damaged gzip file ({error})", "get a fresh copy of it") from None
    if unpacker.unconsumed_tail:
        raise InputError(f"more than {most >> 20} MiB when unpacked", "give a smaller file")
    if content.startswith(_GZIP_MAGIC):
        raise InputError("gzipped twice", "unpack it once")
    return content
