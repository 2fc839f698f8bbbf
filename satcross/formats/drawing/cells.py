"""PNG pictures of a grid with coloured cells that contain letters or numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.formats.drawing.font import font
from satcross.formats.drawing.png import CELL
from satcross.grid import BLOCKED, Cell, Grid

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
            ink = "white" if _brightness(colour) < _MAX_DARK else "black"
            small = font(_NOTE_SIZE)
            for number, note in enumerate(notes.get(position, ())):
                draw.text((left + 5, top + 2 + number * _NOTE_STEP), note, fill=ink, font=small)
            text = contents.get(position)
            if text:
                size = _LETTER_SIZE if len(text) == 1 else _TEXT_SIZE
                middle = (left + CELL / 2, top + CELL * 0.64)
                draw.text(middle, text, fill=ink, font=font(size), anchor="mm")
    return picture


def write_cells(
    grid: Grid,
    colours: Mapping[Cell, Colour],
    contents: Mapping[Cell, str],
    notes: Mapping[Cell, Sequence[str]],
    path: Path,
) -> None:
    """Write the picture that ``draw_cells`` returns to a PNG file."""
    draw_cells(grid, colours, contents, notes).save(path, format="PNG")


def blend(low: Colour, high: Colour, share: float) -> Colour:
    """Return the mix of two colours; ``share`` (0 to 1) is the proportion of ``high``."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
    return red, green, blue


def _brightness(colour: Colour) -> float:
    red, green, blue = colour
    return 0.3 * red + 0.59 * green + 0.11 * blue
