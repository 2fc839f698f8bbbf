"""``satcross bench sweep``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.cli import FILLED, INTERNAL_ERROR, UNKNOWN
from satcross.cli.options import (
    INPUT,
    argument,
    make_command,
    option,
    options,
    whole,
)
from satcross.cli.output import Report, print_line, print_table, write_text
from satcross.cli.read_puzzle import read_lists
from satcross.compare.commands.contender_options import ContenderFlags, LimitFlags, Plan
from satcross.compare.commands.resumed_runs import (
    ResumedRuns,
    execute_missing,
    resume,
    runs_cluster_option,
    runs_file_option,
)
from satcross.errors import InputError, UnavailableError
from satcross.formats.files import check_writable
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.compare.plots import Plot
    from satcross.compare.runs import Run
    from satcross.compare.sweep import Curve, Family

_EXAMPLES = """
satcross bench sweep open-4x4 open-5x5 --backend backtrack --out sweep.jsonl --page sweep.html
satcross bench sweep open-5x5:1000-2200 -w words.txt --points 7 --samples 50 --out sweep.jsonl
satcross bench sweep lattice-9x9 grid.txt --backend backtrack,sat --cpu-limit 20 --out sweep.jsonl
"""


@dataclass(frozen=True, slots=True)
class Request:
    """The arguments and options of ``bench sweep``."""

    families: tuple[str, ...] = argument(
        "FAMILY[:FROM-TO]...",
        "open-5x5, lattice-9x9 (every second row and column is open) or a structure file; FROM and "
        "TO are numbers of words of each length.  [default: around the first-moment estimate]",
        nargs=-1,
    )
    lists: tuple[str, ...] = option(
        "-w --words FILE",
        "Draw the samples from this list; repeatable.  [default: the default list]",
        heading=INPUT,
        multiple=True,
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
    contenders: ContenderFlags = options(ContenderFlags)
    limits: LimitFlags = options(LimitFlags)
    cluster: str | None = runs_cluster_option()
    out: str = runs_file_option()
    page: str | None = option("--page FILE.html", "Write the plots and tables as a page.")
    folder: str | None = option("--plots FOLDER", "Write the plots as SVG and PNG files.")
    report: Report = options(
        Report,
        as_json="Print the curves as JSON.",
        quiet="No progress and no tables, only the verdict.",
    )


@make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> int:
    """Measure the phase transition: how often samples of a word list fill a grid, at what cost.

    Each FAMILY is run with samples of growing size. With few words no sample has a fill, with many
    almost every one has, and solvers need longest in between. A call that was killed is
    simply repeated. The page has the probability of a fill with intervals, the median cost of each
    contender, and the size at which one fill is expected.

    Exit codes: 0 all runs are done and no answer is wrong; 1 DISAGREEMENT: a fill is wrong, or
    answers contradict each other; 30 interrupted; 2 bad usage or bad input.
    """
    from satcross.compare.records import RecordFile
    from satcross.compare.sweep import curve
    from satcross.compare.verdict import judge

    for path in filter(None, [request.out, request.page]):
        check_writable(path, request.lists)
    families, runs = _plan(request)
    with RecordFile(request.out) as file:
        state = resume(request.out, runs, [run.instance for run in runs], retry=False)
        execute_missing(state, file, request.limits, request.cluster, quiet=request.report.quiet)
    done = state.done
    verdict = judge([*done, *state.on_file])
    curves = [curve(family, done) for family in families]
    problems = [*verdict.problems(), *(text for one in curves for text in one.contradictions)]
    _write(request, curves, problems, state)
    lines = _verdict_lines(state, problems)
    request.report.show(
        lambda: {"problems": problems, "curves": [asdict(one) for one in curves]},
        lambda: _print(request.report, curves, lines),
    )
    if problems:
        return INTERNAL_ERROR
    return FILLED if len(done) == len(runs) else UNKNOWN


def _plan(request: Request) -> tuple[list[Family], list[Run]]:
    """Return the families and the runs: all contenders on one sample, then on the next."""
    from satcross.compare.sweep import read_family

    contenders = request.contenders.contenders()
    quiet = request.report.quiet or request.report.as_json
    words = read_lists(request.lists, quiet=quiet).vocabulary
    named = ", ".join(Path(one).name for one in request.lists) or "(default list)"
    families = [read_family(text, words, request.points) for text in request.families]
    if len({one.name for one in families}) < len(families):
        raise InputError("two families have the same name", "name each once")
    plan = Plan(request.contenders, request.limits)
    runs = [
        plan.run(instance, contender)
        for family in families
        for instance in family.instances(words, named, request.samples)
        for contender in contenders
    ]
    return families, list({run.key: run for run in runs}.values())


def _write(
    request: Request, curves: Sequence[Curve], problems: Sequence[str], state: ResumedRuns
) -> None:
    """Write the page and the plots, as requested."""
    if request.page is None and request.folder is None:
        return
    from satcross.compare.plots import write_plots
    from satcross.compare.report_page import describe_runs, fill_template
    from satcross.compare.sweep_plots import draw_sweep

    plots: list[Plot] | None = None
    try:
        plots = draw_sweep(curves, "cpu")
    except UnavailableError:
        if request.folder is not None:
            raise
    if request.folder is not None:
        write_plots(plots or [], request.folder)
    if request.page is not None:
        page = fill_template(
            "sweep.html",
            title="satcross bench sweep",
            problems=problems,
            about=describe_runs(state.done),
            curves=curves,
            plots=plots,
            measure="cpu",
        )
        write_text(request.page, page)


def _verdict_lines(state: ResumedRuns, problems: Sequence[str]) -> list[str]:
    done, planned = len(state.done), len(state.runs)
    if done < planned:
        count = counted(done, "run")
        return [*problems, f"Not finished: {count} of {planned}; repeat the command to go on."]
    return list(problems) or [f"No answer is wrong: {counted(done, 'run')}."]


def _print(report: Report, curves: Sequence[Curve], lines: Sequence[str]) -> None:
    for one in curves if not report.quiet else ():
        print_line(_summary(one))
        headings = ("words", "filled", "unfillable", "undecided", "95% interval", "expected")
        rows = [
            (
                str(point.words),
                str(point.filled),
                str(point.unfillable),
                str(point.undecided),
                f"{point.low:.2f} to {point.high:.2f}",
                f"10^{point.expected:.1f}",
                *(point.costs[name].text if name in point.costs else "" for name in one.contenders),
            )
            for point in one.points
        ]
        if rows:
            print_table((*headings, *one.contenders), rows, left=0)
        print_line()
    for line in lines:
        print_line(line)


def _summary(one: Curve) -> str:
    """Return a line about the transition of a family."""
    text = f"{one.family}: "
    if one.half is None or one.interval is None:
        text += "half filled at none of these sizes"
    else:
        low, high = one.interval
        text += f"half filled at {one.half:.0f} words of each length ({low:.0f} to {high:.0f})"
    if one.width is not None:
        text += f"; 90% / 10%: {one.width:.2f}"
    expected = "never" if one.estimate is None else f"at {one.estimate:.0f}"
    return f"{text}; one fill expected {expected}"
