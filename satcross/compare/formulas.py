"""Formulas of puzzles for external solvers, each written once and cached by its hash.

A suite gives the same clauses to several solvers, and with a large list they take seconds to write.
A formula is stored as ``HASH-CODE.FORMAT`` with a map to decode models and a file of figures, where
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
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from satcross.compare.limits import ExitInfo
from satcross.support.cache import cache_folder, file_digest, read_sealed, seal

MAX_BYTES = 4 * 2**30
"""Maximum size of a folder of formulas; beyond it, those used longest ago are removed."""

_FIGURES = ".json"
_PACKAGES = ("encoders", "satcross/network", "satcross/rules", "satcross/formats")


@dataclass(frozen=True, slots=True)
class NewFormula:
    """A formula that has just been written: its file, the map to decode models, and figures.

    ``ended`` has the time and memory that the writing took, ``seconds`` the times of its stages.
    """

    path: Path
    words: Path
    ended: ExitInfo
    seconds: Mapping[str, float]
    stats: Mapping[str, int | float | str]


@dataclass(frozen=True, slots=True)
class StoredFormula(NewFormula):
    """A formula in a store; it may be read until the run ends."""


class FormulaStore:
    """A folder of formulas that several processes may share; None stores nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get(
        self, puzzle: str, form: str, write: Callable[[], NewFormula | None]
    ) -> StoredFormula | None:
        """Return the formula of the puzzle with this hash, written by ``write`` if it is missing.

        Returns None if ``write`` does. While one process writes a formula, others wait for it.
        """
        if self._folder is None:
            new = write()
            return None if new is None else StoredFormula(*_fields(new))
        stem = f"{puzzle}-{_code()}.{form}"
        with _locked(self._folder, stem):
            known = self._read(stem)
            if known is not None:
                return known
            new = write()
            if new is None:
                return None
            kept = self._keep(new, stem)
        _prune(self._folder, keep=stem)
        return kept

    def _read(self, stem: str) -> StoredFormula | None:
        assert self._folder is not None
        path, words = self._folder / stem, self._folder / f"{stem}.map"
        try:
            figures = read_sealed(self._folder / f"{stem}{_FIGURES}", stem)
            data = json.loads(figures or b"")
            if data["digests"] != [file_digest(path, stem), file_digest(words, stem)]:
                return None  # damaged
            os.utime(path)  # recently used
            ended = ExitInfo(**data["ended"])
            return StoredFormula(path, words, ended, data["seconds"], data["stats"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _keep(self, new: NewFormula, stem: str) -> StoredFormula:
        """Move a formula into the folder; without space or permission it stays where it is."""
        assert self._folder is not None
        path, words = self._folder / stem, self._folder / f"{stem}.map"
        try:
            shutil.copyfile(new.words, words)
            shutil.copyfile(new.path, path)
            figures = {
                "digests": [file_digest(new.path, stem), file_digest(new.words, stem)],
                "ended": asdict(new.ended),
                "seconds": new.seconds,
                "stats": new.stats,
            }
            sealed = seal(stem, json.dumps(figures).encode())
            (self._folder / f"{stem}{_FIGURES}").write_bytes(sealed)
        except OSError:
            return StoredFormula(*_fields(new))
        new.path.unlink()
        return StoredFormula(path, words, new.ended, new.seconds, new.stats)


def default_folder() -> Path | None:
    """Return the folder of formulas in the cache, or None if nothing is cached."""
    folder = cache_folder()
    return None if folder is None else folder / "formulas"


def _fields(
    formula: NewFormula,
) -> tuple[Path, Path, ExitInfo, Mapping[str, float], Mapping[str, int | float | str]]:
    return formula.path, formula.words, formula.ended, formula.seconds, formula.stats


@contextlib.contextmanager
def _locked(folder: Path, stem: str) -> Iterator[None]:
    """Hold the lock of a formula, if its file can be created."""
    import fcntl  # missing on Windows, where runs are not supported

    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / f"{stem}.lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError:
        yield
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _prune(folder: Path, keep: str) -> None:
    """Remove the formulas used longest ago until the folder is small enough."""
    with contextlib.suppress(OSError):
        figures = [one for one in folder.iterdir() if one.suffix == _FIGURES]
        formulas = sorted(
            (one.with_suffix("") for one in figures if one.with_suffix("").exists()),
            key=lambda one: one.stat().st_mtime,
        )
        total = sum(one.stat().st_size for one in formulas)
        for path in formulas:
            if total <= MAX_BYTES:
                return
            if path.name != keep:
                total -= path.stat().st_size
                for end in (_FIGURES, ".map", ".lock", ""):
                    path.with_name(path.name + end).unlink(missing_ok=True)


@lru_cache(maxsize=1)
def _code() -> str:
    """Return a hash of the code that decides what is in a formula."""
    root = Path(__file__).parents[2]
    digest = hashlib.sha256()
    files = [Path(__file__).with_name("worker.py")]
    for package in _PACKAGES:
        files += sorted((root / package).rglob("*.py"))
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
