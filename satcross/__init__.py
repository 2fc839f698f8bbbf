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
    from satcross.formats.readers import read_sheet
    from satcross.formats.writers import write_sheet
    from satcross.grid import Crossing, Grid, Slot
    from satcross.outcome import FillCount, Outcome, Status
    from satcross.puzzle import Puzzle
    from satcross.sheet import Sheet
    from satcross.solving import solve
    from satcross.vocabulary import Vocabulary

__version__ = "0.1.0"

__all__ = [
    "Crossing",
    "FillCount",
    "Grid",
    "InputError",
    "InternalError",
    "Outcome",
    "Puzzle",
    "SatcrossError",
    "Sheet",
    "Slot",
    "Status",
    "UnavailableError",
    "Vocabulary",
    "count",
    "read_sheet",
    "solve",
    "write_sheet",
]

# Loaded on first use, so that the command line and the CS50 classes start at once.
_HOMES = {
    "Crossing": "grid",
    "FillCount": "outcome",
    "Grid": "grid",
    "InputError": "errors",
    "InternalError": "errors",
    "Outcome": "outcome",
    "Puzzle": "puzzle",
    "SatcrossError": "errors",
    "Sheet": "sheet",
    "Slot": "grid",
    "Status": "outcome",
    "UnavailableError": "errors",
    "Vocabulary": "vocabulary",
    "count": "counting",
    "read_sheet": "formats.readers",
    "solve": "solving",
    "write_sheet": "formats.writers",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        value: object = getattr(import_module(f"satcross.{_HOMES[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'satcross' has no attribute {name!r}")
