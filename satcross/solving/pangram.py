"""Fills in which every letter stands, A to Z or others: the rare ones are placed first.

Cells for the letters that are in the fewest candidates are drawn, the likelier the more candidates
have the letter there; arc consistency shows whether that can be. The rest is an ordinary fill, and
what it lacks is placed first in the next one. The search is not complete: it proves that there is
no pangram only where a letter has no cell from the start.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import replace
from itertools import count
from random import Random
from string import ascii_uppercase
from typing import Unpack

from satcross.grid import Cell
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle, with_letters
from satcross.run_settings import INTERRUPTED, RunOptions, RunSettings
from satcross.solving.solve import check, solve

_PLACED = 8
"""Letters that are placed before the first fill: in English lists J Q X Z K V W and another."""
_DRAWS = 6
"""Cells that are tried for a letter."""
_FLOORS, _TRIES = (60, 50), 3
"""Scores of the words of the first fills, and how many fills are tried with each."""
_SHARE = 0.25
"""Share of the time that is left for one fill."""


def fill_pangram(
    puzzle: Puzzle,
    settings: RunSettings | None = None,
    *,
    letters: Collection[str] = ascii_uppercase,
    **changes: Unpack[RunOptions],
) -> Outcome:
    """Fill the puzzle so that all these letters are used; else as ``solve``."""
    settings = RunSettings.of(settings, changes)
    deadline, random = settings.deadline(), Random(settings.seed)
    missing = _without_cell(puzzle, letters)
    if missing:
        return Outcome(Status.UNFILLABLE, "auto", reason=missing, seed=settings.seed)
    high = (replace(puzzle, min_score=max(floor, puzzle.min_score or 0)) for floor in _FLOORS)
    floors = [*(floor for floor in high if not _without_cell(floor, letters)), puzzle]
    wanted: list[str] = []
    for attempt in count():
        if deadline.passed:
            break
        placed = _placed(floors[min(attempt // _TRIES, len(floors) - 1)], letters, wanted, random)
        limit = None if deadline.at is None else deadline.left * _SHARE
        outcome = solve(placed, settings=replace(settings, time_limit=limit))
        is_proved = outcome.status is Status.UNFILLABLE and placed is puzzle
        if is_proved or outcome.reason == INTERRUPTED:
            return outcome
        if outcome.fill is not None:
            lacking = set(letters).difference(*outcome.fill.values())
            if not lacking:
                outcome = replace(outcome, grid=puzzle.grid)
                check(puzzle, outcome, settings)
                return outcome
            wanted = sorted(lacking) + [letter for letter in wanted if letter not in lacking]
        settings.on_progress("another fill, for all letters")
    return Outcome(Status.UNKNOWN, "auto", reason=deadline.reason, seed=settings.seed)


def _supports(candidates: Candidates) -> dict[str, dict[Cell, int]]:
    """Return letter -> cell -> the least number of candidates with it among the cell's slots."""
    found: defaultdict[str, dict[Cell, int]] = defaultdict(dict)
    network = candidates.network
    for slot, lexicon, domain in zip(
        network.puzzle.grid.slots, network.lexicons, candidates.root.domains, strict=True
    ):
        for position, cell in enumerate(slot.cells):
            for letter, words in lexicon.masks(position).items():
                number = (words & domain).bit_count()
                if number:
                    before = found[letter].get(cell, number)
                    found[letter][cell] = min(before, number)
    return found


def _without_cell(puzzle: Puzzle, letters: Collection[str]) -> str:
    """Say why there is no pangram for certain, or return ""."""
    candidates = arc_consistent(puzzle)
    if candidates.infeasible:
        return "arc consistency leaves a slot without a word"
    if len({cell for slot in puzzle.grid.slots for cell in slot.cells}) < len(letters):
        return f"the grid has fewer than {len(letters)} cells in words"
    supports = _supports(candidates)
    none = [letter for letter in sorted(letters) if not supports.get(letter)]
    return f"no word with {none[0]} fits anywhere" if none else ""


def _placed(puzzle: Puzzle, letters: Collection[str], wanted: list[str], random: Random) -> Puzzle:
    """Return the puzzle with letters given: those wanted, then the rarest."""
    placed, candidates = puzzle, arc_consistent(puzzle)
    supports = _supports(candidates)
    rarest = sorted(sorted(letters), key=lambda letter: sum(supports[letter].values()))
    for letter in [*wanted, *(item for item in rarest[:_PLACED] if item not in wanted)]:
        for _ in range(_DRAWS):
            cells = _supports(candidates)[letter]
            if not cells:
                break
            (cell,) = random.choices(list(cells), list(cells.values()))
            if placed.grid.given(cell) is not None:
                if placed.grid.given(cell) == letter:
                    break
                continue
            grid = with_letters(placed.grid, {cell: letter})
            found = arc_consistent(replace(placed, grid=grid))
            if not found.infeasible:
                placed, candidates = replace(placed, grid=grid), found
                break
    return placed
