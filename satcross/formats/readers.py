"""The crossword files that can be read: one door for every command, the page and the API."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats import kinds
from satcross.formats.files import MAX_FILE_BYTES, Data, Text, decode_text, read_data
from satcross.formats.registry import FORMATS, TEXT, WRITE_ONLY, is_plugged_in, plugged_in
from satcross.formats.sniff import sniff, sniff_text, unpack
from satcross.formats.structure import Structure, parse_structure
from satcross.grid import BLOCKED, FULL_BLOCK, OPEN, open_cells

if TYPE_CHECKING:
    from satcross.formats.common import ImportedCrossword

READERS = {
    extension: module.rpartition(".")[2]
    for extension, module in FORMATS.items()
    if extension not in (*WRITE_ONLY, TEXT)
} | {".cfp": "crossfire"}
"""Extension -> module of ``satcross.formats``, of the formats that are read.

The extension of a file matters only where the content says nothing: for what is wrong with it."""

_DOCUMENTS = (".doc", ".docx", ".odt", ".pdf", ".rtf", ".xls", ".xlsx")
"""Extensions of documents: a text with such a name is taken for no grid."""


def read_crossword(path: str | PathLike[str], *, letters: bool = False) -> Crossword:
    """Read a crossword file; its content says which format it is in.

    Formats are .puz, .ipuz, .xd, .jpz, Exolve, Across Lite's text, CrossFire's .cfp, newspapers'
    JSON, and satcross's own JSON, pages and project files. Text may also be a structure or a
    printed grid. With ``letters``, letters in a structure are given letters; otherwise they are
    blocked cells, as in CS50. Raises InputError for a file that can't be read as a crossword.
    """
    return import_crossword(fspath(path), letters=letters).crossword


def import_crossword(path: str, *, letters: bool = False) -> ImportedCrossword:
    """Read a crossword file as ``read_crossword`` does, and also return remarks about the file."""
    return import_data(read_data(path, MAX_FILE_BYTES), letters=letters)


def import_data(file: Data, *, letters: bool = False) -> ImportedCrossword:
    """Read the content of a crossword file, as ``import_crossword`` reads a file."""
    file, notes = unpack(file)
    kind = check_kind(recognise(file), file.name)
    if kind in kinds.TEXTS:
        from satcross.formats.text import import_text

        return import_text(decode_text(file, MAX_FILE_BYTES), kind, letters=letters)
    parse: Callable[..., ImportedCrossword]
    if kind.module.startswith("."):
        parse = plugged_in(kind.module).parse_crossword
    else:
        parse = import_module(f"satcross.formats.{kind.module}").parse_crossword
    found = parse(file if kind.module == kinds.PUZ.module else decode_text(file, MAX_FILE_BYTES))
    return replace(found, notes=(*notes, *found.notes)) if notes else found


def recognise(file: Data) -> kinds.Kind:
    """Return what a file is.

    Where its content is vague and its extension is a format's, the reader of that format is
    chosen, to say what is wrong. The extension decides for formats that other packages add.
    """
    extension = Path(file.name).suffix.lower()
    if is_plugged_in(extension):
        return kinds.Kind(f"a {extension} file", "", extension)
    kind = sniff(file.data)
    if kind in (*kinds.VAGUE, *kinds.TEXTS) and extension in _DOCUMENTS:
        name = f"named {extension}, but not such a document"
        return kinds.Kind(name, "name it .txt if it is a structure")
    if kind in kinds.VAGUE and extension in READERS:
        return kinds.Kind(f"a {extension} file", "", READERS[extension])
    return kind


def check_kind(kind: kinds.Kind, name: str) -> kinds.Kind:
    """Return the kind of a file. Raises InputError, with its name, for what satcross can't read."""
    if not kind.module:
        verb = "" if "not " in kind.name else "which satcross does not read"
        text = f"is {kind.name}" + (f", {verb}" if verb else "")
        raise InputError(text, kind.remedy, file=name)
    return kind


def read_structure(path: str, *, letters: bool | None) -> Structure:
    """Read a structure file, or the block pattern of a crossword file or printed grid.

    With ``letters``, letters in the file are given letters of the grid. Raises InputError for a
    file that can't be read.
    """
    file, notes = unpack(read_data(path, MAX_FILE_BYTES))
    kind = recognise(file)
    if kind in (*kinds.TEXTS, kinds.WORDS):
        return _parse_text(decode_text(file, MAX_FILE_BYTES), kind, letters=letters)
    found = to_structure(import_data(file), letters=letters)
    return replace(found, notes=(*notes, *found.notes))


def parse_any_structure(source: Text, *, letters: bool | None) -> Structure:
    """Parse a plain or decorated structure, or the block pattern of a printed grid.

    Raises InputError for a text that is none of these.
    """
    return _parse_text(source, sniff_text(source.text), letters=letters)


def _parse_text(source: Text, kind: kinds.Kind, *, letters: bool | None) -> Structure:
    if kind is kinds.DECORATED:
        from satcross.formats.decorated_text import parse_decorated

        return _decorated_structure(parse_decorated(source), all_letters=letters is True)
    if kind is kinds.PRINTED:
        from satcross.formats.text import is_spaced, parse_printed_crossword

        if FULL_BLOCK in source.text or is_spaced(source.text.splitlines()):
            printed = parse_printed_crossword(source)
            return to_structure(printed, letters=letters, finished=letters is True)
    if kind not in (kinds.STRUCTURE, kinds.PRINTED, kinds.LETTERS, kinds.EMPTY, kinds.WORDS):
        check_kind(replace(kind, module=""), source.name)
    # The letters of prose and of lists are no given letters.
    return parse_structure(source, letters=False if kind is kinds.WORDS else letters)


def _decorated_structure(imported: ImportedCrossword, *, all_letters: bool) -> Structure:
    """Return a decorated structure with its letters, which are given letters.

    Where every cell has one, they are a fill that satcross has written, and are kept only with
    ``all_letters``.
    """
    found = to_structure(imported, letters=True, finished=all_letters)
    crossword = imported.crossword
    rows = zip(crossword.grid.rows, crossword.solution, strict=True)
    cells = (pair for row in rows for pair in zip(*row, strict=True))
    filled = all(letter or cell == BLOCKED for cell, letter in cells)
    if filled and not all_letters:
        note = "every cell has a letter, read as a fill; with --letters they are given letters"
        found = replace(found, notes=(note, *found.notes))
    return found


def to_structure(
    imported: ImportedCrossword, *, letters: bool | None, finished: bool = False
) -> Structure:
    """Return the grid of an imported crossword, without its fill.

    With ``letters``, or None, the prefilled letters and those of an unfinished solution become
    given letters of the grid; with ``finished``, those of a finished one, too.
    """
    crossword = imported.crossword
    grid = crossword.grid
    opened = open_cells(grid.rows)
    retained = {cell: letter for cell in opened if (letter := grid.given(cell)) is not None}
    prefilled = frozenset(retained)
    solved = {cell: letter for cell in opened if (letter := crossword.solution[cell[0]][cell[1]])}
    if (finished or len(solved) < len(opened)) and not imported.solution_problem:
        retained = solved | retained
    notes = list(imported.notes)
    if retained and letters is False:
        ignored = "1 letter is" if len(retained) == 1 else f"{len(retained)} letters are"
        notes.append(f"{ignored} ignored; with --letters they are given letters")
        retained = {}
    shown = grid.with_cells({cell: retained.get(cell, OPEN)[0] for cell in opened})
    rebus = frozenset((cell, letters) for cell, letters in retained.items() if len(letters) > 1)
    shortened = len(crossword.rebus - rebus)
    if shortened:
        notes.append(f"cells with several letters ({shortened}) are filled with one")
    return Structure(replace(shown, rebus=rebus), tuple(notes), prefilled)
