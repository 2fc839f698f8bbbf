"""``satcross answer``."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, UNKNOWN
from satcross.cli.options import (
    argument,
    make_command,
    names_of,
    option,
    options,
    time_limit_option,
    whole,
)
from satcross.cli.output import Report, check_output, check_standard_input, print_error, write_text
from satcross.cli.read_puzzle import FlagReader, read_lists
from satcross.errors import InputError
from satcross.formats.files import check_writable, write_atomically
from satcross.formats.readers import READERS
from satcross.grid import cell_name
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.answer.clue import SourceSettings
    from satcross.answer.evaluate import EvaluationRecord
    from satcross.answer.session import Accuracy, Session
    from satcross.crossword import Crossword

_SOURCE_SECONDS = 60.0
_CHOOSE_SECONDS = 10.0
_METHODS = ("auto", "cpsat", "rc2", "bp", "crosswind")

_EXAMPLES = """
satcross answer mini.ipuz
satcross answer mini.puz --lock 5A=CAMEL --explain 7D
satcross answer mini.xd --sources wordnet,vocabulary --top 5 --picture answer.png
satcross answer --evaluate data/minis --method cpsat,crosswind --plot right.png
"""


def _source_names() -> Collection[str]:
    from satcross.answer.sources.registry import SOURCES

    return SOURCES


@dataclass(frozen=True, slots=True)
class SearchFlags:
    """Where candidates come from, and how words are chosen among them."""

    source_sets: list[list[str]] = option(
        "--sources NAME[,NAME...]",
        "The sources of candidates; `satcross sources` lists them. With --evaluate repeatable, to "
        "compare.",
        heading="Candidates and choice",
        multiple=True,
        callback=names_of(_source_names),
    )
    clues_db: str | None = option(
        "--clues-db FILE", "Your own old clues: TSV (publication, year, answer, clue)."
    )
    words: tuple[str, ...] = option(
        "-w --words FILE",
        "A list that takes the place of the default list as the vocabulary, from which answers "
        "that no source proposes are taken; repeatable. Sources propose other words, too.",
        multiple=True,
    )
    methods: list[str] = option(
        "--method NAME[,NAME...]",
        f"How to choose: {', '.join(_METHODS)} (cpsat for minis, bp for larger puzzles); "
        "several with --evaluate.",
        default=_METHODS[0],
        callback=names_of(lambda: _METHODS),
    )
    time_limit: float | None = time_limit_option(
        f"For searching the sources ({_SOURCE_SECONDS:g} by default), and for choosing "
        f"({_CHOOSE_SECONDS:g} by default).",
        heading=None,
    )

    @property
    def source_seconds(self) -> float:
        """The seconds that the sources may take."""
        return self.time_limit or _SOURCE_SECONDS

    @property
    def choose_seconds(self) -> float:
        """The seconds that choosing may take."""
        return self.time_limit or _CHOOSE_SECONDS

    def settings(self, *, quiet: bool) -> SourceSettings:
        """Read the vocabulary."""
        from satcross.answer.clue import SourceSettings

        return SourceSettings(read_lists(self.words, quiet=quiet).vocabulary, self.clues_db)


@dataclass(frozen=True, slots=True)
class AnswerFlags:
    """Options for the answer to a single puzzle."""

    locks: tuple[str, ...] = option(
        "--lock 5A=CAMEL",
        "A word you are sure of; repeatable.",
        heading="One puzzle",
        multiple=True,
    )
    top: int = option(
        "--top N", "Show the N best candidates of each clue.", type=whole(0), default=0
    )
    explained: str | None = option(
        "--explain 7D", "Also show the reasons for the answer in this slot."
    )
    min_sure: float = option(
        "--min-sure PERCENT",
        "Leave cells blank whose letter is less sure than this; 0 shows every guess.",
        type=click.FloatRange(0, 100),
        default=50,
    )
    picture: str | None = option(
        "--picture --png FILE",
        "Draw the proposed and the official grid with the clues (.png, .pdf or .html); unsure "
        "cells are shaded.",
    )


@dataclass(frozen=True, slots=True)
class EvaluationFlags:
    """Options for the evaluation of a folder of puzzles."""

    folder: str | None = option(
        "--evaluate DIR",
        "Answer every puzzle in a folder, and count what is right.",
        heading="Evaluation",
    )
    out: str | None = option(
        "--out FILE", "With --evaluate: write a line of JSON per puzzle and method."
    )
    plot: str | None = option("--plot FILE", "With --evaluate: draw a bar chart (.png or .svg).")


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments and options of ``answer``."""

    puzzle: str | None = argument(
        "[PUZZLE]", f"A crossword with clues ({', '.join(READERS)}); its solution is not used."
    )
    search: SearchFlags = options(SearchFlags)
    one: AnswerFlags = options(AnswerFlags)
    evaluation: EvaluationFlags = options(EvaluationFlags)
    report: Report = options(Report, quiet="Print no notes, only the answer.")

    def check(self) -> None:
        """Raise UsageError for options that can't be used together, InputError for their files."""
        if self.evaluation.folder is not None:
            self._check_evaluation()
            return
        if self.puzzle is None:
            raise click.UsageError("give PUZZLE, or --evaluate DIR.")
        if self.evaluation.out is not None or self.evaluation.plot is not None:
            raise click.UsageError("--out and --plot need --evaluate.")
        if len(self.search.methods) > 1 or len(self.search.source_sets) > 1:
            raise click.UsageError("several methods or sets of sources need --evaluate.")
        check_standard_input([self.puzzle, *self.search.words])
        if self.one.picture is not None:
            endings = (".png", ".pdf", ".html")
            check_output(self.one.picture, [self.puzzle, *self.search.words], endings)

    def _check_evaluation(self) -> None:
        one = self.one
        for name, given in (
            ("PUZZLE", self.puzzle),
            ("--lock", one.locks),
            ("--top", one.top),
            ("--explain", one.explained),
            ("--picture", one.picture),
        ):
            if given:
                raise click.UsageError(f"{name} can't be used with --evaluate.")
        if self.evaluation.plot is not None:
            check_output(self.evaluation.plot, (), (".png", ".svg"))
        if self.evaluation.out is not None:
            check_writable(self.evaluation.out)


@make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> int:
    """Answer the clued crossword PUZZLE from its clues.

    Sources propose candidates for every clue, with probabilities; then words that agree where
    slots cross are chosen so that the whole is as likely as possible. A slot may also take a word
    that no source proposed, or be put together from the letters of its crossings. A solution in
    PUZZLE is shown beside the answer, whose wrong letters are then small.

    "sure" says how often such answers are right, by clue and crossings, measured on newspaper
    puzzles; "by clue" is the probability by the clue alone. Cells whose letter is more likely wrong
    than right stay blank.

    Exit code 0: answered, even where it is not proved that no answer is likelier. 30: interrupted;
    what was found by then is printed. 2: bad input.
    """
    request.check()
    if request.puzzle is None:
        return _evaluate(request, str(request.evaluation.folder))
    return _answer(request, request.puzzle)


def _note_on_rebus(crossword: Crossword) -> str:
    number = len(crossword.rebus)
    cells = "1 cell has" if number == 1 else f"{number} cells have"
    return f"{cells} several letters; answered with one letter, and not compared" if number else ""


def _answer(request: Request, puzzle: str) -> int:
    from satcross.answer.choosing.methods import INTERRUPTED
    from satcross.answer.report.reasons import check_slot, reasons
    from satcross.answer.session import measure_accuracy
    from satcross.formats.readers import import_crossword

    report, explained, picture = request.report, request.one.explained, request.one.picture
    found = import_crossword(puzzle)
    if not any(found.crossword.clues.values()):
        raise InputError(
            "has no clues", "give one with clues; satcross solve fills a grid", file=puzzle
        )
    if explained is not None:
        check_slot(found.crossword.grid, explained)
    problem = found.solution_problem
    for text in (
        *found.notes,
        problem and f"{problem}; what is missing is not compared",
        _note_on_rebus(found.crossword),
    ):
        if text:
            report.note(text, puzzle)
    session = _choose(request, found.crossword)
    interrupted = session.answers.stopped == INTERRUPTED
    accuracy = measure_accuracy(session, found.crossword)
    why = None
    if explained is not None and not interrupted:
        why = reasons(session, explained, request.search.time_limit)
    for text in session.notes:
        report.note(text, puzzle)

    def to_data() -> object:
        from satcross.answer.report.json import session_to_data

        top = request.one.top
        return session_to_data(session, found.crossword, accuracy, top=top, reasons=why)

    def lines() -> list[str]:
        from satcross.answer.report.text import reason_lines

        shown = _lines(session, found.crossword, accuracy, request.one.top)
        return shown if why is None else [*shown, "", *reason_lines(session, why)]

    report.show(to_data, lines)
    if picture is not None:
        from satcross.answer.report.picture import write_picture

        ending = Path(picture).suffix.lower()
        write_atomically(
            picture, lambda path: write_picture(session, found.crossword, accuracy, path, ending)
        )
    return UNKNOWN if interrupted else FILLED


def _choose(request: Request, crossword: Crossword) -> Session:
    """Ask the sources and choose words."""
    from satcross.answer.session import AnswerSettings, answer_crossword

    search = request.search
    settings = search.settings(quiet=request.report.quiet)
    with request.report.progress() as progress:
        session = answer_crossword(
            crossword,
            settings,
            AnswerSettings(
                search.source_sets[0] if search.source_sets else None,
                search.methods[0],
                _read_locks(request.one.locks),
                search.source_seconds,
                search.choose_seconds,
                progress.show,
            ),
        )
    return replace(session, min_sure=request.one.min_sure / 100)


def _lines(session: Session, official: Crossword, accuracy: Accuracy | None, top: int) -> list[str]:
    from satcross.answer.report import text

    return [
        *text.heading(session),
        *text.grid_lines(session, official, accuracy, _style),
        "",
        *text.summary(session, accuracy),
        "",
        *text.clue_lines(session, accuracy, _style, top),
    ]


def _style(text: str, right: bool | None) -> str:
    """Green when right, red when wrong; click leaves it plain where no terminal is."""
    return text if right is None else click.style(text, fg="green" if right else "red")


def _evaluate(request: Request, folder: str) -> int:
    from satcross.answer.evaluate import table, write_plot

    out, plot, report = request.evaluation.out, request.evaluation.plot, request.report
    records: list[EvaluationRecord] = []
    with _until_interrupted() as interruption:
        for record in _records(request, folder):
            records.append(record)
    if not records and not interruption:
        raise InputError(
            "no puzzle in the folder could be evaluated", "see the notes above", file=folder
        )
    data = [one.to_data() for one in records]
    report.show(lambda: data, lambda: table(records) if records else ())
    if out is not None:
        write_text(out, "".join(f"{json.dumps(one)}\n" for one in data))
    if plot is not None and records:
        write_atomically(plot, lambda path: write_plot(records, path))
    if interruption:
        print_error(f"interrupted after {counted(len(records), 'answer')}")
    return UNKNOWN if interruption else FILLED


def _records(request: Request, folder: str) -> Iterator[EvaluationRecord]:
    """Answer the puzzles of the folder by every method and from every set of sources."""
    from satcross.answer.evaluate import evaluate, find_puzzles
    from satcross.answer.session import AnswerSettings

    search, report = request.search, request.report
    puzzles = find_puzzles(folder)
    with report.progress() as progress:
        yield from evaluate(
            puzzles,
            search.settings(quiet=report.quiet),
            search.source_sets,
            search.methods,
            AnswerSettings(
                source_seconds=search.source_seconds,
                seconds=search.choose_seconds,
                on_progress=progress.show,
            ),
            lambda name, text: report.note(text, name),
        )


@contextmanager
def _until_interrupted() -> Iterator[list[KeyboardInterrupt]]:
    """Run the block until its end or Ctrl-C; the list then holds the interruption."""
    interruption: list[KeyboardInterrupt] = []
    try:
        yield interruption
    except KeyboardInterrupt as error:
        interruption.append(error)


def _read_locks(locks: Sequence[str]) -> dict[str, str]:
    from satcross.rules.locks import LETTERS, Locks

    parsed = Locks().parse_flags({"locks": locks}, FlagReader())
    words: dict[str, str] = parsed["locks"]
    if letters := parsed[LETTERS]:
        raise InputError(
            f"--lock {cell_name(next(iter(letters)))}: answer takes no single letters",
            "lock a word as 5A=CAMEL",
        )
    return words
