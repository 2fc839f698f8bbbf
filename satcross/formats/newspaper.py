"""Newspapers' crosswords in JSON, as XWord Info has them: ``grid`` is one list of all cells."""

from __future__ import annotations

import math
import re
from typing import Any

from satcross.formats.common import ImportedCrossword, check_size, excerpt
from satcross.formats.draft import Draft, reading
from satcross.formats.files import Text
from satcross.formats.json import parse_json
from satcross.formats.markup import plain_text
from satcross.formats.placing import FoundClue
from satcross.formats.signs import unwrap_json

_CLUE = re.compile(r"\s*(\d+)\s*[.:)]\s*(.*)", re.DOTALL | re.ASCII)
_TEXTS = {"title": "title", "author": "author", "copyright": "copyright", "date": "date"}
_BLOCKS, _EMPTY = ".#\N{FULL BLOCK}", " -_?"
_TECHNICAL = ("id", "id2", "dow", "code", "admin", "track", "autowrap", "hastitle", "valid")
"""Fields that say nothing about the crossword, or say it again."""

Fields = dict[str, Any]


def parse_crossword(source: Text) -> ImportedCrossword:
    """Parse a newspaper's crossword. Raises InputError for JSON that is not one."""
    data = parse_json(unwrap_json(source.text), source.name)
    remedy = "give JSON with grid, size and clues across and down"
    with reading(source, remedy, "not a newspaper's crossword: ") as draft:
        if not isinstance(data, dict):
            raise ValueError("it is not an object")
        return _from_data(data, draft)


def _from_data(data: Fields, draft: Draft) -> ImportedCrossword:
    draft.month_first = True
    width = _read_grid(data, draft)
    for index, number in enumerate(_flat(data.pop("gridnums", None))):
        if number and str(number) != "0":
            draft.labels.setdefault(str(number), divmod(index, width))
    kind = "shaded" if data.pop("shadecircles", None) else "circled"
    for index, is_marked in enumerate(_flat(data.pop("circles", None))):
        if is_marked and str(is_marked) != "0" and index < width * len(draft.rows):
            draft.decorate(kind, divmod(index, width))
    _read_bars(data, width, draft)
    clues, answers = data.pop("clues", None) or {}, data.pop("answers", None) or {}
    for group, listed in clues.items():
        _read_clues(group, listed, answers.get(group) if isinstance(answers, dict) else None, draft)
    draft.weigh_signs(lambda letter: True)
    for key, name in _TEXTS.items():
        draft.texts[name] = _text(data.pop(key, None))
    notes = [_text(data.pop(key, None)) for key in ("notepad", "jnotes", "notes")]
    draft.texts["notes"] = "\n".join(dict.fromkeys(filter(None, notes)))
    draft.leave({key: value for key, value in data.items() if key not in _TECHNICAL})
    return draft.finish()


def _read_grid(data: Fields, draft: Draft) -> int:
    """Add the cells, and return the width of the grid."""
    grid = data.pop("grid", None)
    size = data.pop("size", None) or data.pop("dimensions", None)
    size = size if isinstance(size, dict) else {}
    stated = {
        "width": next((size[key] for key in ("cols", "columns", "width") if key in size), None),
        "height": next((size[key] for key in ("rows", "height") if key in size), None),
    }
    if not isinstance(grid, list) or not grid:
        raise ValueError("it has no grid")
    rows = grid = ["" if cell is None else cell for cell in grid]
    root = math.isqrt(len(grid))
    width = stated["width"] if stated["width"] or root**2 != len(grid) else root
    width = int(str(width)) if str(width).isdecimal() else width
    are_rows = width != 1 and {len(str(cell)) for cell in grid} == {width}
    if all(isinstance(cell, str) for cell in grid) and not are_rows:
        if isinstance(width, int) and width > 0 and len(grid) % width and root**2 == len(grid):
            width = root  # the size is wrong, which is noted
        if not isinstance(width, int) or width < 1 or len(grid) % width:
            raise ValueError(f"{len(grid)} cells are no grid of {excerpt(str(width))} columns")
        rows = [grid[start : start + width] for start in range(0, len(grid), width)]
    check_size(draft.name, len(rows), max(map(len, rows)))
    for row in rows:
        draft.add_row([str(cell or "") for cell in row], _BLOCKS, _EMPTY)
    draft.compare_size(stated)
    return len(draft.rows[0])


def _flat(value: object) -> list[object]:
    """Return the entries of a list for all cells, which may be a list of rows."""
    found = value if isinstance(value, list) else []
    return [cell for row in found for cell in (row if isinstance(row, list) else [row])]


def _read_bars(data: Fields, width: int, draft: Draft) -> None:
    for key, side in {"rbars": "right", "bbars": "bottom"}.items():
        for index, is_barred in enumerate(_flat(data.pop(key, None))):
            row, column = divmod(index, width)
            if is_barred and str(is_barred) != "0" and row < len(draft.rows):
                draft.add_bar((row, column), side)


def _read_clues(group: str, listed: Any, answers: Any, draft: Draft) -> None:
    entries = list(listed.items()) if isinstance(listed, dict) else list(listed or ())
    words = answers if isinstance(answers, list) and len(answers) == len(entries) else None
    for index, entry in enumerate(entries):
        label, text = "", entry
        if isinstance(entry, list | tuple) and len(entry) == 2:
            label, text = entry
        elif isinstance(entry, dict):
            fields = dict(entry)
            label = fields.pop("number", "") or fields.pop("num", "")
            text = fields.pop("clue", "") or fields.pop("text", "")
            draft.leave(fields, "clue")
        elif isinstance(entry, str) and (match := _CLUE.fullmatch(entry)):
            label, text = match.groups()
        answer = re.sub(r"[\W_]", "", str(words[index])).upper() if words else ""
        draft.clues.append(FoundClue(_text(text, italics=True), str(label), group, answer=answer))


def _text(value: object, *, italics: bool = False) -> str:
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{excerpt(str(value))} is not a text")
    return plain_text(value or "", italics=italics).strip()
