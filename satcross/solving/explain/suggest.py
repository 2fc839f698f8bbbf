"""Suggest single changes that make a puzzle fillable, each tested on the whole puzzle."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from satcross.errors import InputError
from satcross.grid import BLOCKED, OPEN, Cell, cell_name
from satcross.outcome import Status
from satcross.puzzle import Puzzle
from satcross.rules import RULES
from satcross.rules.rule import Relaxation
from satcross.solving.explain.minimal_core import Oracle
from satcross.solving.explain.parts import PartKind, Parts, slot_names

MAX_BLOCK_SUGGESTIONS = 3
"""Maximum number of suggestions to block a cell."""

MAX_TRIED_CHANGES = 40
"""Maximum number of cells whose blocking is tried."""

TRY_SECONDS = 2.0
"""Time limit, in seconds, for finding a fill after one change."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One change after which a fill was found: as a phrase, as plain values, and the fill."""

    text: str
    data: Mapping[str, object]
    fill: Mapping[str, str] = field(repr=False)


def find_suggestions(oracle: Oracle, parts: Parts) -> Iterator[Suggestion]:
    """Yield changes that make the puzzle fillable, given the parts of a reason why it is not."""
    puzzle = oracle.puzzle
    for change, text, data in _changes(puzzle, parts):
        fill = _find_fill(oracle, change)
        if fill is not None:
            yield Suggestion(text, data, fill)
    labels = {part.rule for part in parts if part.rule}
    for rule in RULES:
        if rule.label in labels:
            for relaxations in rule.relaxations(puzzle):
                yield from _smallest(oracle, relaxations)
    yield from _block_cells(oracle, parts)


def _find_fill(oracle: Oracle, puzzle: Puzzle) -> Mapping[str, str] | None:
    if oracle.deadline.passed:
        return None
    outcome = oracle.solve(puzzle, min(TRY_SECONDS, oracle.deadline.left / 4))
    return outcome.fill if outcome.status is Status.FILLED else None


def _changes(puzzle: Puzzle, parts: Parts) -> Iterator[tuple[Puzzle, str, dict[str, object]]]:
    """Yield the puzzle with one lock, given letter or given word of the reason dropped."""
    grid = puzzle.grid
    locks = {part.name for part in parts if part.kind is PartKind.LOCK}
    for name in (slot.name for slot in grid.slots if slot.name in locks):
        other_locks = {slot: word for slot, word in puzzle.locks.items() if slot != name}
        text = f"drop the lock {name}={puzzle.locks[name]}"
        yield replace(puzzle, locks=other_locks), text, {"kind": "unlock", "slot": name}
    letters = {part.cell for part in parts if part.cell is not None}
    for cell in sorted(letters):
        text = f"drop the given letter {grid.given(cell)} in {cell_name(cell)}"
        data: dict[str, object] = {"kind": "drop-letter", "row": cell[0], "column": cell[1]}
        yield replace(puzzle, grid=grid.with_cells({cell: OPEN})), text, data
    whole = [slot for slot in grid.slots if all(map(grid.given, slot.cells))]
    crossed = Counter(cell for slot in whole for cell in slot.cells)
    for slot in whole:
        cells = [cell for cell in slot.cells if crossed[cell] == 1]
        if len(cells) > 1 and not letters.isdisjoint(cells):
            word = "".join(map(str, map(grid.given, slot.cells)))
            data = {"kind": "drop-word", "slot": slot.name, "cells": _places(cells)}
            opened = grid.with_cells(dict.fromkeys(cells, OPEN))
            yield replace(puzzle, grid=opened), f"drop the given word {word} in {slot.name}", data


def _places(cells: Iterable[Cell]) -> list[dict[str, int]]:
    return [{"row": row, "column": column} for row, column in cells]


def _smallest(oracle: Oracle, relaxations: Sequence[Relaxation]) -> Iterator[Suggestion]:
    """Find by bisection the smallest relaxation that helps; they are in order of size."""
    found: dict[int, Suggestion] = {}

    def helps(number: int) -> bool:
        weaker = relaxations[number]
        fill = _find_fill(oracle, weaker.puzzle)
        if fill is not None:
            found[number] = Suggestion(weaker.text, weaker.data, fill)
        return fill is not None

    smallest = bisect_left(range(len(relaxations)), True, key=helps)
    if smallest in found:
        yield found[smallest]


def _block_cells(oracle: Oracle, parts: Parts) -> Iterator[Suggestion]:
    """Yield cells of the reason's slots that leave a fillable grid when they are blocked.

    In a rotationally symmetric grid the opposite cell is blocked, too. No open cell may end up
    outside every slot, and no two-letter slot may appear in a grid that has none.
    """
    puzzle = oracle.puzzle
    grid = puzzle.grid
    names = slot_names(parts)
    slot_counts: dict[Cell, int] = {}
    for slot in grid.slots:
        if slot.name in names:
            for cell in slot.cells:
                slot_counts[cell] = slot_counts.get(cell, 0) + 1
    symmetric = grid.structure == [row[::-1] for row in grid.structure[::-1]]
    found = tried = 0
    for cell in sorted(slot_counts, key=lambda cell: (-slot_counts[cell], cell)):
        if found == MAX_BLOCK_SUGGESTIONS or tried == MAX_TRIED_CHANGES:
            return
        partner = (grid.height - 1 - cell[0], grid.width - 1 - cell[1])
        cells = [cell, partner] if symmetric and partner != cell else [cell]
        if len(cells) == 2 and partner in slot_counts and partner < cell:
            continue  # this pair of cells has been tried
        blocked = _with_blocked_cells(puzzle, cells)
        if blocked is None:
            continue
        tried += 1
        fill = _find_fill(oracle, blocked)
        if fill is not None:
            found += 1
            text = f"block {cell_name(cell)}"
            if len(cells) == 2:
                text += f", and {cell_name(partner)} opposite it, to keep the grid's symmetry"
            yield Suggestion(text, {"kind": "block", "cells": _places(cells)}, fill)


def _with_blocked_cells(puzzle: Puzzle, cells: list[Cell]) -> Puzzle | None:
    """Return the puzzle with the cells blocked, or None where the grid or a lock forbids it.

    A grid with bars or rebus cells has none: a block would take their meaning.
    """
    grid = puzzle.grid
    if grid.left_out or grid.bars or grid.rebus or any(grid.given(cell) for cell in cells):
        return None
    blocked = grid.with_cells(dict.fromkeys(cells, BLOCKED))
    in_slots = {cell for slot in blocked.slots for cell in slot.cells}
    uncovered = {cell for slot in grid.slots for cell in slot.cells} - in_slots - set(cells)
    if uncovered or not blocked.slots:
        return None
    if min(slot.length for slot in blocked.slots) < min(3, *(slot.length for slot in grid.slots)):
        return None
    locks = {}
    for name, word in puzzle.locks.items():
        index = grid.slot_named(name)
        assert index is not None
        same = [slot.name for slot in blocked.slots if slot.cells == grid.slots[index].cells]
        if not same:
            return None
        locks[same[0]] = word
    try:
        return replace(puzzle, grid=blocked, locks=locks)
    except InputError:  # in the new grid, given letters spell one word twice
        return None
