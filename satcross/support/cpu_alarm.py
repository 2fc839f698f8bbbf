"""A limit of CPU time for what can't look at a deadline: regular expressions that users write."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def cpu_alarm(seconds: float | None) -> Iterator[None]:
    """Raise TimeoutError in the block after seconds of CPU time, also in a regular expression.

    Only the main thread of a process has such an alarm, and no thread on Windows.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if seconds is None or not is_main or not hasattr(signal, "SIGVTALRM"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
