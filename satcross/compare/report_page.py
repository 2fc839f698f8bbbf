"""The benchmark report as one self-contained HTML page with tables, plots and all runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from importlib.resources import files
from typing import Any

from satcross.compare import scores
from satcross.compare.limits import CPU_LIMIT
from satcross.compare.plots import Plot
from satcross.compare.records import CRASHED, Record, RunOutcome
from satcross.compare.tables import Column, Table
from satcross.run_settings import TIME_LIMIT
from satcross.support.wording import counted


def fill_template(name: str, **values: Any) -> str:
    """Return a page made from one of the templates beside this module."""
    from jinja2 import Environment, FunctionLoader

    def load(name: str) -> str:
        return (files("satcross.compare") / name).read_text(encoding="utf-8")

    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, loader=FunctionLoader(load)
    )
    return environment.get_template(name).render(values)


def render(
    title: str,
    table: scores.Standings,
    problems: Sequence[str],
    plots: Sequence[Plot] | None,
    **more: Any,
) -> str:
    """Return the HTML of the report; ``plots`` is None if matplotlib is not installed.

    ``more`` are its optional parts: ``statistics``, None for none; ``changes``, the table of those
    since the baseline, None without one, and ``change_notes``, lines below it.
    """
    return fill_template(
        "report.html",
        title=title,
        problems=problems,
        about=_about(table),
        standings=table,
        score_table=partial(scores.score_table, table),
        penalty=scores.PENALTY,
        unsolved=[*scores.reason_lines(table), *scores.crashed_on_all(table)],
        plots=plots,
        families=table.families(),
        best_known=scores.best_known_table(table) if table.has_goal else None,
        runs=_runs(table),
        **more,
    )


def describe_runs(runs: Sequence[Record]) -> list[str]:
    """Return lines that say what was run, with which versions, machines and limits."""
    versions = Counter(run.software for run in runs)
    machines = Counter(run.host for run in runs)
    contenders = counted(len({run.contender for run in runs}), "contender")
    puzzles = counted(len({run.puzzle for run in runs}), "puzzle")
    return [
        f"{counted(len(runs), 'run')} of {contenders} on {puzzles}",
        *(f"{text} ({number} runs)" for text, number in versions.items()),
        *(f"{text} ({number} runs)" for text, number in machines.items()),
        *(f"limits: {text}" for text in dict.fromkeys(map(_limits, runs))),
    ]


def _about(table: scores.Standings) -> list[str]:
    """Return lines about the runs, and about the runs that no table contains."""
    below = (scores.coverage_lines, scores.left_out_lines, scores.load_note)
    return [*describe_runs(table.records()), *(line for lines in below for line in lines(table))]


def _limits(record: Record) -> str:
    names = {"wall": "s of wall-clock time", "cpu": "s of CPU time", "memory": "MiB"}
    known = {name: value for name, value in record.limits.items() if value is not None}
    limits = [f"{value:g} {names[name]}" for name, value in known.items()]
    return f"{', '.join(limits) or 'none'}; {record.workers} worker(s)"


def _runs(table: scores.Standings) -> Table[scores.PuzzleKey]:
    """Return a row for each puzzle that was run, with a cell for each contender's result."""
    columns: list[Column[scores.PuzzleKey]] = [
        Column("puzzle", lambda key: table.about[key].puzzle_name, is_text=True),
        Column("family", lambda key: table.about[key].family, is_text=True),
        Column("expected", lambda key: table.about[key].expected, is_text=True),
    ]
    columns += [_column(table, name) for name in table.results]
    return Table(tuple(columns), list(table.about))


def _column(table: scores.Standings, name: str) -> Column[scores.PuzzleKey]:
    return Column(
        name, lambda key: _cell(table, name, key)[1], mark=lambda key: _cell(table, name, key)[0]
    )


def _cell(table: scores.Standings, contender: str, puzzle: scores.PuzzleKey) -> tuple[str, str]:
    """Return the style and the text of the cell of a contender's runs on a puzzle."""
    result = table.results[contender].get(puzzle)
    if result is None:
        return "none", "not asked" if puzzle in table.shared else "not run"
    results = [row.get(puzzle) for row in table.results.values()]
    known = [other.seconds for other in results if other and other.solved]
    fastest = min(known) if len(known) > 1 else None
    failed = (run.record for run in result.runs if run.outcome is RunOutcome.FAILED)
    wrong = next((record for record in failed if record.status != CRASHED), None)
    if wrong is not None:
        return "wrong", f"wrong: {wrong.says}"
    typical = next((run for run in result.runs if run.solved == result.solved), result.runs[0])
    style, text = "none", _why_unsolved(typical)
    if result.solved:
        style = "best" if result.seconds == fastest else ""
        text = f"{typical.record.status} {result.seconds:.2f}"
        text += ", unconfirmed" if result.unconfirmed else ""
    if len(result.runs) > 1:
        solved = [run.time for run in result.runs if run.solved]
        text += f" ({len(solved)}/{len(result.runs)} solved"
        text += f", {min(solved):.2f} to {max(solved):.2f})" if solved else ")"
    return style, text


def _why_unsolved(run: scores.RunResult) -> str:
    record = run.record
    # The exceeded limit may be on wall-clock time although CPU time is measured, or the reverse.
    for reason, name, clock in (
        (TIME_LIMIT, "wall", "of wall-clock time"),
        (CPU_LIMIT, "cpu", "of CPU time"),
    ):
        limit = record.limits.get(name)
        if run.why == reason and limit is not None:
            return f"over {limit:g} s {clock}"
    return run.why
