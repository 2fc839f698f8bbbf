"""Split a puzzle into the parts an explanation may name, and build a sub-puzzle from some of them.

A slot that is left out needs no word: its cells only carry the letters of the words that cross it.
Fewer parts demand less, so when a set of parts can't be met together, neither can any superset.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from satcross.grid import Cell, Grid
from satcross.puzzle import Puzzle
from satcross.rules import RULES


class PartKind(StrEnum):
    """Kind of demand that a ``Part`` makes."""

    SLOT = "slot"
    LOCK = "lock"
    LETTER = "letter"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Part:
    """One demand of a puzzle.

    SLOT: slot ``name`` holds a word of the vocabulary, or the word its given letters spell.
    LOCK: slot ``name`` holds its locked word; this is stronger than SLOT and replaces it.
    LETTER: ``cell`` holds its given letter.
    RULE: all slots keep the rule whose label (``satcross.rules.rule.Rule.label``) is ``rule``.
    """

    kind: PartKind
    name: str = ""
    cell: Cell | None = None
    rule: str = ""

    @property
    def label(self) -> str:
        """The kind of demand, or the label of the rule."""
        return self.rule or self.kind.value


Parts = frozenset[Part]

LABELS = tuple(rule.label for rule in RULES if rule.label)
"""Labels of the rules that may be parts."""


def all_parts(puzzle: Puzzle) -> list[Part]:
    """Return every part of the puzzle: rules, given letters, then slots in the grid's order."""
    parts = [
        Part(PartKind.RULE, rule=rule.label) for rule in RULES if rule.label and rule.is_set(puzzle)
    ]
    parts += [Part(PartKind.LETTER, cell=cell) for cell in _given_cells(puzzle.grid)]
    parts += [
        Part(PartKind.LOCK if slot.name in puzzle.locks else PartKind.SLOT, slot.name)
        for slot in puzzle.grid.slots
    ]
    return parts


def weakened(part: Part) -> Part | None:
    """Return the next weaker demand: SLOT for a LOCK, None (no demand) for any other part."""
    return Part(PartKind.SLOT, part.name) if part.kind is PartKind.LOCK else None


def without(parts: Parts, part: Part) -> Parts:
    """Return the parts with one of them weakened (a lock) or dropped (any other kind)."""
    weaker = weakened(part)
    return parts - {part} if weaker is None else parts - {part} | {weaker}


def slot_names(parts: Iterable[Part]) -> set[str]:
    """Return the names of the slots that need a word for these parts."""
    return {part.name for part in parts if part.kind in (PartKind.SLOT, PartKind.LOCK)}


def sub_puzzle(puzzle: Puzzle, parts: Parts) -> Puzzle:
    """Return the puzzle that demands only these parts, from ``all_parts`` or weakened."""
    letters = {part.cell for part in parts if part.cell is not None}
    retained = slot_names(parts)
    kept = letters | dict(puzzle.grid.rebus).keys()
    left_out = frozenset(slot.name for slot in puzzle.grid.slots if slot.name not in retained)
    rules = {part.rule for part in parts}
    dropped: dict[str, Any] = {}
    for rule in RULES:
        if rule.label and rule.label not in rules:
            dropped |= rule.unset
    return replace(
        puzzle,
        grid=replace(puzzle.grid.with_given(kept), left_out=puzzle.grid.left_out | left_out),
        locks={part.name: puzzle.locks[part.name] for part in parts if part.kind is PartKind.LOCK},
        **dropped,
        # Words that a dropped lock or letter made legal stay legal; otherwise a smaller set of
        # parts could be harder to meet than a larger one.
        setter_words=puzzle.exempt_words,
        extra_words={
            **puzzle.extra_words,
            **{puzzle.grid.slots[slot].name: word for slot, word in puzzle.fixed_words.items()},
        },
    )


def _given_cells(grid: Grid) -> list[Cell]:
    """Return the cells of slots that carry one given letter, in reading order.

    The letters of rebus cells are no parts, since they make the lengths of slots.
    """
    in_slots = {cell for slot in grid.slots for cell in slot.places} - dict(grid.rebus).keys()
    return sorted(cell for cell in in_slots if grid.given(cell) is not None)
