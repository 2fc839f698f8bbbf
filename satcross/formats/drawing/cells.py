"""PNG pictures of a grid with coloured cells that contain letters or numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.formats.drawing.lettering import font
from satcross.formats.drawing.png import CELL
from satcross.grid import BLOCKED, Cell, Grid
from satcross.outcome import Heat

if TYPE_CHECKING:
    from PIL.Image import Image

Colour = tuple[int, int, int]

WHITE: Colour = (255, 255, 255)
_EDGE: Colour = (70, 70, 70)
_LETTER_SIZE = 44
_TEXT_SIZE = 36
_NOTE_SIZE = 15
_NOTE_STEP = 17
_MAX_DARK = 110
"""Text is white on cells that are darker than this brightness (0 to 255)."""


def draw_cells(
    grid: Grid,
    colours: Mapping[Cell, Colour],
    contents: Mapping[Cell, str],
    notes: Mapping[Cell, Sequence[str]],
) -> Image:
    """Return a picture of the grid, 100 pixels per cell.

    Open cells without an entry in ``colours`` are white. ``contents`` is drawn in the middle of a
    cell, ``notes`` as small lines at the top left.
    """
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (grid.width * CELL, grid.height * CELL), "black")
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(grid.rows):
        for column, cell in enumerate(line):
            if cell == BLOCKED:
                continue
            position = (row, column)
            left, top = column * CELL, row * CELL
            colour = colours.get(position, WHITE)
            draw.rectangle((left, top, left + CELL - 1, top + CELL - 1), fill=colour, outline=_EDGE)
            red, green, blue = colour
            is_dark = 0.3 * red + 0.59 * green + 0.11 * blue < _MAX_DARK
            ink = "white" if is_dark else "black"
            small = font(_NOTE_SIZE)
            for number, note in enumerate(notes.get(position, ())):
                draw.text((left + 5, top + 2 + number * _NOTE_STEP), note, fill=ink, font=small)
            text = contents.get(position)
            if text:
                size = _LETTER_SIZE if len(text) == 1 else _TEXT_SIZE
                middle = (left + CELL / 2, top + CELL * 0.64)
                draw.text(middle, text, fill=ink, font=font(size), anchor="mm")
    return picture


def blend(low: Colour, high: Colour, share: float) -> Colour:
    """Return the mix of two colours; ``share`` (0 to 1) is the proportion of ``high``."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
    return red, green, blue


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
    contents = {cell: str(number) for cell, number in heat.cells.items()}
    draw_cells(grid, colours, contents, notes).save(path, format="PNG")


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
