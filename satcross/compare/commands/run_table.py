"""Runs that go on: the table of them, growing on a terminal, and what executes them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from satcross.cli.output import print_table, rich_table
from satcross.compare.cluster import execute_on_cluster
from satcross.compare.commands.contender_options import LimitFlags
from satcross.compare.records import Record
from satcross.compare.runs import Instance, Run, execute_all
from satcross.compare.tables import Column, Table

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table as RichTable
    from rich.text import Text

_COLOURS = {"filled": "green", "unfillable": "cyan", "crashed": "magenta", "wrong": "bold red"}
_MAX_ROWS = 12
"""Finished runs that the growing table shows."""


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run in a table: its record, or else its state and the time that it has taken so far."""

    puzzle: str
    contender: str
    record: Record | None = None
    state: str = "not run"
    wall: float | None = None

    @property
    def answer(self) -> str:
        """The answer, with the reason why there is none."""
        if self.record is None:
            return self.state
        status, reason = self.record.status, self.record.reason
        told = status in ("unknown", "crashed") and reason != "crash"
        return f"{status}: {reason}" if told else status

    def figure(self, name: str) -> float | None:
        """One of the measurements of the record."""
        return None if self.record is None else getattr(self.record, name)


def run_table(runs: Sequence[ShownRun]) -> Table[ShownRun]:
    """Return runs as a table, as ``compare`` prints it."""
    columns: tuple[Column[ShownRun], ...] = (
        Column("puzzle", lambda run: run.puzzle, is_text=True),
        Column("contender", lambda run: run.contender, is_text=True),
        Column("answer", lambda run: run.answer, is_text=True),
        Column("wall s", lambda run: run.figure("wall") if run.record else run.wall, ".2f"),
        Column("CPU s", lambda run: run.figure("cpu"), ".2f"),
        Column("MiB", lambda run: run.figure("memory"), ".0f"),
    )
    return Table(columns, runs)


def print_columns(
    table: Table[Any], style: Callable[[Sequence[str]], Sequence[str | Text]] = list
) -> None:
    """Print a table of a report; ``style`` colours a row for the terminal."""
    print_table(table.headings, table.cells, left=table.left, style=style)


def coloured(row: Sequence[str]) -> list[str | Text]:
    """A row of cells with the answer in a colour, for a terminal."""
    from rich.text import Text

    start, answer, rest = row[:2], row[2], row[3:]
    return [*start, Text(answer, _COLOURS.get(answer.split(":")[0], "yellow")), *rest]


class RunTable:
    """The growing table of runs, on standard error where that is a terminal.

    ``labels`` name the puzzles, by default as the suite does; ``earlier`` runs are only counted.
    """

    def __init__(
        self,
        runs: Sequence[Run],
        labels: Mapping[Instance, str] | None = None,
        *,
        enabled: bool,
        earlier: int = 0,
    ) -> None:
        self._earlier = earlier
        self._runs = runs
        self._labels = labels or {run.instance: run.instance.name for run in runs}
        self._started: dict[int, float] = {}
        self._ended: dict[int, Record] = {}
        self._live: Live | None = None
        if enabled and sys.stderr is not None and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(stderr=True),
                get_renderable=self._draw,
                refresh_per_second=5,
                transient=True,
            )

    def shown(self, number: int, record: Record | None = None) -> ShownRun:
        """The run of a number in a table."""
        run = self._runs[number]
        return ShownRun(self._labels[run.instance], run.contender.name, record)

    def follow(
        self,
        limits: LimitFlags,
        keep: Callable[[int, Record], None],
        *,
        cluster: str | None = None,
        lost: Callable[[int], None] = lambda number: None,
    ) -> bool:
        """Execute the runs, show each, and ``keep`` its record; return False after Ctrl-C."""
        execute: Callable[..., Generator[tuple[int, Record], None, None]]
        if cluster is None:
            cores = limits.cores(max((run.workers for run in self._runs), default=1))
            execute = partial(execute_all, cores=cores)
        elif limits.pin:
            raise click.UsageError("--pin is for runs here, not on a cluster.")
        else:
            execute = partial(execute_on_cluster, cluster, lost=lost)
        ends = execute(self._runs, jobs=limits.jobs, started=self._start)
        with self._live or nullcontext(), closing(ends):
            try:
                for number, record in ends:
                    keep(number, record)
                    self._ended[number] = record
                    self._refresh()
            except KeyboardInterrupt:
                return False
        return True

    def _start(self, number: int) -> None:
        self._started[number] = time.monotonic()
        self._refresh()

    def _refresh(self) -> None:
        if self._live is not None:
            self._live.refresh()

    def _draw(self) -> RichTable:
        now = time.monotonic()
        ended, running = dict(self._ended), dict(self._started)
        rows = [self.shown(number, ended[number]) for number in sorted(ended)[-_MAX_ROWS:]]
        for number in sorted(set(running) - set(ended)):
            wall = now - running[number]
            rows.append(replace(self.shown(number), state="running", wall=wall))
        before = f", {self._earlier} of them done before" if self._earlier else ""
        done, planned = self._earlier + len(ended), self._earlier + len(self._runs)
        caption = f"{done} of {planned} runs{before}"
        table = run_table(rows)
        return rich_table(
            table.headings, list(map(coloured, table.cells)), left=table.left, caption=caption
        )
