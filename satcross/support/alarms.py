"""Limits of time for what can't look at a deadline: readers, writers, users' expressions."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_SHORTEST, _LONGEST = 1e-6, 1e8
"""The seconds that every system's timers know; a shorter time would be none at all."""


@contextmanager
def cpu_alarm(seconds: float | None) -> Iterator[None]:
    """Raise TimeoutError in the block after seconds of CPU time, also in a regular expression."""
    with _alarm("SIGVTALRM", "ITIMER_VIRTUAL", seconds, TimeoutError):
        yield


@contextmanager
def interrupting_alarm(seconds: float | None) -> Iterator[None]:
    """Raise KeyboardInterrupt in the block after seconds, as Ctrl-C does."""
    with _alarm("SIGALRM", "ITIMER_REAL", seconds, KeyboardInterrupt):
        yield


@contextmanager
def _alarm(
    name: str, timer: str, seconds: float | None, error: Callable[[], BaseException]
) -> Iterator[None]:
    """Raise an error when the timer has run down.

    Only the main thread of a process has such an alarm, and no thread on Windows.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not is_main or not hasattr(signal, name):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise error()

    before = signal.signal(getattr(signal, name), stop)
    signal.setitimer(getattr(signal, timer), min(max(seconds, _SHORTEST), _LONGEST))
    try:
        yield
    finally:
        signal.setitimer(getattr(signal, timer), 0)
        signal.signal(getattr(signal, name), before)
