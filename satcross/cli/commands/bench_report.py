"""``satcross bench report``."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from satcross.cli import FILLED, INTERNAL_ERROR
from satcross.cli.options import counted, output
from satcross.cli.scoreboard import score_lines
from satcross.errors import InputError, UnavailableError
from satcross.formats.files import check_writable, write_atomically

if TYPE_CHECKING:
    from satcross.compare.plots import Plot
    from satcross.compare.records import Record
    from satcross.compare.scores import Change, Standings

_EPILOG = """\b
Examples:
  satcross bench report runs.jsonl
  satcross bench report runs.jsonl --out report.html --plots plots
  satcross bench report new.jsonl --baseline old.jsonl
"""


@click.command(name="report", epilog=_EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE.jsonl...")
@click.option("--out", metavar="FILE.html", help="Write it as a page: tables, plots, every run.")
@click.option("--plots", "folder", metavar="FOLDER", help="Write the plots as SVG and PNG files.")
@click.option(
    "--baseline",
    metavar="OLD.jsonl",
    help="Say what has become slower or faster than in these runs.",
)
@click.option(
    "--suite",
    metavar="SUITE",
    help="Take names, families and expected answers from this suite, not from the records.",
)
@click.option(
    "--measure",
    type=click.Choice(["cpu", "wall"]),
    default="cpu",
    show_default=True,
    help="Which seconds: of the processors, or on the clock.",
)
@click.option(
    "--title", default="satcross bench report", show_default=True, help="The heading of the page."
)
@click.option("--json", "as_json", is_flag=True, help="Print scores and verdict as JSON.")
def command(
    files: tuple[str, ...],
    out: str | None,
    folder: str | None,
    baseline: str | None,
    suite: str | None,
    measure: str,
    title: str,
    as_json: bool,
) -> None:
    """Compare the contenders by the runs in FILEs that bench or compare has written.

    Prints, for all puzzles and for each family, what each contender has solved, its PAR-2 score
    (the mean time, an unsolved puzzle costing twice the limit) and median, what it alone has
    solved and where it was the fastest. Only puzzles count that all contenders have been run on.

    Exit codes: 0; 1 DISAGREEMENT: an answer is wrong, named first; 2 bad usage or bad input.
    """
    from satcross.compare.scores import compare_with_baseline, explain_unmatched, standings
    from satcross.compare.verdict import judge

    inputs = [*files, *filter(None, [baseline, suite])]
    if out is not None:
        check_writable(out, inputs)
    records = [one for path in files for one in _read(path)]
    if suite is not None:
        records = _named_as_in(suite, records)
    table = standings(records, measure)
    changes = None
    unmatched: list[str] = []
    if baseline is not None:
        then = standings(_read(baseline), measure)
        changes, unmatched = compare_with_baseline(table, then), explain_unmatched(table, then)
    # All runs are judged, those that later ones have replaced too.
    verdict = judge(records)
    if out is not None or folder is not None:
        plots = _draw(table, needed=folder is not None)
        if folder is not None:
            _write_plots(plots or [], folder)
        if out is not None:
            from satcross.compare.report_page import render

            page = render(title, records, table, verdict, plots, changes, unmatched)
            write_atomically(out, lambda beside: _write_text(beside, page))
    with output():
        if as_json:
            from satcross.formats.json import dump

            data = {
                "agreement": verdict.agreement,
                "verdict": verdict.problems(),
                **_as_data(table, changes, unmatched),
            }
            click.echo(dump(data, ascii_only=True), nl=False)
        else:
            for line in verdict.problems():
                click.secho(line, fg="red", bold=True)
            for line in _lines(table, changes, unmatched):
                click.echo(line)
    sys.exit(FILLED if verdict.agreement else INTERNAL_ERROR)


def _read(path: str) -> list[Record]:
    from satcross.compare.records import read_records

    records = list(read_records(path))
    if not records:
        raise InputError("has no run", "name a file that bench --out has written", file=path)
    return records


def _named_as_in(suite: str, records: list[Record]) -> list[Record]:
    """The records of the puzzles that the suite has."""
    from satcross.compare.suite import read_puzzles, read_suite, update_record

    read = read_suite(suite)
    questions = {one.hash: one for one in read_puzzles(read, read.entries)}
    kept = [update_record(questions[one.puzzle], one) for one in records if one.puzzle in questions]
    if not kept:
        raise InputError("has none of the puzzles of these runs", "name another", file=suite)
    return kept


def _draw(table: Standings, *, needed: bool) -> list[Plot] | None:
    from satcross.compare.plots import draw

    try:
        return draw(table)
    except UnavailableError:
        if needed:
            raise
        return None


def _write_plots(plots: list[Plot], folder: str) -> None:
    try:
        Path(folder).mkdir(exist_ok=True)
    except OSError as error:
        raise InputError(
            f"can't be made ({error.strerror})", "choose another folder", file=folder
        ) from None
    for plot in plots:
        # By itself, ink that takes its colour from the page would be hard to read in the dark.
        alone = plot.svg.replace("currentColor", "#000000").replace(
            "<svg ", '<svg style="background: white" ', 1
        )
        for ending, data in (("svg", alone.encode()), ("png", plot.png)):
            path = str(Path(folder) / f"{plot.name}.{ending}")
            write_atomically(path, partial(_write_bytes, data=data))


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _write_bytes(path: Path, *, data: bytes) -> None:
    path.write_bytes(data)


def _lines(table: Standings, changes: list[Change] | None, unmatched: list[str]) -> list[str]:
    from satcross.compare.scores import crashed_on_all, reason_lines

    what = f"{table.measure.upper()} seconds of whole runs"
    if not table.shared:
        lines = ["No puzzle was run by all contenders."]
    else:
        lines = [f"All {counted(len(table.shared), 'puzzle')}, {what}", *score_lines(table)]
        families = table.families()
        for family, instances in families.items() if len(families) > 1 else ():
            label = family or "without a family"
            lines += ["", f"{label}: {counted(len(instances), 'puzzle')}"]
            lines += score_lines(table, instances)
    if why := reason_lines(table):
        lines += ["", "Unsolved, and why", *why, *crashed_on_all(table)]
    if table.unshared:
        lines += ["", f"Left out: {counted(table.unshared, 'puzzle')} not run by all contenders."]
    if table.note:
        lines += ["", table.note]
    if table.superseded:
        lines += ["", f"Left out: {counted(table.superseded, 'run')} done again later."]
    if changes is not None:
        lines += ["", "Since the baseline, time now / then (95% interval)"]
        lines += [_change_line(one) for one in changes]
        lines += unmatched
    return lines


def _change_line(change: Change) -> str:
    line = (
        f"{change.contender}: {change.ratio:.3f} ({change.low:.3f} to {change.high:.3f}) on "
        f"{counted(change.pairs, 'puzzle')}: {change.judgement}"
    )
    for word, its in (("lost", change.lost), ("gained", change.gained)):
        if its:
            line += f"; {word} {', '.join(one.puzzle_name for one in its)}"
    return line


def _as_data(
    table: Standings, changes: list[Change] | None, unmatched: list[str]
) -> dict[str, Any]:
    from satcross.compare.scores import reasons

    families = table.families()
    return {
        "measure": table.measure,
        "puzzles": len(table.shared),
        "left_out": table.unshared,
        "scores": [asdict(one) for one in table.scores()] if table.shared else [],
        "families": {
            family: [asdict(one) for one in table.scores(instances)]
            for family, instances in families.items()
        },
        "unmatched": unmatched,
        "unsolved": reasons(table),
        "changes": None
        if changes is None
        else [
            {
                **asdict(replace(one, lost=(), gained=())),
                "judgement": one.judgement,
                "lost": [record.puzzle_name for record in one.lost],
                "gained": [record.puzzle_name for record in one.gained],
            }
            for one in changes
        ],
    }
