"""The library of standard grids: patterns with names, each with a fill that proves it fillable.

``data/build_grids.py`` makes the file. A name has the kind, the size, the number of words and a
letter: ``american-15-76a``. The beginning of a name, up to a hyphen or without the letter, stands
for all grids whose names begin so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from random import Random

from satcross.errors import InputError
from satcross.formats.resources import read_resource
from satcross.grid import BLOCKED, OPEN, Grid
from satcross.grid.styles import Style
from satcross.make.pattern.demands import Demands


@cache
def standard_fills() -> Mapping[str, tuple[str, ...]]:
    """Return name -> the rows of a fill, ``#`` for a blocked cell."""
    lines = (line.split() for line in read_resource("grids.txt").decode().splitlines())
    return {name: tuple(rows.split("/")) for name, rows in lines}


def standard_kinds() -> list[str]:
    """Return the kinds and sizes that there are: ``american-15``."""
    return list(dict.fromkeys(name.rpartition("-")[0] for name in standard_fills()))


def standard_grid(name: str) -> tuple[str, ...]:
    """Return the rows of the grid of that name."""
    return tuple(re.sub(f"[^{BLOCKED}]", OPEN, row) for row in standard_fills()[name])


def standard_names(name: str, seed: int | None = None) -> list[str]:
    """Return the grids that a name or the beginning of one stands for, shuffled by the seed.

    Raises InputError when there are none.
    """
    wanted = re.escape(name.strip().lower().rstrip("-"))
    found = [known for known in standard_fills() if re.fullmatch(f"{wanted}([a-z]|-.*)?", known)]
    if not found:
        raise InputError(
            f"there is no standard grid {name!r}",
            "write american-15-76a, or american-15 for any of its kind; "
            "satcross grid --from list names all",
        )
    if seed is not None:
        Random(seed).shuffle(found)
    return found


def standard_demands(name: str) -> Demands:
    """Return what the grid of that name is, as demands."""
    rows = standard_grid(name)
    words = len(Grid(rows).slots)
    kind = Style(name.partition("-")[0])
    return Demands(len(rows), len(rows[0]), (words, words), style=kind)
