"""From candidates to the question that ``encoders`` asks."""

from __future__ import annotations

from encoders.instance import Instance
from satcross.candidates import Candidates


def instance_of(
    candidates: Candidates, words: tuple[tuple[str, ...], ...] | None = None
) -> Instance:
    """The instance of these candidates, or of only some ``words`` a slot."""
    puzzle = candidates.network.puzzle
    slots = puzzle.grid.slots
    if words is None:
        words = tuple(tuple(candidates.words(slot)) for slot in range(len(slots)))
    return Instance(tuple(slot.cells for slot in slots), words, puzzle.allow_repeats)
