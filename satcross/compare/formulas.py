"""Formulas of puzzles for external solvers: each is written once, and kept for the next solvers.

A suite gives the same clauses to several solvers, and with a large list they take seconds to write.
The figures of a formula say how long writing took, so that every solver is charged the same,
whether or not it came first.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from threading import Lock

from satcross.compare.contenders import RunAnswer, RunDirectory, run_worker
from satcross.compare.limits import ExitInfo
from satcross.formats.puzzle_json import puzzle_hash
from satcross.puzzle import Puzzle

MAX_KEPT = 8
"""Number of formulas that a process keeps: those of a few puzzles, whose runs follow each other."""
WRITING = "while writing the formula"


@dataclass(frozen=True, slots=True, weakref_slot=True)
class StoredFormula:
    """A formula: its file, the map to decode models, and figures; the files go when it does.

    ``ended`` has the time and memory that the writing took, ``seconds`` the times of its stages.
    """

    path: Path
    words: Path
    ended: ExitInfo
    seconds: Mapping[str, float]
    stats: Mapping[str, int | float | str]


@dataclass(slots=True)
class _Place:
    """Where the formula of a puzzle is kept; who writes it has the lock, for which others wait."""

    lock: Lock = field(default_factory=Lock)
    formula: StoredFormula | None = None


@lru_cache(MAX_KEPT)
def place_of(puzzle: str, form: str, goal: str) -> _Place:
    """Return the place of the formula of a puzzle, by its hash, in a format, with a goal."""
    return _Place()


def write_formula(
    puzzle: Puzzle, run_directory: RunDirectory, form: str = "cnf"
) -> StoredFormula | RunAnswer:
    """Return the formula of a puzzle, written now or earlier, or the answer if writing failed.

    ``form`` is the extension of the file.
    """
    place = place_of(puzzle_hash(puzzle), form, run_directory.run.goal)
    with place.lock:
        if place.formula is None:
            goal = {"goal": run_directory.run.goal}
            ended, data, failure = run_worker(form, puzzle, goal, run_directory)
            if failure is not None:
                return replace(failure, detail=f"{WRITING}: {failure.detail}".rstrip(": "))
            place.formula = _keep(run_directory.folder, form, ended, data)
        return place.formula


def _keep(
    written: Path, form: str, ended: ExitInfo, data: Mapping[str, Mapping[str, float]]
) -> StoredFormula:
    """Move what ``worker`` has written into a folder that is removed with the formula."""
    folder = Path(tempfile.mkdtemp(prefix="satcross-run-")).resolve()
    names = (f"answer.{form}", "answer.map")
    path, words = (Path(shutil.move(written / name, folder / name)) for name in names)
    formula = StoredFormula(path, words, ended, data["seconds"], data["stats"])
    weakref.finalize(formula, shutil.rmtree, folder, ignore_errors=True)
    return formula
