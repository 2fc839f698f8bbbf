"""Narrowed puzzles in ``sat`` and ``cpsat``: when they are searched, and in a race."""

from __future__ import annotations

from itertools import cycle, islice

from satcross.backends.base import Answer, Task
from satcross.backends.race import race
from satcross.network.arc_consistency import Candidates
from satcross.network.narrowing import Narrowing
from satcross.network.word_order import first_batch

MAX_NARROWED_CANDIDATES = 300_000
"""A narrowed puzzle with more candidates than this is not written out."""

_RACERS = (Narrowing.ONLY, Narrowing.AHEAD, Narrowing.TURNS)
"""How the racers of one backend narrow the puzzle, in turn."""


def may_be_narrowed(candidates: Candidates) -> bool:
    """Return whether some slot has more candidates than a first batch, encoded at once."""
    return max(candidates.root.sizes) > first_batch(len(candidates.root.sizes))


def race_narrowings(task: Task, name: str) -> Answer:
    """Race a backend against itself, with other seeds and other ways of narrowing the puzzle."""
    entrants = [(name, narrowing) for narrowing in islice(cycle(_RACERS), task.workers)]
    return race(task, entrants)[0]
