"""``satcross puzzle``: the puzzles that are printed beside the crossword."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, UNFILLABLE, UNKNOWN
from satcross.cli.options import (
    argument,
    letters_option,
    make_command,
    option,
    options,
    seed_option,
    time_limit_option,
    whole,
    words_option,
)
from satcross.cli.output import Report, check_output, check_standard_input
from satcross.cli.read_puzzle import ListFlags
from satcross.crossword import Crossword
from satcross.formats.readers import READERS, import_crossword
from satcross.make.commands.puzzle_arrowword import PrintFlags, arrowword
from satcross.make.puzzles import LEVELS, SUFFIXES
from satcross.run_settings import RunSettings, TimeUp
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    from satcross.make.puzzles.printed import Printed

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
class PuzzleSource:
    """A filled crossword, or a grid that is filled first, and the list of words."""

    crossword: str = argument(
        "CROSSWORD",
        f"A filled crossword ({', '.join(READERS)}, or a printed grid), or a grid without letters, "
        "which is filled first.",
    )
    words: tuple[str, ...] = words_option("A word list; repeatable.  [default: the default list]")
    letters: bool = letters_option()
    lists: ListFlags = options(ListFlags)
    min_score: int | None = option(
        "--min-score N", "Take only words of the list with this score or more.", type=whole()
    )

    plain: bool = option(
        "--plain-words",
        "Fill a grid without letters, where possible, with words that one can guess without clues: "
        "no phrases, names or abbreviations of the default list.",
    )

    def read_words(self, report: Report) -> Vocabulary:
        """Read the list."""
        words = self.lists.read(self.words, quiet=report.quiet).vocabulary
        if self.min_score is None:
            return words
        good = {word: score for word in words if (score := words.score(word)) >= self.min_score}
        return Vocabulary(good)

    def read(self, report: Report) -> Crossword:
        """Read the crossword; notes about it are printed."""
        check_standard_input([self.crossword, *self.words])
        found = import_crossword(self.crossword, letters=self.letters)
        for text in found.notes:
            report.note(text, self.crossword)
        return found.crossword


@dataclass(frozen=True, slots=True)
class RunFlags:
    """The search, the page and the report."""

    time_limit: float | None = time_limit_option("Stop after this many seconds; exit code 30.")
    seed: int = seed_option()
    print: PrintFlags = options(PrintFlags)
    report: Report = options(Report, quiet="Print no notes and no puzzle.")


def make_and_write(
    source: PuzzleSource,
    run: RunFlags,
    make: Callable[[Crossword, Vocabulary, RunSettings], Printed],
    *,
    needs_words: bool = False,
    needs_fill: bool = True,
    pangram: bool = False,
) -> int:
    """Read the crossword, fill it if it is empty, make the puzzle, write and print it.

    ``make`` needs the letters of the crossword only with ``needs_fill``. The list is read where the
    grid has to be filled, or if ``make`` ``needs_words``. Returns the exit code.
    """
    from satcross.make.puzzles.printed import NotFilledError, filled, is_filled

    report, output = run.report, run.print.output
    if output is not None:
        check_output(output, [source.crossword, *source.words], SUFFIXES)
    crossword = source.read(report)
    if source.plain and is_filled(crossword):
        report.note("--plain-words has no effect on a crossword that is filled")
    needs_fill = needs_fill and not is_filled(crossword)
    words = source.read_words(report) if needs_fill or needs_words else Vocabulary([])
    with report.progress() as progress:
        settings = RunSettings(run.time_limit, run.seed, on_progress=progress.show)
        try:
            if needs_fill:
                crossword, remark = filled(
                    crossword, words, settings, pangram=pangram, plain=source.plain
                )
                if remark:
                    report.note(remark)
            puzzle = make(run.print.page.apply(crossword), words, settings)
        except TimeUp:
            report.note("the time limit came before the proof that there is one solution")
            return UNKNOWN
        except NotFilledError as error:
            report.note(str(error))
            return UNFILLABLE if error.unfillable else UNKNOWN
    from satcross.formats.json import versions
    from satcross.make.puzzles.files import puzzle_to_data

    run.print.write(puzzle, report)
    report.show(
        lambda: {**puzzle_to_data(puzzle), "seed": run.seed, "versions": versions()},
        lambda: [*puzzle.lines(), "", puzzle.summary],
        unless_quiet=True,
    )
    return FILLED


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

    def make(crossword: Crossword, words: Vocabulary, settings: RunSettings) -> Printed:
        unknown = sorted(word for word in crossword.words.values() if word not in words)
        if unknown:
            shown = ", ".join(unknown[:_MAX_SHOWN]) + (" ..." if len(unknown) > _MAX_SHOWN else "")
            text = f"{counted(len(unknown), 'word')} from outside the list: {shown}"
            request.run.report.note(text)
        return make_codeword(
            crossword,
            words,
            settings,
            given=request.given,
            level=request.level,
            pangram=request.pangram,
        )

    return make_and_write(
        request.source,
        request.run,
        make,
        needs_words=True,
        pangram=request.pangram,
    )


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

    def make(crossword: Crossword, words: Vocabulary, settings: RunSettings) -> Printed:
        return make_fill_in(
            crossword,
            settings,
            given=request.given,
            numbers=request.numbers,
            diagramless=request.diagramless,
        )

    return make_and_write(request.source, request.run, make, needs_fill=not request.numbers)


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
    """Make codewords, fill-ins and arrowwords that are proved to have exactly one solution."""
    raise click.UsageError(f"name a kind of puzzle: {', '.join(_SUBCOMMANDS)}.")
