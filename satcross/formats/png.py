"""PNG pictures, drawn as CS50 draws them, pixel for pixel (with Pillow 9.4 or later)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.grid import Grid
from satcross.sheet import Sheet

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont

CELL = 100
"""Pixels from one cell to the next."""
BORDER = 2
FONT_SIZE = 80
_INTERIOR = CELL - 2 * BORDER
_LIFT = 10
"""Pixels by which a letter stands above the middle."""

_COURSE_FONT = "assets/fonts/OpenSans-Regular.ttf"


def draw_letters(
    structure: Sequence[Sequence[bool]], letters: Sequence[Sequence[str | None]]
) -> Image:
    """Draw a grid: ``structure`` is true where a cell is open; ``letters`` its letters or None.

    Both are rows of equal width. The picture is RGBA, 100 pixels a cell.
    """
    from PIL import Image, ImageDraw

    height, width = len(structure), len(structure[0]) if structure else 0
    picture = Image.new("RGBA", (width * CELL, height * CELL), "black")
    draw = ImageDraw.Draw(picture)
    letters_font = font(FONT_SIZE)
    for row in range(height):
        for column in range(width):
            if not structure[row][column]:
                continue
            left, top = column * CELL + BORDER, row * CELL + BORDER
            draw.rectangle((left, top, left + _INTERIOR, top + _INTERIOR), fill="white")
            letter = letters[row][column]
            if letter:
                # The course takes right and bottom of the box for its width and height.
                _, _, right, bottom = draw.textbbox((0, 0), letter, font=letters_font)
                place = (
                    left + (_INTERIOR - right) / 2,
                    top + (_INTERIOR - bottom) / 2 - _LIFT,
                )
                draw.text(place, letter, fill="black", font=letters_font)
    return picture


@cache
def font(size: int) -> FreeTypeFont:
    """The font of all pictures, in a size in pixels."""
    from PIL import ImageFont

    shipped = files("satcross") / "resources" / "OpenSans-Regular.ttf"
    if shipped.is_file():
        return ImageFont.truetype(BytesIO(shipped.read_bytes()), size)
    # Where only the .py files have travelled, the course's own copy serves.
    return ImageFont.truetype(_COURSE_FONT, size)


def write_png(grid: Grid, letters: Sequence[Sequence[str | None]], path: Path) -> None:
    """Draw the grid into a PNG file."""
    draw_letters(grid.structure, letters).save(path, format="PNG")


def write_sheet(sheet: Sheet, path: Path, style: str) -> None:
    """Draw a sheet into a PNG file; see ``writers``."""
    write_png(sheet.grid, sheet.solution, path)
