"""``satcross bench``."""

from __future__ import annotations

import sys
from contextlib import ExitStack, closing
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from satcross.cli import FILLED, INTERNAL_ERROR, UNKNOWN
from satcross.cli.contenders import contender_options, limit_options, make_contenders
from satcross.cli.options import counted, output
from satcross.cli.run_table import Board
from satcross.cli.scoreboard import score_lines
from satcross.errors import InputError
from satcross.formats.files import check_writable

if TYPE_CHECKING:
    from satcross.compare.contenders import Contender
    from satcross.compare.limits import RunLimits
    from satcross.compare.records import Record
    from satcross.compare.runs import Instance, Run
    from satcross.compare.suite import Suite

_REPORT = "report"

_EPILOG = """\b
Examples:
  satcross bench data/bench/suite.toml --out runs.jsonl
  satcross bench data/bench/suite.toml --out runs.jsonl --family 'open rectangles' --time-limit 20
  satcross bench suite.toml --out runs.jsonl --backend sat --solver glucose4,cadical195
  satcross bench suite.toml --out runs.jsonl --cluster tcp://scheduler:8786
  satcross bench report runs.jsonl --out report.html
"""


class _Bench(click.Command):
    """``bench report`` is a command of its own."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        if args[:1] == [_REPORT]:
            from satcross.cli.commands.bench_report import command as report

            return report.make_context(f"{info_name} {_REPORT}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


@click.command(name="bench", cls=_Bench, epilog=_EPILOG)
@click.argument("suite", metavar="SUITE")
@click.option(
    "--out",
    required=True,
    metavar="FILE.jsonl",
    help="A line of JSON for each run is added to this file; runs it has are not done again.",
)
@click.option(
    "--family",
    "families",
    multiple=True,
    metavar="NAME",
    help="Only the puzzles of this family. Repeatable.",
)
@click.option(
    "--puzzle", "puzzles", multiple=True, metavar="NAME", help="Only this puzzle. Repeatable."
)
@contender_options
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    metavar="N",
    help="Threads or processes each run may use.",
)
@limit_options
@click.option("--retry", is_flag=True, help="Do the runs again that have crashed.")
@click.option(
    "--cluster",
    metavar="ADDRESS|local",
    help="Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local to start one here "
    "with --jobs workers.",
)
@click.option("--json", "as_json", is_flag=True, help="Print scores and verdict as JSON.")
@click.option("--quiet", is_flag=True, help="No progress and no scores, only the verdict.")
def command(
    suite: str,
    out: str,
    families: tuple[str, ...],
    puzzles: tuple[str, ...],
    backends: list[str],
    solvers: list[str],
    encodings: list[str],
    externals: tuple[str, ...],
    students: tuple[str, ...],
    seed: int,
    workers: int,
    time_limit: float,
    cpu_limit: float | None,
    memory_limit: int,
    jobs: int,
    retry: bool,
    cluster: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run all contenders on the puzzles of SUITE, and go on where an earlier call has stopped.

    SUITE is a TOML file of puzzles (docs/comparing.md). A run is done unless FILE.jsonl has it:
    the same contender on the same puzzle, with the same seed, workers and limits. So a call that
    was killed is simply repeated. A backend whose library was missing is tried again, a run that
    crashed only with --retry. `satcross bench report FILE.jsonl` makes tables and plots.

    Exit codes: 0 all runs are done and no answer is wrong; 1 DISAGREEMENT: a fill is wrong, or an
    answer contradicts another in FILE.jsonl or what the suite expects; 30 interrupted; 2 bad usage
    or bad input.
    """
    from satcross.compare.limits import RunLimits
    from satcross.compare.records import CRASHED, RecordFile
    from satcross.compare.scores import crashed_on_all, reason_lines, reasons, standings
    from satcross.compare.suite import read_suite, update_record
    from satcross.compare.verdict import judge

    contenders = make_contenders(backends, solvers, encodings, externals, students)
    if cluster is not None and jobs > 1 and cluster != "local":
        raise click.UsageError("--jobs is for runs here; the cluster has its own workers.")
    check_writable(out, [suite])
    questions = _read(read_suite(suite), families, puzzles)
    runs = _plan(
        questions, contenders, RunLimits(time_limit, cpu_limit, memory_limit), seed, workers
    )
    lost: list[int] = []
    interrupted = False
    with ExitStack() as stack:
        file = stack.enter_context(RecordFile(out))
        others, earlier = _recorded(out, runs)
        records = {key: one for key, one in earlier.items() if not _is_open(one, retry=retry)}
        waiting = [run for run in runs if run.key not in records]
        crashed = sum(one.status == CRASHED for one in records.values())
        labels = {question: question.name for question in questions}
        board = stack.enter_context(
            Board(waiting, labels, enabled=not quiet, earlier=len(runs) - len(waiting))
        )
        if cluster is None:
            from satcross.compare.runs import execute_all

            execute = execute_all
        else:
            from satcross.compare.cluster import execute_on_cluster

            execute = partial(execute_on_cluster, cluster, lost=lost.append)
        ends = stack.enter_context(closing(execute(waiting, jobs=jobs, started=board.start)))
        try:
            for number, record in ends:
                # Still not available: the file need not say it again.
                if not _is_unavailable(record) or record.key not in earlier:
                    file.add(record)
                records[record.key] = record
                board.end(number, record)
        except KeyboardInterrupt:
            interrupted = True

    done = [update_record(run.question, records[run.key]) for run in runs if run.key in records]
    # All that the file has on these puzzles is judged: an answer of an earlier call, by another
    # contender or under other limits, may contradict one of now.
    asked = {question.hash: question for question in questions}
    others += [one for key, one in earlier.items() if records.get(key) is not one]
    verdict = judge([*done, *(update_record(asked[one.puzzle], one) for one in others)])
    table = standings(done)
    lines = [*verdict.problems(), *crashed_on_all(table)]
    answered = sum(one.answered for one in done)
    counts = f"{counted(len(done), 'run')}, {answered} with an answer"
    if len(done) < len(runs):
        lines.append(f"Not finished: {counts}, of {len(runs)}; call it again to go on.")
    if crashed:
        lines.append(
            f"{counted(crashed, 'run')} crashed in an earlier call, not done again; use --retry."
        )
    if lost:
        lines.append(f"{counted(len(lost), 'run')} lost with the workers of the cluster.")
    if verdict.agreement and len(done) == len(runs):
        lines.append(f"No answer is wrong: {counts}, on {counted(verdict.puzzles, 'puzzle')}.")
    with output():
        if as_json:
            from satcross.formats.json import dump

            data = {
                "agreement": verdict.agreement,
                "interrupted": interrupted,
                "planned": len(runs),
                "done": len(done),
                "verdict": lines,
                "scores": [asdict(one) for one in table.scores()],
                "unsolved": reasons(table),
            }
            click.echo(dump(data, ascii_only=True), nl=False)
        else:
            if not quiet and table.shared:
                for line in [*score_lines(table), ""]:
                    click.echo(line)
            if not quiet and (why := reason_lines(table)):
                for line in ["Unsolved, and why", *why, ""]:
                    click.echo(line)
            for line in lines:
                click.echo(line)
    if not verdict.agreement:
        sys.exit(INTERNAL_ERROR)
    sys.exit(FILLED if len(done) == len(runs) else UNKNOWN)


def _read(suite: Suite, families: tuple[str, ...], puzzles: tuple[str, ...]) -> list[Instance]:
    from satcross.compare.suite import read_puzzles

    known_families = list(dict.fromkeys(one.family for one in suite.entries if one.family))
    for family in families:
        if family not in known_families:
            raise InputError(
                f"there is no family {family!r}",
                f"it has {', '.join(known_families) or 'none'}",
                file=suite.path,
            )
    for puzzle in puzzles:
        if puzzle not in {one.name for one in suite.entries}:
            raise InputError(
                f"there is no puzzle {puzzle!r}", "look the names up in it", file=suite.path
            )
    chosen = [
        one
        for one in suite.entries
        if (not families or one.family in families) and (not puzzles or one.name in puzzles)
    ]
    if not chosen:
        raise InputError("no puzzle is left", "drop --family or --puzzle", file=suite.path)
    return read_puzzles(suite, chosen)


def _plan(
    questions: list[Instance],
    contenders: list[Contender],
    limits: RunLimits,
    seed: int,
    workers: int,
) -> list[Run]:
    """The runs in order; a contender that is named twice runs once."""
    from satcross.compare.runs import Run

    runs = [
        Run(question, contender, limits, seed, workers)
        for question in questions
        for contender in contenders
    ]
    return list({run.key: run for run in runs}.values())


def _is_unavailable(record: Record) -> bool:
    from satcross.compare.contenders import NOT_AVAILABLE

    return record.reason == NOT_AVAILABLE


def _is_open(record: Record, *, retry: bool) -> bool:
    """Whether the run is to be done in spite of this record of it."""
    from satcross.compare.records import CRASHED

    return _is_unavailable(record) or (retry and record.status == CRASHED)


def _recorded(out: str, runs: list[Run]) -> tuple[list[Record], dict[tuple[object, ...], Record]]:
    """What the file has on the puzzles of these runs: of other runs, and of these by key."""
    from satcross.compare.records import read_records

    wanted, puzzles = {run.key for run in runs}, {run.question.hash for run in runs}
    others: list[Record] = []
    done: dict[tuple[object, ...], Record] = {}
    for record in read_records(out):
        if record.key in wanted:
            if record.key in done:
                others.append(done[record.key])
            done[record.key] = record
        elif record.puzzle in puzzles:
            others.append(record)
    return others, done
