"""Deadlines, and the lines that report progress."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

OnProgress = Callable[[str], None]
"""Callback that receives one line on what is being tried, now and then."""


def ignore_progress(line: str) -> None:
    """Callback that does nothing; the default for ``on_progress``."""


class TimeUp(Exception):  # noqa: N818 (nothing is wrong)
    """The deadline has passed during work that is of no use unless it is complete."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment by ``time.monotonic``, in seconds; None for never."""

    at: float | None = None

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        return cls(None if seconds is None else time.monotonic() + seconds)

    @property
    def left(self) -> float:
        """Seconds left: infinite without a limit, never negative."""
        return float("inf") if self.at is None else max(0.0, self.at - time.monotonic())

    @property
    def passed(self) -> bool:
        return self.at is not None and time.monotonic() >= self.at

    def check(self) -> None:
        """Raise TimeUp when the deadline has passed."""
        if self.passed:
            raise TimeUp

    @property
    def overdue(self) -> float:
        """Seconds since the deadline passed; 0 before."""
        return 0.0 if self.at is None else max(0.0, time.monotonic() - self.at)


def complete(action: Callable[[], T]) -> T:
    """Return the result of a short action that ends a search; Ctrl-C during it makes it run again.

    Without this, Ctrl-C in that moment would lose what the search has found.
    """
    try:
        return action()
    except KeyboardInterrupt:
        return action()


NEVER = Deadline()

TIME_LIMIT = "time limit"
INTERRUPTED = "interrupted"
"""Reasons why a search ended without an answer."""
