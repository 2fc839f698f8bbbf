"""Connect to a Dask cluster, or start one on this machine.

The extra ``satcross[cluster]`` installs Dask's ``distributed``.
"""

from __future__ import annotations

import contextlib
import logging
import signal
from collections.abc import Iterator
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

from satcross.errors import UnavailableError

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"

CONNECT_TIMEOUT = "10s"
MAX_WORKER_WAIT = 30
"""Seconds to wait for the first worker of a scheduler."""


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
        try:
            with interrupts_withheld():
                # Without an address, Dask opens port 8787, and warns if another cluster uses it.
                local = distributed.LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.ERROR,
                )
        except (OSError, RuntimeError) as error:
            raise UnavailableError(f"no Dask worker can be started here ({error})") from None
        with local as local_cluster, distributed.Client(local_cluster) as client:
            yield client
        return
    # A lost connection is reported below, in one line.
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    client = object.__new__(distributed.Client)
    try:
        distributed.Client.__init__(client, cluster, timeout=CONNECT_TIMEOUT)
    except (OSError, ValueError, TypeError) as error:  # TypeError: TLS without its settings
        # Collected as garbage while Dask starts another client, this one would wait for a lock that
        # its own thread holds.
        client.close()
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
