"""A race of backends, each in a thread of this process: the first definite answer wins.

Compiled searches and CP-SAT do without Python's lock while they work, so that threads run at the
same time, on the same tables, and end within milliseconds of the winner's answer. A search in
Python would only slow the others down, and so would PySAT's solvers, which keep the lock: where
there is no compiled code, and in the backend ``sat``, nothing races.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from queue import Empty, SimpleQueue
from threading import Event, Thread

from satcross.backends.base import Answer, Task
from satcross.backends.registry import get_backend
from satcross.errors import InternalError, UnavailableError
from satcross.grid import Cell
from satcross.network.narrowing import Narrowing
from satcross.outcome import Status
from satcross.run_settings import Deadline, ignore_partial, ignore_progress

Entrant = tuple[str, Narrowing | None]
"""The name of a backend, and what it does about narrowing."""

LEAD_SECONDS = 1.5
"""Head start of the first racer, in seconds: most puzzles take no longer, and two racers use twice
the CPU time."""

_POLL_SECONDS = 0.2

_Message = Answer | UnavailableError | str | Mapping[Cell, str]
"""An answer, the reason why the backend can't be used, the traceback of an internal error, or the
letters of a partial fill."""


def race(task: Task, entrants: Sequence[Entrant], lead: float = LEAD_SECONDS) -> tuple[Answer, str]:
    """Race backends on a task; return the answer and the name of the backend that found it.

    All but the first start ``lead`` seconds after it, or as soon as it has failed. The name is ""
    when no racer has an answer.
    """
    with _Racers(task) as racers:
        coming, losses, started = list(entrants), list[str](), time.monotonic()
        racers.start(*coming.pop(0))
        while racers.running or (coming and not task.deadline.passed):
            # If the first racer ends without an answer before that, the others need not wait.
            if coming and (not racers.running or time.monotonic() - started >= lead):
                for item in coming:
                    racers.start(*item)
                coming.clear()
            task.on_progress("racing " + ", ".join(racers.running.values()))
            received = racers.next_end()
            if isinstance(received, UnavailableError):
                losses.append(str(received))
            elif received is not None and received[0].status is not Status.UNKNOWN:
                return received
    reasons = losses if task.deadline.never else [task.deadline.reason, *losses]
    return Answer(Status.UNKNOWN, None, "; ".join(reasons) or "no racer has found an answer"), ""


class _Racers:
    """The threads of a race, all of which have ended when the ``with`` block is left."""

    def __init__(self, task: Task) -> None:
        self._task, self._numbers = task, count()
        self._ended = Event()
        self._messages: SimpleQueue[tuple[int, _Message]] = SimpleQueue()
        self._threads: list[Thread] = []
        self.running: dict[int, str] = {}
        """The backends of the racers that have not ended, by number."""

    def start(self, name: str, narrowing: Narrowing | None) -> None:
        """Start a backend on the task, with a seed of its own."""
        task, number = self._task, next(self._numbers)
        # Only one racer reports: partial fills of two searches in turn would be unreadable.
        shown = number == 0 and task.on_partial is not ignore_partial
        own = replace(
            task,
            seed=(task.seed + number + 1) % 2**31,
            deadline=Deadline(task.deadline.at, self._is_over),
            workers=1,
            options={"narrowing": narrowing, **task.options} if narrowing else task.options,
            on_progress=ignore_progress,
            on_partial=(lambda letters: self._messages.put((number, letters)))
            if shown
            else ignore_partial,
        )
        self.running[number] = name
        thread = Thread(target=self._run, args=(number, name, own), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _is_over(self) -> bool:
        return self._ended.is_set() or self._task.deadline.stopped

    def _run(self, number: int, name: str, task: Task) -> None:
        result: _Message
        try:
            result = get_backend(name).solve(task)
        except UnavailableError as error:
            result = error
        except BaseException:
            import traceback

            result = traceback.format_exc()
        self._messages.put((number, result))

    def next_end(self) -> tuple[Answer, str] | UnavailableError | None:
        """Wait a moment for a racer to end; return its answer and name, or why it has none.

        Passes partial fills on. Raises InternalError when the racer's backend has failed.
        """
        with suppress(Empty):
            number, received = self._messages.get(timeout=_POLL_SECONDS)
            if isinstance(received, Mapping):
                self._task.on_partial(received)
                return None
            name = self.running.pop(number)
            if isinstance(received, str):
                raise InternalError(f"backend {name} failed", received)
            return received if isinstance(received, UnavailableError) else (received, name)
        return None

    def __enter__(self) -> _Racers:
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()
