"""``satcross compare``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, INTERNAL_ERROR, UNKNOWN
from satcross.cli.contenders import contender_options, limit_options, make_contenders
from satcross.cli.options import counted, output
from satcross.cli.read_puzzle import read_lists, read_structure
from satcross.cli.run_table import HEADINGS, Board, cells, rich_table
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, check_writable
from satcross.puzzle import Puzzle

if TYPE_CHECKING:
    from satcross.compare import Verdict
    from satcross.compare.records import Record
    from satcross.compare.runs import Instance, Run

_DEFAULT_LIST = "(default list)"
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
@contender_options
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option("--min-score", type=int, metavar="N", help="Only words with at least this score.")
@limit_options
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
    from satcross.compare.limits import RunLimits
    from satcross.compare.records import RecordFile
    from satcross.compare.runs import Run, execute_all
    from satcross.run_settings import available_workers

    contenders = make_contenders(backends, solvers, encodings, externals, students)
    if out is not None:
        check_writable(out, [*structures, *lists])
    questions = _read(structures, lists, min_score, quiet or as_json)
    limits = RunLimits(time_limit, cpu_limit, memory_limit)
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
        board = stack.enter_context(Board(runs, _labels(questions), enabled=not quiet))
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


def _read(
    structures: Sequence[str], lists: Sequence[str], min_score: int | None, quiet: bool
) -> list[Instance]:
    from satcross.compare.runs import Instance

    if [*structures, *lists].count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once", "name a file instead of -")
    grids = [(path, read_structure(path, letters=False, quiet=quiet)) for path in structures]
    vocabularies = [
        (path, read_lists([path], quiet=quiet).vocabulary) for path in dict.fromkeys(lists)
    ] or [(_DEFAULT_LIST, read_lists([], quiet=quiet).vocabulary)]
    return [
        Instance(Puzzle(grid, vocabulary, min_score=min_score), structure, words)
        for structure, grid in dict(grids).items()
        for words, vocabulary in vocabularies
    ]


def _labels(questions: Sequence[Instance]) -> dict[Instance, str]:
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
    lines = verdict.problems()
    reasons = Counter(one.reason for one in done if not one.answered)
    others = "; ".join(f"{reason}: {number}" for reason, number in reasons.most_common())
    answered = [one.puzzle for one in done if one.answered]
    counts = (
        f"{counted(len(done), 'run')} on {counted(verdict.puzzles, 'puzzle')}, "
        f"{len(answered)} with an answer" + (f" ({others})" if others else "")
    )
    if interrupted:
        lines.append(f"Interrupted: {counts}, of {planned} planned.")
    if verdict.agreement and len(answered) > len(set(answered)):
        lines.append(f"All answers agree: {counts}.")
    elif verdict.agreement:
        lines.append(f"No two answers to compare: {counts}.")
    lines += [f"Nobody has answered {one.puzzle_name}." for one in verdict.unanswered]
    return lines


def _reports(verdict: Verdict, questions: Sequence[Instance]) -> list[str]:
    """Lines that name a file for each contradiction, from which it can be looked into."""
    from dataclasses import asdict

    from satcross.solving.bug_report import write_answers

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


def _print_table(
    runs: Sequence[Run], records: dict[int, Record], labels: dict[Instance, str]
) -> None:
    rows = [cells(run, records.get(number), labels) for number, run in enumerate(runs)]
    if sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        Console().print(rich_table(rows))
    else:
        widths = [max(map(len, column)) for column in zip(HEADINGS, *rows, strict=True)]
        for row in (HEADINGS, *rows):
            padded = [
                cell.rjust(width) if place >= 3 else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            click.echo("  ".join(padded).rstrip())
        click.echo()
    for number, record in sorted(records.items()):
        if record.detail and record.status in ("unknown", "crashed"):
            label = labels[runs[number].question]
            click.echo(f"{record.contender} on {label}: {record.reason}: {record.detail}")
