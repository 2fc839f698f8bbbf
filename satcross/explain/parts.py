"""The parts of a question that an explanation may name, and the sub-puzzle that some of them make.

A slot left out means that nothing is asked of it: its cells are free of it and only its crossings'
words stand there. Fewer parts ask less, so that a set of parts that can't be met together makes
every larger set unfillable too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from satcross.grid import BLOCKED, OPEN, Cell, Grid
from satcross.puzzle import Puzzle


class Kind(StrEnum):
    """What a part asks: see ``Part``."""

    SLOT = "slot"
    LOCK = "lock"
    LETTER = "letter"
    REPEATS = "no repeats"
    SCORE = "minimum score"
    EXCLUDED = "exclusions"
    THEME = "theme words"
    SHARED = "shared letters"
    STEM = "same stem"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that the question asks.

    SLOT: a word of the vocabulary in slot ``name``, or the one that is locked or spelled there;
    LOCK: its locked word in slot ``name``, which asks more than SLOT and stands in its place;
    LETTER: the given letter in ``cell``. The others are rules for all slots: that words differ, the
    minimum scores, the exclusions, that theme words must stand somewhere, and that two words may
    not be too much alike.
    """

    kind: Kind
    name: str = ""
    cell: Cell | None = None


Parts = frozenset[Part]

RULES = (Kind.REPEATS, Kind.SCORE, Kind.EXCLUDED, Kind.THEME, Kind.SHARED, Kind.STEM)


def all_parts(puzzle: Puzzle) -> list[Part]:
    """Everything the puzzle asks: rules, given letters, then slots in the grid's order."""
    asked = (
        not puzzle.allow_repeats,
        puzzle.min_score is not None or bool(puzzle.min_scores),
        bool(puzzle.excluded),
        bool(puzzle.required_theme()[1]),
        puzzle.max_shared_substring is not None,
        bool(puzzle.stem_endings),
    )
    parts = [Part(kind) for kind, used in zip(RULES, asked, strict=True) if used]
    parts += [Part(Kind.LETTER, cell=cell) for cell in _given(puzzle.grid)]
    parts += [
        Part(Kind.LOCK if slot.name in puzzle.locks else Kind.SLOT, slot.name)
        for slot in puzzle.grid.slots
    ]
    return parts


def weakened(part: Part) -> Part | None:
    """The next weaker demand: a locked slot may take any word; anything else is dropped."""
    return Part(Kind.SLOT, part.name) if part.kind is Kind.LOCK else None


def without(parts: Parts, part: Part) -> Parts:
    """The parts, one of them weakened (a lock) or dropped (anything else)."""
    weaker = weakened(part)
    return parts - {part} if weaker is None else parts - {part} | {weaker}


def slot_names(parts: Iterable[Part]) -> set[str]:
    """The slots that some of the parts ask a word of."""
    return {part.name for part in parts if part.kind in (Kind.SLOT, Kind.LOCK)}


def sub_puzzle(puzzle: Puzzle, parts: Parts) -> Puzzle:
    """The puzzle that asks only these parts (of ``all_parts``, or weakened ones)."""
    kinds = {part.kind for part in parts}
    letters = {part.cell for part in parts if part.kind is Kind.LETTER}
    kept = slot_names(parts)
    rows = tuple(
        "".join(
            cell if cell in (BLOCKED, OPEN) or (r, c) in letters else OPEN
            for c, cell in enumerate(row)
        )
        for r, row in enumerate(puzzle.grid.rows)
    )
    left_out = frozenset(slot.name for slot in puzzle.grid.slots if slot.name not in kept)
    return replace(
        puzzle,
        grid=Grid(rows, puzzle.grid.left_out | left_out),
        locks={part.name: puzzle.locks[part.name] for part in parts if part.kind is Kind.LOCK},
        min_score=puzzle.min_score if Kind.SCORE in kinds else None,
        min_scores=puzzle.min_scores if Kind.SCORE in kinds else {},
        excluded=puzzle.excluded if Kind.EXCLUDED in kinds else frozenset(),
        allow_repeats=Kind.REPEATS not in kinds,
        min_theme_words=puzzle.min_theme_words if Kind.THEME in kinds else 0,
        max_shared_substring=puzzle.max_shared_substring if Kind.SHARED in kinds else None,
        stem_endings=puzzle.stem_endings if Kind.STEM in kinds else (),
        # What is dropped must not forbid what it allowed: less would then ask for more.
        setter_words=puzzle.exempt_words,
        extra_words={
            puzzle.grid.slots[slot].name: word for slot, word in puzzle.fixed_words.items()
        },
    )


def _given(grid: Grid) -> list[Cell]:
    """The cells of slots that carry a given letter, in reading order."""
    in_slots = {cell for slot in grid.slots for cell in slot.cells}
    return sorted(cell for cell in in_slots if grid.given(cell) is not None)
