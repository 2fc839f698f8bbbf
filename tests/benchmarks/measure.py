"""Run satcross in a process of its own and measure it, and read the classic puzzles."""

from __future__ import annotations

import csv
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from satcross.compare.limits import RunLimits, run_limited


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run took: seconds, and for ``memory`` MiB. ``late``: it was ended at a limit."""

    output: str
    errors: str
    code: int
    late: bool
    wall: float
    cpu: float
    memory: float


def satcross(*arguments: str, limit: float | None = None, clock: float) -> Measured:
    """Run a command line; end it after ``limit`` CPU or ``clock`` wall-clock seconds."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Modules are not compiled in every run.
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        ended = run_limited(
            [sys.executable, "-m", "satcross", *arguments],
            RunLimits(clock, limit),
            folder,
            folder=Path.cwd(),
            environment=environment,
        )
        output, errors = (
            (folder / stream).read_text("utf-8", "replace") for stream in ("stdout", "stderr")
        )
        code = -1 if ended.exit_code is None else ended.exit_code
        used = (round(ended.wall, 3), round(ended.cpu, 3), round(ended.memory, 1))
        return Measured(output, errors, code, bool(ended.reason), *used)


@dataclass(frozen=True, slots=True)
class Classic:
    """A row of ``known.csv``: a puzzle by the names of its files, and what is known of it."""

    folder: Path
    grid: str
    list: str
    status: str
    fills: str

    @property
    def files(self) -> tuple[str, str]:
        """The structure and the list."""
        names = (f"grids/{self.grid}.txt", f"lists/{self.list}.txt")
        return str(self.folder / names[0]), str(self.folder / names[1])


def read_classics(folder: Path, select: str, only: str | None) -> Iterator[Classic]:
    """Yield the rows of a folder whose grids begin so (comma-separated), perhaps of one list."""
    with (folder / "known.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            chosen = row["grid"].startswith(tuple(select.split(",")))
            found = Classic(folder, row["grid"], row["list"], row["status"], row.get("fills") or "")
            if chosen and only in (None, found.list) and Path(found.files[1]).exists():
                yield found
