"""Across Lite's text format, versions 1 and 2: ``<ACROSS PUZZLE>``, then sections under tags."""

from __future__ import annotations

import re

from satcross.formats.common import ImportedCrossword
from satcross.formats.draft import Draft
from satcross.formats.files import Text
from satcross.formats.markup import unmarked
from satcross.formats.placing import FoundClue
from satcross.grid import ACROSS, DOWN

_TAG = re.compile(r"\s*<([A-Z][A-Z ]*?)(?: V\d+)?>\s*", re.IGNORECASE)
_SIZE = re.compile(r"\s*(\d+)\s*x\s*(\d+)\s*", re.IGNORECASE | re.ASCII)
_TEXTS = {"TITLE": "title", "AUTHOR": "author", "COPYRIGHT": "copyright", "NOTEPAD": "notes"}
_BEGIN, _GRID, _REBUS, _MARK = "ACROSS PUZZLE", "GRID", "REBUS", "MARK"
_BLOCK, _COLON, _EMPTY = ".", ":", "-?"


def parse_crossword(source: Text) -> ImportedCrossword:
    """Parse a crossword in Across Lite's text format.

    A dot is a block; so is a colon in diagramless puzzles, but beside dots it is a hole. Raises
    InputError, with the line if possible, for another text.
    """
    draft = Draft(source.name, list(source.notes))
    sections = _sections(source.text, draft)
    marks, rebus = _read_rebus(sections.pop(_REBUS, []))
    grid = [(number, line.strip()) for number, line in sections.pop(_GRID, []) if line.strip()]
    if any(_BLOCK in line for _, line in grid):
        places = [(r, c) for r, (_, line) in enumerate(grid) for c in range(len(line))]
        draft.decorations["holes"] = [(r, c) for r, c in places if grid[r][1][c] == _COLON]

    def read(line: str) -> None:
        draft.add_row(line, _BLOCK + _COLON, _EMPTY, rebus)
        for column in (column for column, cell in enumerate(line) if marks and cell.islower()):
            draft.decorate("circled", (len(draft.rows) - 1, column))

    draft.read_rows(grid, read)
    if not draft.rows:
        raise source.error("is no crossword: it has no <GRID>", "write the rows under it")
    size = _SIZE.fullmatch("".join(line for _, line in sections.pop("SIZE", [])))
    if size:
        draft.compare_size({"width": size[1], "height": size[2]})
    for tag, key in _TEXTS.items():
        draft.texts[key] = unmarked("\n".join(line.strip() for _, line in sections.pop(tag, [])))
    for direction in (ACROSS, DOWN):
        for _, line in sections.pop(direction.upper(), []):
            draft.clues.append(FoundClue(unmarked(line.strip(), italics=True), group=direction))
    for tag, lines in sections.items():
        draft.leave({f"<{tag}>": any(line.strip() for _, line in lines)})
    return draft.finish()


def _sections(text: str, draft: Draft) -> dict[str, list[tuple[int, str]]]:
    """Return the numbered lines under each tag of the first crossword; a tab is an empty clue."""
    sections: dict[str, list[tuple[int, str]]] = {}
    current: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := _TAG.fullmatch(line):
            if match[1].upper() == _BEGIN and _BEGIN in sections:
                draft.notes.append("the file has more than 1 crossword; the first is read")
                break
            current = sections.setdefault(match[1].upper(), [])
        elif line:
            current.append((number, line))
    sections.pop(_BEGIN, None)
    return sections


def _read_rebus(lines: list[tuple[int, str]]) -> tuple[bool, dict[str, str]]:
    """Return whether lower-case letters are circled, and sign -> letters of a cell."""
    marked, rebus = False, {}
    for _, line in lines:
        for part in line.split(";"):
            sign, *letters = part.strip().split(":")
            marked = marked or sign.upper() == _MARK
            if letters and len(sign) == 1:
                rebus[sign] = letters[0]
    return marked, rebus
