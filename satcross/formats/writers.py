"""Writing a crossword in the format that the extension names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats import registry
from satcross.formats.files import check_writable, write_atomically
from satcross.formats.readers import read_crossword
from satcross.support.arguments import check_type
from satcross.support.letters import spell
from satcross.support.texts import in_language, language_or

if TYPE_CHECKING:
    from satcross.formats.drawing.sheet import Sheet

DEFAULT_STYLES = {".pdf": "newspaper"}
"""Extension -> the style used when none is requested; "fill" for the other extensions."""

_PAGED = (".pdf",)
_EMBEDDED_FONT = (".png", ".pdf")
_BINARY = (".png", ".pdf", ".puz")
_MAX_SHOWN = 10


def _writer(
    extension: str, paper: str, sheet: Sheet | None
) -> Callable[[Crossword, Path, str], None]:
    if registry.is_plugged_in(extension):
        module = registry.plugged_in(extension)
    else:
        module = import_module(registry.FORMATS[extension])
    options = {"paper": paper} if extension in _PAGED else {}
    printed = {"sheet": sheet} if sheet and extension in registry.PRINTED else {}
    return partial(module.write_crossword, **options, **printed)


def write_crossword(
    crossword: Crossword,
    path: str | PathLike[str],
    style: str | None = None,
    *,
    paper: str = registry.PAPERS[0],
    sheet: Sheet | None = None,
) -> list[str]:
    """Write a crossword atomically, in the format that the path's extension names.

    ``style`` is one of ``STYLES``, or None for the default style of the format; ``paper`` is one of
    ``PAPERS``; ``sheet`` says what a printed page has beside. Other formats ignore them. Returns
    the parts of the crossword that the file does not store, one line each: a file in a readable
    format is read again and compared. Raises InputError for an extension not in ``FORMATS``, an
    unknown style or paper, and a file that can't be written. A language that the user has named is
    the crossword's.
    """
    check_type(crossword, Crossword, "the crossword", "make one with Crossword.of(grid, fill)")
    name = fspath(path)
    extension = Path(name).suffix.lower()
    registry.check_extension(name, registry.FORMATS)
    style = style or DEFAULT_STYLES.get(extension, registry.STYLES[0])
    if style not in registry.STYLES:
        raise InputError(f"there is no style {style!r}", f"choose {', '.join(registry.STYLES)}")
    if paper not in registry.PAPERS:
        raise InputError(f"there is no paper {paper!r}", f"choose {', '.join(registry.PAPERS)}")
    check_writable(name)
    crossword = replace(crossword, language=language_or(crossword.language))
    write = _writer(extension, paper, sheet)
    reread: list[Crossword] = []

    def write_and_reread(beside: Path) -> None:
        write(crossword, beside, style)
        if extension not in _BINARY:
            text = beside.read_bytes().decode("utf-8")
            if (spelled := spell(text)) != text:
                beside.write_bytes(spelled.encode("utf-8"))
        if extension not in registry.WRITE_ONLY:
            reread.append(read_crossword(beside))

    try:
        with in_language(crossword.language):
            write_atomically(name, write_and_reread)
    except UnicodeEncodeError:
        problem = "a text has a lone surrogate, half a character"
        raise InputError(problem, "correct the text", file=name) from None
    except InputError as error:
        raise InputError(error.problem, error.remedy, file=name) from None
    lost = [field for copy in reread for field in crossword.differences(copy)]
    if extension in registry.PRINTED and crossword.other_clues:
        lost.append("clues for no slot, on the page")
    return lost + missing_characters(crossword, name, style)


def missing_characters(crossword: Crossword, path: str, style: str | None) -> list[str]:
    """Return remarks about characters that a picture or page will not show right."""
    extension = Path(path).suffix.lower()
    if extension not in _EMBEDDED_FONT:
        return []
    from satcross.formats.drawing.lettering import missing_glyphs, needs_shaping, texts

    shown = texts(crossword, style or DEFAULT_STYLES.get(extension, registry.STYLES[0]))
    absent = list(dict.fromkeys(character for text in shown for character in missing_glyphs(text)))
    lost = []
    if absent:
        listed = " ".join(absent[:_MAX_SHOWN]) + (" ..." if len(absent) > _MAX_SHOWN else "")
        lost.append(f"characters that the embedded font lacks: {listed}; --font names another")
    if extension == ".pdf" and any(map(needs_shaping, shown)) and find_spec("uharfbuzz") is None:
        lost.append("joined letters and their order: install satcross[scripts]")
    return lost
