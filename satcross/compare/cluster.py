"""Run benchmarks on the workers of a Dask cluster, with the same records as local runs.

The extra ``satcross[cluster]`` installs Dask's ``distributed``. Workers should have one thread
(``dask worker --nthreads 1``), so that each does one run at a time. Runs contain their puzzles:
worker machines need satcross, but not the structure and word files.
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
_RUNS_PER_WORKER = 2
"""Runs submitted per worker: one in progress, and one so that the worker never idles."""

CONNECT_TIMEOUT = "10s"
MAX_WORKER_WAIT = 30
"""Seconds to wait for the first worker of a scheduler."""


def execute_on_cluster(
    cluster: str,
    runs: Sequence[Run],
    *,
    jobs: int = 1,
    started: Callable[[int], None] = lambda number: None,
    lost: Callable[[int], None] = lambda number: None,
) -> Generator[tuple[int, Record], None, None]:
    """Execute runs on a Dask cluster; yield the number and record of each run as it ends.

    ``cluster`` is the address of the scheduler, or "local" to start a cluster of ``jobs`` worker
    processes on this machine. ``started`` is called with the number of a run when it is submitted.

    If a worker dies, another worker repeats the run. A run that has lost more workers than Dask's
    ``distributed.scheduler.allowed-failures`` yields no record, and ``lost`` is called with its
    number. Raises UnavailableError if the library, the scheduler or a worker is missing, and if
    the scheduler ends before the runs do.
    """
    with connected(cluster, jobs) as client:
        yield from execute_with(client, runs, started=started, lost=lost)


@contextlib.contextmanager
def connected(cluster: str, jobs: int) -> Iterator[Client]:
    """Connect to a Dask cluster that has a worker.

    ``cluster`` is the address of the scheduler, or "local" to start a cluster of ``jobs`` worker
    processes on this machine, which ends with the context. Raises UnavailableError if the library,
    the scheduler or a worker is missing.
    """
    try:
        import distributed
    except ImportError:
        raise UnavailableError(
            "--cluster needs Dask; install it with pip install 'satcross[cluster]'"
        ) from None
    if cluster == LOCAL:
        with interrupts_withheld():
            # Without an address, Dask opens port 8787, and warns if another cluster uses it.
            local = distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.ERROR,
            )
        with local as local_cluster, distributed.Client(local_cluster) as client:
            yield client
        return
    # A lost connection is reported below, in one line.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(cluster, timeout=CONNECT_TIMEOUT)
    except (OSError, ValueError) as error:
        raise UnavailableError(f"no Dask scheduler at {cluster} ({error})") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=MAX_WORKER_WAIT)
        except TimeoutError:
            raise UnavailableError(
                f"the Dask scheduler at {cluster} has no worker; "
                f"start one: dask worker --nthreads 1 {cluster}"
            ) from None
        yield client


@contextlib.contextmanager
def interrupts_withheld() -> Iterator[None]:
    """Delay Ctrl-C until the end of the context, and block it in processes started within.

    Threads and processes inherit blocked signals. This process handles Ctrl-C and ends the workers;
    a worker that received it would print a traceback.
    """
    # Started later, by the thread that starts the workers, the tracker would unblock Ctrl-C.
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
    """Execute runs on the cluster of a connected client, as ``execute_on_cluster`` does.

    Few runs are submitted at a time, because each contains a puzzle. When the iterator is closed,
    submitted runs that have not begun are withdrawn; runs in progress continue to their limits.
    Raises UnavailableError when the connection with the scheduler is lost.
    """
    from distributed import KilledWorker, as_completed

    waiting = iter(range(len(runs)))
    numbers: dict[str, int] = {}
    submitted: dict[str, Future] = {}
    ends = as_completed()

    def submit_next() -> bool:
        number = next(waiting, None)
        if number is None:
            return False
        future = client.submit(execute, runs[number], pure=False)
        numbers[future.key], submitted[future.key] = number, future
        ends.add(future)
        started(number)
        return True

    try:
        for _ in range(_RUNS_PER_WORKER * max(1, len(client.nthreads()))):
            if not submit_next():
                break
        for future in ends:
            number = numbers.pop(future.key)
            del submitted[future.key]
            try:
                record = future.result()
            except KilledWorker:
                lost(number)
            except CancelledError:
                raise UnavailableError(
                    "the connection with the Dask scheduler is lost; start the scheduler and "
                    "repeat the command, which continues with the remaining runs"
                ) from None
            else:
                yield number, record
            submit_next()
    finally:
        if client.status == "running":
            client.cancel(list(submitted.values()))
