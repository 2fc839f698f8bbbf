"""Run benchmarks on the workers of a Dask cluster, with the same records as local runs.

The extra ``satcross[cluster]`` installs Dask's ``distributed``. Workers should have one thread
(``dask worker --nthreads 1``), so that each does one run at a time. Puzzles are sent along: worker
machines need satcross, but not the structure and word files.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from dataclasses import replace
from itertools import cycle, islice
from typing import TYPE_CHECKING, cast

from satcross.backends.auto import entrants
from satcross.backends.base import Answer
from satcross.compare.backend_contenders import BackendContender
from satcross.compare.contenders import Contender, Instance, Run
from satcross.compare.limits import RunLimits, StopSignal
from satcross.compare.records import FILLED, WRONG, Record
from satcross.compare.runs import execute
from satcross.errors import InternalError, UnavailableError
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, NEVER, Deadline, RunSettings
from satcross.solving.solve import as_outcome, verified
from satcross.support.cluster import connected

if TYPE_CHECKING:
    from distributed import Client, Future

RUNS_PER_THREAD = 2
"""Runs submitted per thread: one in progress, and one so that the worker never idles."""
_LOOK_SECONDS = 1.0
"""Seconds between two looks at how many workers there are."""

_POLL_SECONDS = 0.5
"""Seconds between two checks of a worker whether its run is still wanted."""


def execute_on_cluster(
    client: Client,
    runs: Sequence[Run],
    *,
    started: Callable[[int], None] = lambda number: None,
    lost: Callable[[int], None] = lambda number: None,
    deadline: Deadline = NEVER,
) -> Generator[tuple[int, Record], None, None]:
    """Execute runs on the cluster of a client; yield the number and record of each as it ends.

    ``started`` is called with the number of a run when it is submitted, ``lost`` with that of a run
    which has lost more workers than Dask's ``distributed.scheduler.allowed-failures``; other
    workers repeat the runs of one that dies. A few runs are submitted for each thread there is now,
    so that workers which join late get work. Each puzzle is sent once. When the iterator is closed
    or the deadline passes, all runs are ended and yield no record. Raises UnavailableError if the
    scheduler ends before the runs do.
    """
    from distributed import KilledWorker, wait
    from distributed.comm import CommClosedError

    waiting = iter(range(len(runs)))
    submitted: dict[Future, int] = {}
    puzzles: dict[str, Future] = {}

    def submit(number: int) -> None:
        run = runs[number]
        key = run.instance.hash
        if key not in puzzles:
            name = f"puzzle-{key}-{id(puzzles):x}"
            # A task, because scattered data is lost with its worker.
            puzzles[key] = client.submit(_itself, run.instance, key=name)
        bare = replace(run, instance=cast("Instance", None))
        submitted[client.submit(_execute, puzzles[key], bare, pure=False)] = number
        started(number)

    try:
        while True:
            room = RUNS_PER_THREAD * max(1, sum(client.nthreads().values())) - len(submitted)
            for number in islice(waiting, max(0, room)):
                submit(number)
            if not submitted or deadline.passed:
                return
            with suppress(TimeoutError):
                wait([*submitted], _LOOK_SECONDS, return_when="FIRST_COMPLETED")
            ended = [future for future in submitted if future.done()]
            for future in sorted(ended, key=submitted.__getitem__):
                number = submitted.pop(future)
                try:
                    yield number, future.result()
                except KilledWorker:
                    lost(number)
    except (CancelledError, CommClosedError):
        raise UnavailableError(
            "the connection with the Dask scheduler is lost; start the scheduler and "
            "repeat the command, which continues with the remaining runs"
        ) from None
    finally:
        if client.status == "running":
            client.cancel([*submitted, *puzzles.values()])


def _itself(instance: Instance) -> Instance:
    return instance


def _execute(instance: Instance, run: Run) -> Record:
    """Execute a run on a worker; end it when nobody wants it any more, or the client has ended."""
    from distributed import get_worker

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
        return execute(replace(run, instance=instance), stop)
    finally:
        ended.set()
        watcher.join()


# Races of searches for one fill: the first verified answer wins

_GRACE_SECONDS = 10.0
"""Seconds after the time limit until the race is given up."""


def race_on_cluster(
    puzzle: Puzzle, backends: Sequence[str], cluster: str, settings: RunSettings
) -> Outcome:
    """Fill the puzzle, or prove that it can't be filled, by a race of searches on a cluster.

    ``cluster`` is the address of a scheduler, or "local" for ``settings.workers`` processes here.
    Each thread of the cluster's workers runs one backend, with a seed that no other thread has;
    ``auto`` means the backends that it races. The time limit begins when the cluster is connected.
    Raises InternalError for a wrong fill.
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
        solver, encoding = (options.get(name) for name in ("solver", "encoding"))
        contender = BackendContender(backend, solver, encoding, narrowing)
        chosen.append((contender, (settings.seed + place) % 2**31))
    return chosen


def race_with(
    client: Client, puzzle: Puzzle, racing: Sequence[tuple[Contender, int]], settings: RunSettings
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

    end = Deadline.after(late, settings.should_stop)
    ends = execute_on_cluster(client, runs, lost=lost, deadline=end)
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
        rows = record.fill
        words = tuple("".join(rows[r][c] for r, c in slot.cells) for slot in puzzle.grid.slots)
        outcome = verified(puzzle, words, record.contender, record.seed)
    return replace(outcome, backend="cluster", stats=stats, seconds=seconds)
