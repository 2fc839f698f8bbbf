"""Arrowwords (Swedish puzzles, mots fléchés): the clues stand in cells of the grid.

A clue cell holds one or two clues, each with an arrow to the first letter of its word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import msgspec

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


class PlacedClue(msgspec.Struct, frozen=True, omit_defaults=True):
    """A clue in a cell: the name of the slot that it is for, and the form of its arrow.

    ``alike`` are the other words of the list, as long as the answer, that have this clue, too.
    """

    slot: str
    arrow: str
    clue: str
    alike: tuple[str, ...] = ()


class ClueCell(msgspec.Struct, frozen=True):
    """A cell with its clues; the upper one of two is first."""

    row: int
    column: int
    clues: tuple[PlacedClue, ...]

    @property
    def cell(self) -> Cell:
        return self.row, self.column


@dataclass(frozen=True, slots=True)
class Arrowword(Printed):
    """A crossword whose blocked cells hold clues, but for the holes, the picture's cells.

    Each slot has a clue in one of the cells, which are in reading order. Clues are set in
    ``text_size`` points or more.
    """

    kind: ClassVar[str] = "arrowword"
    clue_cells: tuple[ClueCell, ...]
    text_size: float = MIN_TEXT_SIZE

    def __post_init__(self) -> None:
        slots = {slot.name for slot in self.crossword.grid.slots}
        for clue in self.clues:
            if clue.slot not in slots or clue.arrow not in ARROWS:
                raise ValueError(f"there is no arrow {clue.arrow} to {clue.slot}")

    @property
    def clues(self) -> list[PlacedClue]:
        return [clue for cell in self.clue_cells for clue in cell.clues]

    def faults(self) -> list[str]:
        grid, found = self.crossword.grid, list[str]()
        slots = {slot.name: slot for slot in grid.slots}
        for held in self.clue_cells:
            here = cell_name(held.cell)
            if held.cell in open_cells(grid.rows) or len(held.clues) > MAX_CLUES:
                found.append(f"{here} is no clue cell with one or two clues")
            for clue in held.clues:
                arrow, slot = ARROWS[clue.arrow], slots[clue.slot]
                first = (held.row + arrow.down, held.column + arrow.right)
                if (first, arrow.direction) != (slot.cells[0], slot.direction):
                    found.append(
                        f"the arrow in {here} does not point at the first letter of {clue.slot}"
                    )
                unfit = [word for word in clue.alike if len(word) != slot.length]
                found += [f"{word} does not fit {clue.slot}" for word in unfit]
        clued = Counter(clue.slot for clue in self.clues)
        wrong = (slot.name for slot in grid.slots if clued[slot.name] != 1)
        return found + [f"{name} has {counted(clued[name], 'clue')}" for name in wrong]

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
        cells = counted(len(self.clue_cells), "clue cell")
        return f"{counted(len(self.clues), 'word')}, {cells}."

    def description(self, *, solution: bool) -> str:
        grid = self.crossword.grid
        clues = [
            f"{cell_name(held.cell)} {clue.arrow}: {clue.clue}."
            for held in self.clue_cells
            for clue in held.clues
        ]
        return f"An arrowword of {grid.height} rows and {grid.width} columns. {' '.join(clues)}"


def arrowword_ipuz(puzzle: Arrowword) -> dict[str, Any]:
    """Return an ipuz crossword with the clue cell of each clue, as GNOME Crosswords reads it."""
    from satcross.formats.ipuz import crossword_to_data

    crossword = puzzle.crossword
    places = {
        clue.slot: [own.column + 1, own.row + 1] for own in puzzle.clue_cells for clue in own.clues
    }
    data = crossword_to_data(crossword)
    data |= {"kind": [_IPUZ_KIND], "clueplacement": "blocks"}
    for direction in data["clues"]:
        data["clues"][direction] = [
            {
                "number": int(slot.name[:-1]),
                "clue": crossword.clues[slot.name],
                "cells": [[column + 1, row + 1] for row, column in slot.cells],
                "location": places[slot.name],
            }
            for slot in crossword.grid.slots
            if slot.direction.title() == direction
        ]
    return data
