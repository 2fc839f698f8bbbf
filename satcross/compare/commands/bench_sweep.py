"""``satcross bench sweep``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

from satcross.cli import FILLED, INTERNAL_ERROR, UNKNOWN
from satcross.cli.options import argument, make_command, option, options, whole, words_option
from satcross.cli.output import Report, check_output, print_line, write_text
from satcross.cli.read_puzzle import read_lists
from satcross.compare.commands.contender_options import planned
from satcross.compare.commands.recorded_runs import RecordedRuns, RecordedRunsFlags
from satcross.compare.contenders import Contender, Instance, Run
from satcross.compare.plots import draw_sweep, drawn
from satcross.compare.records import Record, RecordFile
from satcross.compare.report_page import describe_runs, fill_template
from satcross.compare.sweep import (
    Curve,
    Family,
    curve,
    point_table,
    read_family,
    statuses_of,
    transition_table,
)
from satcross.compare.tables import Table
from satcross.compare.verdict import judge
from satcross.errors import InputError
from satcross.support.wording import counted

_EXAMPLES = """
satcross bench sweep open-4x4 open-5x5 --backend backtrack -o sweep.jsonl --page sweep.html
satcross bench sweep open-5x5:1000-2200 -w words.txt --points 7 --samples 50 -o sweep.jsonl
satcross bench sweep lattice-9x9 grid.txt --backend backtrack,sat --cpu-limit 20 -o sweep.jsonl
satcross bench sweep open-5x5 --points 200 --bisect --samples 100 -o sweep.jsonl
"""


@dataclass(frozen=True, slots=True)
class SweepRequest:
    families: tuple[str, ...] = argument(
        "FAMILY[:FROM-TO]...",
        "open-5x5, lattice-9x9 (every second row and column is open) or a structure file; FROM and "
        "TO are numbers of words of each length.  [default: around the first-moment estimate]",
        nargs=-1,
    )
    lists: tuple[str, ...] = words_option(
        "Draw the samples from this list; repeatable.  [default: the default list]", brief=False
    )
    points: int = option(
        "--points N", "Sizes of samples of each family.", type=whole(1, 1000), default=9
    )
    samples: int = option(
        "--samples N",
        "Samples of each size. Those of one seed are nested.",
        type=whole(1, 10000),
        default=20,
    )
    bisect: bool = option(
        "--bisect",
        "Find the threshold of each sample by bisection, in a few runs however many --points.",
    )
    runs: RecordedRunsFlags = options(RecordedRunsFlags)
    page: str | None = option("--page FILE.html", "Write the plots and tables as a page.")
    folder: str | None = option("--plots FOLDER", "Write the plots as SVG and PNG files.")
    report: Report = options(
        Report,
        as_json="Print the curves as JSON.",
        quiet="No progress and no tables, only the verdict.",
    )


@make_command(SweepRequest, examples=_EXAMPLES)
def command(request: SweepRequest) -> int:
    """Measure the phase transition: how often samples of a word list fill a grid, at what cost.

    Each FAMILY is run with samples of growing size. With few words no sample has a fill, with many
    almost every one has, and solvers need longest in between. A call that was killed is
    simply repeated. The page has the probability of a fill with intervals, the median cost of each
    contender, and the size at which one fill is expected.

    Exit codes: 0 all runs are done and no answer is wrong; 1 DISAGREEMENT: a fill is wrong, or
    answers contradict each other; 30 interrupted; 2 bad usage or bad input.
    """
    request.runs.check(request.lists)
    if request.page is not None:
        check_output(request.page, request.lists, (".html",))
    contenders, families = request.runs.contenders.contenders(), _families(request)
    with RecordFile(request.runs.out) as file:
        state = _run(request, families, contenders, file)
    done = state.done
    verdict = judge([*done, *state.on_file])
    curves = [curve(family, done) for family in families]
    problems = [*verdict.problems(), *(text for found in curves for text in found.contradictions)]
    _write(request, curves, problems, state)
    lines = _verdict_lines(state, problems)
    request.report.show(
        lambda: {"problems": problems, "curves": [asdict(found) for found in curves]},
        lambda: _print(request.report, curves, lines),
    )
    if problems:
        return INTERNAL_ERROR
    return FILLED if len(done) == len(state.runs) else UNKNOWN


def _families(request: SweepRequest) -> list[Family]:
    quiet = request.report.quiet or request.report.as_json
    words = read_lists(request.lists, quiet=quiet).vocabulary
    named = ", ".join(Path(path).name for path in request.lists) or "(default list)"
    families = [read_family(text, words, request.points, named) for text in request.families]
    if len({family.name for family in families}) < len(families):
        raise InputError("two families have the same name", "name each once")
    return families


def _next(
    request: SweepRequest, families: Sequence[Family], done: Sequence[Record]
) -> list[Instance]:
    """The puzzles to run next: of every size, or one of each sample to bisect."""
    chosen: list[Instance] = []
    for family in families if request.bisect or not done else ():
        statuses = statuses_of(family.name, done)
        for seed in range(request.samples):
            sizes = family.sizes
            if request.bisect:
                size = family.next_size(statuses.get(seed, {}))
                sizes = () if size is None else (size,)
            chosen += [family.instance(number, seed) for number in sizes]
    return chosen


def _run(
    request: SweepRequest,
    families: Sequence[Family],
    contenders: Sequence[Contender],
    file: RecordFile,
) -> RecordedRuns:
    """Execute all runs; with ``--bisect`` in rounds, which depend on the answers so far."""
    runs, state = request.runs, request.runs.resume([])
    plan, chosen = planned(runs.contenders, runs.limits), dict[object, Run]()
    while instances := _next(request, families, state.done):
        made = [plan(*pair) for pair in product(instances, contenders)]
        chosen |= {run.key: run for run in made}
        before, state = state.records, runs.resume(list(chosen.values()))
        state.records |= before  # what has crashed in this call is not repeated in it
        state.execute(runs.limits, file, runs.cluster, quiet=request.report.quiet)
        if state.interrupted or not state.done:
            break
    return state


def _write(
    request: SweepRequest, curves: Sequence[Curve], problems: Sequence[str], state: RecordedRuns
) -> None:
    if request.page is None and request.folder is None:
        return
    plots = drawn(lambda: draw_sweep(curves), request.folder)
    if request.page is not None:
        page = fill_template(
            "sweep.html",
            title="satcross bench sweep",
            problems=problems,
            about=describe_runs(state.done),
            transitions=transition_table(curves),
            families=[(found.family, point_table(found)) for found in curves],
            plots=plots,
        )
        write_text(request.page, page)


def _verdict_lines(state: RecordedRuns, problems: Sequence[str]) -> list[str]:
    done, planned = len(state.done), len(state.runs)
    if done < planned:
        count = counted(done, "run")
        return [*problems, f"Not finished: {count} of {planned}; repeat the command to go on."]
    return list(problems) or [f"No answer is wrong: {counted(done, 'run')}."]


def _print(report: Report, curves: Sequence[Curve], lines: Sequence[str]) -> None:
    tables: list[Table[Any]] = [transition_table(curves), *map(point_table, curves)]
    for table in [] if report.quiet else tables:
        if table.rows:
            table.print()
            print_line()
    for line in lines:
        print_line(line)
