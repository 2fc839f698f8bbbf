"""Which file formats a crossword can be written in, by extension."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import check_writable, write_atomically
from satcross.formats.readers import ONLY_WRITTEN, read_crossword

STYLES = ("fill", "puzzle", "solution", "newspaper")
"""What a picture or page shows: the fill as CS50 draws it; the empty grid with numbers; the grid
with numbers and letters; the empty grid with its clues beside it."""

USUAL_STYLES = {".pdf": "newspaper"}
"""Extension -> the style of such files when none is named; of the others it is the fill."""

PAPERS = ("a4", "letter")
"""The sizes of pages, for the formats that have pages."""
_PAGED = (".pdf",)
_OUR_FONT = (".png", ".pdf")
_MOST_SHOWN = 10

WRITERS = {
    ".png": "satcross.drawing.png:write_crossword",
    ".svg": "satcross.drawing.svg:write_crossword",
    ".pdf": "satcross.drawing.pdf:write_crossword",
    ".html": "satcross.formats.html:write_crossword",
    ".puz": "satcross.formats.puz:write_crossword",
    ".ipuz": "satcross.formats.ipuz:write_crossword",
    ".xd": "satcross.formats.xd:write_crossword",
    ".json": "satcross.formats.json:write_crossword",
    ".txt": "satcross.formats.text:write_crossword",
}
"""Extension -> ``write(crossword, path, style)``; formats with pages take the paper, too.

A new format is one line here."""


def crossword_writer(
    extension: str, paper: str = PAPERS[0]
) -> Callable[[Crossword, Path, str], None]:
    """The function that writes such files. Raises KeyError for an extension not in ``WRITERS``.

    It takes the crossword, where to write, and one of ``STYLES``, which formats of data ignore.
    """
    module, _, name = WRITERS[extension].partition(":")
    write: Callable[..., None] = getattr(import_module(module), name)
    return partial(write, paper=paper) if extension in _PAGED else write


def write_crossword(
    crossword: Crossword,
    path: str | PathLike[str],
    style: str | None = None,
    *,
    paper: str = PAPERS[0],
) -> list[str]:
    """Write a crossword by the path's extension, all or nothing.

    ``style`` is one of ``STYLES`` (None: the usual one of the format), ``paper`` one of ``PAPERS``;
    formats they say nothing to pass over them. Returns what was not kept: a file that can be read
    is read again and compared. Raises InputError for an extension not in ``WRITERS``, an unknown
    style or paper, and what can't be written.
    """
    name = fspath(path)
    extension = Path(name).suffix.lower()
    check_extension(name, WRITERS)
    style = style or USUAL_STYLES.get(extension, STYLES[0])
    if style not in STYLES:
        raise InputError(f"no style {style}", f"choose {', '.join(STYLES)}")
    if paper not in PAPERS:
        raise InputError(f"no paper {paper}", f"choose {', '.join(PAPERS)}")
    check_writable(name)
    write = crossword_writer(extension, paper)
    kept: list[Crossword] = []

    def fill(beside: Path) -> None:
        write(crossword, beside, style)
        if extension not in ONLY_WRITTEN:
            kept.append(read_crossword(beside))

    try:
        write_atomically(name, fill)
    except UnicodeEncodeError:
        raise InputError("half a character in a text", "mend the text", file=name) from None
    except InputError as error:
        raise InputError(error.problem, error.remedy, file=name) from None
    lost = [field for back in kept for field in crossword.differences(back)]
    return lost + _unprintable(crossword, style) if extension in _OUR_FONT else lost


def _unprintable(crossword: Crossword, style: str) -> list[str]:
    from satcross.drawing.layout import texts
    from satcross.drawing.shapes import missing

    gone = missing("".join(texts(crossword, style)))
    shown = " ".join(gone[:_MOST_SHOWN]) + (" ..." if len(gone) > _MOST_SHOWN else "")
    return [f"what the font of our pictures lacks: {shown}"] if gone else []


def check_extension(path: str, able: Iterable[str]) -> None:
    """Raise InputError unless the file has one of those extensions."""
    suffix = Path(path).suffix.lower()
    if suffix not in able:
        raise InputError(
            f"can't write {suffix or 'a file without an extension'}",
            f"choose {', '.join(able)}",
            file=path,
        )
