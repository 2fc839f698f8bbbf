"""Runs recorded in a file: a command that was killed continues where it stopped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from satcross.cli.options import OUTPUT, option
from satcross.cli.search_flags import cluster_option
from satcross.compare.commands.contender_options import LimitFlags
from satcross.compare.commands.run_table import RunTable

if TYPE_CHECKING:
    from satcross.compare.records import Record, RecordFile
    from satcross.compare.runs import Instance, Run

    Key = tuple[object, ...]


def runs_cluster_option() -> Any:
    """``--cluster``: where the runs are executed."""
    return cluster_option(
        "Run on a Dask cluster: tcp://HOST:PORT of its scheduler, or local to start one here with "
        "--jobs workers."
    )


def runs_file_option() -> Any:
    """``--out``: the file that the runs are recorded in."""
    return option(
        "--out FILE.jsonl",
        "Add a line of JSON for each run to this file; runs that it has are not repeated.",
        heading=OUTPUT,
        required=True,
    )


@dataclass(slots=True)
class ResumedRuns:
    """The runs of this call, and the records that are known of them.

    ``records`` are the valid records by key: those of earlier calls, then those of this one.
    ``earlier`` are all that the file had of these runs, ``others`` those of other runs on the same
    puzzles. ``lost`` are the runs lost with workers of a cluster.
    """

    runs: list[Run]
    instances: list[Instance]
    earlier: dict[Key, Record]
    others: list[Record]
    records: dict[Key, Record]
    crashed: int
    lost: list[int] = field(default_factory=list)
    interrupted: bool = False

    @property
    def done(self) -> list[Record]:
        """The records of the runs that are done, with the suite's names and answers."""
        from satcross.compare.suite import update_record

        return [
            update_record(run.instance, self.records[run.key])
            for run in self.runs
            if run.key in self.records
        ]

    @property
    def on_file(self) -> list[Record]:
        """All other records on these puzzles.

        An answer of an earlier call, by another contender or under other limits, may contradict
        one of this call.
        """
        from satcross.compare.suite import update_record

        instances = {instance.hash: instance for instance in self.instances}
        replaced = [run for key, run in self.earlier.items() if self.records.get(key) is not run]
        return [update_record(instances[run.puzzle], run) for run in (*self.others, *replaced)]


def resume(path: str, runs: list[Run], instances: list[Instance], *, retry: bool) -> ResumedRuns:
    """Read what the file has; keep the records that make a run unnecessary.

    With ``retry``, runs that have crashed are necessary again.
    """
    from satcross.compare.records import CRASHED, read_records_of

    keys, puzzles = {run.key for run in runs}, {run.instance.hash for run in runs}
    earlier, others = read_records_of(path, keys, puzzles)
    records = {
        key: record
        for key, record in earlier.items()
        if not (record.unavailable or (retry and record.status == CRASHED))
    }
    crashed = sum(record.status == CRASHED for record in records.values())
    return ResumedRuns(runs, instances, earlier, others, records, crashed)


def execute_missing(
    state: ResumedRuns,
    file: RecordFile,
    limits: LimitFlags,
    cluster: str | None,
    *,
    quiet: bool,
) -> None:
    """Execute the runs that have no record, and add their records to the file and to ``state``.

    They run here or on the Dask cluster with this address.
    """
    waiting = [run for run in state.runs if run.key not in state.records]
    earlier = len(state.runs) - len(waiting)
    labels = {instance: instance.name for instance in state.instances}

    def keep(number: int, record: Record) -> None:
        # First, as Ctrl-C may come while the record is flushed to disk.
        state.records[record.key] = record
        # A backend that is still unavailable need not be recorded again.
        if not record.unavailable or record.key not in state.earlier:
            file.add(record)

    table = RunTable(waiting, labels, enabled=not quiet, earlier=earlier)
    lost = state.lost.append
    state.interrupted = not follow_runs(table, waiting, limits, keep, cluster=cluster, lost=lost)


def follow_runs(
    table: RunTable,
    runs: Sequence[Run],
    limits: LimitFlags,
    keep: Callable[[int, Record], None],
    *,
    cluster: str | None = None,
    lost: Callable[[int], None] = lambda number: None,
) -> bool:
    """Execute runs here or on the Dask cluster with this address; return False after Ctrl-C.

    Raises UsageError if they are to be bound to processors of a cluster.
    """
    if cluster is None:
        from satcross.compare.runs import execute_all

        cores = limits.cores(max((run.workers for run in runs), default=1))
        execute = partial(execute_all, cores=cores)
    elif limits.pin:
        raise click.UsageError("--pin is for runs here, not on a cluster.")
    else:
        from satcross.compare.cluster import execute_on_cluster

        execute = partial(execute_on_cluster, cluster, lost=lost)
    return table.follow(lambda started: execute(runs, jobs=limits.jobs, started=started), keep)
