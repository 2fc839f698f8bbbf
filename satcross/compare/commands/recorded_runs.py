"""Runs in a growing table, and recorded in a file: a killed command goes on where it stopped."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import click

from satcross.cli.options import LIMITS, option, options, output_option
from satcross.cli.output import rich_table
from satcross.cli.search_flags import cluster_option
from satcross.compare.cluster import execute_on_cluster
from satcross.compare.commands.contender_options import ContenderFlags, LimitFlags, Plan
from satcross.compare.contenders import Instance, Run
from satcross.compare.records import CRASHED, Record, RecordFile, read_records_of
from satcross.compare.runs import execute_all
from satcross.compare.suite import update_record
from satcross.compare.tables import Column, Table
from satcross.formats.files import check_writable

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


Key = tuple[object, ...]


@dataclass(slots=True)
class RecordedRuns:
    """The runs of this call, and the records that are known of them.

    ``records`` are the valid records by key, ``earlier`` all that the file had of these runs, and
    ``others`` those of other runs on the same puzzles. ``crashed`` runs did so in an earlier call;
    ``lost`` ones went with workers of a cluster.
    """

    runs: list[Run]
    earlier: dict[Key, Record] = field(default_factory=dict)
    others: list[Record] = field(default_factory=list)
    records: dict[Key, Record] = field(default_factory=dict)
    crashed: int = 0
    lost: int = 0
    interrupted: bool = False

    @property
    def done(self) -> list[Record]:
        """The records of the runs that are done, with the suite's names and answers."""
        return self._named(self.records[run.key] for run in self.runs if run.key in self.records)

    @property
    def on_file(self) -> list[Record]:
        """All other records on these puzzles, whose answers may contradict those of this call."""
        replaced = [run for key, run in self.earlier.items() if self.records.get(key) is not run]
        return self._named([*self.others, *replaced])

    def _named(self, records: Iterable[Record]) -> list[Record]:
        instances = {run.instance.hash: run.instance for run in self.runs}
        return [update_record(instances[record.puzzle], record) for record in records]


@dataclass(frozen=True, slots=True)
class RecordedRunsFlags:
    """What is run, within which limits, where, and the file that the runs are recorded in."""

    contenders: ContenderFlags = options(ContenderFlags)
    limits: LimitFlags = options(LimitFlags)
    retry: bool = option("--retry", "Repeat the runs that have crashed.", heading=LIMITS)
    cluster: str | None = cluster_option(
        "Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local to start one here with "
        "--jobs workers."
    )
    out: str = output_option(
        "Add a line of JSON for each run to this file; runs that it has are not repeated.",
        "FILE.jsonl",
        aliases=["--out"],
        required=True,
    )

    @property
    def plan(self) -> Plan:
        """What the runs have in common."""
        return Plan(self.contenders, self.limits)

    def check(self, inputs: Iterable[str]) -> None:
        """Raise an error for options that exclude each other, and for a file that is an input."""
        if self.cluster not in (None, "local") and self.limits.jobs > 1:
            raise click.UsageError("--jobs is for runs here; the cluster has its own workers.")
        check_writable(self.out, inputs)

    def resume(self, runs: list[Run]) -> RecordedRuns:
        """Keep the records of the file that make a run unnecessary; crashes not with --retry."""
        keys, puzzles = {run.key for run in runs}, {run.instance.hash for run in runs}
        earlier, others = read_records_of(self.out, keys, puzzles)
        available = ((key, record) for key, record in earlier.items() if not record.unavailable)
        records = {key: r for key, r in available if not (self.retry and r.status == CRASHED)}
        crashed = sum(record.status == CRASHED for record in records.values())
        return RecordedRuns(runs, earlier, others, records, crashed)

    def execute(self, state: RecordedRuns, file: RecordFile, *, quiet: bool) -> None:
        """Execute the runs that have no record, and add their records to file and ``state``."""
        waiting = [run for run in state.runs if run.key not in state.records]
        earlier = len(state.runs) - len(waiting)
        table = RunTable(waiting, enabled=not quiet, earlier=earlier)
        execute(state, table, self.limits, file, self.cluster)


def execute(
    state: RecordedRuns,
    table: RunTable,
    limits: LimitFlags,
    file: RecordFile | None,
    cluster: str | None = None,
) -> None:
    """Execute the runs of a table, and add their records to ``state`` and to the file, if any."""

    def keep(number: int, record: Record) -> None:
        # First, as Ctrl-C may come while the record is flushed to disk.
        state.records[record.key] = record
        # A backend that is still unavailable need not be recorded again.
        if file is not None and (not record.unavailable or record.key not in state.earlier):
            file.add(record)

    def lose(number: int) -> None:
        state.lost += 1

    state.interrupted = not table.follow(limits, keep, cluster=cluster, lost=lose)
