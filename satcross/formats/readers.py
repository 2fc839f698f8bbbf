"""The crossword formats that can be read, and their readers, by extension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import ImportedCrossword, read_limited_text
from satcross.formats.decorated_text import is_decorated, parse_decorated
from satcross.formats.files import Text
from satcross.formats.registry import FORMATS, TEXT, WRITE_ONLY
from satcross.formats.text import FULL_BLOCK, Structure, parse_printed_crossword, parse_structure
from satcross.grid import BLOCKED, OPEN

READERS = {
    extension: f"{module}:import_crossword"
    for extension, module in FORMATS.items()
    if extension not in (*WRITE_ONLY, TEXT)
}
"""Extension -> ``module:function`` that reads a crossword. Any other extension is read as text."""


def read_crossword(path: str | PathLike[str], *, letters: bool = False) -> Crossword:
    """Read a crossword file: .puz, .ipuz, .xd, .jpz, .exolve, .json, .html, or text.

    Text is a structure or a printed grid. With ``letters``, letters in a structure are given
    letters; otherwise they are blocked cells, as in CS50. Raises InputError for a file that can't
    be read as a crossword.
    """
    return import_crossword(fspath(path), letters=letters).crossword


def import_crossword(path: str, *, letters: bool = False) -> ImportedCrossword:
    """Read a crossword file as ``read_crossword`` does, and also return remarks about the file."""
    check_readable(path)
    extension = Path(path).suffix.lower()
    if extension not in READERS:
        from satcross.formats.text import import_crossword as import_text

        return import_text(path, letters=letters)
    module, _, name = READERS[extension].partition(":")
    read: Callable[[str], ImportedCrossword] = getattr(import_module(module), name)
    return read(path)


def check_readable(path: str) -> None:
    """Raise InputError for the extensions of pictures and PDF, which satcross can't read."""
    suffix = Path(path).suffix.lower()
    if suffix in WRITE_ONLY:
        raise InputError(
            f"satcross writes {suffix} but can't read it",
            f"give text, {', '.join(READERS)}",
            file=path,
        )


def read_structure(path: str, *, letters: bool | None) -> Structure:
    """Read a structure file, or the block pattern of a crossword file or printed grid.

    Text with a full block and no open cell is a printed grid; a structure always has open cells.
    With ``letters``, letters in the file are given letters of the grid. Raises InputError for a
    file that can't be read.
    """
    check_readable(path)
    if Path(path).suffix.lower() in READERS:
        return to_structure(import_crossword(path), letters=letters)
    return parse_any_structure(read_limited_text(path), letters=letters)


def parse_any_structure(source: Text, *, letters: bool | None) -> Structure:
    """Parse a plain or decorated structure, or the block pattern of a printed grid.

    Raises InputError for a text that is none of these.
    """
    if is_decorated(source.text):
        return to_structure(parse_decorated(source), letters=True)
    if FULL_BLOCK in source.text and OPEN not in source.text:
        return to_structure(parse_printed_crossword(source), letters=letters)
    return parse_structure(source, letters=letters)


def to_structure(imported: ImportedCrossword, *, letters: bool | None) -> Structure:
    """Return the grid of an imported crossword, without its fill.

    With ``letters``, or None, the prefilled letters and those of an unfinished solution become
    given letters of the grid.
    """
    crossword = imported.crossword
    grid = crossword.grid
    cells = [(row, column) for row in range(grid.height) for column in range(grid.width)]
    opened = [cell for cell in cells if grid.rows[cell[0]][cell[1]] != BLOCKED]
    retained = {cell: letter for cell in opened if (letter := grid.given(cell)) is not None}
    prefilled = frozenset(retained)
    solved = {cell: letter for cell in opened if (letter := crossword.solution[cell[0]][cell[1]])}
    if len(solved) < len(opened) and not imported.solution_problem:
        retained = solved | retained
    notes = list(imported.notes)
    if retained and letters is False:
        ignored = "1 letter is" if len(retained) == 1 else f"{len(retained)} letters are"
        notes.append(f"{ignored} ignored; with --letters they are given letters")
        retained = {}
    rows = [
        "".join(
            BLOCKED if cell == BLOCKED else retained.get((row, column), OPEN)[0]
            for column, cell in enumerate(line)
        )
        for row, line in enumerate(grid.rows)
    ]
    rebus = frozenset((cell, letters) for cell, letters in retained.items() if len(letters) > 1)
    grid = replace(grid.with_rows(rows), rebus=rebus)
    return Structure(grid, tuple(notes), prefilled)
