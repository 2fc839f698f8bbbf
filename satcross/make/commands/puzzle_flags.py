"""What the commands for codewords and fill-ins share: crossword, list, page, and one run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satcross.cli import FILLED, UNFILLABLE, UNKNOWN
from satcross.cli.options import (
    PUBLISHING,
    argument,
    letters_option,
    option,
    options,
    output_option,
    seed_option,
    time_limit_option,
    whole,
    words_option,
)
from satcross.cli.output import Report, check_output, check_standard_input
from satcross.cli.publishing import PageFlags
from satcross.cli.read_puzzle import ListFlags
from satcross.crossword import Crossword
from satcross.formats.readers import READERS, import_crossword
from satcross.make.puzzles import SUFFIXES
from satcross.run_settings import RunSettings, TimeUp
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    from satcross.make.puzzles.page import Printed


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
class PrintFlags:
    """Where the puzzle is written, and what its page carries beside it."""

    output: str | None = output_option(
        f"Write the puzzle into this file, by its extension: {', '.join(SUFFIXES)}. A .pdf has the "
        "page to solve and the solution, .html can be solved on screen, .json is for satcross "
        "check."
    )
    style: str = option(
        "--style",
        "What a .svg or .png shows.",
        heading=PUBLISHING,
        choices=("puzzle", "solution"),
        default="puzzle",
    )
    page: PageFlags = options(PageFlags, title="The title.  [default: the kind of the puzzle]")

    def write(self, puzzle: Printed, report: Report) -> None:
        """Write the file, if one is named, and note what it lacks."""
        from satcross.make.puzzles.files import write_puzzle

        if self.output is None:
            return
        solution = self.style == "solution"
        for text in write_puzzle(puzzle, self.output, paper=self.page.paper, solution=solution):
            report.note(text, self.output)


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
    make: Callable[[Crossword, Vocabulary | None, RunSettings], tuple[Printed, str]],
    *,
    needs_words: bool = False,
    needs_fill: bool = True,
    pangram: bool = False,
) -> int:
    """Read the crossword, fill it if it is empty, make the puzzle, write and print it.

    ``make`` returns the puzzle and a summary, and needs the letters of the crossword only with
    ``needs_fill``. The list is read where the grid has to be filled, or if ``make``
    ``needs_words``. Returns the exit code.
    """
    from satcross.make.puzzles.filling import NotFilledError, filled, is_filled

    report, output = run.report, run.print.output
    if output is not None:
        check_output(output, [source.crossword, *source.words], SUFFIXES)
    crossword = source.read(report)
    needs_fill = needs_fill and not is_filled(crossword)
    words = source.read_words(report) if needs_fill or needs_words else None
    with report.progress() as progress:
        settings = RunSettings(run.time_limit, run.seed, on_progress=progress.show)
        try:
            if needs_fill:
                assert words is not None
                crossword = filled(crossword, words, settings, pangram=pangram)
            puzzle, summary = make(run.print.page.apply(crossword), words, settings)
        except TimeUp:
            report.note("the time limit came before the proof that there is one solution")
            return UNKNOWN
        except NotFilledError as error:
            report.note(str(error))
            return UNFILLABLE if error.unfillable else UNKNOWN
    from satcross.formats.json import versions
    from satcross.make.puzzles.files import puzzle_to_data, text_lines

    run.print.write(puzzle, report)
    report.show(
        lambda: {**puzzle_to_data(puzzle), "seed": run.seed, "versions": versions()},
        lambda: [*text_lines(puzzle), "", summary],
        unless_quiet=True,
    )
    return FILLED
