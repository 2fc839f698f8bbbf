"""The formats of crosswords, by extension: one line for each here, and a kind in ``sniff``."""

from __future__ import annotations

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
with pages also take ``paper``), and ``parse_crossword``, which takes a ``Text`` (.puz: ``Data``)
and returns an ``ImportedCrossword``; ``sniff`` tells by the content which module reads a file."""

WRITE_ONLY = (".png", ".svg", ".pdf")
"""Extensions that satcross writes and can't read."""

TEXT = ".txt"
"""The extension of text; files with an extension that is in no registry are read as text, too."""
