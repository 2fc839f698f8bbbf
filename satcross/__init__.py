"""satcross fills crosswords, and proves it when it can't.

>>> from satcross import Grid, Puzzle, Vocabulary, solve
>>> grid = Grid.from_rows(["___", "_#_", "___"])
>>> vocabulary = Vocabulary(["CAT", "CUB", "BED", "TOD"])
>>> outcome = solve(Puzzle(grid, vocabulary), backend="backtrack")
>>> outcome.status
<Status.FILLED: 'filled'>
>>> sorted(outcome.fill.items())
[('1A', 'CAT'), ('1D', 'CUB'), ('2D', 'TOD'), ('3A', 'BED')]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from satcross.counting import count
    from satcross.errors import InputError, InternalError, SatcrossError, UnavailableError
    from satcross.grid import Crossing, Grid, Slot
    from satcross.optimising import Objective, best
    from satcross.outcome import FillCount, Outcome, Status
    from satcross.puzzle import Puzzle
    from satcross.solving import solve
    from satcross.vocabulary import Vocabulary

__version__ = "0.1.0"

__all__ = [
    "Crossing",
    "FillCount",
    "Grid",
    "InputError",
    "InternalError",
    "Objective",
    "Outcome",
    "Puzzle",
    "SatcrossError",
    "Slot",
    "Status",
    "UnavailableError",
    "Vocabulary",
    "best",
    "count",
    "solve",
]

# Loaded on first use, so that the command line and the CS50 classes start at once.
_HOMES = {
    "Crossing": "grid",
    "FillCount": "outcome",
    "Grid": "grid",
    "InputError": "errors",
    "InternalError": "errors",
    "Objective": "optimising",
    "Outcome": "outcome",
    "Puzzle": "puzzle",
    "SatcrossError": "errors",
    "Slot": "grid",
    "Status": "outcome",
    "UnavailableError": "errors",
    "Vocabulary": "vocabulary",
    "best": "optimising",
    "count": "counting",
    "solve": "solving",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        value: object = getattr(import_module(f"satcross.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'satcross' has no attribute {name!r}")
