"""``satcross bench report``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import click

from satcross.cli import FILLED, INTERNAL_ERROR
from satcross.cli.messages import note
from satcross.cli.options import INPUT, argument, json_option, make_command, option, output_option
from satcross.cli.output import Report, check_output, print_line, write_text
from satcross.compare import scores, statistics
from satcross.compare.changes import (
    Change,
    change_notes,
    change_table,
    compare_versions,
    compare_with_baseline,
)
from satcross.compare.plots import draw, drawn
from satcross.compare.records import Record, read_records
from satcross.compare.report_page import render
from satcross.compare.scores import PuzzleKey, Standings, best_known_table, standings
from satcross.compare.statistics import Statistics
from satcross.compare.suite import read_puzzles, read_suite, update_record
from satcross.compare.tables import Table
from satcross.compare.verdict import Verdict, judge, mostly_failed
from satcross.errors import InputError
from satcross.formats.files import write_stream
from satcross.support.wording import counted

_EXAMPLES = """
satcross bench report runs.jsonl
satcross bench report runs.jsonl -o report.html --plots plots
satcross bench report new.jsonl --baseline old.jsonl
"""


@dataclass(frozen=True, slots=True)
class ReportRequest:
    files: tuple[str, ...] = argument(
        "FILE.jsonl...", "Runs, as bench -o and compare -o write them.", nargs=-1
    )
    baseline: str | None = option(
        "--baseline OLD.jsonl",
        "Say what has become slower or faster than in these runs.",
        heading=INPUT,
    )
    suite: str | None = option(
        "--suite SUITE",
        "Take names, families and expected answers from this suite, not from the records.",
    )
    measure: str = option(
        "--measure",
        "Which seconds: of the processors, or of the clock.",
        choices=("cpu", "wall"),
        default="cpu",
    )
    net: bool = option(
        "--subtract-start-up",
        "Subtract from each run the shortest run of its contender, which bounds its start-up.",
    )
    out: str | None = output_option(
        "Write the report as a page: tables, plots, every run.", "FILE.html", aliases=["--out"]
    )
    folder: str | None = option("--plots FOLDER", "Write the plots as SVG and PNG files.")
    scale: str = option(
        "--scale",
        "How the plots divide the axes of times.",
        choices=("log", "linear"),
        default="log",
    )
    table: str | None = option(
        "--csv FILE.csv", "Write the runs as a table, one row per run; .csv.gz is compressed."
    )
    tests: bool = option(
        "--tests",
        "Also test each pair of contenders (Wilcoxon's signed-rank test, Holm's correction), with "
        "the ratio of their costs, and say how stable their ranks are.",
    )
    min_ratio: float | None = option(
        "--min-ratio RATIO",
        "The smallest ratio of costs that --tests call significant.  [default: the noise floor of "
        "these runs]",
        type=click.FloatRange(1, 1000),
    )
    latex: str | None = option(
        "--latex FILE.tex", "Write the scores of all puzzles as a LaTeX table (booktabs)."
    )
    scatter: tuple[str, ...] = option(
        "--scatter NAME,NAME",
        "Plot these two contenders against each other; repeatable.  [default: pairs of the best]",
        multiple=True,
    )
    title: str = option("--title TEXT", "The heading of the page.", default="satcross bench report")
    as_json: bool = json_option("Print scores and verdict as JSON.")


@dataclass(frozen=True, slots=True)
class _Results:
    """The records, all of which are judged, and the scores of those that count.

    ``changes`` and ``unmatched`` are measured against the baseline, and against other versions in
    the same records; None and empty without either.
    """

    records: list[Record]
    table: Standings
    verdict: Verdict
    changes: list[Change] | None
    unmatched: list[str]
    statistics: Statistics | None

    @classmethod
    def read(cls, request: ReportRequest) -> _Results:
        """Read the records, the suite and the baseline."""
        records = [record for path in request.files for record in _read(path)]
        if request.suite is not None:
            records = _named_as_in(request.suite, records)
        old = [] if request.baseline is None else _read(request.baseline)
        measure, start_up = request.measure, not request.net
        table = standings(records, measure, start_up=start_up, beside=old)
        tests = Statistics.of(table, request.min_ratio) if request.tests else None
        changes: list[Change] | None = compare_versions(table) or None
        unmatched: list[str] = []
        if request.baseline is not None:
            then = standings(old, measure, start_up=start_up, beside=records)
            since, unmatched = compare_with_baseline(table, then)
            changes = [*(changes or []), *since]
        return cls(records, table, judge([*records, *old]), changes, unmatched, tests)


@make_command(ReportRequest, examples=_EXAMPLES)
def command(request: ReportRequest) -> int:
    """Compare the contenders by the runs that `bench` or `compare` has written into files.

    Prints, for all puzzles and for each family, what each contender has solved, its PAR-2 score
    (the mean time, an unsolved puzzle costing twice the limit) and median, what it alone has
    solved and where it was the fastest. Only puzzles count that all contenders have been run on.

    A puzzle that a contender can't be asked is left out for it; a second table has the puzzles
    that all were asked. Runs of different machines, versions and limits are kept apart.

    Exit codes: 0; 1 DISAGREEMENT: an answer is wrong, named first, or most runs have failed; 2 bad
    usage or bad input.
    """
    inputs = [*request.files, *filter(None, [request.baseline, request.suite])]
    for path, suffixes in (
        (request.out, (".html",)),
        (request.table, (".csv", ".gz")),
        (request.latex, (".tex",)),
    ):
        if path is not None:
            check_output(path, inputs, suffixes)
    if request.scatter and request.out is None and request.folder is None:
        raise click.UsageError("--scatter needs --output or --plots.")
    results = _Results.read(request)
    _write(request, results)
    Report(request.as_json).show(lambda: _to_data(results), lambda: _print(results))
    failed = mostly_failed(results.records)
    return FILLED if results.verdict.agreement and not failed else INTERNAL_ERROR


def _write(request: ReportRequest, results: _Results) -> None:
    if request.table is not None:
        write_stream(request.table, partial(statistics.write_csv, records=results.records))
    if request.latex is not None:
        latex = scores.score_table(results.table).without("fastest", "asked", "runs", "spread")
        write_text(request.latex, latex.to_latex())
    if request.out is None and request.folder is None:
        return
    table, tests = results.table, results.statistics
    pairs = [_pair(text, table) for text in request.scatter]
    plots = drawn(lambda: draw(table, request.scale, pairs, tests), request.folder)
    if request.out is not None:
        changes = results.changes
        compared = {
            "changes": None if changes is None else change_table(changes),
            "change_notes": [*change_notes(changes or ()), *results.unmatched],
        }
        problems = results.verdict.problems()
        page = render(request.title, table, problems, plots, statistics=tests, **compared)
        write_text(request.out, page)


def _read(path: str) -> list[Record]:
    cut: list[int] = []
    records = list(read_records(path, cut.append))
    for number in cut:
        note(f"line {number} is cut and left out; bench does that run again", path)
    if not records:
        raise InputError("has no run", "name a file that bench -o has written", file=path)
    return records


def _named_as_in(suite: str, records: list[Record]) -> list[Record]:
    """The records of the puzzles that the suite has."""
    read = read_suite(suite)
    questions = {puzzle.hash: puzzle for puzzle in read_puzzles(read, read.entries)}
    known = (record for record in records if record.puzzle in questions)
    kept = [update_record(questions[record.puzzle], record) for record in known]
    if not kept:
        raise InputError("has none of the puzzles of these runs", "name another", file=suite)
    return kept


def _pair(text: str, table: Standings) -> tuple[str, str]:
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != 2 or not set(names) <= set(table.contenders):
        raise click.UsageError(
            f"--scatter {text}: give two of {', '.join(table.contenders)}, with a comma between."
        )
    return names[0], names[1]


def _print(results: _Results) -> None:
    for line in filter(None, [*results.verdict.problems(), mostly_failed(results.records)]):
        click.secho(line, fg="red", bold=True)
    for block in (*_score_blocks(results.table), *_compared_blocks(results)):
        if isinstance(block, str):
            print_line(block)
        else:
            block.print()


Block = str | Table[Any]
"""A line, or a table."""


def _score_blocks(table: Standings) -> Iterator[Block]:
    """Yield the scores of all puzzles and of each family, and what they leave out."""
    if not table.shared:
        yield "No puzzle was run by all contenders."
    else:
        all_puzzles = f"All {len(table.shared):,} puzzles" if len(table.shared) > 1 else "1 puzzle"
        yield f"{all_puzzles}, {table.measure.upper()} seconds of whole runs"
        yield _brief(table)
        yield from scores.coverage_lines(table)
        parts = []
        if table.common and len(table.common) < len(table.shared):
            parts.append(
                (f"{counted(len(table.common), 'puzzle')} that all were asked", table.common)
            )
        families = table.families()
        for family, members in families.items() if len(families) > 1 else ():
            label = family or "without a family"
            parts.append((f"{label}: {counted(len(members), 'puzzle')}", members))
        for heading, puzzles in parts:
            yield from (f"\n{heading}", _brief(table, puzzles))
    if why := scores.reason_lines(table):
        yield from ("", "Unsolved, and why", *why, *scores.crashed_on_all(table))
    for text in scores.left_out_lines(table):
        yield from ("", text)


def _compared_blocks(results: _Results) -> Iterator[Block]:
    """Yield changes and tests, and below them what could not be compared."""
    tables: list[Table[Any]] = []
    below: list[str] = []
    if results.table.has_goal:
        tables.append(best_known_table(results.table))
    if results.changes is not None:
        tables.append(change_table(results.changes))
        below += [*change_notes(results.changes), *results.unmatched]
    if (tests := results.statistics) is not None:
        tables += [tests.rank_table, tests.test_table]
        below += tests.test_notes
    for table in tables:
        yield from ("", table) if table.rows else ()
    yield from below


def _brief(table: Standings, puzzles: Sequence[PuzzleKey] | None = None) -> Table[Any]:
    return scores.score_table(table, puzzles).without("contribution s")


def _to_data(results: _Results) -> dict[str, Any]:
    table, changes = results.table, results.changes

    def scored(puzzles: Sequence[PuzzleKey]) -> list[dict[str, Any]]:
        return [asdict(score) for score in table.scores(puzzles)]

    return {
        "agreement": results.verdict.agreement,
        "verdict": results.verdict.problems(),
        "measure": table.measure,
        "puzzles": len(table.shared),
        "left_out": table.unshared,
        "scores": scored(table.shared),
        "common": scored(table.common),
        "notes": list(table.notes),
        "families": {family: scored(keys) for family, keys in table.families().items()},
        "unmatched": results.unmatched,
        "unsolved": scores.reasons(table),
        "changes": None if changes is None else [change.to_data() for change in changes],
        **({} if results.statistics is None else asdict(results.statistics)),
    }
