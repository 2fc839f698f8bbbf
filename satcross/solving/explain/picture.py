"""Draw the reason of an explanation: the grid with the slots of the reason coloured."""

from __future__ import annotations

from pathlib import Path

from satcross.formats.drawing.cells import Colour, draw_cells
from satcross.grid import Cell
from satcross.puzzle import Puzzle
from satcross.solving.explain.minimal_core import Reason
from satcross.solving.explain.parts import PartKind, slot_names

IN_SLOT: Colour = (255, 214, 140)
AT_CROSSING: Colour = (240, 130, 90)
LETTER: Colour = (150, 190, 255)
"""Colour of a given letter that belongs to the reason."""


def write_picture(puzzle: Puzzle, reason: Reason | None, path: Path) -> None:
    """Write a PNG of the numbered grid and its letters, with the cells of the reason coloured.

    A cell where two slots of the reason cross is darker. Without a reason nothing is coloured.
    """
    grid = puzzle.grid
    names = slot_names(reason.parts) if reason else set()
    colours: dict[Cell, Colour] = {}
    for slot in grid.slots:
        if slot.name in names:
            for cell in slot.cells:
                colours[cell] = AT_CROSSING if cell in colours else IN_SLOT
    for part in reason.parts if reason else ():
        if part.kind is PartKind.LETTER and part.cell is not None:
            colours[part.cell] = LETTER
    numbers = {slot.cells[0]: (slot.name[:-1],) for slot in grid.slots}
    draw_cells(grid, colours, puzzle.fixed_letters, numbers).save(path, format="PNG")
