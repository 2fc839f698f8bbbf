"""Arrowwords (Swedish puzzles, mots fléchés): the clues stand in cells of the grid.

A clue cell holds one or two clues, each with an arrow to the first letter of its word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from satcross.crossword import Crossword
from satcross.grid import ACROSS, BLOCKED, DOWN, Cell, Grid, cell_name
from satcross.make.puzzles.printed import Printed, crossword_question, no_words
from satcross.make.puzzles.question import Question
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary

_IPUZ_KIND = "http://ipuz.org/crossword/arrowword#1"


class Arrow(NamedTuple):
    """A form of arrow: where the first letter is, seen from the clue cell; the word's direction;
    and what the form costs: solvers know straight arrows best."""

    down: int
    right: int
    direction: str
    cost: int


ARROWS = {
    "right": Arrow(0, 1, ACROSS, 0),
    "down": Arrow(1, 0, DOWN, 0),
    "right-down": Arrow(0, 1, DOWN, 1),
    "down-right": Arrow(1, 0, ACROSS, 1),
    "left-down": Arrow(0, -1, DOWN, 3),
    "up-right": Arrow(-1, 0, ACROSS, 3),
    "corner-right": Arrow(1, 1, ACROSS, 6),
    "corner-down": Arrow(1, 1, DOWN, 6),
}
"""The eight forms by name."""

MAX_CLUES = 2
MIN_TEXT_SIZE = 4.75
"""Smallest size of clue text, in points, unless the user sets another."""


@dataclass(frozen=True, slots=True)
class PlacedClue:
    """A clue in its cell: the form of its arrow, and the name of the slot that it is for.

    ``alike`` are the other words of the list, as long as the answer, that have this clue, too.
    """

    cell: Cell
    arrow: str
    slot: str
    text: str
    alike: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrowword(Printed):
    """A crossword whose blocked cells hold clues, but for the holes, the picture's cells.

    ``clues`` has one for each slot, in reading order of their cells; the upper one of two is first.
    They are set in ``text_size`` points or more.
    """

    kind: ClassVar[str] = "arrowword"
    clues: tuple[PlacedClue, ...]
    text_size: float = MIN_TEXT_SIZE

    def in_cells(self) -> dict[Cell, list[PlacedClue]]:
        """Return the clues of each clue cell."""
        cells: dict[Cell, list[PlacedClue]] = {}
        for clue in self.clues:
            cells.setdefault(clue.cell, []).append(clue)
        return cells

    @property
    def about(self) -> dict[str, object]:
        def entry(clue: PlacedClue) -> dict[str, object]:
            found: dict[str, object] = {"slot": clue.slot, "arrow": clue.arrow, "clue": clue.text}
            return found | ({"alike": list(clue.alike)} if clue.alike else {})

        cells = [
            {"row": row, "column": column, "clues": list(map(entry, clues))}
            for (row, column), clues in self.in_cells().items()
        ]
        size = {} if self.text_size == MIN_TEXT_SIZE else {"text_size": self.text_size}
        return {"clue_cells": cells, **size}

    @classmethod
    def of_data(cls, about: Mapping[str, Any], crossword: Crossword) -> Arrowword:
        if fault := next(arrow_faults(crossword.grid, about["clue_cells"]), ""):
            raise ValueError(fault)
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
        return cls(crossword, placed, float(about.get("text_size", MIN_TEXT_SIZE)))

    def question(self, read_words: Callable[[], Vocabulary] = no_words) -> Question:
        """Return what a solver is asked who knows which words of the clued list fit which clue."""
        words = self.crossword.words
        alike = {words[clue.slot]: clue.alike for clue in self.clues}
        return crossword_question(self.crossword, lambda word: (word, *alike[word]))

    @property
    def summary(self) -> str:
        cells = counted(len(self.in_cells()), "clue cell")
        return f"{counted(len(self.clues), 'word')}, {cells}."

    def description(self, *, solution: bool) -> str:
        grid = self.crossword.grid
        clues = [f"{cell_name(c.cell)} {c.arrow}: {c.text}." for c in self.clues]
        return f"An arrowword of {grid.height} rows and {grid.width} columns. {' '.join(clues)}"


def arrow_faults(grid: Grid, cells: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what is wrong with the clue cells, as ``Arrowword.about`` has them.

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
