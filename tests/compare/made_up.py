"""Puzzles, contenders, runs and records that are made up for the tests of this folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from commands import run_as_text
from helpers import PATIENCE, ROOT

from satcross import Grid, Puzzle, Vocabulary
from satcross.compare.command_lines import ExternalSolver
from satcross.compare.contenders import Contender, Instance, Run
from satcross.compare.limits import RunLimits
from satcross.compare.records import Record
from satcross.compare.runs import execute

HERE = Path(__file__).parent
FAKE = f"{sys.executable} {HERE / 'fake_solver.py'}"
RING = Grid.from_rows(["___", "_#_", "___"])
WORDS = Vocabulary(["CAT", "CUB", "BED", "TOD"])
FILLABLE = Puzzle(RING, WORDS)
FILLS = [("CAT", "U#O", "BED"), ("CUB", "A#E", "TOD")]
# Two fills if words may repeat, otherwise none: only the clauses about repeats exclude them.
ONLY_REPEATS = Puzzle(Grid.from_rows(["__", "__"]), Vocabulary(["AB", "BA", "AA"]))
LIMITS = RunLimits(PATIENCE, 60, 4000)
PLANTED = os.pathsep.join(map(str, (HERE / "planted", HERE, ROOT)))
"""A ``PYTHONPATH`` with which satcross has the wrong backends, too."""


def fake(mode: str, number: int = 1) -> ExternalSolver:
    """A solver that behaves in a way: a MODE of ``fake_solver.py``."""
    return ExternalSolver(f"{FAKE} {mode} {{cnf}}", number)


def plan(
    contender: Contender, puzzle: Puzzle = FILLABLE, limits: RunLimits = LIMITS, **more: Any
) -> Run:
    return Run(Instance(puzzle, "s.txt", "w.txt"), contender, limits, **more)


def ask(
    contender: Contender, puzzle: Puzzle = FILLABLE, limits: RunLimits = LIMITS, **more: Any
) -> Record:
    return execute(plan(contender, puzzle, limits, **{"seed": 3, **more}))


def run(
    contender: str,
    puzzle: str,
    cpu: float,
    status: str = "filled",
    *,
    limits: tuple[float | None, float | None] = (100.0, 10.0),
    **more: Any,
) -> Record:
    """Return the record of a run that took ``cpu`` seconds of CPU time.

    ``limits`` are those on wall-clock and on CPU time.
    """
    values: dict[str, Any] = {
        "limits": dict(zip(("wall", "cpu", "memory"), (*limits, None), strict=True)),
        "reason": "cpu limit" if status == "unknown" else "",
        **more,
    }
    status = values.pop("status", status)
    return Record(
        *(puzzle, "s.txt", "w.txt", contender, "backend", status),
        **{"backend": contender, "cpu": cpu, "wall": 2 * cpu, **values},
    )


def shell(
    folder: Path, line: str, *more: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run a command line of satcross in a folder; ``more`` are arguments with blanks."""
    return run_as_text([*line.split(), *more], folder, **{"TMPDIR": str(folder), **variables})
