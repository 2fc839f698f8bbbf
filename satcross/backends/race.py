"""A race of backends, each in a process of its own: the first definite answer wins."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from satcross.backends.base import Answer, Task
from satcross.backends.racers import Racers
from satcross.errors import InternalError, UnavailableError
from satcross.network.narrowing import Narrowing
from satcross.outcome import Status

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Entrant = tuple[str, Narrowing | None]
"""The name of a backend, and what it does about narrowing."""

LEAD_SECONDS = 1.5
"""Head start of the first racer, in seconds: most puzzles take no longer, and two racers use twice
the CPU time."""

_POLL_SECONDS = 0.2
_PATIENCE_SECONDS = 0.4
"""Time after the deadline for racers to end by themselves."""


def race(task: Task, entrants: Sequence[Entrant], lead: float = LEAD_SECONDS) -> tuple[Answer, str]:
    """Race backends on a task; return the answer and the name of the backend that found it.

    All but the first start ``lead`` seconds after it, or as soon as it has failed. The name is ""
    when no racer has an answer.
    """
    coming = list(entrants)
    started, losses = time.monotonic(), []
    from multiprocessing.connection import Connection, wait  # it takes long, and few puzzles race

    with Racers(task) as racers:
        racers.start(*coming.pop(0))
        while racers.running or (coming and not task.deadline.passed):
            # If the first racer ends without an answer before that, the others need not wait.
            if coming and (not racers.running or time.monotonic() - started >= lead):
                for item in coming:
                    racers.start(*item)
                coming.clear()
            task.on_progress("racing " + racers.names)
            for connection in wait(list(racers.running), timeout=_POLL_SECONDS):
                assert isinstance(connection, Connection)
                name = racers.running[connection][0]
                received = _receive(racers, connection, task)
                if isinstance(received, str):
                    losses.append(received)
                elif received is not None and received.status is not Status.UNKNOWN:
                    return received, name
            # The racers stop by themselves at the deadline, unless a solver can't be interrupted.
            if task.deadline.stopped or task.deadline.overdue > _PATIENCE_SECONDS:
                break
    reasons = losses if task.deadline.never else [task.deadline.reason, *losses]
    return Answer(Status.UNKNOWN, None, "; ".join(reasons) or "no racer has found an answer"), ""


def _receive(racers: Racers, connection: Connection, task: Task) -> Answer | str | None:
    """Return a racer's answer, why it has none, or None for a partial fill, which is passed on.

    Raises InternalError when the racer's backend has failed.
    """
    name, process = racers.running[connection]
    try:
        received = connection.recv()
    except EOFError:
        del racers.running[connection]
        process.join()
        return f"{name} died with exit code {process.exitcode}"
    if isinstance(received, dict):
        task.on_partial(received)
        return None
    del racers.running[connection]
    if isinstance(received, UnavailableError):
        return str(received)
    if isinstance(received, str):
        raise InternalError(f"backend {name} failed", received)
    assert isinstance(received, Answer)
    return received
