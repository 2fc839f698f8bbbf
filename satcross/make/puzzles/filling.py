"""Fill the crossword that a puzzle is made from."""

from __future__ import annotations

from dataclasses import replace

from satcross.crossword import Crossword
from satcross.errors import SatcrossError
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import RunSettings
from satcross.solving.pangram import fill_pangram
from satcross.solving.solve import solve
from satcross.vocabulary import Vocabulary

_PANGRAM_SECONDS = 60.0
"""How long a fill with all letters is looked for: that there is none is rarely proved."""


class NotFilledError(SatcrossError):
    """The grid can't be filled, which is proved if ``unfillable``, or was not filled in time."""

    def __init__(self, outcome: Outcome, advice: str) -> None:
        self.unfillable = outcome.status is Status.UNFILLABLE
        super().__init__(f"the grid is not filled: {outcome.reason}{advice}")


def is_filled(crossword: Crossword) -> bool:
    """Return whether every slot has a whole word."""
    return len(crossword.words) == len(crossword.grid.slots)


def filled(
    crossword: Crossword, vocabulary: Vocabulary, settings: RunSettings, *, pangram: bool = False
) -> Crossword:
    """Return the crossword with a fill that keeps its letters, if it lacks some.

    With ``pangram``, all letters are in the fill. Raises NotFilledError.
    """
    if is_filled(crossword):
        return crossword
    rows = (
        "".join((letter or content)[0] for content, letter in zip(*row, strict=True))
        for row in zip(crossword.grid.rows, crossword.solution, strict=True)
    )
    puzzle = Puzzle(crossword.grid.with_rows(rows), vocabulary)
    if pangram:
        limit = settings.time_limit or _PANGRAM_SECONDS
        outcome = fill_pangram(puzzle, settings, time_limit=limit)
    else:
        outcome = solve(puzzle, settings=settings)
    if outcome.fill is None:
        raise NotFilledError(outcome, "" if pangram else "; satcross explain says more")
    return replace(crossword, solution=Crossword.of(crossword.grid, outcome.fill).solution)
