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

from satcross.version import __version__

if TYPE_CHECKING:
    from satcross.crossword import Crossword
    from satcross.errors import InputError, InternalError, SatcrossError, UnavailableError
    from satcross.formats.clues import ClueList, add_clues, read_clues
    from satcross.formats.read_words import read_words
    from satcross.formats.readers import read_crossword
    from satcross.formats.writers import write_crossword
    from satcross.grid import Crossing, Grid, Slot
    from satcross.outcome import FillCount, FillList, Outcome, Status
    from satcross.puzzle import Puzzle
    from satcross.solving.best import Objective, best
    from satcross.solving.count import count
    from satcross.solving.several import several as solve_several
    from satcross.solving.solve import solve
    from satcross.verify import verify as check
    from satcross.vocabulary import Vocabulary

__all__ = [
    "ClueList",
    "Crossing",
    "Crossword",
    "FillCount",
    "FillList",
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
    "__version__",
    "add_clues",
    "best",
    "check",
    "count",
    "read_clues",
    "read_crossword",
    "read_words",
    "solve",
    "solve_several",
    "write_crossword",
]

# Loaded on first use, so that the command line and the CS50 classes start at once. A function that
# has its module's name is given another here: the module would take its place.
_HOMES = {
    "ClueList": "formats.clues",
    "Crossing": "grid",
    "FillCount": "outcome",
    "Grid": "grid",
    "InputError": "errors",
    "InternalError": "errors",
    "Objective": "solving.best",
    "Outcome": "outcome",
    "Puzzle": "puzzle",
    "SatcrossError": "errors",
    "FillList": "outcome",
    "Crossword": "crossword",
    "Slot": "grid",
    "Status": "outcome",
    "UnavailableError": "errors",
    "Vocabulary": "vocabulary",
    "add_clues": "formats.clues",
    "best": "solving.best",
    "check": "verify:verify",
    "count": "solving.count",
    "read_clues": "formats.clues",
    "read_crossword": "formats.readers",
    "read_words": "formats.read_words",
    "solve": "solving.solve",
    "solve_several": "solving.several:several",
    "write_crossword": "formats.writers",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        module, _, there = _HOMES[name].partition(":")
        value: object = getattr(import_module(f"satcross.{module}"), there or name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'satcross' has no attribute {name!r}")
