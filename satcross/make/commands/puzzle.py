"""``satcross puzzle``: the puzzles that are printed beside the crossword."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from satcross.cli.options import make_command, option, options, whole
from satcross.make.commands.arrowword import arrowword
from satcross.make.commands.puzzle_flags import PuzzleSource, RunFlags, make_and_write
from satcross.make.puzzles import LEVELS
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.crossword import Crossword
    from satcross.make.puzzles.codeword import Codeword
    from satcross.make.puzzles.fill_in import FillIn
    from satcross.run_settings import RunSettings
    from satcross.vocabulary import Vocabulary

_CODEWORD_EXAMPLES = """
satcross puzzle codeword crossword.ipuz -o codeword.pdf
satcross puzzle codeword crossword.ipuz -o codeword.pdf --level easy
satcross puzzle codeword grid.txt -w words.txt --pangram -o codeword.html
"""
_FILL_IN_EXAMPLES = """
satcross puzzle fill-in crossword.ipuz -o fill-in.pdf
satcross puzzle fill-in grid.txt -w words.txt -o fill-in.html --given 2
satcross puzzle fill-in crossword.ipuz -o numbers.pdf --numbers
"""
_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True)
class _CodewordFlags:
    """The arguments and options of ``puzzle codeword``."""

    source: PuzzleSource = options(PuzzleSource)
    given: int | None = option(
        "--given N",
        "Give this number of letters.  [default: as few as needed]",
        heading="Puzzle",
        type=whole(0),
        brief=True,
    )
    level: str | None = option(
        "--level",
        "easy, medium: give so many letters that the others follow word by word, from words of "
        "which half the letters (medium: a quarter) are known. hard: as few letters as needed, and "
        "rare ones.",
        choices=LEVELS,
        brief=True,
    )
    pangram: bool = option(
        "--pangram",
        "All letters from A to Z occur: a grid is filled so.",
        brief=True,
    )
    run: RunFlags = options(RunFlags)


@make_command(_CodewordFlags, examples=_CODEWORD_EXAMPLES)
def codeword(request: _CodewordFlags) -> int:
    """Replace the letters of a filled crossword by numbers: there is exactly one way to read it.

    Each number is one letter, and no letter has two numbers. With the words of the list, and those
    of the crossword, there is one way to read the puzzle: a SAT solver and CP-SAT prove it. By
    default, no fewer given letters would do. A grid without letters is filled first.

    Exit code 0: there is a puzzle. 20: the grid can't be filled. 30: --time-limit reached. 2: bad
    input, or too few letters to give.
    """
    from satcross.make.puzzles.codeword import make_codeword

    def make(
        crossword: Crossword, words: Vocabulary | None, settings: RunSettings
    ) -> tuple[Codeword, str]:
        assert words is not None
        unknown = sorted(word for word in crossword.words.values() if word not in words)
        if unknown:
            shown = ", ".join(unknown[:_MAX_SHOWN]) + (" ..." if len(unknown) > _MAX_SHOWN else "")
            text = f"{counted(len(unknown), 'word')} not in the list count as words: {shown}"
            request.run.report.note(text)
        made = make_codeword(
            crossword,
            words,
            settings,
            given=request.given,
            level=request.level,
            pangram=request.pangram,
        )
        return made, _codeword_summary(made)

    return make_and_write(
        request.source,
        request.run,
        make,
        needs_words=True,
        pangram=request.pangram,
    )


def _codeword_summary(made: Codeword) -> str:
    given = f"{len(made.given)} given ({', '.join(made.given)})" if made.given else "none given"
    letters = counted(len(made.numbers), "letter")
    text = f"{letters}, {given}. Exactly one reading, by sat and cpsat.\nLevel {made.level}: "
    if made.level == "hard":
        others = len(made.numbers) - len(made.given)
        return f"{text}word by word one finds {made.deduced} of the other {others} letters."
    known = "half" if made.level == "easy" else "a quarter"
    return f"{text}all letters follow word by word, from words of which {known} is known."


@dataclass(frozen=True, slots=True)
class _FillInFlags:
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


@make_command(_FillInFlags, examples=_FILL_IN_EXAMPLES)
def fill_in(request: _FillInFlags) -> int:
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
        return made, _fill_in_summary(made)

    return make_and_write(request.source, request.run, make, needs_fill=not request.numbers)


def _fill_in_summary(made: FillIn) -> str:
    placed = f"{', '.join(made.placed)} placed" if made.placed else "none placed"
    words = counted(len(made.crossword.words), "word")
    return f"{words}, {placed}. Exactly one arrangement, by sat and cpsat."


_EXAMPLES = """
satcross puzzle codeword crossword.ipuz -o codeword.pdf
satcross puzzle fill-in crossword.ipuz -o fill-in.pdf
satcross puzzle arrowword clued-words.txt -o arrowword.pdf --size 14x12
"""

_SUBCOMMANDS = {"arrowword": arrowword, "codeword": codeword, "fill-in": fill_in}


@dataclass(frozen=True, slots=True)
class _NoKind:
    """The options of ``puzzle`` without a kind: none."""


@make_command(_NoKind, examples=_EXAMPLES, subcommands=_SUBCOMMANDS)
def command(request: _NoKind) -> None:
    """Make arrowwords, and codewords and fill-ins that are proved to have exactly one solution."""
    raise click.UsageError(f"name a kind of puzzle: {', '.join(_SUBCOMMANDS)}.")
