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

from typing import TYPE_CHECKING

from satcross.support import __version__
from satcross.support.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from satcross.answer import answer
    from satcross.crossword import Crossword
    from satcross.errors import InputError, InternalError, SatcrossError, UnavailableError
    from satcross.formats.clues import ClueList, add_clues, read_clues
    from satcross.formats.read_words import read_words
    from satcross.formats.readers import read_crossword
    from satcross.formats.writers import write_crossword
    from satcross.grid import Crossing, Grid, Slot
    from satcross.make.api import lay_out, make_grid
    from satcross.outcome import FillCount, FillList, Outcome, Status
    from satcross.puzzle import Puzzle
    from satcross.run_settings import RunSettings
    from satcross.solving.best import Objective, best
    from satcross.solving.count import count
    from satcross.solving.explain import Explanation, explain
    from satcross.solving.formulas import encode, prove
    from satcross.solving.several import several
    from satcross.solving.solve import solve
    from satcross.verify import verify
    from satcross.vocabulary import Vocabulary

    check, solve_several = verify, several

__all__ = [
    "ClueList",
    "Crossing",
    "Crossword",
    "Explanation",
    "FillCount",
    "FillList",
    "Grid",
    "InputError",
    "InternalError",
    "Objective",
    "Outcome",
    "Puzzle",
    "RunSettings",
    "SatcrossError",
    "Slot",
    "Status",
    "UnavailableError",
    "Vocabulary",
    "__version__",
    "add_clues",
    "answer",
    "best",
    "check",
    "count",
    "encode",
    "explain",
    "lay_out",
    "make_grid",
    "prove",
    "read_clues",
    "read_crossword",
    "read_words",
    "several",
    "solve",
    "solve_several",
    "verify",
    "write_crossword",
]

# ``check`` and ``solve_several`` are the names that ``verify`` and ``several`` had before.
__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "answer": "answer.api",
        **dict.fromkeys(("lay_out", "make_grid"), "make.api"),
        **dict.fromkeys(("encode", "prove"), "solving.formulas"),
        "Crossword": "crossword",
        **dict.fromkeys(
            ("InputError", "InternalError", "SatcrossError", "UnavailableError"), "errors"
        ),
        **dict.fromkeys(("Explanation", "explain"), "solving.explain"),
        **dict.fromkeys(("ClueList", "add_clues", "read_clues"), "formats.clues"),
        "read_words": "formats.read_words",
        "read_crossword": "formats.readers",
        "write_crossword": "formats.writers",
        **dict.fromkeys(("Crossing", "Grid", "Slot"), "grid"),
        **dict.fromkeys(("FillCount", "FillList", "Outcome", "Status"), "outcome"),
        "Puzzle": "puzzle",
        "RunSettings": "run_settings",
        **dict.fromkeys(("Objective", "best"), "solving.best"),
        "count": "solving.count",
        "several": "solving.several",
        "solve_several": "solving.several:several",
        "solve": "solving.solve",
        "verify": "verify",
        "check": "verify:verify",
        "Vocabulary": "vocabulary",
    },
)
