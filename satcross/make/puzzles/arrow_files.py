"""What files of an arrowword say: JSON, ipuz, the text of a picture; and what is wrong with one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from satcross.crossword import Crossword
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

    ``row`` and ``column`` count from 0; the upper clue of a cell comes first. ``alike`` are other
    words that have a clue.
    """
    cells = [
        {
            "row": row,
            "column": column,
            "clues": [
                {"slot": c.slot, "arrow": c.arrow, "clue": c.text}
                | ({"alike": list(c.alike)} if c.alike else {})
                for c in clues
            ],
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
        PlacedClue(
            (cell["row"], cell["column"]),
            clue["arrow"],
            clue["slot"],
            str(clue["clue"]),
            tuple(map(str, clue.get("alike", ()))),
        )
        for cell in about["clue_cells"]
        for clue in cell["clues"]
    )
    if fault := next(arrow_faults(crossword.grid, about["clue_cells"]), ""):
        raise ValueError(fault)
    return Arrowword(crossword, placed, float(about.get("text_size", MIN_TEXT_SIZE)))


def arrow_faults(grid: Grid, cells: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what is wrong with the clue cells, as ``arrowword_to_data`` has them.

    Raises LookupError, TypeError, ValueError or AttributeError for other data.
    """
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
            for word in clue.get("alike", ()):
                if len(word) != slot.length:
                    yield f"{word} does not fit {slot.name}"
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
