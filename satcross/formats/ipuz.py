"""The open .ipuz format, version 2 (ipuz.org): JSON.

Its texts are HTML, which the reader turns into plain text.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from satcross.crossword import Clue, Crossword
from satcross.formats import common
from satcross.formats.draft import DIAGRAMLESS, GREY, Draft, reading
from satcross.formats.files import Text
from satcross.formats.json import dump_rows, parse_json
from satcross.formats.markup import plain_text, with_italics
from satcross.formats.placing import FoundClue, direction_of, with_enumeration
from satcross.formats.signs import unwrap_json
from satcross.grid import ACROSS, BLOCKED, DOWN, OPEN, Cell, cell_name, cellwise

VERSION = "http://ipuz.org/v2"
KIND = "http://ipuz.org/crossword#1"

_CROSSWORD = re.compile(r"(?:^|ipuz\.org/|\s)(?:crossword|barred)", re.IGNORECASE)
_BLOCK_MARKS = ("#", "\N{FULL BLOCK}", "\N{BLACK SQUARE}")
_EMPTY_MARKS = ("0", "-", "\N{WHITE SQUARE}")
_TEXTS = ("title", "author", "copyright", "notes", "date")
_TECHNICAL = ("version", "origin", "showenumerations", "fakeclues", "uniqueid", "_id", "checksum")
"""Fields that say nothing about the crossword."""

Fields = dict[str, Any]


def parse_crossword(source: Text) -> common.ImportedCrossword:
    """Parse an .ipuz crossword, perhaps as the argument of a call as in version 1.

    The ``value`` of a cell of ``puzzle`` is a prefilled letter. Cells with letters to choose from
    are left out of the solution, and ``solution_problem`` says so. Raises InputError for a text
    that is not an .ipuz crossword.
    """
    data = parse_json(unwrap_json(source.text), source.name)
    with reading(source, "give an .ipuz crossword") as draft:
        if isinstance(data, list) and data:
            found = _Reader(data[0], draft).read()
            more = f"the file has {len(data)} crosswords; the first is read"
            return replace(found, notes=(*found.notes, *[more] * (len(data) > 1)))
        return _Reader(data, draft).read()


class _Reader:
    """Takes the fields of the parsed JSON one by one, and adds them to a draft."""

    def __init__(self, data: object, draft: Draft) -> None:
        if not isinstance(data, dict) or "kind" not in data:
            raise ValueError("not an .ipuz crossword: it has no kind")
        kinds = data.pop("kind")
        kind = " ".join(map(str, kinds)) if isinstance(kinds, list) else str(kinds)
        if not _CROSSWORD.search(kind):
            name = re.sub(r"\bhttps?://[^/\s]*/", "", kind)
            raise ValueError(f"not a crossword but {common.excerpt(name)}")
        draft.month_first = True
        self.diagramless = "diagramless" in kind.lower()
        self.data: Fields = data
        self.draft = draft
        self.block = str(data.pop("block", None) or "#")
        self.empty = str(data.pop("empty", "0"))
        styles = data.pop("styles", None)
        self.styles = styles if isinstance(styles, dict) else {}

    def read(self) -> common.ImportedCrossword:
        data, draft = self.data, self.draft
        puzzle, solved = self._rows("puzzle"), self._rows("solution")
        if not solved and (solved := self._rows("saved")):
            draft.notes.append("the file has no solution; the saved letters are used instead")
        if not puzzle and not solved:
            raise ValueError("not an .ipuz crossword: it has neither puzzle nor solution")
        draft.rows = [
            [self._cell(entry, (row, column)) for column, entry in enumerate(cells)]
            for row, cells in enumerate(puzzle)
        ]
        if solved and _repeats_labels(puzzle, solved, self.empty):
            draft.notes.append("the solution repeats the numbers of the grid, so there is none")
            solved = []
        solution = [[self._letter(cell) for cell in row] for row in solved]
        if (self.diagramless and solved) or not puzzle:
            if self.diagramless:
                draft.notes.append(DIAGRAMLESS)
                draft.labels, draft.in_order = {}, True
            blocks = (self.block, None)
            draft.rows = [[BLOCKED if c in blocks else OPEN for c in row] for row in solution]
            draft.decorations["holes"] = []
        self._clues()
        self._compare_blocks(solution)
        self._sizes()
        self._texts()
        draft.leave({key: value for key, value in data.items() if key not in _TECHNICAL})
        return draft.finish()

    def _rows(self, key: str) -> list[list[object]]:
        rows = self.data.pop(key, None)
        if rows is None:
            return []
        if isinstance(rows, list) and all(isinstance(row, str) for row in rows):
            rows = [list(row) for row in rows]
        if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
            raise ValueError(f"not an .ipuz crossword: {key} is not a list of rows")
        common.check_size(self.draft.name, len(rows), max(map(len, rows), default=0))
        return rows

    def _cell(self, entry: object, place: Cell) -> str:
        """Return the content of a cell of ``puzzle``, and take its label and style."""
        fields = dict(entry) if isinstance(entry, dict) else {"cell": entry}
        cell = fields.pop("cell", 0)
        if isinstance(cell, list | dict):
            raise ValueError(f"{cell_name(place)} of the puzzle is not a cell")
        style = self._style(fields.pop("style", None))
        value = fields.pop("value", None)
        if cell is None or str(cell) == self.block:
            if cell is None:
                self.draft.decorate("holes", place)
            self.draft.leave(fields, "block")
            return BLOCKED
        if isinstance(value, list | dict):
            raise ValueError(f"{cell_name(place)} of the puzzle has a value that is not text")
        if str(cell) not in (self.empty, "0", "", " "):
            self.draft.labels.setdefault(str(cell), place)
        self._decorate(place, style)
        self.draft.leave(fields, "cell")
        self.draft.leave(style, "style")
        if value in (None, 0, "", " ", self.empty):
            return OPEN
        letters = common.read_letters(str(value))
        self.draft.leave({"value of several letters": len(letters) > 1}, "cell")
        return OPEN if len(letters) > 1 else common.read_prefilled(letters)

    def _style(self, style: object) -> Fields:
        """Return the fields of a style, which may be the name of one in ``styles``."""
        style = self.styles.get(style) if isinstance(style, str) else style
        return dict(style) if isinstance(style, dict) else {}

    def _decorate(self, cell: Cell, style: Fields) -> None:
        draft = self.draft
        if style.get("shapebg") == "circle":
            draft.decorate("circled", cell)
            del style["shapebg"]
        draft.shade(cell, style.pop("color", None))
        if style.pop("highlight", None):
            draft.decorate("shaded", cell)
        barred = str(style.pop("barred", "")).lower()
        for side in ("top", "left", "bottom", "right"):
            if side[0] in barred:
                draft.add_bar(cell, side)

    def _letter(self, entry: object) -> str | None:
        """Return a letter, ``block``, None for null, or "" for a cell without one letter."""
        cell = entry
        if isinstance(entry, dict):
            fields = dict(entry)
            label = fields.pop("cell", entry)
            cell = fields.pop("value", label)
            if cell is not entry:
                self.draft.leave({k: v for k, v in fields.items() if k != "style"}, "solution")
        if cell is None:
            return None
        if isinstance(cell, list | dict):  # letters to choose from, or one for each direction
            found = f"the solution has several letters in a cell, {common.excerpt(str(cell))}"
            self.draft.problem = self.draft.problem or found
            return ""
        if str(cell) == self.block:
            return self.block
        if (type(cell) is int and cell == 0) or str(cell) in (self.empty, "", "_", " "):
            return ""
        return common.read_letters(str(cell))

    def _compare_blocks(self, solution: list[list[str | None]]) -> None:
        """Set the letters, and weigh where puzzle and solution differ in shape or blocks."""
        draft = self.draft
        draft.letters = [[None] * len(row) for row in draft.rows]
        if not solution:
            return
        if [len(row) for row in draft.rows] != [len(row) for row in solution]:
            draft.problem = "the puzzle and the solution differ in size"
            return
        known = ("", None, self.block)
        draft.letters = [[None if c in known else c for c in row] for row in solution]
        others = cellwise(self._by_solution, draft.rows, solution)
        draft.weigh_blocks(others, "puzzle", "solution")

    def _by_solution(self, cell: str, letter: str | None) -> str:
        """Return a cell of the puzzle as the solution has it; an empty one says nothing."""
        if letter == self.block or (cell == BLOCKED and letter in _BLOCK_MARKS):
            return BLOCKED
        return OPEN if cell == BLOCKED and letter else cell

    def _sizes(self) -> None:
        dimensions = self.data.pop("dimensions", None) or {}
        if not isinstance(dimensions, dict):
            raise ValueError("not an .ipuz crossword: dimensions lacks width and height")
        self.draft.compare_size({key: dimensions.get(key) for key in ("width", "height")})

    def _texts(self) -> None:
        for key in _TEXTS:
            if isinstance(self.data.get(key, ""), str):
                self.draft.texts[key] = plain_text(self.data.pop(key, ""))
        stated = [self.data.pop(key, None) for key in ("locale", "language")]
        self.draft.texts["language"] = str(stated[0] or stated[1] or "")
        intro = self.data.get("intro")
        if isinstance(intro, str) and not self.draft.texts["notes"]:
            self.draft.texts["notes"] = plain_text(self.data.pop("intro"))
        elif isinstance(intro, str) and plain_text(intro) == self.draft.texts["notes"]:
            del self.data["intro"]

    def _clues(self) -> None:
        lists = self.data.pop("clues", None) or {}
        if not isinstance(lists, dict):
            raise ValueError("clues does not map directions to lists")
        lists = {
            group: [list(pair) for pair in each.items()] if isinstance(each, dict) else each
            for group, each in lists.items()
        }
        broken = {group: each for group, each in lists.items() if not isinstance(each, list)}
        self.draft.leave(broken, "clues")
        lists = {group: each for group, each in lists.items() if group not in broken}
        found = [(group, *_take_clue(entry)) for group, each in lists.items() for entry in each]
        origin = 0 if any(0 in cell for _, _, cells, _ in found for cell in cells) else 1
        for group, clue, cells, rest in found:
            places = tuple((row - origin, column - origin) for column, row in cells)
            links = rest.pop("continued", None) or ()
            links = links if isinstance(links, list | tuple) else [links]
            also = tuple(_link(link, group) for link in links)
            found_clue = FoundClue(clue.text, clue.label, group, places, clue.answer, also)
            self.draft.clues.append(found_clue)
            self.draft.leave(rest, "clue")


def _repeats_labels(puzzle: list[list[object]], solved: list[list[object]], empty: str) -> bool:
    """Whether the solution is a copy of the empty grid, as some programs write it."""
    repeated = set()
    for row, other in zip(puzzle, solved, strict=False):
        for cell, letter in zip(row, other, strict=False):
            pair = (cell, letter)
            cells = [c.get("value", c.get("cell")) if isinstance(c, dict) else c for c in pair]
            label, value = (str(c or 0) for c in cells)
            if label.isdigit() and value not in (label, empty, "0", "", " "):
                return False
            if value == label and value.isdigit() and value != "0":
                repeated.add(cells[1])
    return len(repeated) > 1 or any(isinstance(label, int) for label in repeated)


def _take_clue(entry: object) -> tuple[FoundClue, list[tuple[int, int]], Fields]:
    """Return a clue, its cells as (column, row) pairs, and the fields that are left."""
    label: object = None
    text: object = entry
    rest: Fields = {}
    if isinstance(entry, list) and len(entry) >= 2:
        label, text = entry[:2]
        rest = {"further values": entry[2:]}
    elif isinstance(entry, dict):
        rest = dict(entry)
        text = rest.pop("clue", "")
        number, label = rest.pop("number", None), rest.pop("label", None)
        numbers = rest.pop("numbers", None)
        label = number if number is not None else label
        if label is None:
            label = numbers
    also: list[str] = []
    if isinstance(label, list):
        label, *also = [str(each) for each in label] or [""]
    text = str(text or "") if isinstance(text, int | None) else text
    if not isinstance(text, str) or isinstance(label, dict):
        raise ValueError(f"not a clue: {common.excerpt(str(entry))}")
    if also:
        rest["continued"] = [*(rest.get("continued") or ()), *also]
    enumeration = str(rest.pop("enumeration", None) or "")
    text = with_enumeration(plain_text(text, italics=True), enumeration)
    answer = re.sub(r"[\W_]", "", str(rest.pop("answer", None) or "")).upper()
    cells = rest.pop("cells", None) or []
    if not all(
        isinstance(c, list) and len(c) == 2 and all(type(n) is int for n in c) for c in cells
    ):
        raise ValueError(f"the cells of a clue are not pairs: {common.excerpt(str(cells))}")
    found = FoundClue(text, "" if label is None else str(label), answer=answer)
    return found, [(column, row) for column, row in cells], rest


def _link(link: object, group: str) -> str:
    """Return the label of a further slot of a clue, such as ``3D``."""
    if isinstance(link, dict):
        link = [link.get("number", link.get("label")), link.get("direction", group)]
    if isinstance(link, list) and len(link) == 2:
        number, direction = map(str, link)
        if direction[:1].isdigit():
            number, direction = direction, number
        return number + direction_of(direction)[:1].upper()
    return str(link)


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write an .ipuz crossword; ``writers`` documents the parameters."""
    path.write_text(dump_rows(crossword_to_data(crossword)), encoding="utf-8")


def crossword_to_data(crossword: Crossword) -> dict[str, Any]:
    """Return the crossword as the JSON object that an .ipuz file holds."""
    letters = {letter for row in crossword.solution for letter in row}
    letters |= {letter for row in crossword.grid.rows for letter in row if letter != BLOCKED}
    block = next((mark for mark in _BLOCK_MARKS if mark not in letters), BLOCKED)
    mark = next((mark for mark in _EMPTY_MARKS if mark not in letters), "0")
    empty = 0 if mark == "0" else mark
    data: dict[str, Any] = {"version": VERSION, "kind": [KIND]}
    for key in ("title", "author", "copyright", "notes"):
        if getattr(crossword, key):
            data[key] = _marked_up(getattr(crossword, key))
    if crossword.language:
        data["locale"] = crossword.language
    if (day := common.iso_date(crossword.date)) is not None:
        data["date"] = date.fromisoformat(day).strftime("%m/%d/") + day[:4]
    grid = crossword.grid
    data["dimensions"] = {"width": grid.width, "height": grid.height}
    data["block"], data["empty"] = block, mark
    labels = {slot.cells[0]: int(slot.name[:-1]) for slot in grid.slots}
    cells = [[(row, column) for column in range(grid.width)] for row in range(grid.height)]
    data["puzzle"] = [
        [_written_cell(crossword, cell, labels.get(cell, empty), block) for cell in row]
        for row in cells
    ]
    if any(letter for row in crossword.solution for letter in row):
        data["solution"] = cellwise(
            lambda cell, x: block if cell == BLOCKED else x or empty, grid.rows, crossword.solution
        )
    clues: dict[str, list[object]] = {
        direction.title(): [
            _written_clue(int(slot.name[:-1]), Clue.of(crossword.clues.get(slot.name, "")))
            for slot in grid.slots
            if slot.direction == direction
        ]
        for direction in (ACROSS, DOWN)
    }
    for clue in crossword.other_clues:
        clues.setdefault(clue.group or "Clues", []).append([clue.label or "-", _marked_up(clue)])
    data["clues"] = clues
    if any(Clue.of(clue).enumeration for clue in crossword.clues.values()):
        data["showenumerations"] = True
    return data


def _written_clue(number: int, clue: Clue) -> object:
    if not (clue.also or clue.enumeration):
        return [number, _marked_up(clue)]
    links = [{"number": int(n[:-1]), "direction": _SIDE_NAMES[n[-1]]} for n in clue.also]
    return {
        "number": number,
        "clue": _marked_up(clue.bare),
        **({"enumeration": clue.enumeration} if clue.enumeration else {}),
        **({"continued": links} if links else {}),
    }


_SIDE_NAMES = {"A": "Across", "D": "Down"}


def _written_cell(crossword: Crossword, cell: Cell, label: int | str, block: str) -> object:
    grid, (row, column) = crossword.grid, cell
    if grid.rows[row][column] == BLOCKED:
        return None if cell in grid.holes else block
    extras = {"value": grid.given(cell), "style": _written_style(crossword, cell)}
    extras = {key: value for key, value in extras.items() if value}
    return {"cell": label, **extras} if extras else label


def _written_style(crossword: Crossword, cell: Cell) -> dict[str, str]:
    grid = crossword.grid
    style = {"shapebg": "circle"} if cell in grid.circled else {}
    if cell in grid.shaded:
        style["color"] = dict(crossword.colours).get(cell, GREY)
    sides = [side for side in ("bottom", "right") if common.bar_at(cell, side) in grid.bars]
    if sides:
        style["barred"] = "".join(side[0].upper() for side in sides)
    return style


def _marked_up(text: str) -> str:
    return with_italics(html.escape(Clue.of(text).marked, quote=False).replace("\n", "<br/>"))
