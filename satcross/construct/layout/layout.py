"""Layouts: given words interlocked in one piece, each once, in the smallest box.

A layout is a criss-cross: every run of two or more letters, across or down, is one of the words,
and all hang together. ``search`` finds good ones fast; ``packing`` asks CP-SAT for smaller ones, or
proves that there are none. Better means: a smaller area of the box, then more crossings, then a box
nearer to a square.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from satcross.grid import ACROSS, BLOCKED, OPEN, Cell, Grid

Place = tuple[int, int, str]
"""Row and column of a word's first letter, and its direction."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Words and where they stand, the box beginning at row 0, column 0."""

    places: tuple[tuple[str, Place], ...]

    @classmethod
    def of(cls, places: Iterable[tuple[str, Place]]) -> Layout:
        """The layout, moved to the corner, its words in alphabetical order."""
        given = sorted(places)
        top = min(row for _, (row, _, _) in given)
        left = min(column for _, (_, column, _) in given)
        moved = [(word, (row - top, column - left, way)) for word, (row, column, way) in given]
        return cls(tuple(moved))

    @property
    def letters(self) -> dict[Cell, str]:
        return {
            cell: letter
            for word, place in self.places
            for cell, letter in zip(cells_of(word, place), word, strict=True)
        }

    @property
    def height(self) -> int:
        return 1 + max(row for row, _ in self.letters)

    @property
    def width(self) -> int:
        return 1 + max(column for _, column in self.letters)

    @property
    def area(self) -> int:
        """Cells of the box."""
        return self.height * self.width

    @property
    def crossings(self) -> int:
        return sum(len(word) for word, _ in self.places) - len(self.letters)

    @property
    def cost(self) -> tuple[int, int, int]:
        """Smaller is better."""
        return self.area, -self.crossings, abs(self.height - self.width)

    @property
    def rows(self) -> tuple[str, ...]:
        """Rows of letters, ``#`` where there is none."""
        letters = self.letters
        return tuple(
            "".join(letters.get((row, column), BLOCKED) for column in range(self.width))
            for row in range(self.height)
        )

    def grid(self) -> Grid:
        """The grid, without its letters."""
        return Grid(
            tuple(
                "".join(BLOCKED if letter == BLOCKED else OPEN for letter in row)
                for row in self.rows
            )
        )

    def fill(self) -> dict[str, str]:
        """Slot name -> word."""
        letters = self.letters
        return {
            slot.name: "".join(letters[cell] for cell in slot.cells) for slot in self.grid().slots
        }


def cells_of(word: str, place: Place) -> list[Cell]:
    """The cells a word covers."""
    row, column, direction = place
    if direction == ACROSS:
        return [(row, column + k) for k in range(len(word))]
    return [(row + k, column) for k in range(len(word))]


def islands(words: Sequence[str]) -> list[list[str]]:
    """The words in groups that share no letter with each other; a layout needs a single one."""
    groups: list[list[str]] = []
    for word in words:
        joined = [group for group in groups if any(set(word) & set(other) for other in group)]
        groups = [group for group in groups if group not in joined]
        groups.append([*(other for group in joined for other in group), word])
    return groups


def check_layout(words: Sequence[str], rows: Sequence[str]) -> list[str]:
    """List what is wrong with a layout, from its rows alone; shares nothing with the makers."""
    problems = []
    runs = []
    for line in [*rows, *map("".join, zip(*rows, strict=True))]:
        runs += [run for run in line.split(BLOCKED) if len(run) > 1]
    for run in sorted(set(runs) | set(words)):
        if runs.count(run) != words.count(run):
            problems.append(f"{run} stands {runs.count(run)} times, not {words.count(run)}")
    cells = {(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x != BLOCKED}
    reached, todo = set(), sorted(cells)[:1]
    while todo:
        row, column = todo.pop()
        if (row, column) in cells and (row, column) not in reached:
            reached.add((row, column))
            todo += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    if reached != cells:
        problems.append("it is not in one piece")
    return problems
