"""Runs that go on: the table of them, growing on a terminal, and what executes them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing, nullcontext
from functools import partial
from typing import TYPE_CHECKING

import click

from satcross.cli.output import rich_table
from satcross.compare.cluster import execute_on_cluster
from satcross.compare.commands.contender_options import LimitFlags
from satcross.compare.records import Record
from satcross.compare.runs import Instance, Run, execute_all

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

HEADINGS = ("puzzle", "contender", "answer", "wall s", "CPU s", "MiB")
LEFT = 3
"""Columns that are aligned to the left."""
_COLOURS = {"filled": "green", "unfillable": "cyan", "crashed": "magenta", "wrong": "bold red"}
_MAX_ROWS = 12
"""Finished runs that the growing table shows."""


def cells(run: Run, record: Record | None, labels: Mapping[Instance, str]) -> tuple[str, ...]:
    """A row under ``HEADINGS``."""
    start = (labels[run.instance], run.contender.name)
    if record is None:
        return (*start, "not run", "", "", "")
    answer = record.status
    if answer in ("unknown", "crashed") and record.reason != "crash":
        answer += f": {record.reason}"
    return (*start, answer, f"{record.wall:.2f}", f"{record.cpu:.2f}", f"{record.memory:.0f}")


def coloured(row: Sequence[str]) -> list[str | Text]:
    """A row of cells with the answer in a colour, for a terminal."""
    from rich.text import Text

    start, answer, rest = row[:2], row[2], row[3:]
    return [*start, Text(answer, _COLOURS.get(answer.split(":")[0], "yellow")), *rest]


class RunTable:
    """The growing table of runs, on standard error where that is a terminal.

    ``earlier`` runs were done before and are only counted.
    """

    def __init__(
        self,
        runs: Sequence[Run],
        labels: Mapping[Instance, str],
        *,
        enabled: bool,
        earlier: int = 0,
    ) -> None:
        self._earlier = earlier
        self._runs = runs
        self._labels = labels
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

    def follow(
        self,
        limits: LimitFlags,
        keep: Callable[[int, Record], None],
        *,
        cluster: str | None = None,
        lost: Callable[[int], None] = lambda number: None,
    ) -> bool:
        """Execute the runs here or on a Dask cluster, show each, and ``keep`` its record.

        Returns False after Ctrl-C. Raises UsageError for runs that are to be bound to processors of
        a cluster.
        """
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

    def _draw(self) -> Table:
        now = time.monotonic()
        ended, running = dict(self._ended), dict(self._started)
        rows = [
            cells(self._runs[number], ended[number], self._labels)
            for number in sorted(ended)[-_MAX_ROWS:]
        ]
        for number in sorted(set(running) - set(ended)):
            run = self._runs[number]
            wall = f"{now - running[number]:.1f}"
            rows.append((self._labels[run.instance], run.contender.name, "running", wall, "", ""))
        before = f", {self._earlier} of them done before" if self._earlier else ""
        done, planned = self._earlier + len(ended), self._earlier + len(self._runs)
        caption = f"{done} of {planned} runs{before}"
        return rich_table(HEADINGS, list(map(coloured, rows)), left=LEFT, caption=caption)
