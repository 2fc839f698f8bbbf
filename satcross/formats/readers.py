"""Which file formats a crossword is read from, by extension."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import Published
from satcross.formats.files import read_text
from satcross.formats.text import FULL_BLOCK, Structure, parse_printed_crossword, parse_structure
from satcross.grid import BLOCKED, OPEN, Grid

READERS = {
    ".puz": "satcross.formats.puz:read_published",
    ".ipuz": "satcross.formats.ipuz:read_published",
    ".xd": "satcross.formats.xd:read_published",
    ".json": "satcross.formats.json:read_published",
    ".html": "satcross.formats.html:read_published",
}
"""Extension -> ``read(path)``; any other file is text. A new format is a line here."""

ONLY_WRITTEN = (".png", ".svg", ".pdf")
"""Extensions of files that show a crossword and can't be read back."""


def read_crossword(path: str | PathLike[str], *, letters: bool = False) -> Crossword:
    """Read a crossword: .puz, .ipuz, .xd, our .json, or text (a structure, or a printed grid).

    ``letters``: letters in a structure file are given letters, not blocked cells as in CS50.
    Raises InputError, in one line, for anything that can't be read.
    """
    return read_published(fspath(path), letters=letters).crossword


def read_published(path: str, *, letters: bool = False) -> Published:
    """The same, with what is worth knowing about the file."""
    check_readable(path)
    extension = Path(path).suffix.lower()
    if extension not in READERS:
        from satcross.formats.text import read_published as read_text

        return read_text(path, letters=letters)
    module, _, name = READERS[extension].partition(":")
    read: Callable[[str], Published] = getattr(import_module(module), name)
    return read(path)


def check_readable(path: str) -> None:
    """Raise InputError for a picture or printed page, whatever is in it."""
    suffix = Path(path).suffix.lower()
    if suffix in ONLY_WRITTEN:
        raise InputError(
            f"{suffix} is written but can't be read", f"give text, {', '.join(READERS)}", file=path
        )


def read_structure(path: str, *, letters: bool) -> Structure:
    """Read a structure file, or take the block pattern of a crossword or a printed grid.

    A printed grid is text with a full block and no open cell; as a structure it would have no slot.
    """
    check_readable(path)
    if Path(path).suffix.lower() in READERS:
        return structure_of(read_published(path), letters=letters)
    source = read_text(path)
    if FULL_BLOCK in source.text and OPEN not in source.text:
        return structure_of(parse_printed_crossword(source), letters=letters)
    return parse_structure(source, letters=letters)


def structure_of(found: Published, *, letters: bool) -> Structure:
    """The grid of a published crossword, to be filled anew, with what its reader may want to know.

    With ``letters`` it keeps the letters it gives, and those of a solution that is unfinished.
    """
    crossword = found.crossword
    grid = crossword.grid
    cells = [(row, column) for row in range(grid.height) for column in range(grid.width)]
    opened = [cell for cell in cells if grid.rows[cell[0]][cell[1]] != BLOCKED]
    kept = {cell: letter for cell in opened if (letter := grid.given(cell)) is not None}
    solved = {cell: letter for cell in opened if (letter := crossword.solution[cell[0]][cell[1]])}
    if len(solved) < len(opened) and not found.lacking:
        kept = solved | kept
    notes = list(found.notes)
    if kept and not letters:
        letter = "1 letter is" if len(kept) == 1 else f"{len(kept)} letters are"
        notes.append(f"{letter} not taken; use --letters to have them locked")
        kept = {}
    rows = [
        "".join(
            BLOCKED if cell == BLOCKED else kept.get((row, column), OPEN)
            for column, cell in enumerate(line)
        )
        for row, line in enumerate(grid.rows)
    ]
    return Structure(Grid(tuple(rows), grid.left_out), tuple(notes))
