"""The heat of a grid (how many letters each cell can have) as a picture and as JSON."""

from __future__ import annotations

from math import log
from pathlib import Path

from satcross.formats.drawing.cells import WHITE, Colour, blend, write_cells
from satcross.grid import Cell, Grid
from satcross.outcome import Heat

NONE_LEFT: Colour = (90, 0, 60)
ONE_LEFT: Colour = (205, 45, 45)
SOME_LEFT: Colour = (255, 190, 90)
_SOME = 6
"""Number of letters at which the colour is SOME_LEFT; with more letters it is lighter."""
_ALL = 26
"""Number of letters from which the colour is white."""


def colour_of(letters: int) -> Colour:
    """Return the colour of a cell that can have ``letters`` letters: dark red for none or one."""
    if letters < 1:
        return NONE_LEFT
    if letters <= _SOME:
        return blend(ONE_LEFT, SOME_LEFT, log(letters) / log(_SOME))
    return blend(SOME_LEFT, WHITE, min(1.0, log(letters / _SOME) / log(_ALL / _SOME)))


def write_heat(grid: Grid, heat: Heat, path: Path) -> None:
    """Write a PNG file with the number of letters of each cell and of candidates of each slot."""
    notes: dict[Cell, list[str]] = {}
    for slot in grid.slots:
        text = f"{slot.name}: {heat.slots[slot.name]:,}"
        notes.setdefault(slot.cells[0], []).append(text)
    colours = {cell: colour_of(number) for cell, number in heat.cells.items()}
    write_cells(grid, colours, {cell: str(n) for cell, n in heat.cells.items()}, notes, path)


def heat_to_data(grid: Grid, heat: Heat) -> dict[str, object]:
    """Return the heat as JSON values.

    ``slots`` maps slot names to numbers of candidates; ``cells`` has rows with the number of
    letters of each cell, null for a cell in no slot; ``wiped_out`` is as in ``Heat``.
    """
    return {
        "slots": dict(heat.slots),
        "cells": [[heat.cells.get((r, c)) for c in range(grid.width)] for r in range(grid.height)],
        "wiped_out": heat.wiped_out,
    }
