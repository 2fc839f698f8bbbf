"""``satcross puzzle arrowword``, and how puzzles of every kind are printed."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from satcross.cli import FILLED, UNFILLABLE, UNKNOWN
from satcross.cli.options import (
    INPUT,
    PUBLISHING,
    SEARCH,
    argument,
    make_command,
    option,
    options,
    output_option,
    parse_seconds,
    read_size,
    seed_option,
    time_limit_option,
)
from satcross.cli.output import Report, check_output, grid_text
from satcross.cli.publishing import PageFlags
from satcross.cli.read_puzzle import read_structure
from satcross.cli.text_flags import TextFlags
from satcross.errors import InputError
from satcross.make.puzzles import SUFFIXES
from satcross.outcome import Outcome, Status

if TYPE_CHECKING:
    from satcross.grid import Grid
    from satcross.make.puzzles.arrow_making import ClueBook
    from satcross.make.puzzles.arrowword import Arrowword
    from satcross.make.puzzles.printed import Printed

_EXAMPLES = """
satcross puzzle arrowword clued-words.txt -o puzzle.pdf --size 14x12
satcross puzzle arrowword default -o raetsel.pdf --language de --picture 4x4@top-right
satcross puzzle arrowword list.txt -o puzzle.html --clues clues.tsv --seed 7
satcross puzzle arrowword clued-words.txt -o puzzle.pdf --pattern pattern.txt
"""


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
    name_line: bool = option("--name-line", "A line for name and date on a .pdf.")
    answer_key: str = option(
        "--answer-key", "Whether a .pdf has the solution.", choices=("yes", "no"), default="yes"
    )
    page: PageFlags = options(
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
class Request:
    """The arguments and options of ``puzzle arrowword``."""

    words: str = argument(
        "WORDS",
        "One word per line, perhaps followed by a tab and its clue, or a score, or both: the score "
        "first. A word may have several lines; the shortest clue is preferred. default names the "
        "list of --language: de, en (without the option) or fr.",
    )
    clues: tuple[str, ...] = option(
        "--clues FILE",
        "More clues, one per line: WORD, a tab, and the clue. Repeatable. Words of WORDS without a "
        "clue are not used.",
        heading=INPUT,
        multiple=True,
        brief=True,
    )
    text: TextFlags = options(TextFlags)
    size: str = option(
        "--size N|ROWSxCOLUMNS",
        "The size of the grid.",
        heading=SEARCH,
        default="14x12",
        brief=True,
    )
    picture: str | None = option(
        "--picture ROWSxCOLUMNS[@PLACE]",
        "Leave a rectangle free for a picture. PLACE is top-left (the default), top-right, "
        "bottom-left, bottom-right, or the upper left cell, such as r4c5.",
        brief=True,
    )
    pattern: str | None = option(
        "--pattern FILE",
        "Use the blocked cells of this structure as clue cells.",
        excludes=["--size", "--picture"],
    )
    time_limit: float = time_limit_option(
        "Stop after this many seconds; exit code 30.", default=60.0
    )
    seed: int = seed_option()
    print: PrintFlags = options(
        PrintFlags,
        output="Write the puzzle into this file, by its extension: .pdf (with the answer key), "
        ".svg, .png, .html (to solve on screen), .ipuz, .json. Other formats of crosswords keep no "
        "clue cells.",
    )
    text_size: float = option(
        "--text-size POINTS",
        "Smallest size of clues; one that does not fit into half a cell in this size is not used.",
        type=parse_seconds,
        default=4.75,
    )
    capitals: bool = option("--capitals", "Print clues in capitals, as French newspapers do.")
    report: Report = options(Report, quiet="Print no notes and no grid.")


@make_command(Request, examples=_EXAMPLES)
def arrowword(request: Request) -> int:
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
    size = (grid.height, grid.width) if grid else read_size("--size", request.size)
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
    puzzle, outcome = _make(request, size, grid, book)
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


def _make(
    request: Request, size: tuple[int, int], grid: Grid | None, book: ClueBook
) -> tuple[Arrowword | None, Outcome | None]:
    from satcross.make.puzzles.arrow_making import fill_pattern, make_arrowword, read_picture
    from satcross.run_settings import RunSettings

    with request.report.progress() as progress:
        settings = RunSettings(
            seed=request.seed, time_limit=request.time_limit, on_progress=progress.show
        )
        if grid is not None:
            try:
                return fill_pattern(grid, book, settings)
            except InputError as error:
                raise InputError(error.problem, error.remedy, file=request.pattern) from None
        picture = read_picture(request.picture, size) if request.picture else frozenset()
        return make_arrowword(size, book, settings, picture), None
