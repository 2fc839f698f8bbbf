"""``satcross answer``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from satcross.cli import FILLED, UNKNOWN
from satcross.cli.options import (
    argument,
    make_command,
    names_of,
    option,
    options,
    output_option,
    time_limit_option,
    whole,
)
from satcross.cli.output import Report, check_output, check_standard_input
from satcross.cli.read_puzzle import FlagReader, read_lists
from satcross.cli.text_flags import key_option
from satcross.errors import InputError
from satcross.formats.files import write_atomically
from satcross.formats.readers import READERS
from satcross.grid import cell_name
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.answer.session import Session
    from satcross.crossword import Crossword
    from satcross.formats.common import ImportedCrossword

_SOURCE_SECONDS = 60.0
_CHOOSE_SECONDS = 10.0
_METHODS = ("auto", "cpsat", "bp", "crosswind")

_EXAMPLES = """
satcross answer mini.ipuz
satcross answer mini.puz --lock 5A=CAMEL --explain 7D
satcross answer mini.xd --sources wordnet,moby --top 5 -o answer.png
satcross answer --evaluate data/minis --method cpsat
"""


def _source_names() -> Collection[str]:
    from satcross.answer.sources.registry import SOURCES

    return SOURCES


@dataclass(frozen=True, slots=True)
class SearchFlags:
    """Where candidates come from, and how words are chosen among them."""

    sources: list[str] = option(
        "--sources NAME[,NAME...]",
        "The sources of candidates; `satcross sources` lists them.",
        heading="Candidates and choice",
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
    method: str = option(
        "--method",
        "How to choose; auto is cpsat for minis and bp for larger puzzles.",
        choices=_METHODS,
        default=_METHODS[0],
    )
    time_limit: float | None = time_limit_option(
        f"For searching the sources ({_SOURCE_SECONDS:g} by default), and for choosing "
        f"({_CHOOSE_SECONDS:g} by default).",
        heading=None,
    )


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
    picture: str | None = output_option(
        "Draw the proposed and the official grid with the clues (.png, .pdf or .html); unsure "
        "cells are shaded.",
        aliases=["--picture", "--png"],
    )
    evaluate: bool = option(
        "--evaluate",
        "PUZZLE is a folder: answer every solved puzzle in it, and count what is right.",
        excludes=("--lock", "--top", "--explain", "--output"),
    )


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """The arguments and options of ``answer``."""

    puzzle: str = argument(
        "PUZZLE", f"A crossword with clues ({', '.join(READERS)}); its solution is not used."
    )
    key: str | None = key_option()
    search: SearchFlags = options(SearchFlags)
    answer: AnswerFlags = options(AnswerFlags)
    report: Report = options(Report, quiet="Print no notes, only the answer.")

    def check(self) -> None:
        """Raise InputError for files that can't be used together."""
        inputs = [self.puzzle, *self.search.words]
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
    from satcross.answer.choosing.answers import INTERRUPTED
    from satcross.answer.report.reasons import check_slot, reasons
    from satcross.answer.session import measure_accuracy
    from satcross.formats.readers import import_crossword

    puzzle, report, flags = request.puzzle, request.report, request.answer
    request.check()
    if flags.evaluate:
        return _evaluate(request)
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


def _evaluate(request: AnswerRequest) -> int:
    """Answer the solved puzzles of a folder, and print what is right in each and in all."""
    from satcross.answer.choosing.answers import INTERRUPTED
    from satcross.answer.report.json import accuracy_to_data
    from satcross.answer.report.text import RIGHT, right_line
    from satcross.answer.session import measure_accuracy
    from satcross.formats.readers import import_crossword

    report, code = request.report, FILLED
    rows: list[dict[str, Any]] = []
    files = Path(request.puzzle).rglob("*")
    for path in sorted(path for path in files if path.suffix.lower() in READERS):
        try:
            crossword = import_crossword(str(path)).crossword
        except InputError as error:
            report.note(f"left out: {error}")
            continue
        session = _choose(request, crossword)
        if session.answers.stopped == INTERRUPTED:
            code = UNKNOWN
            break
        accuracy = measure_accuracy(session, crossword)
        if accuracy is None:
            report.note("left out: it has no solution", str(path))
        else:
            rows.append({"puzzle": str(path), **accuracy_to_data(accuracy)})
    if not rows and code == FILLED:
        raise InputError("has no solved puzzle", "name a folder of some", file=request.puzzle)
    total = {key: sum(row[key] for row in rows) for key in ("all", *RIGHT)}

    def lines() -> list[str]:
        perfect = f"{total['all']} of {counted(len(rows), 'puzzle')} without a fault"
        each = [right_line(row["puzzle"], row) for row in rows]
        return [*each, f"{right_line('all', total)}, {perfect}"] if rows else []

    report.show(lambda: rows, lines)
    return code


def _notes(found: ImportedCrossword) -> Iterator[str]:
    """Yield what the user should know about the file."""
    yield from found.notes
    if found.solution_problem:
        yield f"{found.solution_problem}; what is missing is not compared"


def _choose(request: AnswerRequest, crossword: Crossword) -> Session:
    """Ask the sources and choose words."""
    from satcross.answer.clue import SourceSettings
    from satcross.answer.session import AnswerSettings, answer_crossword

    search = request.search
    vocabulary = read_lists(search.words, quiet=request.report.quiet).vocabulary
    with request.report.progress() as progress:
        session = answer_crossword(
            crossword,
            SourceSettings(vocabulary, search.clues_db),
            AnswerSettings(
                search.sources or None,
                search.method,
                _read_locks(request.answer.locks),
                search.time_limit or _SOURCE_SECONDS,
                search.time_limit or _CHOOSE_SECONDS,
                progress.show,
            ),
        )
    return replace(session, min_sure=request.answer.min_sure / 100)


def _style(text: str, right: bool | None) -> str:
    """Green when right, red when wrong; click leaves it plain where no terminal is."""
    return text if right is None else click.style(text, fg="green" if right else "red")


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
