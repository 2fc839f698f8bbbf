"""A template of a format: a heading, rows of a solved grid, and a line for each clue.

    crossword in rows
    | C A T
    | U # .
    1A It purrs

A cell is ``#``, ``.`` for one without a letter, or its letter or letters.
"""

from __future__ import annotations

import re
from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import MAX_REBUS, MAX_SIDE, ImportedCrossword, excerpt
from satcross.formats.draft import reading
from satcross.formats.files import Text
from satcross.formats.placing import FoundClue
from satcross.grid import BLOCKED

_HEADING = "crossword in rows"
_EMPTY = "."
_CLUE = re.compile(r"(\d+)([AD])\s(.*)", re.ASCII)
_REMEDY = "write rows as | C A T and clues as 1A It purrs"


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    if crossword.grid.bars:
        raise InputError("a .rows file has no bars", "write .ipuz instead")
    lines = [_HEADING]
    for row, letters in zip(crossword.grid.rows, crossword.solution, strict=True):
        both = zip(row, letters, strict=True)
        cells = (BLOCKED if cell == BLOCKED else letter or _EMPTY for cell, letter in both)
        lines.append(f"| {' '.join(cells)}")
    lines += [f"{name} {' '.join(clue.split())}" for name, clue in crossword.clues.items()]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def parse_crossword(source: Text) -> ImportedCrossword:
    with reading(source, _REMEDY) as draft:
        rows = []
        for number, line in enumerate(source.text.splitlines(), 1):
            if line.startswith("|"):
                rows.append((number, line[1:]))
            elif clue := _CLUE.fullmatch(line):
                draft.clues.append(FoundClue(clue[3], clue[1], clue[2]))
            elif line.strip() not in ("", _HEADING):
                problem = f"{excerpt(line)} is no row and no clue"
                raise InputError(problem, _REMEDY, file=source.name, line=number)
        draft.read_rows(
            rows,
            lambda line: draft.add_row(line.split(), BLOCKED, _EMPTY),
            max_width=MAX_SIDE * (MAX_REBUS + 1),
        )
        return draft.finish()
