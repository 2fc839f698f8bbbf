"""``satcross compare``."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Collection, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.backends.registry import BACKENDS, DEFAULT_SOLVER, ENCODINGS, SOLVERS
from satcross.cli import FILLED, INTERNAL_ERROR, UNKNOWN
from satcross.cli.inputs import read_lists, read_structure
from satcross.cli.options import output, parse_seconds
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, check_writable
from satcross.puzzle import Puzzle

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table as RichTable

    from satcross.compare import Verdict
    from satcross.compare.contenders import Contender
    from satcross.compare.records import Record
    from satcross.compare.runner import Question, Run

_NONE = "none"
_DEFAULT_LIST = "(default list)"
_KNOWN: dict[str, Collection[str]] = {
    "backends": BACKENDS,
    "solvers": SOLVERS,
    "encodings": ENCODINGS,
}

_EPILOG = """\b
Examples:
  satcross compare data/structure1.txt --words data/words1.txt
  satcross compare a.txt b.txt --words one.txt two.txt --out runs.jsonl
  satcross compare a.txt --backend sat --solver glucose4,cadical153 --encoding lazy,full
  satcross compare a.txt --words w.txt --external 'cadical -q {cnf}' --student my/generate.py
"""


class _Command(click.Command):
    """Lets ``--words`` be followed by several files, up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        taking = False
        for argument in args:
            if argument in ("-w", "--words"):
                taking = True
            elif argument.startswith("-") and argument != STANDARD_INPUT:
                taking = False
                spread.append(argument)
            elif taking:
                spread += ["--words", argument]
            else:
                spread.append(argument)
        if taking and args[-1] in ("-w", "--words"):
            spread.append(args[-1])  # click says what is missing
        return super().parse_args(ctx, spread)


def _parse_names(ctx: click.Context, param: click.Parameter, value: str | None) -> list[str]:
    """A click callback: names separated by commas, each known and named once."""
    known = _KNOWN[str(param.name)]
    names = [name.strip() for name in value.split(",")] if value is not None else []
    if param.name == "backends" and names == [_NONE]:
        return []
    for name in names:
        if name not in known:
            raise click.BadParameter(f"{name!r} is none of {', '.join(known)}.")
    if len(set(names)) < len(names):
        raise click.BadParameter("a name is given twice.")
    return names


@click.command(name="compare", cls=_Command, epilog=_EPILOG)
@click.argument("structures", nargs=-1, required=True, metavar="STRUCTURE...")
@click.option(
    "-w",
    "--words",
    "lists",
    multiple=True,
    metavar="WORDS...",
    help="Lists to try each structure with.  [default: the list that comes with satcross]",
)
@click.option(
    "--backend",
    "backends",
    default="sat,cpsat,backtrack",
    metavar="NAME[,NAME...]",
    show_default=True,
    callback=_parse_names,
    help=f"Which of {', '.join(BACKENDS)} to run, or {_NONE}.",
)
@click.option(
    "--solver",
    "solvers",
    metavar="NAME[,NAME...]",
    callback=_parse_names,
    help=f"Run the sat backend with each of these solvers: {', '.join(SOLVERS)}."
    f"  [default: {DEFAULT_SOLVER}]",
)
@click.option(
    "--encoding",
    "encodings",
    metavar="NAME[,NAME...]",
    callback=_parse_names,
    help=f"... and with each of these encodings: {', '.join(ENCODINGS)}."
    f"  [default: {ENCODINGS[0]}]",
)
@click.option(
    "--external",
    "externals",
    multiple=True,
    metavar="'CMD {cnf}'",
    help="A SAT solver that reads DIMACS and answers as in the SAT competitions; {cnf} is the "
    "file. For one that writes its model into a file, {model} is that file. Repeatable.",
)
@click.option(
    "--student",
    "students",
    multiple=True,
    metavar="PATH/generate.py",
    help="A CS50 generate.py, run in a copy with a plain list of the same words. Repeatable.",
)
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option("--min-score", type=int, metavar="N", help="Only words with at least this score.")
@click.option(
    "--time-limit",
    type=float,
    callback=parse_seconds,
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Wall-clock time of a run.",
)
@click.option(
    "--cpu-limit",
    type=float,
    callback=parse_seconds,
    metavar="SECONDS",
    help="Processor time of a run, all its processes together.",
)
@click.option(
    "--memory-limit",
    type=click.IntRange(min=1),
    default=4096,
    show_default=True,
    metavar="MIB",
    help="Memory of a run, all its processes together.",
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Runs at a time. More than one makes times less comparable.",
)
@click.option("--out", metavar="FILE.jsonl", help="Add a line of JSON for each run to this file.")
@click.option("--json", "as_json", is_flag=True, help="Print verdict and records as JSON.")
@click.option("--quiet", is_flag=True, help="No notes and no table, only the verdict.")
def command(
    structures: tuple[str, ...],
    lists: tuple[str, ...],
    backends: list[str],
    solvers: list[str],
    encodings: list[str],
    externals: tuple[str, ...],
    students: tuple[str, ...],
    seed: int,
    min_score: int | None,
    time_limit: float,
    cpu_limit: float | None,
    memory_limit: int,
    jobs: int,
    out: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run all contenders on every STRUCTURE with every list of WORDS, and compare the answers.

    Contenders are backends, SAT solvers and CS50 programs. Each run is a process of its own; it is
    ended at its limits with all it has started. Every fill is verified. At the end comes a table
    (wall-clock and processor seconds, and peak memory, of whole runs) and a verdict.

    Exit codes: 0 the answers agree; 1 DISAGREEMENT: one has filled what another calls unfillable,
    or a fill is wrong; 30 the answers agree, but some puzzle was answered by none, or it was
    interrupted; 2 bad usage or bad input.
    """
    from satcross.compare import judge
    from satcross.compare.limits import Limits
    from satcross.compare.records import RecordFile
    from satcross.compare.runner import Run, execute_all
    from satcross.solving import available_workers

    if (solvers or encodings) and "sat" not in backends:
        option = "--solver" if solvers else "--encoding"
        raise click.UsageError(f"{option} is for the backend sat, which is not compared.")
    contenders = _contenders(backends, solvers, encodings, externals, students)
    if not contenders:
        raise click.UsageError("there is nobody to compare.")
    if out is not None:
        check_writable(out, [*structures, *lists])
    questions = _read(structures, lists, min_score, quiet or as_json)
    limits = Limits(time_limit, cpu_limit, memory_limit)
    workers = max(1, available_workers() // jobs)
    runs = [
        Run(question, contender, limits, seed, workers)
        for question in questions
        for contender in contenders
    ]

    records: dict[int, Record] = {}
    interrupted = False
    with ExitStack() as stack:
        file = None if out is None else stack.enter_context(RecordFile(out))
        board = stack.enter_context(_Board(runs, _labels(questions), enabled=not quiet))
        ends = stack.enter_context(closing(execute_all(runs, jobs=jobs, started=board.start)))
        try:
            for number, record in ends:
                records[number] = record
                if file is not None:
                    file.add(record)
                board.end(number, record)
        except KeyboardInterrupt:
            interrupted = True

    done = [records[number] for number in sorted(records)]
    verdict = judge(done)
    lines = _verdict_lines(verdict, done, len(runs), interrupted)
    if verdict.contradictions:
        lines += _reports(verdict, questions)
    with output():
        if as_json:
            _print_json(verdict, done, lines, interrupted)
        else:
            if not quiet:
                _print_table(runs, records, _labels(questions))
            for line in lines:
                click.echo(line)
    if not verdict.agreement:
        sys.exit(INTERNAL_ERROR)
    sys.exit(UNKNOWN if interrupted or verdict.unanswered else FILLED)


def _contenders(
    backends: list[str],
    solvers: list[str],
    encodings: list[str],
    externals: Sequence[str],
    students: Sequence[str],
) -> list[Contender]:
    from satcross.compare.contenders import External, OwnBackend, Student

    contenders: list[Contender] = []
    for backend in backends:
        if backend == "sat":
            contenders += [
                OwnBackend(backend, solver, encoding)
                for solver in solvers or (None,)
                for encoding in encodings or (None,)
            ]
        else:
            contenders.append(OwnBackend(backend))
    used: dict[str, int] = {}
    for kind, values in ((External, externals), (Student, students)):
        for value in values:
            name = kind(value).name
            used[name] = used.get(name, 0) + 1
            contenders.append(kind(value, used[name]))
    return contenders


def _read(
    structures: Sequence[str], lists: Sequence[str], min_score: int | None, quiet: bool
) -> list[Question]:
    from satcross.compare.runner import Question

    if [*structures, *lists].count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once", "name a file instead of -")
    grids = [(path, read_structure(path, letters=False, quiet=quiet)) for path in structures]
    vocabularies = [
        (path, read_lists([path], quiet=quiet).vocabulary) for path in dict.fromkeys(lists)
    ] or [(_DEFAULT_LIST, read_lists([], quiet=quiet).vocabulary)]
    return [
        Question(Puzzle(grid, vocabulary, min_score=min_score), structure, words)
        for structure, grid in dict(grids).items()
        for words, vocabulary in vocabularies
    ]


def _labels(questions: Sequence[Question]) -> dict[Question, str]:
    """What puzzles are called in tables: by the structure, and the list if there are several."""
    several = len({question.words for question in questions}) > 1
    names = {q: Path(q.structure).name for q in questions}
    if len(set(names.values())) < len({question.structure for question in questions}):
        names = {question: question.structure for question in questions}
    return {
        question: f"{names[question]} {Path(question.words).name}" if several else names[question]
        for question in questions
    }


def _verdict_lines(
    verdict: Verdict, done: Sequence[Record], planned: int, interrupted: bool
) -> list[str]:
    lines = []
    for answers in verdict.contradictions:
        sides = [
            f"{status} by {', '.join(one.contender for one in answers if one.status == status)}"
            for status in dict.fromkeys(one.status for one in answers)
        ]
        lines.append(f"DISAGREEMENT on {_place(answers[0])}: {'; '.join(sides)}")
    lines += [
        f"WRONG FILL of {_place(one)} by {one.contender}: {one.detail}" for one in verdict.wrong
    ]
    reasons = Counter(one.reason for one in done if not one.answered)
    others = "; ".join(f"{reason}: {number}" for reason, number in reasons.most_common())
    answered = [one.puzzle for one in done if one.answered]
    counts = (
        f"{_number(len(done), 'run')} on {_number(verdict.puzzles, 'puzzle')}, "
        f"{len(answered)} with an answer" + (f" ({others})" if others else "")
    )
    if interrupted:
        lines.append(f"Interrupted: {counts}, of {planned} planned.")
    if verdict.agreement and len(answered) > len(set(answered)):
        lines.append(f"All answers agree: {counts}.")
    elif verdict.agreement:
        lines.append(f"No two answers to compare: {counts}.")
    lines += [f"Nobody has answered {_place(one)}." for one in verdict.unanswered]
    return lines


def _number(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _place(record: Record) -> str:
    return f"{record.structure} with {record.words}"


def _reports(verdict: Verdict, questions: Sequence[Question]) -> list[str]:
    """Lines that name a file for each contradiction, from which it can be looked into."""
    from dataclasses import asdict

    from satcross.reproduce import write_answers

    puzzles = {question.hash: question.puzzle for question in questions}
    return [
        write_answers(puzzles[answers[0].puzzle], [asdict(one) for one in answers], {})
        for answers in verdict.contradictions
    ]


def _print_json(
    verdict: Verdict, done: Sequence[Record], lines: list[str], interrupted: bool
) -> None:
    from satcross.formats.json import dump

    data = {
        "agreement": verdict.agreement,
        "interrupted": interrupted,
        "verdict": lines,
        "runs": [one.to_data() for one in done],
    }
    click.echo(dump(data, ascii_only=True), nl=False)


_HEADINGS = ("puzzle", "contender", "answer", "wall s", "CPU s", "MiB")


def _cells(run: Run, record: Record | None, labels: dict[Question, str]) -> tuple[str, ...]:
    start = (labels[run.question], run.contender.name)
    if record is None:
        return (*start, "not run", "", "", "")
    return (
        *start,
        _answer(record),
        f"{record.wall:.2f}",
        f"{record.cpu:.2f}",
        f"{record.memory:.0f}",
    )


def _answer(record: Record) -> str:
    if record.status in ("unknown", "crashed") and record.reason != "crash":
        return f"{record.status}: {record.reason}"
    return record.status


_COLOURS = {"filled": "green", "unfillable": "cyan", "crashed": "magenta", "wrong": "bold red"}


def _print_table(
    runs: Sequence[Run], records: dict[int, Record], labels: dict[Question, str]
) -> None:
    rows = [_cells(run, records.get(number), labels) for number, run in enumerate(runs)]
    if sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        Console().print(_rich_table(rows))
    else:
        widths = [max(map(len, column)) for column in zip(_HEADINGS, *rows, strict=True)]
        for row in (_HEADINGS, *rows):
            cells = [
                cell.rjust(width) if place >= 3 else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            click.echo("  ".join(cells).rstrip())
        click.echo()
    for number, record in sorted(records.items()):
        if record.detail and record.status in ("unknown", "crashed"):
            label = labels[runs[number].question]
            click.echo(f"{record.contender} on {label}: {record.reason}: {record.detail}")


def _rich_table(rows: Sequence[Sequence[str]], caption: str | None = None) -> RichTable:
    from rich.table import Table
    from rich.text import Text

    table = Table(caption=caption, caption_justify="left")
    for place, heading in enumerate(_HEADINGS):
        table.add_column(heading, justify="right" if place >= 3 else "left")
    for row in rows:
        cells = [Text(cell) for cell in row]
        cells[2].stylize(_COLOURS.get(row[2].split(":")[0], "yellow"))
        table.add_row(*cells)
    return table


class _Board:
    """The table while it grows, on stderr, where that is a terminal."""

    def __init__(self, runs: Sequence[Run], labels: dict[Question, str], *, enabled: bool) -> None:
        self._runs = runs
        self._labels = labels
        self._started: dict[int, float] = {}
        self._ended: dict[int, Record] = {}
        self._live: Live | None = None
        if enabled and sys.stderr is not None and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(stderr=True),
                get_renderable=self._draw,
                refresh_per_second=5,
                transient=True,
            )

    def start(self, number: int) -> None:
        self._started[number] = time.monotonic()
        self._refresh()

    def end(self, number: int, record: Record) -> None:
        self._ended[number] = record
        self._refresh()

    def _refresh(self) -> None:
        if self._live is not None:
            self._live.refresh()

    def _draw(self) -> RichTable:
        now = time.monotonic()
        rows = []
        ended, running = dict(self._ended), dict(self._started)
        for number in sorted(ended)[-_SHOWN:]:
            rows.append(_cells(self._runs[number], ended[number], self._labels))
        for number in sorted(set(running) - set(ended)):
            run = self._runs[number]
            wall = f"{now - running[number]:.1f}"
            rows.append((self._labels[run.question], run.contender.name, "running", wall, "", ""))
        return _rich_table(rows, f"{len(ended)} of {len(self._runs)} runs")

    def __enter__(self) -> _Board:
        if self._live is not None:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()


_SHOWN = 12
"""Runs that have ended, as far as the growing table shows them."""
