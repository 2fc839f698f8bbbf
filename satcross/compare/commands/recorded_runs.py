"""Runs in a growing table, and recorded in a file: a killed command goes on where it stopped."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from satcross.cli.options import LIMITS, option, options, output_option
from satcross.cli.search_flags import cluster_option
from satcross.cli.tables import rich_table
from satcross.compare.cluster import execute_on_cluster
from satcross.compare.commands.contender_options import ContenderFlags, LimitFlags
from satcross.compare.contenders import Instance, Run
from satcross.compare.records import CRASHED, Record, RecordFile, read_records
from satcross.compare.runs import execute_all
from satcross.compare.suite import update_record
from satcross.compare.tables import Column, Table
from satcross.formats.files import check_writable
from satcross.support.cluster import connected

if TYPE_CHECKING:
    from rich.table import Table as RichTable
    from rich.text import Text

_COLOURS = {"filled": "green", "unfillable": "cyan", "crashed": "magenta", "wrong": "bold red"}
_MAX_ROWS = 12
"""Finished runs that the growing table shows."""


@dataclass(frozen=True, slots=True)
class ShownRun:
    """A run in a table: its record, or else its state and the time when it began."""

    puzzle: str
    contender: str
    record: Record | None = None
    state: str = "not run"
    begun: float | None = None

    @property
    def answer(self) -> str:
        """The answer, with the reason why there is none."""
        if self.record is None:
            return self.state
        status, reason = self.record.status, self.record.reason
        has_reason = status in ("unknown", "crashed") and reason != "crash"
        return f"{status}: {reason}" if has_reason else status

    @property
    def wall(self) -> float | None:
        """The seconds that the run has taken, so far."""
        so_far = None if self.begun is None else time.monotonic() - self.begun
        return so_far if self.record is None else self.record.wall

    def figure(self, name: str) -> Any:
        """One of the figures of the record; None without one."""
        return None if self.record is None else getattr(self.record, name)


def run_table(runs: Sequence[ShownRun]) -> Table[ShownRun]:
    """Return runs as a table, as ``compare`` prints it."""
    goal: tuple[Column[ShownRun], ...] = (
        Column("score", lambda run: run.figure("score")),
        Column("bound", lambda run: run.figure("bound"), missing="-"),
        Column("proved", lambda run: "yes" if run.figure("claim") else "no"),
    )
    columns: tuple[Column[ShownRun], ...] = (
        Column("puzzle", lambda run: run.puzzle, is_text=True),
        Column("contender", lambda run: run.contender, is_text=True),
        Column("answer", lambda run: run.answer, is_text=True),
        *(goal if any(run.figure("goal") for run in runs) else ()),
        Column("wall s", lambda run: run.wall, ".2f"),
        Column("CPU s", lambda run: run.figure("cpu"), ".2f"),
        Column("MiB", lambda run: run.figure("memory"), ".0f"),
    )
    return Table(columns, runs)


def coloured(row: Sequence[str]) -> list[str | Text]:
    """A row of cells with the answer in a colour, for a terminal."""
    from rich.text import Text

    start, answer, rest = row[:2], row[2], row[3:]
    return [*start, Text(answer, _COLOURS.get(answer.split(":")[0], "yellow")), *rest]


Key = tuple[object, ...]


@dataclass(slots=True)
class RecordedRuns:
    """The runs of this call, and the records that are known of them.

    ``labels`` name the puzzles in tables, by default as the suite does. ``records`` are the valid
    records by key, ``known`` all that the file had on the same puzzles. ``crashed`` runs did so in
    an earlier call; ``lost`` ones went with workers of a cluster.
    """

    runs: list[Run]
    labels: Mapping[Instance, str] = field(default_factory=dict)
    known: list[Record] = field(default_factory=list)
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
        return self._named(run for run in self.known if self.records.get(run.key) is not run)

    def _named(self, records: Iterable[Record]) -> list[Record]:
        instances = {run.instance.hash: run.instance for run in self.runs}
        return [update_record(instances[record.puzzle], record) for record in records]

    def shown(self, run: Run, record: Record | None = None) -> ShownRun:
        """Return a run as a row of a table."""
        label = self.labels.get(run.instance, run.instance.name)
        return ShownRun(label, run.contender.name, record)

    def execute(
        self, limits: LimitFlags, file: RecordFile | None, cluster: str | None, *, quiet: bool
    ) -> None:
        """Execute the runs that have no record; add their records here and to the file, if any."""
        waiting = [run for run in self.runs if run.key not in self.records]
        recorded = {record.key for record in self.known}
        rows = list(map(self.shown, waiting))

        def begin(number: int) -> None:
            rows[number] = replace(rows[number], state="running", begun=time.monotonic())

        ends = self._ends(waiting, limits, cluster, begin)
        with nullcontext() if quiet else _live(partial(self._draw, rows)), closing(ends):
            try:
                for number, record in ends:
                    # First, as Ctrl-C may come while the record is flushed to disk.
                    self.records[record.key] = record
                    # A backend that is still unavailable need not be recorded again.
                    if file and not (record.unavailable and record.key in recorded):
                        file.add(record)
                    rows[number] = self.shown(waiting[number], record)
            except KeyboardInterrupt:
                self.interrupted = True

    def _ends(
        self,
        runs: Sequence[Run],
        limits: LimitFlags,
        cluster: str | None,
        started: Callable[[int], None],
    ) -> Generator[tuple[int, Record], None, None]:
        """Execute runs here or on a cluster; yield the number and record of each as it ends."""
        if cluster is None:
            cores = limits.cores(max((run.workers for run in runs), default=1))
            yield from execute_all(runs, jobs=limits.jobs, started=started, cores=cores)
            return

        def lost(number: int) -> None:
            self.lost += 1

        with connected(cluster, limits.jobs) as client:
            yield from execute_on_cluster(client, runs, started=started, lost=lost)

    def _draw(self, rows: Sequence[ShownRun]) -> RichTable:
        """Return the growing table: the last rows of runs that have ended, and those begun."""
        ended = [row for row in rows if row.record is not None]
        running = [row for row in rows if row.record is None and row.begun is not None]
        earlier = len(self.runs) - len(rows)
        before = f", {earlier} of them done before" if earlier else ""
        caption = f"{earlier + len(ended)} of {len(self.runs)} runs{before}"
        table = run_table([*ended[-_MAX_ROWS:], *running])
        cells = list(map(coloured, table.cells))
        return rich_table(table.headings, cells, left=table.left, caption=caption)


def _live(draw: Callable[[], RichTable]) -> AbstractContextManager[object]:
    """Return a context in which a table is shown on standard error, where that is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return nullcontext()
    from rich.console import Console
    from rich.live import Live

    console = Console(stderr=True)
    return Live(console=console, get_renderable=draw, refresh_per_second=5, transient=True)


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

    def check(self, inputs: Iterable[str]) -> None:
        """Raise an error for options that exclude each other, and for a file that is an input."""
        if self.cluster not in (None, "local") and self.limits.jobs > 1:
            raise click.UsageError("--jobs is for runs here; the cluster has its own workers.")
        check_writable(self.out, inputs)

    def resume(self, runs: list[Run]) -> RecordedRuns:
        """Keep the records of the file that make a run unnecessary; crashes not with --retry."""
        keys, puzzles = {run.key for run in runs}, {run.instance.hash for run in runs}
        known = [record for record in read_records(self.out) if record.puzzle in puzzles]
        newest = {record.key: record for record in known if record.key in keys}
        valid = {
            key: record
            for key, record in newest.items()
            if not (record.unavailable or (self.retry and record.status == CRASHED))
        }
        crashed = sum(record.status == CRASHED for record in valid.values())
        return RecordedRuns(runs, {}, known, valid, crashed)
