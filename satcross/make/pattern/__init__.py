"""Patterns of blocked cells that meet demands and that a word list can fill."""

from satcross.make.pattern.demands import Demands, Pattern, Symmetry, default_words
from satcross.make.pattern.fillable import (
    GridResult,
    MadeGrid,
    find_relaxations,
    make_grids,
)

__all__ = [
    "Demands",
    "GridResult",
    "MadeGrid",
    "Pattern",
    "Symmetry",
    "default_words",
    "find_relaxations",
    "make_grids",
]
