"""The benchmark report as one self-contained HTML page with tables, plots and all runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from satcross.compare.changes import Change
from satcross.compare.limits import CPU_LIMIT, TIME_LIMIT
from satcross.compare.plots import Plot
from satcross.compare.records import Record
from satcross.compare.scores import (
    PENALTY,
    VIRTUAL_BEST,
    PuzzleResult,
    Standings,
    crashed_on_all,
    reason_lines,
)
from satcross.compare.statistics import Statistics
from satcross.compare.verdict import Verdict
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


@dataclass(frozen=True, slots=True)
class Additions:
    """Optional parts of the report.

    ``changes`` are since the baseline; ``unmatched`` has a line for each contender that can't be
    compared with it.
    """

    changes: Sequence[Change] | None = None
    unmatched: Sequence[str] = ()
    statistics: Statistics | None = None


def render(
    title: str,
    table: Standings,
    verdict: Verdict,
    plots: Sequence[Plot] | None,
    additions: Additions,
) -> str:
    """Return the HTML of the report; ``plots`` is None if matplotlib is not installed."""
    return fill_template(
        "report.html",
        title=title,
        problems=verdict.problems(),
        about=_about(table),
        standings=table,
        virtual_best=VIRTUAL_BEST,
        penalty=PENALTY,
        unsolved=[*reason_lines(table), *crashed_on_all(table)],
        changes=additions.changes,
        unmatched=additions.unmatched,
        statistics=additions.statistics,
        plots=plots,
        families=table.families(),
        runs=_runs(table),
    )


def describe_runs(runs: Sequence[Record]) -> list[str]:
    """Return lines that say what was run, with which versions, machines and limits."""
    versions = Counter(
        ", ".join(f"{name} {value}" for name, value in one.versions.items()) for one in runs
    )
    machines = Counter(
        f"{one.machine.get('platform', '?')}, {one.machine.get('cpus', '?')} processors"
        for one in runs
    )
    contenders = counted(len({one.contender for one in runs}), "contender")
    puzzles = counted(len({one.puzzle for one in runs}), "puzzle")
    return [
        f"{counted(len(runs), 'run')} of {contenders} on {puzzles}",
        *(f"{text} ({number} runs)" for text, number in versions.items()),
        *(f"{text} ({number} runs)" for text, number in machines.items()),
        *(f"limits: {text}" for text in dict.fromkeys(map(_limits, runs))),
    ]


def _about(table: Standings) -> list[str]:
    """Return lines about the runs, and about the runs that no table contains."""
    lines = describe_runs(
        [result.record for row in table.results.values() for result in row.values()]
    )
    if table.unshared:
        lines.append(
            f"{table.unshared} puzzles are in no table, because not all contenders were run on them"
        )
    if table.note:
        lines.append(table.note)
    if table.superseded:
        lines.append(f"{table.superseded} runs are left out, because they were repeated later")
    return lines


def _limits(record: Record) -> str:
    names = {"wall": "s of wall-clock time", "cpu": "s of CPU time", "memory": "MiB"}
    limits = [
        f"{value:g} {names[name]}" for name, value in record.limits.items() if value is not None
    ]
    return f"{', '.join(limits) or 'none'}; {record.workers} worker(s)"


def _runs(table: Standings) -> Iterator[tuple[tuple[str, ...], list[tuple[str, str]]]]:
    """Yield the name and the expected answer of a puzzle, and the cell of each contender."""
    puzzles = list(dict.fromkeys(one for row in table.results.values() for one in row))
    for puzzle in puzzles:
        record = table.record(puzzle)
        results = [row.get(puzzle) for row in table.results.values()]
        known = [one.seconds for one in results if one and one.seconds is not None]
        fastest = min(known) if len(known) > 1 else None
        about = (record.puzzle_name, record.family, record.expected or "")
        yield about, [_cell(one, fastest) for one in results]


def _cell(result: PuzzleResult | None, fastest: float | None) -> tuple[str, str]:
    """Return the style and the text of the cell of a contender's runs on a puzzle."""
    if result is None:
        return "none", "not run"
    typical = next((one for one in result.runs if one.solved == result.solved), result.runs[0])
    style, text = _run_cell(typical.record, result.seconds)
    wrong = [one.record for one in result.runs if _is_wrong(one.record, one.solved)]
    if wrong:
        return "wrong", f"wrong: {wrong[0].status}"
    if result.seconds is not None and result.seconds == fastest:
        style = "best"
    if len(result.runs) > 1:
        solved = [one.seconds for one in result.runs if one.seconds is not None]
        text += f" ({len(solved)}/{len(result.runs)} solved"
        text += f", {min(solved):.2f} to {max(solved):.2f})" if solved else ")"
    return style, text


def _is_wrong(record: Record, solved: bool) -> bool:
    return not solved and (record.answered or record.status == "wrong")


def _run_cell(record: Record, seconds: float | None) -> tuple[str, str]:
    """Return the style and the text of a run, whose puzzle took this median of seconds."""
    if seconds is not None:
        return "", f"{record.status} {seconds:.2f}"
    text = record.reason or record.status
    # The exceeded limit may be on wall-clock time although CPU time is measured, or the reverse.
    for reason, name, clock in (
        (TIME_LIMIT, "wall", "of wall-clock time"),
        (CPU_LIMIT, "cpu", "of CPU time"),
    ):
        limit = record.limits.get(name)
        if text == reason and limit is not None:
            return "none", f"over {limit:g} s {clock}"
    return "none", text
