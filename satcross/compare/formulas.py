"""Formulas of puzzles for external solvers, each written once and cached by its hash.

A suite gives the same clauses to several solvers, and with a large list they take seconds to write.
A formula has a folder ``HASH-CODE.FORMAT`` with a map to decode models and a file of figures, where
CODE is a hash of the code that writes formulas. The figures say how long writing took, so that
every solver is charged the same, whether or not it came first; they hold the digests of formula and
map, so that a formula that was changed, or is another puzzle's, is written anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from satcross.compare.contenders import WORKER, RunAnswer, RunDirectory, run_worker
from satcross.compare.limits import ExitInfo
from satcross.errors import InputError
from satcross.formats.files import alone
from satcross.formats.puzzle_json import puzzle_hash
from satcross.puzzle import Puzzle
from satcross.support.cache import cache_folder, file_digest, read_sealed, seal

MAX_BYTES = 4 * 2**30
"""Maximum size of a folder of formulas; beyond it, those used longest ago are removed."""
WRITING = "while writing the formula"

_FIGURES, _MAP = "figures.json", "words.map"
_PACKAGES = (
    "encoders",
    "satcross/network",
    "satcross/rules",
    "satcross/formats",
    "satcross/solving/proofs",
)


@dataclass(frozen=True, slots=True)
class StoredFormula:
    """A formula: its file, the map to decode models, and figures; it stays until the run ends.

    ``ended`` has the time and memory that the writing took, ``seconds`` the times of its stages.
    """

    path: Path
    words: Path
    ended: ExitInfo
    seconds: Mapping[str, float]
    stats: Mapping[str, int | float | str]


def default_folder() -> Path | None:
    """Return the folder of formulas in the cache, or None if nothing is cached."""
    folder = cache_folder()
    return None if folder is None else folder / "formulas"


def write_formula(
    puzzle: Puzzle, run_directory: RunDirectory, form: str = "cnf"
) -> StoredFormula | RunAnswer:
    """Return the formula of a puzzle, written now or earlier, or the answer if writing failed.

    ``form`` is the extension of the file. While one process writes a formula, others wait for it.
    """
    if run_directory.formulas is None:
        return _write(puzzle, run_directory, form)
    folder = run_directory.formulas / f"{puzzle_hash(puzzle)}-{_code()}.{form}"
    try:
        with alone(_formula(folder)):
            if (known := _read(folder)) is not None:
                return known
            new = _write(puzzle, run_directory, form)
            if isinstance(new, RunAnswer):
                return new
            kept = _keep(new, folder)
    except InputError:  # the folder can't be made
        return _write(puzzle, run_directory, form)
    _prune(folder)
    return kept


def _formula(folder: Path) -> Path:
    return folder / f"formula{folder.suffix}"  # programs may look at the extension


def _write(puzzle: Puzzle, run_directory: RunDirectory, form: str) -> StoredFormula | RunAnswer:
    ended, data, failure = run_worker(form, puzzle, {}, run_directory)
    if failure is not None:
        return replace(failure, detail=f"{WRITING}: {failure.detail}".rstrip(": "))
    folder = run_directory.folder
    path, words = folder / f"answer.{form}", folder / "answer.map"
    return StoredFormula(path, words, ended, data["seconds"], data["stats"])


def _read(folder: Path) -> StoredFormula | None:
    path, words, name = _formula(folder), folder / _MAP, folder.name
    try:
        data = json.loads(read_sealed(folder / _FIGURES, name) or b"")
        if data["digests"] != [file_digest(path, name), file_digest(words, name)]:
            return None  # damaged
        os.utime(path)  # recently used
        ended = ExitInfo(**data["ended"])
        return StoredFormula(path, words, ended, data["seconds"], data["stats"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(new: StoredFormula, folder: Path) -> StoredFormula:
    """Move a formula into its folder; without space or permission it stays where it is."""
    path, words, name = _formula(folder), folder / _MAP, folder.name
    try:
        shutil.copyfile(new.words, words)
        shutil.copyfile(new.path, path)
        figures = {
            "digests": [file_digest(new.path, name), file_digest(new.words, name)],
            "ended": asdict(new.ended),
            "seconds": new.seconds,
            "stats": new.stats,
        }
        (folder / _FIGURES).write_bytes(seal(name, json.dumps(figures).encode()))
    except OSError:
        return new
    new.path.unlink()
    return replace(new, path=path, words=words)


def _prune(keep: Path) -> None:
    """Remove the formulas used longest ago until the folder is small enough."""
    with contextlib.suppress(OSError):
        paths = [path for path in keep.parent.iterdir() if path != keep]
        files = [_formula(path) if path.is_dir() else path for path in paths]
        found = [(path.stat().st_mtime, path.stat().st_size, path) for path in files]
        total = sum(size for _, size, _ in found)
        for _, size, path in sorted(found):
            if total <= MAX_BYTES:
                return
            total -= size
            if path.parent == keep.parent:  # a file of version 0.2.0
                path.unlink()
            else:
                shutil.rmtree(path.parent)


@lru_cache(maxsize=1)
def _code() -> str:
    """Return a hash of the code that decides what is in a formula."""
    digest = hashlib.sha256(WORKER.read_bytes())
    for package in _PACKAGES:
        for path in sorted((WORKER.parents[2] / package).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
