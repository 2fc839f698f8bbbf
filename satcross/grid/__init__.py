"""The grid: which cells take letters, and the slots and crossings that follow from it.

``lint`` judges a structure by the customs of puzzle makers, which ``styles`` lists.
"""

from satcross.grid.grid import (
    ACROSS,
    BLOCKED,
    DOWN,
    FULL_BLOCK,
    OPEN,
    STRIDE,
    Bar,
    Cell,
    Crossing,
    Grid,
    Slot,
    cell_name,
    check_from_one,
    describe_cell,
    place,
    read_cell,
)

__all__ = [
    "ACROSS",
    "BLOCKED",
    "DOWN",
    "FULL_BLOCK",
    "OPEN",
    "STRIDE",
    "Bar",
    "Cell",
    "Crossing",
    "Grid",
    "Slot",
    "cell_name",
    "check_from_one",
    "describe_cell",
    "place",
    "read_cell",
]
