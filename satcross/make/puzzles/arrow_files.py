"""What files of an arrowword say: JSON, ipuz, the text of a picture; and what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import read_text
from satcross.formats.json import crossword_from_data, parse_json
from satcross.grid import BLOCKED, Grid, cell_name
from satcross.make.puzzles.arrowword import (
    ARROWS,
    MAX_CLUES,
    MIN_TEXT_SIZE,
    Arrowword,
    PlacedClue,
)
from satcross.support.wording import counted

_IPUZ_KIND = "http://ipuz.org/crossword/arrowword#1"


def arrowword_to_data(puzzle: Arrowword) -> dict[str, object]:
    """Return the clue cells with their arrows as JSON values.

    ``row`` and ``column`` count from 0; the upper clue of a cell comes first.
    """
    cells = [
        {
            "row": row,
            "column": column,
            "clues": [{"slot": c.slot, "arrow": c.arrow, "clue": c.text} for c in clues],
        }
        for (row, column), clues in puzzle.in_cells().items()
    ]
    size = {} if puzzle.text_size == MIN_TEXT_SIZE else {"text_size": puzzle.text_size}
    return {"kind": "arrowword", "clue_cells": cells, **size}


def arrowword_from_data(about: Mapping[str, Any], crossword: Crossword) -> Arrowword:
    """Return the arrowword of ``arrowword_to_data``.

    Raises ValueError, KeyError or TypeError for other data.
    """
    placed = tuple(
        PlacedClue((cell["row"], cell["column"]), clue["arrow"], clue["slot"], str(clue["clue"]))
        for cell in about["clue_cells"]
        for clue in cell["clues"]
    )
    if fault := next(_faults(crossword.grid, about["clue_cells"]), ""):
        raise ValueError(fault)
    return Arrowword(crossword, placed, float(about.get("text_size", MIN_TEXT_SIZE)))


@dataclass(frozen=True, slots=True)
class ArrowCheck:
    """What is wrong with the clue cells of an arrowword, one line for each fault."""

    words: int
    faults: list[str]

    @property
    def second(self) -> list[str] | None:
        """Something but None where the puzzle may have another solution."""
        return self.faults or None

    def lines(self) -> Iterator[str]:
        """Yield what was found, as text."""
        yield from self.faults or [
            f"Exactly one solution: each of the {self.words} words has one clue, and the arrows "
            "point at first letters."
        ]

    def to_data(self) -> dict[str, object]:
        """Return what was found as JSON values."""
        return {"unique": not self.faults, "faults": self.faults}


def check_arrowword(path: str) -> ArrowCheck | None:
    """Check the clue cells of a .json of ``write_arrowword``; None for a puzzle of another kind.

    Raises InputError where values are missing or of the wrong type.
    """
    data: Any = parse_json(read_text(path).text, path)
    if data["puzzle"].get("kind") != "arrowword":
        return None
    try:
        grid = crossword_from_data(data, path, []).grid
        return ArrowCheck(len(grid.slots), list(_faults(grid, data["puzzle"]["clue_cells"])))
    except (LookupError, TypeError, ValueError, AttributeError):
        raise InputError(
            "the clue cells are no longer complete", "write the .json again", file=path
        ) from None


def _faults(grid: Grid, cells: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    slots = {slot.name: slot for slot in grid.slots}
    clued: list[str] = []
    for cell in cells:
        row, column = cell["row"], cell["column"]
        here = cell_name((row, column))
        if grid.rows[row][column] != BLOCKED or not 1 <= len(cell["clues"]) <= MAX_CLUES:
            yield f"{here} is no clue cell with one or two clues"
        for clue in cell["clues"]:
            arrow, slot = ARROWS[clue["arrow"]], slots[clue["slot"]]
            first = (row + arrow.down, column + arrow.right)
            clued.append(slot.name)
            if (first, arrow.direction) != (slot.cells[0], slot.direction):
                yield f"the arrow in {here} does not point at the first letter of {slot.name}"
    for name in slots:
        if clued.count(name) != 1:
            yield f"{name} has {counted(clued.count(name), 'clue')}"


def arrowword_ipuz(puzzle: Arrowword) -> dict[str, Any]:
    """Return an ipuz crossword with the clue cell of each clue, as GNOME Crosswords reads it."""
    from satcross.formats.ipuz import crossword_to_data

    crossword = puzzle.crossword
    cells = {clue.slot: clue.cell for clue in puzzle.clues}
    data = crossword_to_data(crossword)
    data |= {"kind": [_IPUZ_KIND], "clueplacement": "blocks"}
    for slots in data["clues"].values():
        slots.clear()
    for slot in crossword.grid.slots:
        row, column = cells[slot.name]
        data["clues"][slot.direction.title()].append(
            {
                "number": int(slot.name[:-1]),
                "clue": crossword.clues[slot.name],
                "cells": [[column + 1, row + 1] for row, column in slot.cells],
                "location": [column + 1, row + 1],
            }
        )
    return data


def picture_text(puzzle: Arrowword) -> str:
    """Return the text alternative of a picture, which has the clues."""
    grid = puzzle.crossword.grid
    clues = [f"{cell_name(c.cell)} {c.arrow}: {c.text}." for c in puzzle.clues]
    return f"An arrowword of {grid.height} rows and {grid.width} columns. {' '.join(clues)}"
