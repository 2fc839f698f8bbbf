"""``satcross bench``."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from satcross.cli import FILLED, INTERNAL_ERROR, UNKNOWN
from satcross.cli.options import (
    CONTENDERS,
    INPUT,
    OUTPUT,
    argument,
    make_command,
    option,
    options,
    whole,
)
from satcross.cli.output import Report, print_line
from satcross.compare import scores
from satcross.compare.benchexec import export_benchexec
from satcross.compare.changes import change_notes, change_table, compare_versions
from satcross.compare.commands.bench_report import command as report
from satcross.compare.commands.bench_sweep import command as sweep
from satcross.compare.commands.contender_options import best_flag, planned
from satcross.compare.commands.recorded_runs import RecordedRuns, RecordedRunsFlags
from satcross.compare.contenders import Contender, Instance, Run
from satcross.compare.records import Record, RecordFile
from satcross.compare.suite import read_chosen, read_suite
from satcross.compare.verdict import Verdict, judge, mostly_failed
from satcross.support.wording import counted

_EXAMPLES = """
satcross bench data/bench/suite.toml -o runs.jsonl
satcross bench data/bench/suite.toml -o runs.jsonl --family 'open rectangles' --time-limit 20
satcross bench suite.toml -o runs.jsonl --backend sat --solver glucose4,cadical195
satcross bench suite.toml -o runs.jsonl --cluster tcp://scheduler:8786
satcross bench suite.toml -o runs.jsonl --against ../satcross-0.1.0 --repeat 20
satcross bench suite.toml -o folder --export benchexec
satcross bench report runs.jsonl -o report.html
satcross bench sweep open-5x5 --backend backtrack -o sweep.jsonl --page sweep.html
"""


@dataclass(frozen=True, slots=True)
class BenchRequest:
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
    runs: RecordedRunsFlags = options(RecordedRunsFlags)
    best: bool = best_flag()
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
    export: str | None = option(
        "--export",
        "Run nothing; write the runs of the backends into the folder that -o names, as a "
        "benchmark of BenchExec.",
        heading=OUTPUT,
        choices=("benchexec",),
    )
    report: Report = options(
        Report,
        as_json="Print scores and verdict as JSON.",
        quiet="No progress and no scores, only the verdict.",
    )

    @property
    def all_seeds(self) -> range:
        """The seeds that ``--seed`` and ``--seeds`` say."""
        first = self.runs.contenders.seed
        return range(first, first + self.seeds)


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
    suite = read_suite(request.suite)
    contenders = request.runs.contenders.contenders(suite)
    if request.export is None:
        request.runs.check([request.suite])
    instances = read_chosen(suite, request.families, request.puzzles)
    if request.export is not None:
        return _export(request, instances, contenders)
    quiet = request.report.quiet
    with RecordFile(request.runs.out) as file:
        state = request.runs.resume(_plan(request, instances, contenders))
        state.execute(request.runs.limits, file, request.runs.cluster, quiet=quiet)
    done, beside = state.done, state.on_file
    verdict, table = judge([*done, *beside]), scores.standings(done, beside=beside)
    lines = _verdict_lines(state, done, verdict, table)
    request.report.show(
        lambda: _to_data(state, verdict, table, lines), lambda: _print(table, lines, quiet=quiet)
    )
    if not verdict.agreement or mostly_failed(done):
        return INTERNAL_ERROR
    return FILLED if len(done) == len(state.runs) else UNKNOWN


def _plan(
    request: BenchRequest, instances: list[Instance], contenders: list[Contender]
) -> list[Run]:
    """The runs in order; a contender that is named twice runs once.

    Contenders take turns, and in every second repeat in the opposite order, so that a drift of the
    machine meets all of them alike.
    """
    plan = planned(request.runs.contenders, request.runs.limits, best=request.best)
    runs = [
        plan(instance, contender, seed=seed, repeat=repeat)
        for repeat in range(request.repeats)
        for seed in request.all_seeds
        for instance in instances
        for contender in (contenders if repeat % 2 == 0 else contenders[::-1])
    ]
    return list({run.key: run for run in runs}.values())


def _export(request: BenchRequest, instances: list[Instance], contenders: list[Contender]) -> int:
    folder, limits = Path(request.runs.out), request.runs.limits.limits()
    workers = request.runs.contenders.workers
    export_benchexec(folder, instances, contenders, request.all_seeds, limits, workers)
    print_line(f"Wrote {folder / 'satcross.xml'}, with {counted(len(instances), 'task')}.")
    return FILLED


def _verdict_lines(
    state: RecordedRuns, done: list[Record], verdict: Verdict, table: scores.Standings
) -> list[str]:
    failed = mostly_failed(done)
    lines = [*verdict.problems(), *scores.crashed_on_all(table), *filter(None, [failed])]
    planned = len(state.runs)
    answered = sum(run.answered for run in done)
    counts = f"{counted(len(done), 'run')}, {answered} with an answer"
    if len(done) < planned:
        lines.append(f"Not finished: {counts}, of {planned}; repeat the command to go on.")
    if state.crashed:
        crashed = counted(state.crashed, "run")
        lines.append(f"{crashed} crashed in an earlier call, not repeated; use --retry.")
    if state.lost:
        lines.append(f"{counted(state.lost, 'run')} lost with the workers of the cluster.")
    if verdict.agreement and not failed and len(done) == planned:
        alone = sum(score.unconfirmed for score in table.scores() if not score.is_virtual)
        counts += f" ({alone} unconfirmed)" if alone else ""
        lines.append(f"No answer is wrong: {counts}, on {counted(verdict.puzzles, 'puzzle')}.")
    return lines


def _to_data(
    state: RecordedRuns, verdict: Verdict, table: scores.Standings, lines: list[str]
) -> dict[str, object]:
    return {
        "agreement": verdict.agreement,
        "interrupted": state.interrupted,
        "planned": len(state.runs),
        "done": len(state.done),
        "verdict": lines,
        "scores": [asdict(score) for score in table.scores()],
        "unsolved": scores.reasons(table),
        "changes": [change.to_data() for change in compare_versions(table)],
    }


def _print(table: scores.Standings, lines: list[str], *, quiet: bool) -> None:
    above: list[str] = []
    if not quiet and table.shared:
        scores.score_table(table).without("contribution s").print()
        if table.has_goal:
            print_line()
            scores.best_known_table(table).print()
        above.append("")
        if changes := compare_versions(table):
            print_line()
            change_table(changes).print()
            above = [*change_notes(changes), ""]
    if not quiet and (why := scores.reason_lines(table)):
        above += ["Unsolved, and why", *why, ""]
    for line in (*above, *lines):
        print_line(line)
