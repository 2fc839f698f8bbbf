"""The table of runs, printed at the end or growing on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from satcross.cli.output import rich_table

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table
    from rich.text import Text

    from satcross.compare.records import Record
    from satcross.compare.runs import Instance, Run

HEADINGS = ("puzzle", "contender", "answer", "wall s", "CPU s", "MiB")
LEFT = 3
"""Columns that are aligned to the left."""


def cells(run: Run, record: Record | None, labels: Mapping[Instance, str]) -> tuple[str, ...]:
    """A row under ``HEADINGS``."""
    start = (labels[run.instance], run.contender.name)
    if record is None:
        return (*start, "not run", "", "", "")
    return (
        *start,
        _answer(record),
        f"{record.wall:.2f}",
        f"{record.cpu:.2f}",
        f"{record.memory:.0f}",
    )


def _answer(record: Record) -> str:
    if record.status in ("unknown", "crashed") and record.reason != "crash":
        return f"{record.status}: {record.reason}"
    return record.status


_COLOURS = {"filled": "green", "unfillable": "cyan", "crashed": "magenta", "wrong": "bold red"}


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
        execute: Callable[[Callable[[int], None]], Generator[tuple[int, Record], None, None]],
        keep: Callable[[int, Record], None],
    ) -> bool:
        """Execute the runs, show each, and ``keep`` its record; return False after Ctrl-C.

        ``execute`` is given what to call as a run starts, and yields the records as runs end.
        """
        with self, closing(execute(self._start)) as ends:
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
        rows = []
        ended, running = dict(self._ended), dict(self._started)
        for number in sorted(ended)[-_MAX_ROWS:]:
            rows.append(cells(self._runs[number], ended[number], self._labels))
        for number in sorted(set(running) - set(ended)):
            run = self._runs[number]
            wall = f"{now - running[number]:.1f}"
            rows.append((self._labels[run.instance], run.contender.name, "running", wall, "", ""))
        return rich_table(
            HEADINGS, list(map(coloured, rows)), left=LEFT, caption=self._caption(len(ended))
        )

    def _caption(self, ended: int) -> str:
        before = f", {self._earlier} of them done before" if self._earlier else ""
        return f"{self._earlier + ended} of {self._earlier + len(self._runs)} runs{before}"

    def __enter__(self) -> RunTable:
        if self._live is not None:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()


_MAX_ROWS = 12
"""Finished runs that the growing table shows."""
