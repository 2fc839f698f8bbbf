"""Patterns of blocked cells that meet demands and that a word list can fill."""

from satcross.make.pattern.fillable import (
    GridResult,
    MadeGrid,
    find_relaxations,
    make_grids,
)
from satcross.make.pattern.model import Demands, Pattern, Symmetry, default_words

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
