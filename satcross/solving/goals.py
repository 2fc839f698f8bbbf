"""Goals of the search for the best fill: their names, results, and candidates above a weight."""

from __future__ import annotations

from dataclasses import dataclass

from satcross.backends.base import Answer
from satcross.network.arc_consistency import Candidates, State
from satcross.network.weights import Weights
from satcross.outcome import TOTAL, Goal
from satcross.puzzle import Puzzle

LOWEST, FRESH, WORTH = "lowest", "fresh", "worth"
"""Names of goals. With preferred words, ``WORTH`` replaces the total: it adds a bonus for each
preferred word to the total score (``Puzzle.worth``)."""

FLOOR, PUBLISHABLE, SOLID = "floor", "publishable", "solid"
"""Names of the first goals of quality: the floor that all words reach, the numbers of words that
are publishable, and that are solid."""


@dataclass(frozen=True, slots=True)
class Result:
    """A backend's answer, and the goals, the most important one first."""

    answer: Answer
    goals: tuple[Goal, ...]


def total_name(puzzle: Puzzle) -> str:
    """The name of the last goal of every objective."""
    return WORTH if puzzle.preferred else TOTAL


def at_least(candidates: Candidates, weights: Weights, wanted: int) -> State | None:
    """Return the arc-consistent candidates of at least that weight; None if a slot has none."""
    state = candidates.root.copy()
    for slot, domain in enumerate(state.domains):
        state.domains[slot] = domain & weights.at_least(slot, wanted)
        state.sizes[slot] = state.domains[slot].bit_count()
    if not all(state.domains):
        return None
    changed = range(len(state.domains))
    return None if candidates.network.propagate(state, changed) is not None else state
