"""Which file formats a sheet can be written in, by extension."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from satcross.sheet import Sheet

STYLES = ("fill", "puzzle", "solution", "newspaper")
"""What a picture or page shows: the fill as CS50 draws it; the empty grid with numbers; the grid
with numbers and letters; the empty grid with its clues beside it."""

WRITERS = {
    ".png": "satcross.formats.png:write_sheet",
    ".svg": "satcross.formats.svg:write_sheet",
    ".pdf": "satcross.formats.pdf:write_sheet",
    ".html": "satcross.formats.html:write_sheet",
    ".txt": "satcross.formats.text:write_sheet",
}
"""Extension -> ``write(sheet, path, style)``. A new format is a line here."""


def sheet_writer(extension: str) -> Callable[[Sheet, Path, str], None]:
    """The function that writes such files. Raises KeyError for an extension not in ``WRITERS``.

    It takes the sheet, where to write, and one of ``STYLES``, which formats of data ignore.
    """
    module, _, name = WRITERS[extension].partition(":")
    write: Callable[[Sheet, Path, str], None] = getattr(import_module(module), name)
    return write
