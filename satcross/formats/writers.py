"""Which file formats a sheet can be written in, by extension."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path

from satcross.errors import InputError
from satcross.formats.files import check_writable, write_atomically
from satcross.formats.readers import READERS, read_sheet
from satcross.sheet import Sheet

STYLES = ("fill", "puzzle", "solution", "newspaper")
"""What a picture or page shows: the fill as CS50 draws it; the empty grid with numbers; the grid
with numbers and letters; the empty grid with its clues beside it."""

WRITERS = {
    ".png": "satcross.formats.png:write_sheet",
    ".puz": "satcross.formats.puz:write_sheet",
    ".ipuz": "satcross.formats.ipuz:write_sheet",
    ".xd": "satcross.formats.xd:write_sheet",
    ".json": "satcross.formats.json:write_sheet",
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


def write_sheet(sheet: Sheet, path: str | PathLike[str], style: str = STYLES[0]) -> list[str]:
    """Write a crossword by the path's extension, all or nothing.

    Returns what was not kept: a file that can be read is read again and compared. Raises InputError
    for an extension not in ``WRITERS``, a style not in ``STYLES``, and what can't be written.
    """
    name = fspath(path)
    extension = Path(name).suffix.lower()
    check_extension(name, WRITERS)
    if style not in STYLES:
        raise InputError(f"no style {style}", f"choose {', '.join(STYLES)}")
    check_writable(name)
    write = sheet_writer(extension)
    kept: list[Sheet] = []

    def fill(beside: Path) -> None:
        write(sheet, beside, style)
        if extension in READERS:
            kept.append(read_sheet(beside))

    try:
        write_atomically(name, fill)
    except UnicodeEncodeError:
        raise InputError("half a character in a text", "mend the text", file=name) from None
    except InputError as error:
        raise InputError(error.problem, error.remedy, file=name) from None
    return [lost for back in kept for lost in sheet.differences(back)]


def check_extension(path: str, able: Iterable[str]) -> None:
    """Raise InputError unless the file has one of those extensions."""
    suffix = Path(path).suffix.lower()
    if suffix not in able:
        raise InputError(
            f"can't write {suffix or 'a file without an extension'}",
            f"choose {', '.join(able)}",
            file=path,
        )
