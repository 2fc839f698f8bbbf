"""Heat as a picture, and as plain values."""

from __future__ import annotations

from math import log
from pathlib import Path

from satcross.drawing.cells import WHITE, Colour, blend, write_cells
from satcross.grid import Cell, Grid
from satcross.network.tightness import Heat

NONE_LEFT: Colour = (90, 0, 60)
ONE_LEFT: Colour = (205, 45, 45)
SOME_LEFT: Colour = (255, 190, 90)
_SOME = 6
"""Letters at which the colour is SOME_LEFT; from there on it pales to white at 26."""
_ALL = 26


def colour_of(letters: int) -> Colour:
    """The colour of a cell in which so many letters are possible: the fewer, the hotter."""
    if letters < 1:
        return NONE_LEFT
    if letters <= _SOME:
        return blend(ONE_LEFT, SOME_LEFT, log(letters) / log(_SOME))
    return blend(SOME_LEFT, WHITE, min(1.0, log(letters / _SOME) / log(_ALL / _SOME)))


def write_heat(grid: Grid, heat: Heat, path: Path) -> None:
    """Draw the number of letters of each cell, and, where a slot begins, that of its words."""
    notes: dict[Cell, list[str]] = {}
    for slot in grid.slots:
        text = f"{slot.name}: {heat.slots[slot.name]:,}"
        notes.setdefault(slot.cells[0], []).append(text)
    colours = {cell: colour_of(number) for cell, number in heat.cells.items()}
    write_cells(grid, colours, {cell: str(n) for cell, n in heat.cells.items()}, notes, path)


def heat_to_data(grid: Grid, heat: Heat) -> dict[str, object]:
    """Plain values: words a slot; letters a cell, in rows, null for a cell in no slot."""
    return {
        "slots": dict(heat.slots),
        "cells": [[heat.cells.get((r, c)) for c in range(grid.width)] for r in range(grid.height)],
        "wiped_out": heat.wiped_out,
    }
