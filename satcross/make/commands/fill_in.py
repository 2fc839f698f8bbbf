"""``satcross puzzle fill-in``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from satcross.cli.options import make_command, option, options, whole
from satcross.make.commands.puzzle_flags import PuzzleSource, RunFlags, make_and_write
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.crossword import Crossword
    from satcross.make.puzzles.fill_in import FillIn
    from satcross.run_settings import RunSettings
    from satcross.vocabulary import Vocabulary

_EXAMPLES = """
satcross puzzle fill-in crossword.ipuz -o fill-in.pdf
satcross puzzle fill-in grid.txt -w words.txt -o fill-in.html --given 2
satcross puzzle fill-in crossword.ipuz -o numbers.pdf --numbers
"""


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments and options of ``puzzle fill-in``."""

    source: PuzzleSource = options(PuzzleSource)
    given: int | None = option(
        "--given N",
        "Place this number of words in the grid.  [default: as few as needed]",
        heading="Puzzle",
        type=whole(0),
        brief=True,
    )
    numbers: bool = option("--numbers", "Numbers of random digits instead of words.", brief=True)
    diagramless: bool = option(
        "--diagramless",
        "Show only half of the black squares; the pattern's symmetry tells the others.",
        brief=True,
    )
    run: RunFlags = options(RunFlags)


@make_command(Request, examples=_EXAMPLES)
def fill_in(request: Request) -> int:
    """List the words of a filled crossword by length: there is one way to put them into the grid.

    Each word is used once. As few words as needed are placed beforehand, so that exactly one
    arrangement is left: a SAT solver and CP-SAT prove it. A grid without letters is filled first.

    Exit code 0: there is a puzzle. 20: the grid can't be filled. 30: --time-limit reached. 2: bad
    input, or too few words to place.
    """
    from satcross.make.puzzles.fill_in import make_fill_in

    def make(
        crossword: Crossword, words: Vocabulary | None, settings: RunSettings
    ) -> tuple[FillIn, str]:
        made = make_fill_in(
            crossword,
            settings,
            given=request.given,
            numbers=request.numbers,
            diagramless=request.diagramless,
        )
        return made, _summary(made)

    return make_and_write(request.source, request.run, make)


def _summary(made: FillIn) -> str:
    placed = f"{', '.join(made.placed)} placed" if made.placed else "none placed"
    words = counted(len(made.crossword.words), "word")
    return f"{words}, {placed}. Exactly one arrangement, by sat and cpsat."
