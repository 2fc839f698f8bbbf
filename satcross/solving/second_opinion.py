"""A second opinion on what several backends agree on, by code that shares none of their steps.

All backends start from the same candidates, so that a mistake made there misleads them alike.
``satcross.backends.plain_clauses`` makes clauses straight from the puzzle. Without PySAT there is
no second opinion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from satcross.puzzle import Puzzle
from satcross.run_settings import Deadline, RunSettings

SECONDS = 60.0
"""Time limit, in seconds, for a second opinion; the time limit of the run, if that is shorter."""

MAX_COUNT = 10_000
"""Largest number of fills that is counted again, one fill after the other."""


def find_fill(puzzle: Puzzle, settings: RunSettings) -> Mapping[str, str] | None:
    """Return a fill; None when there is none or none was found in time."""
    return next(_fills(puzzle, settings), None)


def count_fills(puzzle: Puzzle, settings: RunSettings, count: int) -> str:
    """Return how many fills there are if there are not ``count``, in words; "" otherwise.

    It is "" too when that is unknown at the time limit, and for a ``count`` above ``MAX_COUNT``.
    """
    if count > MAX_COUNT:
        return ""
    found = 0
    for fill in _fills(puzzle, settings):
        if fill is None:
            return ""
        found += 1
        if found > count:
            return f"at least {found}"
    return "" if found == count else str(found)


def _fills(puzzle: Puzzle, settings: RunSettings) -> Iterator[Mapping[str, str] | None]:
    """Yield the fills; at last None when the time limit has passed before the proof."""
    try:
        from satcross.backends.plain_clauses import plain_fills
    except ImportError:  # no PySAT
        yield None
        return
    limits = [SECONDS, settings.time_limit]
    limit = min(item for item in limits if item is not None)
    yield from plain_fills(puzzle, Deadline.after(limit))
