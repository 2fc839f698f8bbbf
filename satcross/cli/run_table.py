"""The table of runs, and the same while it grows."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.live import Live
    from rich.table import Table as RichTable

    from satcross.compare.records import Record
    from satcross.compare.runs import Instance, Run

HEADINGS = ("puzzle", "contender", "answer", "wall s", "CPU s", "MiB")


def cells(run: Run, record: Record | None, labels: Mapping[Instance, str]) -> tuple[str, ...]:
    """A row under ``HEADINGS``."""
    start = (labels[run.question], run.contender.name)
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


def rich_table(rows: Sequence[Sequence[str]], caption: str | None = None) -> RichTable:
    """Such rows as a table with colours."""
    from rich.table import Table
    from rich.text import Text

    table = Table(caption=caption, caption_justify="left")
    for place, heading in enumerate(HEADINGS):
        table.add_column(heading, justify="right" if place >= 3 else "left")
    for row in rows:
        cells = [Text(cell) for cell in row]
        cells[2].stylize(_COLOURS.get(row[2].split(":")[0], "yellow"))
        table.add_row(*cells)
    return table


class Board:
    """The table while it grows, on stderr, where that is a terminal.

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

    def start(self, number: int) -> None:
        self._started[number] = time.monotonic()
        self._refresh()

    def end(self, number: int, record: Record) -> None:
        self._ended[number] = record
        self._refresh()

    def _refresh(self) -> None:
        if self._live is not None:
            self._live.refresh()

    def _draw(self) -> RichTable:
        now = time.monotonic()
        rows = []
        ended, running = dict(self._ended), dict(self._started)
        for number in sorted(ended)[-_SHOWN:]:
            rows.append(cells(self._runs[number], ended[number], self._labels))
        for number in sorted(set(running) - set(ended)):
            run = self._runs[number]
            wall = f"{now - running[number]:.1f}"
            rows.append((self._labels[run.question], run.contender.name, "running", wall, "", ""))
        return rich_table(rows, self._caption(len(ended)))

    def _caption(self, ended: int) -> str:
        before = f", {self._earlier} of them done before" if self._earlier else ""
        return f"{self._earlier + ended} of {self._earlier + len(self._runs)} runs{before}"

    def __enter__(self) -> Board:
        if self._live is not None:
            self._live.start(refresh=True)
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()


_SHOWN = 12
"""Runs that have ended, as far as the growing table shows them."""
