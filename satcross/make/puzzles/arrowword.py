"""Arrowwords (Swedish puzzles, mots fléchés): the clues stand in cells of the grid.

A clue cell holds one or two clues, each with an arrow to the first letter of its word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from satcross.crossword import Crossword
from satcross.formats.languages import phrase
from satcross.grid import ACROSS, DOWN, Cell, cell_name, open_cells
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
        slots = {slot.name for slot in crossword.grid.slots}
        placed = tuple(
            PlacedClue(
                (int(cell["row"]), int(cell["column"])),
                str(clue["arrow"]),
                str(clue["slot"]),
                str(clue["clue"]),
                tuple(map(str, clue.get("alike", ()))),
            )
            for cell in about["clue_cells"]
            for clue in cell["clues"]
        )
        for clue in placed:
            if clue.slot not in slots or clue.arrow not in ARROWS:
                raise ValueError(f"there is no arrow {clue.arrow} to {clue.slot}")
        return cls(crossword, placed, float(about.get("text_size", MIN_TEXT_SIZE)))

    def faults(self) -> list[str]:
        grid, found = self.crossword.grid, list[str]()
        slots = {slot.name: slot for slot in grid.slots}
        for (row, column), clues in self.in_cells().items():
            here = cell_name((row, column))
            if (row, column) in open_cells(grid.rows) or len(clues) > MAX_CLUES:
                found.append(f"{here} is no clue cell with one or two clues")
            for clue in clues:
                arrow, slot = ARROWS[clue.arrow], slots[clue.slot]
                first = (row + arrow.down, column + arrow.right)
                if (first, arrow.direction) != (slot.cells[0], slot.direction):
                    found.append(
                        f"the arrow in {here} does not point at the first letter of {clue.slot}"
                    )
                unfit = [word for word in clue.alike if len(word) != slot.length]
                found += [f"{word} does not fit {clue.slot}" for word in unfit]
        clued = Counter(clue.slot for clue in self.clues)
        return found + [
            f"{slot.name} has {counted(clued[slot.name], 'clue')}"
            for slot in grid.slots
            if clued[slot.name] != 1
        ]

    def question(self, read_words: Callable[[], Vocabulary] = no_words) -> Question:
        """Return what a solver is asked who knows which words of the clued list fit which clue."""
        words = self.crossword.words
        alike = {words[clue.slot]: clue.alike for clue in self.clues}
        return crossword_question(self.crossword, lambda word: (word, *alike[word]))

    @property
    def rule(self) -> str:
        return phrase("arrowword_rule")

    @property
    def summary(self) -> str:
        cells = counted(len(self.in_cells()), "clue cell")
        return f"{counted(len(self.clues), 'word')}, {cells}."

    def description(self, *, solution: bool) -> str:
        grid = self.crossword.grid
        clues = [f"{cell_name(c.cell)} {c.arrow}: {c.text}." for c in self.clues]
        return f"An arrowword of {grid.height} rows and {grid.width} columns. {' '.join(clues)}"


def arrowword_ipuz(puzzle: Arrowword) -> dict[str, Any]:
    """Return an ipuz crossword with the clue cell of each clue, as GNOME Crosswords reads it."""
    from satcross.formats.ipuz import crossword_to_data

    crossword = puzzle.crossword
    places = {clue.slot: clue.cell for clue in puzzle.clues}

    def at(cell: Cell) -> list[int]:
        return [cell[1] + 1, cell[0] + 1]

    data = crossword_to_data(crossword)
    data |= {"kind": [_IPUZ_KIND], "clueplacement": "blocks"}
    for direction in data["clues"]:
        data["clues"][direction] = [
            {
                "number": int(slot.name[:-1]),
                "clue": crossword.clues[slot.name],
                "cells": list(map(at, slot.cells)),
                "location": at(places[slot.name]),
            }
            for slot in crossword.grid.slots
            if slot.direction.title() == direction
        ]
    return data
