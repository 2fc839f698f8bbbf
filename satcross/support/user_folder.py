"""The user's folders for data and caches, where the operating system expects them; their edits."""

from __future__ import annotations

import os
import sys
from pathlib import Path

EDITS_VARIABLE = "SATCROSS_EDITS"
"""The environment variable that names another file of edits; when it is empty, there are none."""

_XDG = {"data": ("XDG_DATA_HOME", ".local/share"), "cache": ("XDG_CACHE_HOME", ".cache")}


def user_folder(kind: str) -> Path:
    """Return the folder of satcross for ``kind``, data or cache; it need not exist.

    Raises OSError or RuntimeError for a user without a home.
    """
    if sys.platform == "linux":  # platformdirs takes longer to import than small grids to fill
        variable, usual = _XDG[kind]
        chosen = Path(os.environ.get(variable, ""))
        return (chosen if chosen.is_absolute() else Path.home() / usual) / "satcross"
    import platformdirs

    find = {"data": platformdirs.user_data_path, "cache": platformdirs.user_cache_path}[kind]
    return find("satcross", appauthor=False)


def edits_path() -> Path | None:
    """Return the path of the file of edits, which need not exist; None when there is to be none."""
    chosen = os.environ.get(EDITS_VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    try:
        return user_folder("data") / "edits.txt"
    except (OSError, RuntimeError):  # no home
        return None
