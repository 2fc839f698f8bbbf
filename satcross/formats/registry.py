"""The formats of crosswords, by extension: one line for each, and one for how it begins."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from satcross.errors import InputError
from satcross.support.plug_ins import FORMATS as PLUGGED_IN
from satcross.support.plug_ins import load_plug_in, plug_ins

FORMATS = {
    ".png": "satcross.formats.drawing.png",
    ".svg": "satcross.formats.drawing.svg",
    ".pdf": "satcross.formats.drawing.pdf",
    ".puz": "satcross.formats.puz",
    ".ipuz": "satcross.formats.ipuz",
    ".xd": "satcross.formats.xd",
    ".jpz": "satcross.formats.jpz",
    ".exolve": "satcross.formats.exolve",
    ".json": "satcross.formats.json",
    ".html": "satcross.formats.html",
    ".txt": "satcross.formats.text",
}
"""Extension -> module.

The module has ``write_crossword``, which takes a crossword, a path and a style (writers of formats
with pages also take ``paper``), and, unless the extension is in ``WRITE_ONLY``,
``parse_crossword``, which takes a ``Text`` (.puz: ``Data``) and returns an ``ImportedCrossword``;
``sniff`` tells by the content which module reads a file."""

HEADINGS: dict[str, str] = {}
"""First line -> extension, of the formats of text that begin with a line of their own."""

WRITE_ONLY = (".png", ".svg", ".pdf")
"""Extensions that satcross writes and can't read."""

TEXT = ".txt"
"""The extension of text; files with an extension that is in no registry are read as text, too."""

STYLES = ("fill", "puzzle", "solution", "newspaper")
"""What a picture or page shows: the fill as CS50 draws it; the empty grid with numbers; the grid
with numbers and letters; the empty grid with the clues beside it."""

PAPERS = ("a4", "letter")
"""Page sizes, for the formats that have pages."""

PRINTED = (".pdf", ".html")
"""Extensions of pages that are printed."""

_OURS = ("", ".cfp", *FORMATS)


def is_plugged_in(extension: str) -> bool:
    """Whether another package adds the format with this extension."""
    return extension not in _OURS and extension in plug_ins(PLUGGED_IN)


def plugged_in(extension: str) -> ModuleType:
    """Return the module of a format that another package adds, as the modules above are."""
    module: ModuleType = load_plug_in(plug_ins(PLUGGED_IN)[extension])
    return module


def check_extension(path: str, extensions: Iterable[str]) -> None:
    """Raise InputError unless the path has one of the extensions."""
    suffix = Path(path).suffix.lower()
    if suffix not in extensions and not (extensions is FORMATS and is_plugged_in(suffix)):
        problem = f"satcross can't write {suffix or 'a file without an extension'}"
        raise InputError(problem, f"choose {', '.join(extensions)}", file=path)
