"""``satcross solve``."""

from __future__ import annotations

import os
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.backends.registry import BACKENDS
from satcross.cli import FILLED, UNFILLABLE, UNKNOWN, search_flags
from satcross.cli import options as cli
from satcross.cli.messages import printing
from satcross.cli.output import Report, check_distinct, check_output, numbered
from satcross.cli.print_outcome import Printer
from satcross.cli.publishing import OUTPUT_FILE, Publishing
from satcross.cli.read_puzzle import PuzzleInput
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, write_atomically
from satcross.formats.readers import READERS, read_structure
from satcross.formats.registry import FORMATS
from satcross.formats.words import check_list
from satcross.grid import Cell, Grid
from satcross.outcome import FillList, Outcome, Status
from satcross.puzzle import Puzzle
from satcross.support.frozen import frozen
from satcross.support.hooks import call
from satcross.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from satcross.cli.keep_region import Letters
    from satcross.formats.clues import ClueList
    from satcross.solving.best import Objective
    from satcross.solving.region import Region

_EXIT_CODES = {Status.FILLED: FILLED, Status.UNFILLABLE: UNFILLABLE, Status.UNKNOWN: UNKNOWN}

_SAT_EXIT_CODES = {Status.FILLED: 10, Status.UNFILLABLE: 20, Status.UNKNOWN: 0}

_EXAMPLES = """
satcross solve data/structure1.txt data/words1.txt crossword.png
satcross solve grid.txt                        (the default word list)
satcross solve grid.txt words.txt --backend sat,cpsat,backtrack
satcross solve grid.txt words.txt --cluster tcp://scheduler:8786
satcross solve grid.txt words.txt --best --time-limit 60
satcross solve grid.txt words.txt --best freshness used.txt
satcross solve grid.txt words.txt fill.png --count 3 --diverse   (fill-1.png ...)
satcross solve grid.txt words.txt --keep fill.json --region r1-6c1-7
satcross solve grid.txt words.txt --proof grid.drat      (and grid.cnf, if unfillable)
satcross solve grid.txt words.txt --heat heat.png        (where the grid is tight)
satcross solve grid.txt words.txt puzzle.png --style puzzle
satcross solve grid.txt words.txt monday.puz --clues clues.tsv --title Monday
"""


@frozen
class FillFlags:
    """Which of the fills are wanted."""

    best: str | None = search_flags.best_option()
    count: int | None = cli.option(
        "--count N",
        "Find N different fills, or all when there are fewer; OUTPUT gets a number before its "
        "extension.",
        type=cli.whole(1),
        excludes=["--proof", "--format sat", "--clue-template"],
        brief=True,
    )
    pangram: bool = cli.option(
        "--pangram",
        "Use every letter from A to Z. Exit code 30 where no such fill is found in time.",
        excludes=["--best", "--count", "--proof", "--cluster", "--format sat", "--backend"],
    )
    fresh: tuple[str, ...] = cli.option(
        "--fresh FILE|FOLDER",
        "Words of these crosswords, series or lists come back only where the grid needs them: they "
        "score 45 at most; repeatable.",
        multiple=True,
    )
    diverse: bool = cli.option(
        "--diverse", "With --count: prefer dissimilar fills.", needs=["--count"]
    )
    keep: str | None = cli.option(
        "--keep FILL",
        "Keep the letters of this fill outside of --region: any file that check reads.",
        needs=["--region"],
        excludes=["--proof", "--format sat"],
    )
    regions: tuple[str, ...] = cli.option(
        "--region r1-6c1-7",
        "With --keep: the cells to fill anew, here rows 1 to 6 and columns 1 to 7, counted from 1; "
        "repeatable.",
        multiple=True,
        needs=["--keep"],
    )

    def read_regions(self) -> list[Region]:
        """The regions to fill anew. Raises InputError for one that is none."""
        if not self.regions:
            return []
        from satcross.solving.region import Region

        return [Region.parse(text) for text in self.regions]


@frozen
class PrintFlags:
    """What is printed, and what is written beside OUTPUT."""

    proof: str | None = cli.option(
        "--proof FILE",
        "When there is no fill, write a DRAT proof of it, and the formula beside it as .cnf "
        "(see satcross check --proof). The proof has a --time-limit of its own; without a proof "
        "in time, exit code 30.",
        heading=cli.OUTPUT,
    )
    heat: str | None = cli.option(
        "--heat FILE",
        "Draw into a .png how many letters and words arc consistency leaves in cells and slots; "
        "--json then has the numbers, too.",
    )
    form: str = cli.option(
        "--format",
        "How to print: cs50, the grid; or sat, as in SAT competitions (s SATISFIABLE, then v and "
        "the variables of the formula that satcross encode writes; exit codes 10, 20 and 0).",
        choices=("cs50", "sat"),
        default="cs50",
    )
    color: bool = cli.option("--color", "Print the grid in colours, with numbers.")
    trace: str | None = cli.option(
        "--trace FILE|-",
        "First write each step of CS50's textbook search: arcs, domains, words tried; for grids of "
        "at most 30 slots. The backend's answer follows, which may be another fill.",
    )
    report: Report = cli.options(Report, quiet="Print no notes and no grid.")


@frozen
class Request:
    """The arguments and options of ``solve``."""

    puzzle: PuzzleInput = cli.options(PuzzleInput)
    output: str | None = cli.argument(
        "[OUTPUT]", f"{OUTPUT_FILE} Other than .txt, it may follow STRUCTURE directly."
    )
    written: str | None = cli.output_option("The same as OUTPUT.")
    search: search_flags.SearchFlags = cli.options(search_flags.SearchFlags)
    cluster: str | None = search_flags.cluster_option(
        "Race backends and seeds on a Dask cluster, the first answer wins: tcp://HOST:PORT of its "
        "scheduler, or local to start one here with --workers processes."
    )
    fills: FillFlags = cli.options(FillFlags)
    publishing: Publishing = cli.options(Publishing)
    show_given: bool = cli.option(
        "--show-given",
        "Show the letters of STRUCTURE and of --lock r3c4=Q in the crossword in OUTPUT; otherwise "
        "only letters that a crossword file has prefilled are shown.",
    )
    printing: PrintFlags = cli.options(PrintFlags)

    @property
    def report(self) -> Report:
        return self.printing.report

    @property
    def outputs(self) -> list[str]:
        """The files to write, one per fill."""
        return numbered(self.output, self.fills.count)

    @property
    def inputs(self) -> list[str]:
        """The files to read."""
        more = (
            search_flags.objective_file(self.fills.best),
            self.fills.keep,
            *self.fills.fresh,
        )
        return [*self.puzzle.files, *(path for path in more if path is not None)]

    def place_output(self) -> Request:
        """Take -o, or WORDS where it can't be a word list, for OUTPUT. Raises InputError."""
        if self.written is not None:
            if self.output is not None:
                raise click.UsageError("give OUTPUT or -o, not both.")
            return replace(self, output=self.written, written=None)
        words = self.puzzle.words
        if words is None or self.output is not None:
            return self
        suffix = Path(words).suffix.lower()
        if suffix in FORMATS and suffix != ".txt":
            _check_replaceable(words, self.puzzle.structure)
            return replace(self, puzzle=replace(self.puzzle, words=None), output=words)
        _check_words(words)
        return self

    def check(self) -> None:
        """Raise UsageError for options that can't be used together, InputError for their files."""
        self.search.check()
        if self.cluster not in (None, "local") and self.search.workers is not None:
            raise click.UsageError("--workers is for processes here; the cluster has its own.")
        if self.fills.count is not None and len(self.search.backends) > 1:
            raise click.UsageError("--count takes one backend.")
        self.fills.read_regions()
        if self.printing.proof is not None:
            from satcross.cli import proofs

            proofs.check_paths(self.printing.proof, self.inputs, self.output, self.search)
        self.publishing.check_files(self.inputs, self.outputs)
        if self.printing.heat is not None:
            check_output(self.printing.heat, self.inputs, (".png",))
            check_distinct(self.printing.heat, self.outputs, "OUTPUT and --heat")


def _check_replaceable(path: str, structure: str) -> None:
    """Raise InputError for an existing file that is no fill of the structure: perhaps an input."""
    is_read = Path(path).suffix.lower() in READERS and os.path.exists(path)  # noqa: PTH110
    if is_read and not _have_same_cells(path, structure):
        raise InputError(
            f"stands where WORDS does, but has not the grid of {structure}: not overwritten",
            "give a list with -w; -o, or OUTPUT after WORDS, overwrites the file",
            file=path,
        )


def _have_same_cells(path: str, structure: str) -> bool:
    if structure == STANDARD_INPUT:
        return False
    wanted = read_structure(structure, letters=None).grid.structure
    try:
        return read_structure(path, letters=None).grid.structure == wanted
    except InputError:
        return False


def _check_words(path: str) -> None:
    """Raise InputError for a list that does not exist but was perhaps meant as OUTPUT."""
    remedy = f"check the name, or choose an OUTPUT in {', '.join(FORMATS)}"
    if Path(path).suffix.lower() == ".txt":
        remedy = "it was read as WORDS; to write a fill into it, name the words first"
    check_list(path, remedy)


@frozen
class _Task:
    """The contents of the input files. ``whole`` is the puzzle without what --keep says."""

    request: Request
    whole: Puzzle
    kept: Letters | None
    prefilled: frozenset[Cell]
    puzzle: Puzzle
    clues: ClueList | None
    objective: Objective | None
    heat: dict[str, object] | None
    seconds: float

    @classmethod
    def read(cls, request: Request) -> _Task:
        """Read the files, clues first; draw the heat."""
        report = request.report
        clues = request.publishing.read_clues(report)
        started = time.perf_counter()
        puzzle, prefilled = request.puzzle.read_with_prefilled(quiet=report.quiet)
        if request.fills.fresh:
            from satcross.formats.used_words import with_used_words

            fresh = with_used_words(puzzle.vocabulary, request.fills.fresh, report.note)
            puzzle = replace(puzzle, vocabulary=fresh)
        whole = puzzle
        best, reading = request.fills.best, request.puzzle.flags.lists.reading
        objective = None
        if best is not None:
            objective = search_flags.read_objective(
                best, puzzle.vocabulary, reading, quiet=report.quiet
            )
        kept = None
        if request.fills.keep is not None:
            from satcross.cli.keep_region import keep

            regions = request.fills.read_regions()
            kept, puzzle = keep(puzzle, request.fills.keep, regions, report)
        seconds = time.perf_counter() - started
        heat = None if request.printing.heat is None else _heat(puzzle, request.printing.heat)
        return cls(request, whole, kept, prefilled, puzzle, clues, objective, heat, seconds)

    @property
    def grid(self) -> Grid:
        """The grid without the letters of --keep."""
        return self.whole.grid

    def judged(self, outcome: Outcome) -> Outcome:
        """Return the outcome with the quality of the whole fill, the words kept by --keep too."""
        if self.kept is None or outcome.quality is None or outcome.fill is None:
            return outcome
        from satcross.solving.quality import judge

        search = self.request.search
        unlisted = (word for word in outcome.fill.values() if word not in self.whole.vocabulary)
        puzzle = replace(self.whole, setter_words=self.whole.setter_words.union(unlisted))
        return replace(outcome, quality=judge(puzzle, outcome.fill, search.allowed))

    @property
    def printer(self) -> Printer:
        """How answers are printed and written."""
        printing = self.request.printing
        return Printer(printing.report, printing.color, self.read_all_written, self.heat)

    def read_all_written(self) -> Mapping[str, str]:
        """Return how the default list and the others write words."""
        from satcross.formats.written import WithDefault

        return WithDefault(self.read_written())

    def read_written(self) -> Mapping[str, str]:
        """Return how lists other than the default one write words."""
        return self.request.puzzle.read_written(self.puzzle.vocabulary)

    def crossword(self, outcome: Outcome) -> Crossword:
        """The crossword of the outcome's fill, with its clues.

        Letters of the structure and locks are known to who makes the crossword, not to who solves
        it, unless its author prefilled them or ``--show-given`` says so.
        """
        crossword = Crossword.of(self.grid, outcome.fill)
        if not self.request.show_given:
            crossword = replace(crossword, grid=self.grid.with_given(self.prefilled))
        if outcome.fill is None:
            return crossword
        request = self.request
        return request.publishing.apply(crossword, self.clues, request.report, self.read_written)


@cli.make_command(Request, examples=_EXAMPLES, prepare=search_flags.join_best)
def command(request: Request) -> int:
    """Fill the grid of STRUCTURE with words from WORDS, or prove that it can't be filled.

    The grid is printed, and written into OUTPUT. With --keep and --region only a part of a fill is
    filled anew: the kept letters stay as they are; words kept whole are legal even if no list has
    them, and words that reach into the region must be in the list.

    Exit codes: 0 filled, 20 proved unfillable, 30 time limit reached or interrupted, 2 bad input.
    """
    request = request.place_output()
    request.check()
    task = _Task.read(request)
    return _solve_one(task) if request.fills.count is None else _solve_several(task)


def _solve_one(task: _Task) -> int:
    """Find one fill, print and write it; return the exit code."""
    request, report, printed = task.request, task.request.report, task.request.printing
    if printed.trace is not None:
        call("write_trace", task.puzzle, printed.trace, request.search.time_limit)
    outcomes = list(map(task.judged, _run(task)))
    outcome = _choose(outcomes)
    outcome = replace(outcome, seconds={"load": task.seconds, **outcome.seconds})
    if outcome.objective is not None and outcome.fill is not None:
        from satcross.cli.best_text import best_text

        report.note(best_text(outcome))
    if outcome.quality is not None:
        report.note(str(outcome.quality))
    proof = None
    if printed.proof is not None:
        from satcross.cli import proofs

        proof = proofs.write_proof(task.puzzle, outcome, printed.proof, request.search, report)
    crossword = task.crossword(outcome)
    if task.kept is not None and outcome.fill is not None:
        from satcross.cli.keep_region import note_unchanged

        note_unchanged(crossword, task.kept, request.fills.keep or "", report)
    with printing():
        if printed.form == "sat":
            from satcross.cli import proofs

            proofs.print_sat(task.puzzle, outcome, request.search.encoding, report.quiet)
        else:
            task.printer.print_outcome(crossword, outcome, outcomes, proof)
    if outcome.status is Status.FILLED:
        for path in request.outputs:
            task.printer.write_outcome(crossword, outcome, path, request.publishing)
    if printed.proof is not None and outcome.status is Status.UNFILLABLE and proof is None:
        return UNKNOWN
    return (_SAT_EXIT_CODES if printed.form == "sat" else _EXIT_CODES)[outcome.status]


def _run(task: _Task) -> list[Outcome]:
    from satcross.solving.cross_check import cross_check

    search, cluster = task.request.search, task.request.cluster
    with task.request.report.progress() as progress:
        settings = search.settings(progress.show)
        if task.objective is not None:
            settings = replace(settings, on_partial=progress.grids(task.puzzle.grid))
        if task.request.fills.pangram:
            from satcross.solving.pangram import fill_pangram

            return [fill_pangram(task.puzzle, settings)]
        if cluster is not None:
            return [call("race_on_cluster", task.puzzle, search.backends, cluster, settings)]
        with _noted_when_late(search):
            return cross_check(task.puzzle, search.backends, settings, objective=task.objective)


def _noted_when_late(search: search_flags.SearchFlags) -> AbstractContextManager[None]:
    """Note when backends of other packages go on after their time; ours look at their deadlines."""
    added = [name for name in search.backends if name not in BACKENDS]
    if not added or not search.time_limit:
        return nullcontext()
    from satcross.cli.limited import noted_when_late

    rounds = len(search.backends) + (len(search.backends) > 1)  # one more for the second opinion
    return noted_when_late(search.time_limit * rounds, ", ".join(added))


def _choose(outcomes: list[Outcome]) -> Outcome:
    """The best fill where there is an objective, else the first definite answer."""
    filled = [item for item in outcomes if item.fill is not None and item.objective is not None]
    if filled:
        return max(filled, key=lambda item: ([goal.value for goal in item.goals], item.optimal))
    return next((item for item in outcomes if item.status is not Status.UNKNOWN), outcomes[-1])


def _solve_several(task: _Task) -> int:
    """Find several fills, print and write them; return the exit code."""
    request, report, number = task.request, task.request.report, task.request.fills.count or 1
    found = _run_several(task, number)
    with printing():
        task.printer.print_fills(task.grid, found, task.seconds)
    if not report.as_json:
        _note_several(task, found, number)
    for path, outcome in zip(request.outputs, found.outcomes, strict=False):
        crossword = task.crossword(outcome)
        task.printer.write_outcome(crossword, outcome, path, request.publishing)
    if found.complete:
        return FILLED if found.outcomes else UNFILLABLE
    return FILLED if len(found.outcomes) == number else UNKNOWN


def _run_several(task: _Task, number: int) -> FillList:
    from satcross.solving.several import several

    search = task.request.search
    with task.request.report.progress() as progress:
        settings, diverse = search.settings(progress.show), task.request.fills.diverse
        found = several(task.puzzle, number, search.backends[0], settings, diverse=diverse)
    return replace(found, outcomes=tuple(map(task.judged, found.outcomes)))


def _note_several(task: _Task, found: FillList, number: int) -> None:
    fills, report = len(found.outcomes), task.request.report
    if found.complete and 0 < fills < number:
        report.note(f"there {'is' if fills == 1 else 'are'} only {counted(fills, 'fill')}")
    elif not found.complete and fills < number:
        report.note(f"{counted(fills, 'fill')} of {number} found ({found.reason})")
    elif fills == number > 1:
        slots = len(task.grid.slots)
        report.note(f"no two fills share more than {found.max_shared_words} of {slots} words")
    for number, outcome in enumerate(found.outcomes, 1):
        if outcome.quality is not None:
            report.note(f"fill {number}: {outcome.quality}")


def _heat(puzzle: Puzzle, path: str) -> dict[str, object]:
    """Draw the heat into the file; return its numbers as plain values."""
    from satcross.formats.drawing.cells import heat_to_data, write_heat
    from satcross.network.tightness import heat

    tightness = heat(puzzle)
    write_atomically(path, lambda beside: write_heat(puzzle.grid, tightness, beside))
    return heat_to_data(puzzle.grid, tightness)
