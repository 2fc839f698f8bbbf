"""Store and open prepared dictionaries.

``satcross sources setup`` turns each dictionary into one SQLite file in the user's data folder;
sources open these files read-only. ``PRAGMA user_version`` has the version of the tables; a digest
at the end of the file covers all of it.
"""

from __future__ import annotations

import os
import sqlite3
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satcross.errors import InputError, SatcrossError, UnavailableError
from satcross.formats.files import write_atomically
from satcross.support import packages
from satcross.support.cache import cache_folder, is_intact, is_private, seal_file
from satcross.support.user_folder import user_folder

if TYPE_CHECKING:
    from numpy.typing import NDArray

VARIABLE = "SATCROSS_SOURCES"
"""The environment variable that names another folder for prepared dictionaries."""

SETUP = "run: satcross sources setup"
LAYOUTS = {"wordnet": 3, "moby": 2, "gcide": 2, "meaning": 3, "language-model": 2}
"""The version of each dictionary's tables: one more whenever its tables change."""
_SUFFIXES = {"clues-db": ".npz"}
"""Endings of prepared files that are no databases of SQLite."""


def folder() -> Path:
    """Return the folder of prepared dictionaries, which need not exist."""
    chosen = os.environ.get(VARIABLE)
    return Path(chosen) if chosen else user_folder("data") / "sources"


def source_cache_folder(chosen: str | None) -> str | None:
    """Return the folder for cached files that a source can fetch or make again, or None.

    ``chosen`` is the ``cache`` of the sources' settings.
    """
    if chosen is not None:
        return chosen or None
    usual = cache_folder()
    return None if usual is None else str(usual)


def dictionary_path(name: str) -> Path:
    """Return the path of a prepared dictionary, whether or not it exists."""
    return folder() / (name + _SUFFIXES.get(name, ".sqlite"))


def is_prepared(name: str) -> bool:
    """Return whether the dictionary is set up and can be opened."""
    try:
        open_prepared(name, name).close()
    except SatcrossError:
        return False
    return True


def open_prepared(name: str, title: str) -> sqlite3.Connection:
    """Open a prepared dictionary read-only.

    Raises UnavailableError with one line when it is not set up or is another version's, InputError
    when the file is not as it was set up.
    """
    path = dictionary_path(name)
    if not path.exists():
        raise UnavailableError(f"{title} is not set up; {SETUP} {name}")
    check_intact(path, name, f"run satcross sources setup {name}")
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        (layout,) = connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.Error as error:
        raise UnavailableError(f"{path} can't be opened ({error}); {SETUP} {name}") from None
    if layout != LAYOUTS.get(name, 1):
        connection.close()
        raise UnavailableError(f"{title} was set up by another version; {SETUP} {name}")
    return connection


def check_intact(path: Path, name: str, remedy: str) -> None:
    """Raise InputError unless a file is as sealed, in a folder that only the user can write."""
    check_private(path.parent)
    if not is_intact(path, name):
        raise InputError("is damaged, or another version made it", remedy, file=str(path))


def check_private(place: Path) -> None:
    """Raise InputError for a folder that other users can write: they could forge digests."""
    if not is_private(place):
        raise InputError(
            "other users can write into the folder, so its files can't be trusted",
            f"run chmod o-w {place}",
            file=str(place),
        )


def prepare(name: str, fill: Callable[[sqlite3.Connection], None]) -> Path:
    """Write a dictionary's file atomically; ``fill`` creates and fills the tables.

    Raises InputError when the folder can't be written.
    """
    path = dictionary_path(name)
    make_folder(path.parent)

    def write(beside: Path) -> None:
        connection = sqlite3.connect(beside)
        try:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            fill(connection)
            connection.execute(f"PRAGMA user_version = {LAYOUTS.get(name, 1)}")
            connection.commit()
        finally:
            connection.close()
        seal_file(beside, name)

    write_atomically(str(path), write)
    return path


def write_arrays(path: Path, name: str, content: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays to a file that is sealed under that name."""
    import numpy as np

    arrays: dict[str, Any] = dict(content)

    def write(beside: Path) -> None:
        with beside.open("wb") as file:
            np.savez(file, **arrays)
        seal_file(beside, name)

    write_atomically(str(path), write)


def read_arrays(path: Path, name: str) -> dict[str, NDArray[Any]] | None:
    """Return the arrays of a file; None if it is missing, damaged or sealed under another name."""
    import numpy as np

    if not path.exists() or not is_intact(path, name):
        return None
    with np.load(path) as content:
        return {key: content[key] for key in content.files}


def packed_lines(lines: Iterable[str]) -> NDArray[Any]:
    """Return lines as an array, which ``unpacked_lines`` takes apart."""
    import numpy as np

    return np.frombuffer("\n".join(lines).encode("utf-8", "replace"), np.uint8)


def unpacked_lines(content: NDArray[Any]) -> list[str]:
    return content.tobytes().decode().split("\n") if len(content) else []


def make_folder(path: Path) -> None:
    """Make a folder of prepared files. Raises InputError when that is impossible."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"can't be made ({error.strerror})",
            f"set {VARIABLE} to another folder",
            file=str(path),
        ) from None


@cache
def packages_of(name: str) -> tuple[packages.Package, ...]:
    """Return the packages of a dictionary, of which one is sufficient, from ``packages.toml``."""
    table = tomllib.loads(Path(__file__).with_name("packages.toml").read_text("utf-8"))
    entries = [{**entry, "wanted": tuple(entry["wanted"])} for entry in table[name]]
    return tuple(packages.Package(**entry) for entry in entries)


def source_files(
    name: str, given: Path | None, tell: packages.Tell
) -> AbstractContextManager[Path]:
    """Provide the folder of what a dictionary or model is made of (``packages.package_files``)."""
    return packages.package_files(packages_of(name), given, downloads, tell)


def downloads() -> Path:
    """Make and return the folder of downloads. Raises InputError when that is impossible."""
    path = folder() / "downloads"
    make_folder(path)
    return path
