"""Regions of a grid, and puzzles in which only the cells of a region are open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from satcross.errors import InputError
from satcross.grid import OPEN, Cell, cell_name, check_from_one, open_cells
from satcross.puzzle import Puzzle

_PATTERN = re.compile(r"r(\d{1,6})(?:-(\d{1,6}))?c(\d{1,6})(?:-(\d{1,6}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Region:
    """A rectangle of cells: first and last row, first and last column, 0-based and inclusive."""

    rows: tuple[int, int]
    columns: tuple[int, int]

    @classmethod
    def parse(cls, text: str) -> Region:
        """Read ``r1-6c1-7``, or ``r4c1-7`` for one row, counted from 1. Raises InputError."""
        match = _PATTERN.fullmatch(text.strip().lower())
        if match is None:
            raise InputError(
                f"bad region {text!r}", "write rows and columns, counted from 1, as r1-6c1-7"
            )
        top, bottom, left, right = match.groups()
        rows = int(top), int(bottom or top)
        columns = int(left), int(right or left)
        for first, last in (rows, columns):
            if first > last:
                raise InputError(f"region {text}: {first} comes after {last}", "turn them around")
        check_from_one(text, rows[0], columns[0])
        return cls((rows[0] - 1, rows[1] - 1), (columns[0] - 1, columns[1] - 1))

    def __contains__(self, cell: Cell) -> bool:
        row, column = cell
        return self.rows[0] <= row <= self.rows[1] and self.columns[0] <= column <= self.columns[1]

    def __str__(self) -> str:
        return f"r{_span(self.rows)}c{_span(self.columns)}"


def _span(ends: tuple[int, int]) -> str:
    return "-".join(str(end + 1) for end in dict.fromkeys(ends))


def keep_outside(
    puzzle: Puzzle, letters: Sequence[Sequence[str | None]], regions: Iterable[Region]
) -> Puzzle:
    """Return the puzzle with the letters of a fill given in all cells outside the regions.

    ``letters`` has one row for each row of the grid, with None for a cell without a letter. Given
    letters and locks of the puzzle stay. A word that is kept whole is legal even if no list has
    it, like a locked word. Raises InputError when a region reaches beyond the grid, when the
    regions have no cell to fill, and when the letters contradict the puzzle.
    """
    grid = puzzle.grid
    chosen = list(regions)
    for region in chosen:
        if region.rows[1] >= grid.height or region.columns[1] >= grid.width:
            raise InputError(f"region {region} reaches beyond the grid", grid.extent)
    cells = open_cells(grid.rows)
    free = {cell for cell in cells if any(cell in region for region in chosen)}
    kept: dict[Cell, str] = {}
    for row, column in sorted(cells - free):
        content, letter = grid.rows[row][column], letters[row][column]
        if letter is not None:
            kept[row, column] = letter
        if content != OPEN and letter not in (None, content):
            raise InputError(
                f"the fill has {letter} at {cell_name((row, column))}, where the "
                f"structure gives {content}",
                "make the region larger, or keep another fill",
            )
    if all(grid.given(cell) for cell in free):
        raise InputError(
            f"region {', '.join(map(str, chosen))} has no cell to fill", "choose another one"
        )
    return replace(puzzle, grid=grid.with_cells(kept))
