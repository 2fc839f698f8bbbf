"""The searches in compiled code: extension modules, where the installation could build them.

Importing this package is cheap. Ask ``available`` before importing one of its modules; without
them, ``satcross.backends.search.search`` does the work in Python. The environment variable
``SATCROSS_ENGINE=off`` does without them, too.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

VARIABLE = "SATCROSS_ENGINE"

MISSING = "without the compiled search, which needs a C compiler when satcross is installed"

_SLOW_DECISIONS = 3000
"""Decisions in Python, about a second, after which the missing code is worth a note."""

_MODULES = (
    "memory",
    "puzzle",
    "search",
    "letters",
    "cells",
    "region",
    "layout",
    "marginals",
    "words",
)


@cache
def available() -> bool:
    """Whether this installation has compiled code, and it is not switched off."""
    return os.environ.get(VARIABLE, "") not in ("off", "0") and not missing()


def is_missed() -> bool:
    """Whether searches of this process took long for want of compiled code."""
    return _decisions > _SLOW_DECISIONS and bool(missing())


def count_decisions(number: int) -> None:
    """Count decisions that a search took in Python."""
    global _decisions
    _decisions += number


_decisions = 0


@cache
def missing() -> tuple[str, ...]:
    """Return the names of the modules that the installation could not build."""
    ends = tuple(EXTENSION_SUFFIXES)
    files = [file.name for folder in __path__ for file in Path(folder).iterdir()]
    built = {name.partition(".")[0] for name in files if name.endswith(ends)}
    return tuple(name for name in _MODULES if name not in built)
