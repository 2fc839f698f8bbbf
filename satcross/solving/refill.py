"""Filling the holes of an existing fill while changing as few of its words as needed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Unpack

from satcross.errors import InputError
from satcross.grid import OPEN, Cell, Grid
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, RunOptions, RunSettings
from satcross.solving.solve import solve

KEPT_WORDS = "kept_words"
"""Name of the statistic: how many complete words of the existing fill are in the new one."""

_SHARE = 0.25
"""Share of the remaining time for each attempt but the last, which needs the most."""
_MAX_SECONDS = 5.0
"""Limit for each attempt but the last: an answer near the existing fill comes at once or not."""


def refill(
    puzzle: Puzzle,
    letters: Sequence[Sequence[str | None]],
    backend: str = "auto",
    settings: RunSettings | None = None,
    **changes: Unpack[RunOptions],
) -> Outcome:
    """Fill the cells without a letter, and keep the letters of the others where that is possible.

    ``letters`` has one row for each row of the grid, with None for a cell without a letter. At
    first every letter is kept. As long as that has no fill, the words that cross an emptied cell
    are emptied too, ring by ring; the last attempt is the puzzle itself, so UNFILLABLE is an
    answer about all its fills. A word that is kept whole is legal even if no list has it, like a
    locked word. Settings and exceptions are those of ``solve``.
    """
    settings = RunSettings.of(settings, changes)
    deadline = settings.deadline()
    grid = puzzle.grid
    open_cells = {cell for slot in grid.slots for cell in slot.cells if grid.given(cell) is None}
    for slot in grid.slots:
        if slot.name in puzzle.locks:
            open_cells.difference_update(slot.cells)
    free = {cell for cell in open_cells if not letters[cell[0]][cell[1]]}
    while free < open_cells:
        limit = min(_MAX_SECONDS, deadline.left * _SHARE)
        with suppress(InputError):  # the letters contradict a rule, as a word that stands twice
            kept = _with_letters(puzzle, letters, open_cells - free)
            outcome = solve(kept, backend, replace(settings, time_limit=limit))
            if outcome.status is Status.FILLED or outcome.reason == INTERRUPTED:
                return _count_kept(outcome, grid, letters)
        # Without a hole, or with one that has grown as far as it can, the next attempt is the last.
        crossing = (slot.cells for slot in grid.slots if not free.isdisjoint(slot.cells))
        ring = open_cells.intersection(chain.from_iterable(crossing))
        free = open_cells if ring == free else ring
    rest = None if deadline.at is None else deadline.left
    outcome = solve(puzzle, backend, replace(settings, time_limit=rest))
    return _count_kept(outcome, grid, letters)


def _with_letters(
    puzzle: Puzzle, letters: Sequence[Sequence[str | None]], cells: set[Cell]
) -> Puzzle:
    """The puzzle with the letters of some cells given."""
    contents = {(r, c): letters[r][c] or OPEN for r, c in cells}
    return replace(puzzle, grid=puzzle.grid.with_cells(contents))


def _count_kept(outcome: Outcome, grid: Grid, letters: Sequence[Sequence[str | None]]) -> Outcome:
    if outcome.fill is None:
        return outcome
    old = {
        slot.name: [grid.given(cell) or letters[cell[0]][cell[1]] for cell in slot.cells]
        for slot in grid.slots
    }
    kept = sum(old[name] == list(word) for name, word in outcome.fill.items())
    return replace(outcome, grid=grid, stats={**outcome.stats, KEPT_WORDS: kept})
