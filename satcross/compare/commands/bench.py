"""``satcross bench``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, INTERNAL_ERROR, UNKNOWN
from satcross.cli.options import (
    CONTENDERS,
    INPUT,
    LIMITS,
    argument,
    make_command,
    option,
    options,
    whole,
)
from satcross.cli.output import Report, print_line
from satcross.compare.commands.bench_report import command as report
from satcross.compare.commands.bench_sweep import command as sweep
from satcross.compare.commands.contender_options import ContenderFlags, LimitFlags, Plan
from satcross.compare.commands.resumed_runs import (
    ResumedRuns,
    execute_missing,
    resume,
    runs_cluster_option,
    runs_file_option,
)
from satcross.compare.commands.scoreboard import print_scores
from satcross.formats.files import check_writable
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.compare.contenders import Contender
    from satcross.compare.records import Record
    from satcross.compare.runs import Instance, Run
    from satcross.compare.scores import Standings
    from satcross.compare.verdict import Verdict

_EXAMPLES = """
satcross bench data/bench/suite.toml --out runs.jsonl
satcross bench data/bench/suite.toml --out runs.jsonl --family 'open rectangles' --time-limit 20
satcross bench suite.toml --out runs.jsonl --backend sat --solver glucose4,cadical195
satcross bench suite.toml --out runs.jsonl --cluster tcp://scheduler:8786
satcross bench suite.toml --out runs.jsonl --against ../satcross-0.1.0 --repeat 20
satcross bench suite.toml --out folder --export benchexec
satcross bench report runs.jsonl --out report.html
satcross bench sweep open-5x5 --backend backtrack --out sweep.jsonl --page sweep.html
"""


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """The arguments and options of ``bench``."""

    suite: str = argument("SUITE", "A TOML file of puzzles (docs/comparing.md).")
    families: tuple[str, ...] = option(
        "--family NAME",
        "Only the puzzles of this family; repeatable.",
        heading=INPUT,
        multiple=True,
    )
    puzzles: tuple[str, ...] = option(
        "--puzzle NAME", "Only this puzzle; repeatable.", multiple=True
    )
    contenders: ContenderFlags = options(ContenderFlags)
    seeds: int = option(
        "--seeds N",
        "Run with N seeds, beginning with --seed; a puzzle counts once, with the median.",
        heading=CONTENDERS,
        type=whole(1, 1000),
        default=1,
    )
    repeats: int = option(
        "--repeat N",
        "Do every run N times, the contenders taking turns.",
        type=whole(1, 1000),
        default=1,
    )
    limits: LimitFlags = options(LimitFlags)
    retry: bool = option("--retry", "Repeat the runs that have crashed.", heading=LIMITS)
    cluster: str | None = runs_cluster_option()
    out: str = runs_file_option()
    export: str | None = option(
        "--export",
        "Run nothing; write the runs of the backends into the folder that --out names, as a "
        "benchmark of BenchExec.",
        choices=("benchexec",),
    )
    report: Report = options(
        Report,
        as_json="Print scores and verdict as JSON.",
        quiet="No progress and no scores, only the verdict.",
    )


@make_command(BenchRequest, examples=_EXAMPLES, subcommands={"report": report, "sweep": sweep})
def command(request: BenchRequest) -> int:
    """Run all contenders on the puzzles of SUITE, resuming where an earlier call stopped.

    A run is done unless FILE.jsonl has it:
    the same contender on the same puzzle, with the same seed, workers and limits. So a call that
    was killed is simply repeated. A backend whose library was missing is tried again, a run that
    crashed only with --retry. `satcross bench report FILE.jsonl` makes tables and plots.

    Exit codes: 0 all runs are done and no answer is wrong; 1 DISAGREEMENT: a fill is wrong, or an
    answer contradicts another in FILE.jsonl or what the suite expects, or most runs have failed; 30
    interrupted; 2 bad usage or bad input.
    """
    from satcross.compare.records import RecordFile
    from satcross.compare.scores import standings
    from satcross.compare.suite import read_chosen, read_suite
    from satcross.compare.verdict import judge, mostly_failed

    suite = read_suite(request.suite)
    contenders = request.contenders.contenders(suite)
    if request.cluster not in (None, "local") and request.limits.jobs > 1:
        raise click.UsageError("--jobs is for runs here; the cluster has its own workers.")
    if request.export is None:
        check_writable(request.out, [request.suite])
    instances = read_chosen(suite, request.families, request.puzzles)
    if request.export is not None:
        return _export(request, instances, contenders)
    runs = _plan(request, instances, contenders)
    with RecordFile(request.out) as file:
        state = resume(request.out, runs, instances, retry=request.retry)
        execute_missing(state, file, request.limits, request.cluster, quiet=request.report.quiet)
    done = state.done
    verdict, table = judge([*done, *state.on_file]), standings(done)
    lines = _verdict_lines(state, done, verdict, table)
    request.report.show(
        lambda: _to_data(state, verdict, table, lines), lambda: _print(table, lines, request.report)
    )
    if not verdict.agreement or mostly_failed(done):
        return INTERNAL_ERROR
    return FILLED if len(done) == len(runs) else UNKNOWN


def _export(request: BenchRequest, instances: list[Instance], contenders: list[Contender]) -> int:
    from satcross.compare.benchexec import export_benchexec

    flags, folder = request.contenders, Path(request.out)
    seeds = range(flags.seed, flags.seed + request.seeds)
    limits = request.limits.limits()
    export_benchexec(folder, instances, contenders, seeds, limits, flags.workers)
    print_line(f"Wrote {folder / 'satcross.xml'}, with {counted(len(instances), 'task')}.")
    return FILLED


def _verdict_lines(
    state: ResumedRuns, done: list[Record], verdict: Verdict, table: Standings
) -> list[str]:
    from satcross.compare.scores import crashed_on_all
    from satcross.compare.verdict import mostly_failed

    failed = mostly_failed(done)
    lines = [*verdict.problems(), *crashed_on_all(table), *filter(None, [failed])]
    planned = len(state.runs)
    answered = sum(run.answered for run in done)
    counts = f"{counted(len(done), 'run')}, {answered} with an answer"
    if len(done) < planned:
        lines.append(f"Not finished: {counts}, of {planned}; repeat the command to go on.")
    if state.crashed:
        crashed = counted(state.crashed, "run")
        lines.append(f"{crashed} crashed in an earlier call, not repeated; use --retry.")
    if state.lost:
        lines.append(f"{counted(len(state.lost), 'run')} lost with the workers of the cluster.")
    if verdict.agreement and not failed and len(done) == planned:
        lines.append(f"No answer is wrong: {counts}, on {counted(verdict.puzzles, 'puzzle')}.")
    return lines


def _to_data(
    state: ResumedRuns, verdict: Verdict, table: Standings, lines: list[str]
) -> dict[str, object]:
    from satcross.compare.changes import compare_versions
    from satcross.compare.scores import reasons

    return {
        "agreement": verdict.agreement,
        "interrupted": state.interrupted,
        "planned": len(state.runs),
        "done": len(state.done),
        "verdict": lines,
        "scores": [asdict(score) for score in table.scores()],
        "unsolved": reasons(table),
        "changes": [change.to_data() for change in compare_versions(table)],
    }


def _print(table: Standings, lines: Iterable[str], report: Report) -> None:
    from satcross.compare.changes import change_lines, compare_versions
    from satcross.compare.scores import reason_lines

    if not report.quiet and table.shared:
        print_scores(table)
        print_line()
        if changes := compare_versions(table):
            for line in (*change_lines(changes), ""):
                print_line(line)
    if not report.quiet and (why := reason_lines(table)):
        for line in ("Unsolved, and why", *why, ""):
            print_line(line)
    for line in lines:
        print_line(line)


def _plan(
    request: BenchRequest, instances: list[Instance], contenders: list[Contender]
) -> list[Run]:
    """The runs in order; a contender that is named twice runs once.

    Contenders take turns, and in every second repeat in the opposite order, so that a drift of the
    machine meets all of them alike.
    """
    plan, first = Plan(request.contenders, request.limits), request.contenders.seed
    runs = [
        plan.run(instance, contender, seed, repeat)
        for repeat in range(request.repeats)
        for seed in range(first, first + request.seeds)
        for instance in instances
        for contender in (contenders if repeat % 2 == 0 else contenders[::-1])
    ]
    return list({run.key: run for run in runs}.values())
