"""``satcross answer``."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
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
from satcross.cli.output import (
    Report,
    check_output,
    check_standard_input,
    print_error,
    print_table,
    write_text,
)
from satcross.cli.read_puzzle import FlagReader, read_lists
from satcross.cli.text_flags import key_option
from satcross.errors import InputError
from satcross.formats.files import check_writable, write_atomically
from satcross.formats.readers import READERS
from satcross.grid import cell_name
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.answer.clue import SourceSettings
    from satcross.answer.evaluate import EvaluationRecord
    from satcross.answer.session import Session
    from satcross.crossword import Crossword
    from satcross.formats.common import ImportedCrossword

_SOURCE_SECONDS = 60.0
_CHOOSE_SECONDS = 10.0
_METHODS = ("auto", "cpsat", "bp", "crosswind")

_EXAMPLES = """
satcross answer mini.ipuz
satcross answer mini.puz --lock 5A=CAMEL --explain 7D
satcross answer mini.xd --sources wordnet,moby --top 5 --picture answer.png
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
        "Leave words blank that are less sure than this; 0 shows every guess.",
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
class AnswerRequest:
    """The arguments and options of ``answer``."""

    puzzle: str | None = argument(
        "[PUZZLE]", f"A crossword with clues ({', '.join(READERS)}); its solution is not used."
    )
    key: str | None = key_option()
    search: SearchFlags = options(SearchFlags)
    answer: AnswerFlags = options(AnswerFlags)
    evaluation: EvaluationFlags = options(EvaluationFlags)
    report: Report = options(Report, quiet="Print no notes, only the answer.")

    def check(self) -> None:
        """Raise UsageError for options that can't be used together, InputError for their files."""
        evaluation, inputs = self.evaluation, [*filter(None, (self.puzzle,)), *self.search.words]
        if evaluation.folder is not None:
            puzzle = self.answer
            for name, given in (
                ("PUZZLE", self.puzzle),
                ("--lock", puzzle.locks),
                ("--top", puzzle.top),
                ("--explain", puzzle.explained),
                ("--picture", puzzle.picture),
            ):
                if given:
                    raise click.UsageError(f"{name} can't be used with --evaluate.")
            if evaluation.plot is not None:
                check_output(evaluation.plot, (), (".png", ".svg"))
            if evaluation.out is not None:
                check_writable(evaluation.out)
            return
        if self.puzzle is None:
            raise click.UsageError("give PUZZLE, or --evaluate DIR.")
        if evaluation.out is not None or evaluation.plot is not None:
            raise click.UsageError("--out and --plot need --evaluate.")
        if len(self.search.methods) > 1 or len(self.search.source_sets) > 1:
            raise click.UsageError("several methods or sets of sources need --evaluate.")
        check_standard_input(inputs)
        if self.answer.picture is not None:
            check_output(self.answer.picture, inputs, (".png", ".pdf", ".html"))


@make_command(AnswerRequest, examples=_EXAMPLES)
def command(request: AnswerRequest) -> int:
    """Answer the clued crossword PUZZLE from its clues.

    Sources propose candidates for every clue, with probabilities; then words that agree where
    slots cross are chosen so that the whole is as likely as possible. A slot may also take a word
    that no source proposed, or be put together from the letters of its crossings. A solution in
    PUZZLE is shown beside the answer, whose wrong letters are then small.

    "sure" says how often such answers are right, by clue and crossings, measured on newspaper
    puzzles; "by clue" is the probability by the clue alone. Words that are more likely wrong than
    right stay blank.

    Exit code 0: answered, even where it is not proved that no answer is likelier. 30: interrupted;
    what was found by then is printed. 2: bad input.
    """
    request.check()
    if request.puzzle is None:
        return _evaluate(request, str(request.evaluation.folder))
    return _answer(request, request.puzzle)


def _answer(request: AnswerRequest, puzzle: str) -> int:
    from satcross.answer.choosing.methods import INTERRUPTED
    from satcross.answer.report.reasons import check_slot, reasons
    from satcross.answer.session import measure_accuracy
    from satcross.formats.readers import import_crossword

    report, flags = request.report, request.answer
    found = import_crossword(puzzle)
    crossword = found.crossword
    if not any(crossword.clues.values()):
        raise InputError(
            "has no clues", "give one with clues; satcross solve fills a grid", file=puzzle
        )
    if flags.explained is not None:
        check_slot(crossword.grid, flags.explained)
    for text in _notes(found):
        report.note(text, puzzle)
    session = _choose(request, crossword)
    interrupted = session.answers.stopped == INTERRUPTED
    accuracy = measure_accuracy(session, crossword)
    why = None
    if flags.explained is not None and not interrupted:
        why = reasons(session, flags.explained, request.search.time_limit)
    for text in session.notes:
        report.note(text, puzzle)

    def to_data() -> object:
        from satcross.answer.report.json import session_to_data

        return session_to_data(session, crossword, accuracy, top=flags.top, reasons=why)

    def lines() -> list[str]:
        from satcross.answer.report import text

        is_worth = session.shown_cells or flags.top
        return [
            *text.heading(session),
            *text.grid_lines(session, crossword, accuracy, _style),
            "",
            *text.summary(session, accuracy),
            "",
            *(text.clue_lines(session, accuracy, _style, flags.top) if is_worth else ()),
            *([] if why is None else ["", *text.reason_lines(session, why)]),
        ]

    report.show(to_data, lines)
    if flags.picture is not None:
        from satcross.answer.report.picture import write_picture

        ending = Path(flags.picture).suffix.lower()
        write_atomically(
            flags.picture, lambda path: write_picture(session, crossword, accuracy, path, ending)
        )
    return UNKNOWN if interrupted else FILLED


def _notes(found: ImportedCrossword) -> Iterator[str]:
    """Yield what the user should know about the file."""
    yield from found.notes
    if found.solution_problem:
        yield f"{found.solution_problem}; what is missing is not compared"
    if number := len(found.crossword.rebus):
        cells = "1 cell has" if number == 1 else f"{number} cells have"
        yield f"{cells} several letters; answered with one letter, and not compared"


def _choose(request: AnswerRequest, crossword: Crossword) -> Session:
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
                _read_locks(request.answer.locks),
                search.source_seconds,
                search.choose_seconds,
                progress.show,
            ),
        )
    return replace(session, min_sure=request.answer.min_sure / 100)


def _style(text: str, right: bool | None) -> str:
    """Green when right, red when wrong; click leaves it plain where no terminal is."""
    return text if right is None else click.style(text, fg="green" if right else "red")


def _evaluate(request: AnswerRequest, folder: str) -> int:
    from satcross.answer.evaluate import HEADINGS, evaluate, find_puzzles, table_rows, write_plot
    from satcross.answer.session import AnswerSettings

    search, report, files = request.search, request.report, request.evaluation
    puzzles = find_puzzles(folder)
    records: list[EvaluationRecord] = []
    interrupted = False
    with report.progress() as progress:
        settings = AnswerSettings(
            source_seconds=search.source_seconds,
            seconds=search.choose_seconds,
            on_progress=progress.show,
        )
        try:
            for record in evaluate(
                puzzles,
                search.settings(quiet=report.quiet),
                search.source_sets,
                search.methods,
                settings,
                lambda name, text: report.note(text, name),
            ):
                records.append(record)
        except KeyboardInterrupt:
            interrupted = True
    if not records and not interrupted:
        raise InputError(
            "no puzzle in the folder could be evaluated", "see the notes above", file=folder
        )
    data = [record.to_data() for record in records]

    def show() -> None:
        if records:
            print_table(HEADINGS, table_rows(records), left=2)

    report.show(lambda: data, show)
    if files.out is not None:
        write_text(files.out, "".join(f"{json.dumps(row)}\n" for row in data))
    if files.plot is not None and records:
        write_atomically(files.plot, lambda path: write_plot(records, path))
    if interrupted:
        print_error(f"interrupted after {counted(len(records), 'answer')}")
    return UNKNOWN if interrupted else FILLED


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
