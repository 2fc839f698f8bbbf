"""Workers that make puzzles: processes on this machine, or those of a Dask cluster."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any

from satcross.make.series.making import Job, Made, make
from satcross.support.cluster import connected
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    from distributed import Client, Future

_LOOK_SECONDS = 1.0
"""Seconds between two looks at how many workers a cluster has."""
_LOST = Made(None, {}, "its worker has ended")


class Processes:
    """A process for each job, which ends with this one, even when this one is killed."""

    def __init__(self, number: int, vocabulary: Vocabulary) -> None:
        self._number, self._vocabulary = number, vocabulary
        # A forked process has the modules and the list at once; other systems have no fork that
        # is safe.
        self._context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
        self._running: dict[Connection, tuple[Job, BaseProcess]] = {}

    def room(self) -> int:
        """Return how many more jobs can be begun."""
        return self._number - len(self._running)

    def begin(self, job: Job) -> None:
        receiver, sender = self._context.Pipe(duplex=False)
        process = self._context.Process(  # type: ignore[attr-defined]
            target=_work, args=(job, self._vocabulary, sender), daemon=True
        )
        process.start()
        sender.close()
        self._running[receiver] = job, process

    def ended(self) -> Iterator[tuple[Job, Made]]:
        """Wait a while, and yield the jobs that have ended."""
        for receiver in wait(list(self._running), _LOOK_SECONDS):
            assert isinstance(receiver, Connection)
            job, process = self._running.pop(receiver)
            with receiver:
                try:
                    made = receiver.recv()
                except EOFError:
                    made = _LOST
            process.join()
            yield job, made

    def stop(self) -> None:
        for receiver, (_, process) in self._running.items():
            process.kill()
            process.join()
            receiver.close()
        self._running.clear()


def _work(job: Job, vocabulary: Vocabulary, sender: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C and ends this process
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sender.send(make(job, vocabulary))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Cluster:
    """The workers of a Dask cluster, as ``Processes``; the vocabulary travels once to each."""

    def __init__(self, client: Client, vocabulary: Vocabulary) -> None:
        self._client = client
        self._running: dict[Future, Job] = {}
        # A task, because scattered data is lost with its worker.
        self._vocabulary: Any = client.submit(_itself, vocabulary, pure=False)

    def room(self) -> int:
        threads: int = sum(self._client.nthreads().values())
        return max(1, threads) - len(self._running)

    def begin(self, job: Job) -> None:
        self._running[self._client.submit(make, job, self._vocabulary, pure=False)] = job

    def ended(self) -> Iterator[tuple[Job, Made]]:
        from distributed import KilledWorker, wait

        try:
            done = wait(list(self._running), _LOOK_SECONDS, return_when="FIRST_COMPLETED").done
        except TimeoutError:
            return
        for future in done:
            job = self._running.pop(future)
            try:
                made = future.result()
            except KilledWorker:
                made = _LOST
            yield job, made

    def stop(self) -> None:
        """Withdraw what has not begun."""
        if self._client.status == "running":
            self._client.cancel([*self._running, self._vocabulary])


def _itself(vocabulary: Vocabulary) -> Vocabulary:
    return vocabulary


Workers = Processes | Cluster
"""What makes puzzles at the same time."""


@contextmanager
def workers(number: int, cluster: str | None, vocabulary: Vocabulary) -> Iterator[Workers]:
    """Offer so many processes here, or the workers of the cluster with this address."""
    with ExitStack() as stack:
        pool: Workers = (
            Processes(number, vocabulary)
            if cluster is None
            else Cluster(stack.enter_context(connected(cluster, number)), vocabulary)
        )
        stack.callback(pool.stop)
        yield pool
