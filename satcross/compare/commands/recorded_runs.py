"""Runs recorded in a file: a command that was killed continues where it stopped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import click

from satcross.cli.options import LIMITS, OUTPUT, option, options
from satcross.cli.search_flags import cluster_option
from satcross.compare.commands.contender_options import ContenderFlags, LimitFlags, Plan
from satcross.compare.commands.run_table import RunTable
from satcross.compare.records import CRASHED, Record, RecordFile, read_records_of
from satcross.compare.runs import Run
from satcross.compare.suite import update_record
from satcross.formats.files import check_writable

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
    out: str = option(
        "--out FILE.jsonl",
        "Add a line of JSON for each run to this file; runs that it has are not repeated.",
        heading=OUTPUT,
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
        records = {
            key: record
            for key, record in earlier.items()
            if not (record.unavailable or (self.retry and record.status == CRASHED))
        }
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
