"""``satcross puzzle``: the puzzles that are printed beside the crossword."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, UNFILLABLE, UNKNOWN
from satcross.cli import options as cli
from satcross.cli.output import Report, check_output, check_standard_input, grid_text
from satcross.cli.publishing import PageFlags
from satcross.cli.read_puzzle import ListFlags, read_structure
from satcross.cli.text_flags import TextFlags
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.readers import READERS, import_crossword
from satcross.make.puzzles import LEVELS, SUFFIXES
from satcross.outcome import Outcome, Status
from satcross.run_settings import RunSettings, TimeUp
from satcross.support.wording import counted
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    from satcross.grid import Grid
    from satcross.make.puzzles.arrow_making import ClueBook
    from satcross.make.puzzles.arrowword import Arrowword
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
_ARROWWORD_EXAMPLES = """
satcross puzzle arrowword clued-words.txt -o puzzle.pdf --size 14x12
satcross puzzle arrowword default -o raetsel.pdf --language de --picture 4x4@top-right
satcross puzzle arrowword list.txt -o puzzle.html --clues clues.tsv --seed 7
satcross puzzle arrowword clued-words.txt -o puzzle.pdf --pattern pattern.txt
"""
_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True)
class PuzzleSource:
    """A filled crossword, or a grid that is filled first, and the list of words."""

    crossword: str = cli.argument(
        "CROSSWORD",
        f"A filled crossword ({', '.join(READERS)}, or a printed grid), or a grid without letters, "
        "which is filled first.",
    )
    words: tuple[str, ...] = cli.words_option(
        "A word list; repeatable.  [default: the default list]"
    )
    letters: bool = cli.letters_option()
    lists: ListFlags = cli.options(ListFlags)
    min_score: int | None = cli.option(
        "--min-score N", "Take only words of the list with this score or more.", type=cli.whole()
    )

    plain: bool = cli.option(
        "--plain-words",
        "Fill a grid without letters, where possible, with words that one can guess without clues: "
        "no phrases, names or abbreviations of the default list.",
    )

    def read_words(self, report: Report) -> Vocabulary:
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

    output: str | None = cli.output_option(
        f"Write the puzzle into this file, by its extension: {', '.join(SUFFIXES)}. A .pdf has the "
        "page to solve and the solution, .html can be solved on screen, .json is for satcross "
        "check."
    )
    style: str = cli.option(
        "--style",
        "What a .svg or .png shows.",
        heading=cli.PUBLISHING,
        choices=("puzzle", "solution"),
        default="puzzle",
    )
    name_line: bool = cli.option("--name-line", "A line for name and date on a .pdf.")
    answer_key: str = cli.option(
        "--answer-key", "Whether a .pdf has the solution.", choices=("yes", "no"), default="yes"
    )
    page: PageFlags = cli.options(
        PageFlags, title="The title.  [default: the crossword's, or the kind of puzzle]"
    )

    def write(self, puzzle: Printed, report: Report) -> None:
        """Write the file, if one is named, and note what it lacks."""
        from satcross.formats.drawing.sheet import Sheet
        from satcross.make.puzzles.files import write_puzzle

        if self.output is None:
            return
        solution, paper = self.style == "solution", self.page.paper
        sheet = Sheet(name_line=self.name_line, answer_key=self.answer_key == "yes")
        for text in write_puzzle(puzzle, self.output, paper=paper, solution=solution, sheet=sheet):
            report.note(text, self.output)


@dataclass(frozen=True, slots=True)
class RunFlags:
    """The search, the page and the report."""

    time_limit: float | None = cli.time_limit_option("Stop after this many seconds; exit code 30.")
    seed: int = cli.seed_option()
    print: PrintFlags = cli.options(PrintFlags)
    report: Report = cli.options(Report, quiet="Print no notes and no puzzle.")


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
    source: PuzzleSource = cli.options(PuzzleSource)
    given: int | None = cli.option(
        "--given N",
        "Give this number of letters.  [default: as few as needed]",
        heading="Puzzle",
        type=cli.whole(0),
        brief=True,
    )
    level: str | None = cli.option(
        "--level",
        "easy, medium: give so many letters that the others follow word by word, from words of "
        "which half the letters (medium: a quarter) are known. hard: as few letters as needed, and "
        "rare ones.",
        choices=LEVELS,
        brief=True,
    )
    pangram: bool = cli.option(
        "--pangram", "All letters from A to Z occur: a grid is filled so.", brief=True
    )
    run: RunFlags = cli.options(RunFlags)


@cli.make_command(_CodewordFlags, examples=_CODEWORD_EXAMPLES)
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
        given, level, pangram = request.given, request.level, request.pangram
        return make_codeword(crossword, words, settings, given=given, level=level, pangram=pangram)

    return make_and_write(
        request.source, request.run, make, needs_words=True, pangram=request.pangram
    )


@dataclass(frozen=True, slots=True)
class _FillInFlags:
    source: PuzzleSource = cli.options(PuzzleSource)
    given: int | None = cli.option(
        "--given N",
        "Place this number of words in the grid.  [default: as few as needed]",
        heading="Puzzle",
        type=cli.whole(0),
        brief=True,
    )
    numbers: bool = cli.option(
        "--numbers", "Numbers of random digits instead of words.", brief=True
    )
    diagramless: bool = cli.option(
        "--diagramless",
        "Show only half of the black squares; the pattern's symmetry tells the others.",
        brief=True,
    )
    run: RunFlags = cli.options(RunFlags)


@cli.make_command(_FillInFlags, examples=_FILL_IN_EXAMPLES)
def fill_in(request: _FillInFlags) -> int:
    """List the words of a filled crossword by length: there is one way to put them into the grid.

    Each word is used once. As few words as needed are placed beforehand, so that exactly one
    arrangement is left: a SAT solver and CP-SAT prove it. A grid without letters is filled first.

    Exit code 0: there is a puzzle. 20: the grid can't be filled. 30: --time-limit reached. 2: bad
    input, or too few words to place.
    """
    from satcross.make.puzzles.fill_in import make_fill_in

    def make(crossword: Crossword, words: Vocabulary, settings: RunSettings) -> Printed:
        numbers, half = request.numbers, request.diagramless
        return make_fill_in(
            crossword, settings, given=request.given, numbers=numbers, diagramless=half
        )

    return make_and_write(request.source, request.run, make, needs_fill=not request.numbers)


@dataclass(frozen=True, slots=True)
class _ArrowwordFlags:
    words: str = cli.argument(
        "WORDS",
        "One word per line, perhaps followed by a tab and its clue, or a score, or both: the score "
        "first. A word may have several lines; the shortest clue is preferred. default names the "
        "list of --language: de, en (without the option) or fr.",
    )
    clues: tuple[str, ...] = cli.option(
        "--clues FILE",
        "More clues, one per line: WORD, a tab, and the clue. Repeatable. Words of WORDS without a "
        "clue are not used.",
        heading=cli.INPUT,
        multiple=True,
        brief=True,
    )
    text: TextFlags = cli.options(TextFlags)
    size: str = cli.option(
        "--size N|ROWSxCOLUMNS",
        "The size of the grid.",
        heading=cli.SEARCH,
        default="14x12",
        brief=True,
    )
    picture: str | None = cli.option(
        "--picture ROWSxCOLUMNS[@PLACE]",
        "Leave a rectangle free for a picture. PLACE is top-left (the default), top-right, "
        "bottom-left, bottom-right, or the upper left cell, such as r4c5.",
        brief=True,
    )
    pattern: str | None = cli.option(
        "--pattern FILE",
        "Use the blocked cells of this structure as clue cells.",
        excludes=["--size", "--picture"],
    )
    time_limit: float = cli.time_limit_option(
        "Stop after this many seconds; exit code 30.", default=60.0
    )
    seed: int = cli.seed_option()
    print: PrintFlags = cli.options(
        PrintFlags,
        output="Write the puzzle into this file, by its extension: .pdf (with the answer key), "
        ".svg, .png, .html (to solve on screen), .ipuz, .json. Other formats of crosswords keep no "
        "clue cells.",
    )
    text_size: float = cli.option(
        "--text-size POINTS",
        "Smallest size of clues; one that does not fit into half a cell in this size is not used.",
        type=cli.parse_seconds,
        default=4.75,
    )
    capitals: bool = cli.option("--capitals", "Print clues in capitals, as French newspapers do.")
    report: Report = cli.options(Report, quiet="Print no notes and no grid.")


@cli.make_command(_ArrowwordFlags, examples=_ARROWWORD_EXAMPLES)
def arrowword(request: _ArrowwordFlags) -> int:
    """Make an arrowword (Swedish puzzle, mots fléchés): clues stand in cells, with arrows.

    A pattern is made for the words that have a clue, and filled with them. Every word of two
    letters or more has one clue, and no clue cell is empty. Where words share a clue, a SAT solver
    and CP-SAT prove that no others fit. The fill is verified. Clues are broken by the rules of
    --language, and set as large as the cell allows. The solution is printed, and the puzzle written
    into --output.

    Exit code 0: made. 20: it is proved that the words do not fill --pattern. 30: none was found in
    time.
    """
    from satcross.formats.files import read_text
    from satcross.formats.json import run_to_data
    from satcross.make.puzzles.arrow_clues import read_clue_book, read_clued_list
    from satcross.make.puzzles.files import puzzle_to_data

    report, output = request.report, request.print.output
    if output is not None:
        check_output(output, [request.words, *request.clues])
    started = time.perf_counter()
    grid: Grid | None = None
    if request.pattern is not None:
        grid = read_structure(request.pattern, letters=False, quiet=report.quiet).grid
    size = (grid.height, grid.width) if grid else cli.read_size("--size", request.size)
    book = read_clue_book(
        read_clued_list(request.words),
        size,
        request.print.page.paper,
        more=map(read_text, request.clues),
        min_size=request.text_size,
        capitals=request.capitals,
    )
    for text in book.notes:
        report.note(text, request.words)
    puzzle, outcome = _make_arrowword(request, size, grid, book)
    run = run_to_data(time.perf_counter() - started, request.seed)
    if puzzle is None:
        problem = "none was found in time" if outcome is None else outcome.reason
        report.show(
            lambda: {"status": "none", "reason": problem, **run},
            lambda: [f"No arrowword: {problem}."],
        )
        report.note(
            "more words with clues, of two letters above all, a smaller --size or a longer "
            "--time-limit may help"
        )
        return UNFILLABLE if outcome and outcome.status is Status.UNFILLABLE else UNKNOWN
    crossword = request.print.page.apply(puzzle.crossword)
    puzzle = replace(puzzle, crossword=crossword, text_size=request.text_size)
    request.print.write(puzzle, report)
    report.show(
        lambda: {"status": "made", **puzzle_to_data(puzzle), **run},
        lambda: [grid_text(crossword), puzzle.summary],
        unless_quiet=True,
    )
    return FILLED


def _make_arrowword(
    request: _ArrowwordFlags, size: tuple[int, int], grid: Grid | None, book: ClueBook
) -> tuple[Arrowword | None, Outcome | None]:
    from satcross.make.puzzles.arrow_making import fill_pattern, make_arrowword, read_picture

    with request.report.progress() as progress:
        settings = RunSettings(request.time_limit, request.seed, on_progress=progress.show)
        if grid is not None:
            try:
                return fill_pattern(grid, book, settings)
            except InputError as error:
                raise InputError(error.problem, error.remedy, file=request.pattern) from None
        picture = read_picture(request.picture, size) if request.picture else frozenset()
        return make_arrowword(size, book, settings, picture), None


_EXAMPLES = """
satcross puzzle codeword crossword.ipuz -o codeword.pdf
satcross puzzle fill-in crossword.ipuz -o fill-in.pdf
satcross puzzle arrowword clued-words.txt -o arrowword.pdf --size 14x12
"""

_SUBCOMMANDS = {"arrowword": arrowword, "codeword": codeword, "fill-in": fill_in}


@dataclass(frozen=True, slots=True)
class _NoKind:
    """The options of ``puzzle`` without a kind: none."""


@cli.make_command(_NoKind, examples=_EXAMPLES, subcommands=_SUBCOMMANDS)
def command(request: _NoKind) -> None:
    """Make codewords, fill-ins and arrowwords that are proved to have exactly one solution."""
    raise click.UsageError(f"name a kind of puzzle: {', '.join(_SUBCOMMANDS)}.")
