"""The .jpz format of Crossword Compiler: XML, perhaps in a zip archive.

A cell has its place, counted from 1, its letters, the letters that a solver has entered
(``solve-state``), bars and a background; a clue names a word, and a word lists its cells. satcross
writes plain XML. Texts may have HTML elements, which the reader drops.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import (
    MAX_FILE_BYTES,
    ImportedCrossword,
    check_size,
    clean,
    excerpt,
    is_white,
    make_crossword,
    make_grid,
    note_unplaced_clues,
    read_letters,
    read_limited,
    read_prefilled,
)
from satcross.formats.files import Data, decode_text
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell, Grid

_ROOT = "http://crossword.info/xml/crossword-compiler"
_PUZZLE = "http://crossword.info/xml/rectangular-puzzle"
_TEXTS = {
    "title": "title",
    "creator": "author",
    "copyright": "copyright",
    "description": "notes",
}
_SIDES = {"top": (-1, 0), "left": (0, -1), "bottom": (1, 0), "right": (0, 1)}
_BLOCK_TYPES = ("block", "clue")
_VOID = "void"
_GREY = "#d3d3d3"
_RANGE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?", re.ASCII)


def import_crossword(path: str) -> ImportedCrossword:
    """Read a .jpz crossword; the letters that a solver has entered become prefilled letters.

    Raises InputError for a file that is not a .jpz crossword.
    """
    file = _unpacked(read_limited(path))
    text = decode_text(file, MAX_FILE_BYTES).text
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise InputError("has a document type", "give a .jpz crossword", file=file.name)
    try:
        root = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", text))
        return _from_root(_without_namespaces(root), file.name)
    except ElementTree.ParseError as error:
        raise InputError(
            f"is not XML ({error.msg.partition(':')[0]})",
            "give a .jpz crossword",
            file=file.name,
            line=error.position[0],
        ) from None
    except ValueError as error:
        raise InputError(str(error), "give a .jpz crossword", file=file.name) from None


def _unpacked(file: Data) -> Data:
    """Return the first file of a zip archive, or the file itself if it is no archive."""
    if not file.data.startswith(b"PK"):
        return file
    try:
        with zipfile.ZipFile(io.BytesIO(file.data)) as archive:
            entry = archive.infolist()[0]
            with archive.open(entry) as stream:
                data = stream.read(MAX_FILE_BYTES + 1)
    except (OSError, LookupError, RuntimeError, NotImplementedError) as error:
        raise _damaged(file, error) from None
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise _damaged(file, error) from None
    if len(data) > MAX_FILE_BYTES:
        raise InputError(
            f"has more than {MAX_FILE_BYTES:,} bytes when decompressed",
            "give a smaller file",
            file=file.name,
        )
    return Data(file.name, data)


def _damaged(file: Data, error: Exception) -> InputError:
    return InputError(
        f"is a damaged zip archive ({error})", "get a fresh copy of it", file=file.name
    )


def _without_namespaces(root: Element) -> Element:
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def _from_root(root: Element, name: str) -> ImportedCrossword:
    crossword = root.find(".//rectangular-puzzle/crossword")
    drawn = None if crossword is None else crossword.find("grid")
    if crossword is None or drawn is None:
        raise ValueError("not a .jpz crossword: it has no crossword with a grid")
    height, width = _number(drawn, "height"), _number(drawn, "width")
    check_size(name, height, width)
    rows = [[BLOCKED] * width for _ in range(height)]
    letters: list[list[str | None]] = [[None] * width for _ in range(height)]
    decorations: dict[str, list[object]] = {"circled": [], "shaded": [], "holes": [], "bars": []}
    for element in drawn.iter("cell"):
        row, column = cell = _number(element, "y") - 1, _number(element, "x") - 1
        if not (0 <= row < height and 0 <= column < width):
            raise ValueError("a cell lies outside the grid")
        if element.get("type") == _VOID:
            decorations["holes"].append(cell)
        if element.get("type") in (*_BLOCK_TYPES, _VOID):
            continue
        entered = (element.get("solve-state") or "").strip()
        rows[row][column] = read_prefilled(entered) if len(entered) == 1 else OPEN
        solution = (element.get("solution") or "").strip()
        letters[row][column] = read_letters(solution) if solution else None
        _decorate(element, cell, decorations)
    grid = make_grid(name, rows, decorations)
    notes: list[str] = []
    clues = _read_clues(crossword, grid, notes)
    metadata = root.find(".//rectangular-puzzle/metadata")
    texts = {
        field: _text(None if metadata is None else metadata.find(tag))
        for tag, field in _TEXTS.items()
    }
    texts["notes"] = texts["notes"] or _text(root.find(".//rectangular-puzzle/instructions"))
    read = make_crossword(grid, letters, clues=clues, texts=texts)
    return ImportedCrossword(read, tuple(notes))


def _number(element: Element, key: str) -> int:
    value = element.get(key, "")
    if not _RANGE.fullmatch(value) or "-" in value:
        raise ValueError(f"the {key} of a {element.tag} is {excerpt(value)}, not a number")
    return int(value)


def _decorate(element: Element, cell: Cell, decorations: Mapping[str, list[object]]) -> None:
    row, column = cell
    if element.get("background-shape") == "circle":
        decorations["circled"].append(cell)
    if not is_white(element.get("background-color")):
        decorations["shaded"].append(cell)
    for side, (down, right) in _SIDES.items():
        if element.get(f"{side}-bar") == "true":
            other = (row + down, column + right)
            decorations["bars"].append((min(cell, other), max(cell, other)))


def _read_clues(crossword: Element, grid: Grid, notes: list[str]) -> dict[str, str]:
    words = {word.get("id"): _word_cells(word) for word in crossword.iter("word")}
    names = {slot.cells: slot.name for slot in grid.slots}
    clues: dict[str, str] = {}
    unplaced = []
    for element in crossword.findall("clues/clue"):
        name = names.get(words.get(element.get("word"), ()))
        if name is None or name in clues:
            unplaced.append(element.get("number") or _text(element))
        else:
            clues[name] = _text(element)
            if length := element.get("format"):
                clues[name] += "" if clues[name].endswith(f"({length})") else f" ({length})"
    notes += note_unplaced_clues(unplaced)
    return clues


def _word_cells(word: Element) -> tuple[Cell, ...]:
    """Return the cells of a word, given as ranges of its own or of its parts."""
    parts = [word] if word.get("x") else []
    return tuple(cell for part in [*parts, *word.iter("cells")] for cell in _cells(part))


def _cells(part: Element) -> Iterator[Cell]:
    columns, rows = _RANGE.fullmatch(part.get("x", "")), _RANGE.fullmatch(part.get("y", ""))
    if columns is None or rows is None:
        raise ValueError("a word has cells without x and y")
    for row in range(int(rows[1]), int(rows[2] or rows[1]) + 1):
        for column in range(int(columns[1]), int(columns[2] or columns[1]) + 1):
            yield row - 1, column - 1


def _text(element: Element | None) -> str:
    return "" if element is None else "".join(element.itertext()).strip()


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write a .jpz crossword as XML; ``writers`` documents the parameters."""
    root = Element("crossword-compiler", {"xmlns": _ROOT})
    puzzle = SubElement(root, "rectangular-puzzle", {"xmlns": _PUZZLE, "alphabet": _A_TO_Z})
    metadata = SubElement(puzzle, "metadata")
    for tag, field in _TEXTS.items():
        SubElement(metadata, tag).text = clean(getattr(crossword, field))
    body = SubElement(puzzle, "crossword")
    grid = crossword.grid
    drawn = SubElement(body, "grid", {"width": str(grid.width), "height": str(grid.height)})
    SubElement(drawn, "grid-look", {"numbering-scheme": "normal"})
    numbers = {slot.cells[0]: slot.name[:-1] for slot in grid.slots}
    for row in range(grid.height):
        for column in range(grid.width):
            place = {"x": str(column + 1), "y": str(row + 1)}
            SubElement(drawn, "cell", place | _attributes(crossword, (row, column), numbers))
    for number, slot in enumerate(grid.slots, 1):
        word = SubElement(body, "word", {"id": str(number)})
        for row, column in slot.places:
            SubElement(word, "cells", {"x": str(column + 1), "y": str(row + 1)})
    for direction in (ACROSS, DOWN):
        clues = SubElement(body, "clues", {"ordering": "normal"})
        SubElement(SubElement(clues, "title"), "b").text = direction.title()
        for number, slot in enumerate(grid.slots, 1):
            if slot.direction == direction:
                names = {"word": str(number), "number": slot.name[:-1]}
                clue = SubElement(clues, "clue", names)
                clue.text = crossword.clues.get(slot.name, "")
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    path.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', encoding="utf-8")


_A_TO_Z = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _attributes(crossword: Crossword, cell: Cell, numbers: Mapping[Cell, str]) -> dict[str, str]:
    grid, (row, column) = crossword.grid, cell
    if grid.rows[row][column] == BLOCKED:
        return {"type": _VOID if cell in grid.holes else _BLOCK_TYPES[0]}
    bars = {
        f"{side}-bar": "true"
        for side in ("bottom", "right")
        if (cell, (row + _SIDES[side][0], column + _SIDES[side][1])) in grid.bars
    }
    found = {
        "solution": crossword.solution[row][column],
        "number": numbers.get(cell),
        "solve-state": grid.given(cell),
        "background-shape": "circle" if cell in grid.circled else None,
        "background-color": _GREY if cell in grid.shaded else None,
    }
    return {key: value for key, value in found.items() if value is not None} | bars
