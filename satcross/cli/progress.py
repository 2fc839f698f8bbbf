"""One line on stderr, while something is tried, where a terminal is attached."""

from __future__ import annotations

import sys
import time
from types import TracebackType

_FIRST_SECONDS = 0.5
_EVERY_SECONDS = 0.2


class Progress:
    """Shows the newest report and the time elapsed; wiped away at the end."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled and sys.stderr is not None and sys.stderr.isatty()
        self._started = time.monotonic()
        self._next = self._started + _FIRST_SECONDS
        self._shown = False

    def show(self, line: str) -> None:
        now = time.monotonic()
        if self._enabled and now >= self._next:
            self._next = now + _EVERY_SECONDS
            self._shown = True
            sys.stderr.write(f"\r\x1b[K{now - self._started:6.1f} s  {line}"[:120])
            sys.stderr.flush()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
