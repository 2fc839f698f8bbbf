"""The folder for what can be made again: word lists ready to use, the compiled search."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "SATCROSS_CACHE"
"""The environment variable that names another folder; when it is empty, nothing is kept."""


def cache_folder() -> Path | None:
    """The folder, which need not exist yet; None when nothing is to be kept."""
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return Path(chosen) if chosen else None
    from platformdirs import user_cache_path

    try:
        return user_cache_path("satcross", appauthor=False)
    except (OSError, RuntimeError):  # no home
        return None
