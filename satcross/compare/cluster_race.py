"""Race searches for one fill on the workers of a Dask cluster: the first verified answer wins."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from itertools import cycle, islice
from typing import TYPE_CHECKING

from satcross.backends.auto import entrants
from satcross.backends.base import Answer
from satcross.compare.backend_contenders import BackendContender
from satcross.compare.cluster import execute_with
from satcross.compare.contenders import Contender
from satcross.compare.limits import RunLimits
from satcross.compare.records import FILLED, WRONG, Record
from satcross.compare.runs import Instance, Run
from satcross.errors import InternalError
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, Deadline, RunSettings
from satcross.solving.solve import as_outcome, verified
from satcross.support.cluster import connected

if TYPE_CHECKING:
    from distributed import Client

_GRACE_SECONDS = 10.0
"""Seconds after the time limit until the race is given up."""


def race_on_cluster(
    puzzle: Puzzle, backends: Sequence[str], cluster: str, settings: RunSettings
) -> Outcome:
    """Fill the puzzle, or prove that it can't be filled, by a race of searches on a cluster.

    ``cluster`` is the address of a Dask scheduler, or "local" for ``settings.workers`` processes
    here. Each thread of the cluster's workers runs one backend with a seed of its own; ``auto``
    stands for the backends that it races. The time limit begins when the cluster is connected. A
    run whose worker dies is repeated by another worker. Raises UnavailableError if the library, the
    scheduler or its workers are missing, and InternalError for a wrong fill.
    """
    with connected(cluster, settings.processors) as client:
        number = max(1, sum(client.nthreads().values()), len(backends))
        racing = racers(backends, number, settings)
        settings.on_progress(f"racing {number} searches on the Dask cluster {cluster}")
        return race_with(client, puzzle, racing, settings)


def racers(
    backends: Sequence[str], number: int, settings: RunSettings
) -> list[tuple[BackendContender, int]]:
    """Return contenders with seeds: the backends in turn, ``auto`` replaced by its racers."""
    auto = iter(entrants(number))
    chosen = []
    for place, name in enumerate(islice(cycle(dict.fromkeys(backends)), number)):
        backend, narrowing = next(auto) if name == "auto" else (name, None)
        options = settings.options if backend == "sat" else {}
        contender = BackendContender(
            backend, options.get("solver"), options.get("encoding"), narrowing
        )
        chosen.append((contender, (settings.seed + place) % 2**31))
    return chosen


def race_with(
    client: Client,
    puzzle: Puzzle,
    racing: Sequence[tuple[Contender, int]],
    settings: RunSettings,
) -> Outcome:
    """Race contenders on the cluster of a connected client, as ``race_on_cluster`` does."""
    deadline = Deadline.after(settings.time_limit, settings.should_stop)
    # Runs should have ended by then.
    late = None if settings.time_limit is None else settings.time_limit + _GRACE_SECONDS
    instance, limits = Instance(puzzle, "", ""), RunLimits(wall=settings.time_limit)
    runs = [Run(instance, contender, limits, seed) for contender, seed in racing]
    losses: list[str] = []

    def lost(number: int) -> None:
        losses.append(f"{runs[number].contender.name}: its workers died")

    ends = execute_with(
        client, runs, lost=lost, deadline=Deadline.after(late, settings.should_stop)
    )
    with warnings.catch_warnings(), closing(ends):
        warnings.simplefilter("ignore")  # a large puzzle
        try:
            for _, record in ends:
                if record.status == WRONG:
                    raise InternalError(f"{record.contender} returned a wrong fill", record.detail)
                if record.answered:
                    return _outcome(puzzle, record, len(racing))
                losses.append(f"{record.contender}: {record.detail or record.reason}")
        except KeyboardInterrupt:
            return Outcome(Status.UNKNOWN, "cluster", reason=INTERRUPTED, seed=settings.seed)
    reason = deadline.reason if deadline.passed else "; ".join(losses)
    return Outcome(Status.UNKNOWN, "cluster", reason=reason, seed=settings.seed)


def _outcome(puzzle: Puzzle, record: Record, racing: int) -> Outcome:
    """Return the winner's record as an outcome; its fill is verified again on this machine."""
    seconds = {"encode": record.seconds.get("encode", 0.0), "solve": record.wall}
    stats = {"winner": record.contender, "seed": record.seed, "racing": racing, **record.stats}
    if record.status != FILLED:
        answer = Answer(Status.UNFILLABLE, None, record.detail or "proved by the winner")
        outcome = as_outcome(puzzle, "cluster", answer, record.seed)
    else:
        assert record.fill is not None
        words = tuple(
            "".join(record.fill[row][column] for row, column in slot.cells)
            for slot in puzzle.grid.slots
        )
        outcome = verified(puzzle, words, record.contender, record.seed)
    return replace(outcome, backend="cluster", stats=stats, seconds=seconds)
