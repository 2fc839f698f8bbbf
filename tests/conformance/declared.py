"""Backends are asked for what they declare that they can do."""

from __future__ import annotations

from typing import Any

import pytest

from satcross import Outcome, Puzzle, Status
from satcross import solve as solve_by
from satcross.backends.registry import get_backend
from satcross.verify import verify

_INCOMPLETE_SECONDS = 0.5
"""Time limit for a backend that isn't complete: it would use up any other."""


def solve(puzzle: Puzzle, backend: str, **settings: Any) -> Outcome:
    """Solve, and verify the fill.

    An UNKNOWN of a backend that declares that it isn't complete ends the test as skipped, since
    then there is nothing to compare; its FILLED and UNFILLABLE are judged like those of others.
    """
    if get_backend(backend).capabilities.complete:
        outcome = solve_by(puzzle, backend, **settings)
    else:
        outcome = solve_by(puzzle, backend, **settings | {"time_limit": _INCOMPLETE_SECONDS})
        if outcome.status is Status.UNKNOWN:
            pytest.skip(f"{backend} isn't complete, and has not answered in time")
    assert outcome.fill is None or verify(puzzle, outcome.fill) == []
    return outcome
