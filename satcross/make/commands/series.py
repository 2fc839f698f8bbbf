"""``satcross series``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from satcross.cli import FILLED, UNKNOWN
from satcross.cli import options as cli
from satcross.cli.messages import print_error
from satcross.cli.output import Report, print_line
from satcross.cli.read_puzzle import ListFlags
from satcross.make.series.ledger import Ledger, Record
from satcross.support.wording import counted

_EXAMPLES = """
satcross series plan.toml -o daily/
satcross series plan.toml -o daily/ --workers 1      (the same puzzles every time)
satcross series plan.toml -o daily/ --cluster tcp://scheduler:8786
"""


@dataclass(frozen=True, slots=True)
class Request:
    plan: str = cli.argument(
        "PLAN", "A TOML file that says what is wanted; docs/series.md has all of it."
    )
    folder: str = cli.output_option(
        "Where the puzzles are written, with their records (series.jsonl) and a report "
        "(index.html). A series that was begun there goes on.",
        "FOLDER",
        required=True,
    )
    workers: int | None = cli.option(
        "--workers N",
        "Puzzles that are made at once. With more than 1, which words are used up depends on which "
        "puzzles are ready first.  [default: the number of processors]",
        heading=cli.SEARCH,
        type=cli.whole(1, 256),
        brief=True,
    )
    cluster: str | None = cli.option(
        "--cluster ADDRESS|local",
        "Make the puzzles on a Dask cluster: tcp://HOST:PORT of its scheduler, or local to start "
        "one here with --workers processes.",
        brief=True,
    )
    lists: ListFlags = cli.options(ListFlags)
    report: Report = cli.options(Report, quiet="Print no notes and no line for each puzzle.")


@cli.make_command(Request, examples=_EXAMPLES)
def command(request: Request) -> int:
    """Make a series of puzzles by a plan: how many, on which days, of which kinds.

    No entry comes back within the days that the plan says, in the series or in puzzles made
    elsewhere, and no grid comes twice in a row. Each puzzle is verified. After Ctrl-C or a crash,
    the same command goes on where it stopped.

    Exit code 0: all are made. 30: some could not be made, or Ctrl-C came first.
    """
    from satcross.formats.used_words import read_used
    from satcross.make.series.plan import read_plan
    from satcross.make.series.run import open_series

    report = request.report
    plan, places = read_plan(request.plan)
    vocabulary = request.lists.read(plan.words, quiet=report.quiet).vocabulary
    if plan.exclude:
        excluded = request.lists.read(plan.exclude, quiet=True).vocabulary
        vocabulary = vocabulary.changed({word: None for word in excluded if word in vocabulary})
    ledger = Ledger(plan.days)
    for words, day in read_used(plan.earlier, report.note):
        ledger.add(words, day or plan.start - timedelta(1))
    with open_series(plan, places, request.folder, vocabulary, ledger) as series:
        for name in series.written_again:
            report.note("the file was gone and is written again", name)
        with _shown(len(places), len(series.records), report) as show:
            is_over = series.run(request.workers, request.cluster, show)
        series.write_report()
    report.show(series.to_data, lambda: [series.sentence()], unless_quiet=True)
    if not is_over:
        print_error("interrupted; the same command goes on")
    return FILLED if is_over and not series.missing else UNKNOWN


@contextmanager
def _shown(total: int, done: int, report: Report) -> Iterator[Callable[[Record], None]]:
    """Offer what shows a puzzle that has been made, or has failed.

    It prints a line on standard output, and draws a bar on standard error if that is a terminal.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    console = Console(stderr=True)
    # Without a thread that redraws it, so that processes can be forked.
    bar = Progress(
        *(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()),
        console=console,
        auto_refresh=False,
        disable=report.quiet or not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),
    )
    task = bar.add_task("", total=total, completed=done)

    def show(record: Record) -> None:
        if not (report.quiet or report.as_json):
            print_line(describe(record))
        bar.update(task, advance=1, refresh=True)

    with bar:
        yield show


def describe(record: Record) -> str:
    """Return what is said of a puzzle in a line."""
    start = f"{record['number']:4} {record['date']}"
    if record["status"] != "made":
        return f"{start} not made: {record['reason']}"
    rows, columns = record["size"]
    form = "" if record["form"] == "crossword" else f"{record['form']}, "
    about = f"{form}{record['kind']} {rows}x{columns}, {counted(len(record['words']), 'word')}"
    weak = f", below 50: {', '.join(record['weak'])}" if record["weak"] else ""
    hard = f"difficulty {record['difficulty']['value']}"
    return f"{start} {about}, {hard}{weak}, {record['cpu']:.1f} s: {', '.join(record['files'])}"
