"""Which file formats a sheet is read from, by extension."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path

from satcross.formats.published import Published
from satcross.sheet import Sheet

READERS = {
    ".puz": "satcross.formats.puz:read_published",
    ".ipuz": "satcross.formats.ipuz:read_published",
    ".xd": "satcross.formats.xd:read_published",
    ".json": "satcross.formats.json:read_published",
    ".html": "satcross.formats.html:read_published",
}
"""Extension -> ``read(path)``; any other file is text. A new format is a line here."""


def read_sheet(path: str | PathLike[str], *, letters: bool = False) -> Sheet:
    """Read a crossword: .puz, .ipuz, .xd, our .json, or text (a structure, or a printed grid).

    ``letters``: letters in a structure file are given letters, not blocked cells as in CS50.
    Raises InputError, in one line, for anything that can't be read.
    """
    return read_published(fspath(path), letters=letters).sheet


def read_published(path: str, *, letters: bool = False) -> Published:
    """The same, with what is worth knowing about the file."""
    extension = Path(path).suffix.lower()
    if extension not in READERS:
        from satcross.formats.text import read_published as read_text

        return read_text(path, letters=letters)
    module, _, name = READERS[extension].partition(":")
    read: Callable[[str], Published] = getattr(import_module(module), name)
    return read(path)
