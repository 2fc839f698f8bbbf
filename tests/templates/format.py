"""A template of a format: rows of a solved grid, # for a block, and clues behind a blank line."""

from __future__ import annotations

from pathlib import Path

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.common import ImportedCrossword
from satcross.formats.files import Text
from satcross.grid import BLOCKED, OPEN, Grid


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    rows = [
        "".join(
            BLOCKED if cell == BLOCKED else letter or "?"
            for cell, letter in zip(*both, strict=True)
        )
        for both in zip(crossword.grid.rows, crossword.solution, strict=True)
    ]
    clues = [f"{name}\t{clue}" for name, clue in crossword.clues.items()]
    path.write_text("\n".join([*rows, "", *clues, ""]), encoding="utf-8")


def parse_crossword(source: Text) -> ImportedCrossword:
    head, _, tail = source.text.partition("\n\n")
    rows = head.splitlines()
    if len(set(map(len, rows))) != 1:
        raise InputError("its rows differ in length", "make them alike", file=source.name, line=1)
    grid = Grid.from_rows(["".join(BLOCKED if c == BLOCKED else OPEN for c in row) for row in rows])
    solution = tuple(tuple(None if c in (BLOCKED, "?") else c for c in row) for row in rows)
    clues = dict(line.split("\t", 1) for line in tail.splitlines() if "\t" in line)
    return ImportedCrossword(Crossword(grid, solution, clues))
