"""Progress on stderr, where a terminal is attached: one line, perhaps with a grid."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from satcross.grid import Cell, Grid
    from satcross.run_settings import OnPartial

_FIRST_SECONDS = 0.5
_EVERY_SECONDS = 0.2


class Progress:
    """Shows the newest report and the time elapsed; erased at the end."""

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled and sys.stderr is not None and sys.stderr.isatty()
        self._started = time.monotonic()
        self._next = self._started + _FIRST_SECONDS
        self._shown = False
        self._grid: list[str] = []

    def show(self, line: str) -> None:
        now = time.monotonic()
        if self._enabled and now >= self._next:
            import shutil  # brings compression with it, and most commands show no progress

            self._next = now + _EVERY_SECONDS
            self._shown = True
            sys.stderr.write(f"\r\x1b[J{now - self._started:6.1f} s  {line}"[:120])
            if 0 < len(self._grid) < shutil.get_terminal_size().lines - 1:
                # The cursor goes back to the line, so that what comes next writes over the grid.
                rows = "".join(f"\n{row}" for row in self._grid)
                sys.stderr.write(f"{rows}\x1b[{len(self._grid)}A\r")
            sys.stderr.flush()

    def grids(self, grid: Grid) -> OnPartial:
        """Return a callback that takes letters in the grid, to be shown with the next report."""

        def take(letters: Mapping[Cell, str]) -> None:
            rows, columns = range(grid.height), range(grid.width)
            found = [[letters.get((row, column)) for column in columns] for row in rows]
            self._grid = grid.draw(found).split("\n")

        return take

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[J")
            sys.stderr.flush()
