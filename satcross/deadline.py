"""Deadlines, and the lines that report progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

OnProgress = Callable[[str], None]
"""Called now and then with one line on what is being tried."""


def ignore_progress(line: str) -> None:
    """A report that says nothing."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment on ``time.monotonic``'s clock; None for never."""

    at: float | None = None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        return cls(None if seconds is None else time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds left, infinite without a limit, never negative."""
        return float("inf") if self.at is None else max(0.0, self.at - time.monotonic())

    @property
    def passed(self) -> bool:
        return self.at is not None and time.monotonic() >= self.at

    @property
    def overdue(self) -> float:
        """Seconds since the deadline passed; 0 before."""
        return 0.0 if self.at is None else max(0.0, time.monotonic() - self.at)


TIME_LIMIT = "time limit"


INTERRUPTED = "interrupted"
