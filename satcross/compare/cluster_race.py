"""Race searches for one fill on the workers of a Dask cluster: the first verified answer wins."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Sequence
from concurrent.futures import CancelledError
from dataclasses import replace
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

from satcross.backends.auto import entrants
from satcross.backends.base import Answer
from satcross.compare.backend_contenders import BackendContender
from satcross.compare.cluster import connected
from satcross.compare.contenders import Contender
from satcross.compare.limits import RunLimits, StopSignal
from satcross.compare.records import FILLED, WRONG, Record
from satcross.compare.runs import Instance, Run, execute
from satcross.errors import InternalError, UnavailableError
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, TIME_LIMIT, Deadline, RunSettings
from satcross.solving.solve import as_outcome, verified

if TYPE_CHECKING:
    from distributed import Client

_POLL_SECONDS = 0.5
"""Seconds between two checks of a worker whether its run is still needed."""

_GRACE_SECONDS = 10.0
"""Seconds after the time limit, when runs should have ended, until the race is given up."""


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


_STOP_SECONDS = 0.05
"""Seconds between two looks at ``should_stop``."""


def race_with(
    client: Client,
    puzzle: Puzzle,
    racing: Sequence[tuple[Contender, int]],
    settings: RunSettings,
) -> Outcome:
    """Race contenders on the cluster of a connected client, as ``race_on_cluster`` does."""
    from distributed import KilledWorker, as_completed

    deadline = Deadline.after(settings.time_limit, settings.should_stop)
    limits = RunLimits(wall=settings.time_limit)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a large puzzle
        # A task, because scattered data is lost with its worker.
        instance = client.submit(Instance, puzzle, "", "", pure=False)
        futures = {
            client.submit(
                _run_while_wanted, instance, contender, limits, seed, pure=False
            ): contender
            for contender, seed in racing
        }
    losses: list[str] = []
    wait = None if deadline.at is None else deadline.left + _GRACE_SECONDS
    over = threading.Event()
    watching = (client, [*futures], deadline, over)
    threading.Thread(target=_cancel_when_stopped, args=watching, daemon=True).start()
    try:
        for future in as_completed(futures, timeout=wait):
            try:
                record = future.result()
            except KilledWorker:
                losses.append(f"{futures[future].name}: its workers died")
                continue
            except CancelledError:
                if deadline.stopped:
                    break
                raise UnavailableError(
                    "the connection with the Dask scheduler is lost; start it and try again"
                ) from None
            if record.status == WRONG:
                raise InternalError(f"{record.contender} returned a wrong fill", record.detail)
            if record.answered:
                return _outcome(puzzle, record, len(racing))
            losses.append(f"{record.contender}: {record.detail or record.reason}")
    except KeyboardInterrupt:
        return Outcome(Status.UNKNOWN, "cluster", reason=INTERRUPTED, seed=settings.seed)
    except TimeoutError:
        losses.append(TIME_LIMIT)
    finally:
        over.set()
        if client.status == "running":
            client.cancel([*futures, instance])
    reason = deadline.reason if deadline.passed else "; ".join(losses)
    return Outcome(Status.UNKNOWN, "cluster", reason=reason, seed=settings.seed)


def _cancel_when_stopped(
    client: Client, futures: Sequence[Any], deadline: Deadline, over: threading.Event
) -> None:
    """Cancel the runs of a race as soon as the caller wants it stopped."""
    while deadline.should_stop is not None and not over.wait(_STOP_SECONDS):
        if deadline.stopped:
            client.cancel(futures)
            return


def _run_while_wanted(
    instance: Instance, contender: Contender, limits: RunLimits, seed: int
) -> Record:
    """Execute a run on a worker; end it when the race is over or the client has ended."""
    from distributed import get_worker

    run = Run(instance, contender, limits, seed)
    worker, stop, ended = get_worker(), StopSignal(), threading.Event()
    key = worker.get_current_task()

    def watch() -> None:
        # Dask removes a task that is no longer needed, or marks it as cancelled, but lets it run.
        while not ended.wait(_POLL_SECONDS):
            task = worker.state.tasks.get(key)
            if task is None or task.state == "cancelled":
                stop.stop()
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        return execute(run, stop)
    finally:
        ended.set()
        watcher.join()


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
