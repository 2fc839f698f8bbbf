"""The .jpz format of Crossword Compiler: XML, perhaps in a zip archive.

A cell has its place, counted from 1, its letters, the letters that a solver has entered
(``solve-state``), bars and a background; a clue names a word, and a word lists its cells. satcross
writes plain XML. Texts may have HTML elements, of which the reader keeps the line breaks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from satcross.crossword import Clue, Crossword
from satcross.formats import common
from satcross.formats.draft import GREY, Draft, reading
from satcross.formats.files import Text
from satcross.formats.markup import element_text, parse_xml, with_italics
from satcross.formats.placing import FoundClue, with_enumeration
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell, cellwise

_REMEDY = "give a .jpz crossword"
_ROOT = "http://crossword.info/xml/crossword-compiler"
_PUZZLE = "http://crossword.info/xml/rectangular-puzzle"
_TEXTS = {"title": "title", "creator": "author", "copyright": "copyright", "description": "notes"}
_OTHER_TEXTS = {"rights": "copyright", "author": "author", "created_at": "date"}
"""Further tags of metadata; the copyright of some programs is in ``rights``."""
_BLOCK_TYPES = ("block", "clue")
_VOID = "void"
_RANGE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?", re.ASCII)
_LOOKS = ("applet-settings", "grid-look", "instructions", "metadata")
"""Elements that are taken elsewhere, or say how a program shows the crossword."""


def parse_crossword(source: Text) -> common.ImportedCrossword:
    """Parse a .jpz crossword; the letters that a solver has entered become prefilled letters.

    Raises InputError for a text that is not a .jpz crossword.
    """
    with reading(source, _REMEDY) as draft:
        return _from_root(parse_xml(source, _REMEDY), draft)


def _from_root(root: Element, draft: Draft) -> common.ImportedCrossword:
    puzzle = root if root.tag == "rectangular-puzzle" else root.find(".//rectangular-puzzle")
    crossword = None if puzzle is None else puzzle.find("crossword")
    drawn = None if crossword is None else crossword.find("grid")
    if puzzle is None or crossword is None or drawn is None:
        raise ValueError("not a .jpz crossword: it has no crossword with a grid")
    if len(root.findall(".//rectangular-puzzle")) > 1:
        draft.notes.append("the file has more than 1 crossword; the first is read")
    _read_grid(drawn, draft)
    _read_clues(crossword, draft)
    pair = draft.rows, draft.letters
    opened = cellwise(lambda cell, x: OPEN if cell == BLOCKED and x else cell, *pair)
    draft.weigh_blocks(opened, "types of the cells", "solution")
    _read_texts(puzzle, draft)
    for element in [*crossword, *drawn, *puzzle]:
        if element.tag not in ("cell", "grid", "word", "clues", "crossword", *_LOOKS):
            draft.leave({element.tag: True})
    completion = puzzle.find(".//applet-settings/completion") or root.find(".//completion")
    draft.leave({"completion": completion is not None and _text(completion)})
    return draft.finish()


def _read_grid(drawn: Element, draft: Draft) -> None:
    height, width = _number(drawn, "height"), _number(drawn, "width")
    common.check_size(draft.name, height, width)
    draft.rows = [[BLOCKED] * width for _ in range(height)]
    draft.letters = [[None] * width for _ in range(height)]
    for element in drawn.iter("cell"):
        row, column = cell = _number(element, "y") - 1, _number(element, "x") - 1
        if not (0 <= row < height and 0 <= column < width):
            raise ValueError("a cell lies outside the grid")
        fields = {k: v for k, v in element.attrib.items() if k not in ("x", "y", "name")}
        kind, solution = fields.pop("type", ""), fields.pop("solution", "").strip()
        if kind == _VOID:
            draft.decorate("holes", cell)
        if kind == _BLOCK_TYPES[0] and solution:
            draft.letters[row][column] = common.read_letters(solution)
        if kind in (_BLOCK_TYPES[0], _VOID) or (kind == _BLOCK_TYPES[1] and not solution):
            continue
        entered = fields.pop("solve-state", "").strip() or (solution if kind else "")
        draft.rows[row][column] = common.read_prefilled(entered) if len(entered) == 1 else OPEN
        draft.letters[row][column] = common.read_letters(solution) if solution else None
        if number := fields.pop("number", "").strip():
            draft.labels.setdefault(number, cell)
        _decorate(fields, cell, draft)
        draft.leave(fields, "cell")
    draft.leave({inner.tag: True for inner in drawn.iterfind("cell/*") if inner.tag != "clue"})


def _number(element: Element, key: str) -> int:
    value = element.get(key, "").strip()
    if not _RANGE.fullmatch(value) or "-" in value:
        stated = common.excerpt(value) or "missing"
        raise ValueError(f"the {key} of a {element.tag} is {stated}, not a number")
    return int(value)


def _decorate(fields: dict[str, str], cell: Cell, draft: Draft) -> None:
    if fields.get("background-shape") == "circle":
        draft.decorate("circled", cell)
        del fields["background-shape"]
    draft.shade(cell, fields.pop("background-color", None))
    for side in ("top", "left", "bottom", "right"):
        if fields.pop(f"{side}-bar", "").lower() in ("true", "1", "yes"):
            draft.add_bar(cell, side)


def _read_clues(crossword: Element, draft: Draft) -> None:
    words = {word.get("id"): word for word in crossword.iter("word")}
    # Those of an arrowword stand in the cells of the grid.
    for listed in crossword.findall("clues") + crossword.findall("grid"):
        title = listed.find("title")
        group = "" if title is None else _text(title)
        for element in listed.iter("clue"):
            fields = dict(element.attrib)
            word = words.get(fields.pop("word", ""))
            number = fields.pop("number", "")
            label, *also = (part.strip() for part in re.split("[,/&]", number))
            text = element_text(element, italics=True)
            text = with_enumeration(text, fields.pop("format", ""))
            answer = "" if word is None else re.sub(r"[\W_]", "", word.get("solution", "")).upper()
            cells = () if word is None else _word_cells(word)
            if fields.pop("is-link", "") and not text:
                continue
            found = FoundClue(text, label, group, cells, answer, () if cells else tuple(also))
            draft.clues.append(found)
            draft.leave(fields, "clue")


def _word_cells(word: Element) -> tuple[Cell, ...]:
    """Return the cells of a word, given as ranges of its own or of its parts."""
    cells: list[Cell] = []
    for part in [*([word] if word.get("x") else ()), *word.iter("cells")]:
        ranges = [_RANGE.fullmatch(part.get(key, "")) for key in ("y", "x")]
        spans = [range(int(found[1]) - 1, int(found[2] or found[1])) for found in ranges if found]
        if len(spans) < 2:
            raise ValueError("a word has cells without x and y")
        cells += [(row, column) for row in spans[0] for column in spans[1]]
    return tuple(cells)


def _read_texts(puzzle: Element, draft: Draft) -> None:
    metadata = puzzle.find("metadata")
    for element in () if metadata is None else metadata:
        field = _TEXTS.get(element.tag) or _OTHER_TEXTS.get(element.tag)
        if field is not None and not draft.texts.get(field):
            draft.texts[field] = _text(element)
        elif field is None or _text(element) != draft.texts[field]:
            draft.leave({element.tag: _text(element)})
    instructions = _text(puzzle.find("instructions"))
    if not draft.texts.get("notes"):
        draft.texts["notes"] = instructions
    elif instructions != draft.texts["notes"]:
        draft.leave({"instructions": instructions})


def _text(element: Element | None) -> str:
    return "" if element is None else element_text(element)


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write a .jpz crossword as XML; ``writers`` documents the parameters."""
    root = Element("crossword-compiler", {"xmlns": _ROOT})
    puzzle = SubElement(root, "rectangular-puzzle", {"xmlns": _PUZZLE, "alphabet": _A_TO_Z})
    metadata = SubElement(puzzle, "metadata")
    for tag, field in _TEXTS.items():
        SubElement(metadata, tag).text = common.clean(getattr(crossword, field))
    body = SubElement(puzzle, "crossword")
    grid = crossword.grid
    drawn = SubElement(body, "grid", {"width": str(grid.width), "height": str(grid.height)})
    SubElement(drawn, "grid-look", {"numbering-scheme": "normal"})
    numbers = {slot.cells[0]: slot.name[:-1] for slot in grid.slots}
    for row in range(grid.height):
        for column in range(grid.width):
            place = {"x": str(column + 1), "y": str(row + 1)}
            SubElement(drawn, "cell", place | _attributes(crossword, (row, column), numbers))
    _write_words(crossword, body)
    for direction in (ACROSS, DOWN):
        clues = _clue_list(body, direction.title())
        for number, slot in enumerate(grid.slots, 1):
            if slot.direction == direction:
                clue = Clue.of(crossword.clues.get(slot.name, ""))
                names = {"word": str(number), "number": slot.name[:-1]}
                enumeration = {"format": clue.enumeration} if clue.enumeration else {}
                SubElement(clues, "clue", names | enumeration).text = clue.bare.marked
    for group in dict.fromkeys(clue.group for clue in crossword.other_clues):
        clues = _clue_list(body, group or "Clues")
        for clue in crossword.other_clues:
            if clue.group == group:
                SubElement(clues, "clue", {"number": clue.label}).text = clue.marked
    ElementTree.indent(root)
    text = with_italics(ElementTree.tostring(root, encoding="unicode"))
    path.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', encoding="utf-8")


def _write_words(crossword: Crossword, body: Element) -> None:
    """Add the cells of each slot, and of those that its clue continues in."""
    places = {slot.name: slot.places for slot in crossword.grid.slots}
    for number, name in enumerate(places, 1):
        word = SubElement(body, "word", {"id": str(number)})
        also = Clue.of(crossword.clues.get(name, "")).also
        for row, column in (cell for each in (name, *also) for cell in places[each]):
            SubElement(word, "cells", {"x": str(column + 1), "y": str(row + 1)})


def _clue_list(body: Element, title: str) -> Element:
    clues = SubElement(body, "clues", {"ordering": "normal"})
    SubElement(SubElement(clues, "title"), "b").text = title
    return clues


_A_TO_Z = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _attributes(crossword: Crossword, cell: Cell, numbers: Mapping[Cell, str]) -> dict[str, str]:
    grid, (row, column) = crossword.grid, cell
    if grid.rows[row][column] == BLOCKED:
        return {"type": _VOID if cell in grid.holes else _BLOCK_TYPES[0]}
    sides = (side for side in ("bottom", "right") if common.bar_at(cell, side) in grid.bars)
    bars = {f"{side}-bar": "true" for side in sides}
    colour = f"#{dict(crossword.colours).get(cell, GREY)}"
    found = {
        "solution": crossword.solution[row][column],
        "number": numbers.get(cell),
        "solve-state": grid.given(cell),
        "background-shape": "circle" if cell in grid.circled else None,
        "background-color": colour if cell in grid.shaded else None,
    }
    return {key: value for key, value in found.items() if value is not None} | bars
