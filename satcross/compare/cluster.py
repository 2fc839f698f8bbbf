"""Runs on the workers of a Dask cluster instead of here; the records are the same.

The extra ``satcross[cluster]`` brings Dask's ``distributed``. A worker does one run at a time if it
was started with one thread (``dask worker --nthreads 1``). The puzzles travel with the runs, so the
machines need satcross but none of the files.
"""

from __future__ import annotations

import contextlib
import logging
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

from satcross.compare.records import Record
from satcross.compare.runs import Run, execute
from satcross.errors import UnavailableError

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL = "local"
_AHEAD = 2
"""Runs a worker has in hand: one in progress and one to begin at once after it."""

_CONNECT_SECONDS = "20s"
_WORKER_SECONDS = 30
"""Seconds that a scheduler's first worker may take to turn up."""


def execute_on_cluster(
    cluster: str,
    runs: Sequence[Run],
    *,
    jobs: int = 1,
    started: Callable[[int], None] = lambda number: None,
    lost: Callable[[int], None] = lambda number: None,
) -> Generator[tuple[int, Record], None, None]:
    """As ``execute_all``, on a cluster.

    ``cluster`` is its scheduler's address, or "local": a cluster of ``jobs`` worker processes is
    started here for these runs.

    A run whose worker is lost is done again by another. One that has met this too often (Dask's
    ``distributed.scheduler.allowed-failures``) yields no record; ``lost`` is called for it. Raises
    UnavailableError without the library or the scheduler, when that has no worker, and when it
    ends before the runs do.
    """
    try:
        import distributed
    except ImportError:
        raise UnavailableError(
            "--cluster needs Dask; install it with pip install 'satcross[cluster]'"
        ) from None
    if cluster == LOCAL:
        with _interrupts_withheld():
            # No dashboard: it would listen on a port that nobody asked for.
            local = distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                silence_logs=logging.ERROR,
            )
        with local as own, distributed.Client(own) as client:
            yield from execute_with(client, runs, started=started, lost=lost)
        return
    # That the connection is lost we say ourselves, in a line.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(cluster, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise UnavailableError(f"no Dask scheduler at {cluster} ({error})") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=_WORKER_SECONDS)
        except TimeoutError:
            raise UnavailableError(
                f"the Dask scheduler at {cluster} has no worker; "
                f"start one: dask worker --nthreads 1 {cluster}"
            ) from None
        yield from execute_with(client, runs, started=started, lost=lost)


@contextlib.contextmanager
def _interrupts_withheld() -> Iterator[None]:
    """Ctrl-C comes when this ends; and never to the processes that are started in it.

    Threads and processes inherit the signals that are blocked. Ctrl-C is for us, who then end the
    workers; by themselves they would each print a traceback.
    """
    # Started later, by the thread that starts the workers, it would let Ctrl-C through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def execute_with(
    client: Client,
    runs: Sequence[Run],
    *,
    started: Callable[[int], None] = lambda number: None,
    lost: Callable[[int], None] = lambda number: None,
) -> Generator[tuple[int, Record], None, None]:
    """The same with a client that is connected.

    Only a few runs are handed over at a time, since each carries its puzzle. When the iterator is
    closed, those that have not begun are withdrawn; those in progress on somebody else's cluster
    go on to their limits. Raises UnavailableError when the scheduler is gone.
    """
    from distributed import KilledWorker, as_completed

    waiting = iter(range(len(runs)))
    numbers: dict[str, int] = {}
    handed: dict[str, Future] = {}
    ends = as_completed()

    def hand_over() -> bool:
        number = next(waiting, None)
        if number is None:
            return False
        future = client.submit(execute, runs[number], pure=False)
        numbers[future.key], handed[future.key] = number, future
        ends.add(future)
        started(number)
        return True

    try:
        for _ in range(_AHEAD * max(1, len(client.nthreads()))):
            if not hand_over():
                break
        for future in ends:
            number = numbers.pop(future.key)
            del handed[future.key]
            try:
                record = future.result()
            except KilledWorker:
                lost(number)
            except CancelledError:
                raise UnavailableError(
                    "the connection with the Dask scheduler is lost; start it again, and the same "
                    "call goes on"
                ) from None
            else:
                yield number, record
            hand_over()
    finally:
        if client.status == "running":
            client.cancel(list(handed.values()))
