"""The reason as a picture: its slots coloured, darker where they cross."""

from __future__ import annotations

from pathlib import Path

from satcross.drawing.cells import Colour, write_cells
from satcross.explain.minimal_core import Reason
from satcross.explain.parts import Kind, slot_names
from satcross.grid import Cell
from satcross.puzzle import Puzzle

IN_SLOT: Colour = (255, 214, 140)
AT_CROSSING: Colour = (240, 130, 90)
LETTER: Colour = (150, 190, 255)
"""A given letter of the reason."""


def write_picture(puzzle: Puzzle, reason: Reason | None, path: Path) -> None:
    """Draw the grid with its numbers and the letters it has, the reason's cells coloured."""
    grid = puzzle.grid
    names = slot_names(reason.parts) if reason else set()
    colours: dict[Cell, Colour] = {}
    for slot in grid.slots:
        if slot.name in names:
            for cell in slot.cells:
                colours[cell] = AT_CROSSING if cell in colours else IN_SLOT
    for part in reason.parts if reason else ():
        if part.kind is Kind.LETTER and part.cell is not None:
            colours[part.cell] = LETTER
    numbers = {slot.cells[0]: (slot.name[:-1],) for slot in grid.slots}
    write_cells(grid, colours, dict(puzzle.fixed_letters), numbers, path)
