"""PNG pictures: as CS50 draws them, pixel for pixel (with Pillow 9.4 or later), or as printed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.crossword import Crossword
from satcross.drawing.font import font
from satcross.drawing.shapes import Box, Drawing, Ring, Stroke, printable
from satcross.grid import Grid

if TYPE_CHECKING:
    from PIL.Image import Image

CELL = 100
"""Pixels from one cell to the next."""
BORDER = 2
FONT_SIZE = 80
_INTERIOR = CELL - 2 * BORDER
_LIFT = 10
"""Pixels by which a letter stands above the middle."""


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


def write_png(grid: Grid, letters: Sequence[Sequence[str | None]], path: Path) -> None:
    """Draw the grid into a PNG file."""
    draw_letters(grid.structure, letters).save(path, format="PNG")


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Draw a crossword into a PNG file; see ``writers``."""
    if style == "fill":
        write_png(crossword.grid, crossword.solution, path)
    else:
        from satcross.drawing.layout import STYLE_DRAWINGS

        draw(STYLE_DRAWINGS[style](crossword)).save(path, format="PNG")


_PIXELS = CELL / 30
"""Pixels a point of a drawing: a cell of a grid alone gets as many as CS50 gives it."""
_BOLD = 0.03  # of the em, by which bold text is drawn twice
_FINER = 4  # pixels a pixel when a circle is drawn


def draw(drawing: Drawing) -> Image:
    """A drawing as a picture, RGB."""
    from PIL import Image, ImageDraw

    size = (_pixels(drawing.width), _pixels(drawing.height))
    picture = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(picture)
    for item in drawing.items:
        if isinstance(item, Box):
            # Neighbours share their edges, so that both ends are rounded alike.
            box = [_pixels(v) for v in (item.x, item.y, item.x + item.width, item.y + item.height)]
            pen.rectangle(box, fill=item.fill, outline=item.edge, width=_line(item.line))
        elif isinstance(item, Ring):
            _draw_ring(picture, item)
        elif isinstance(item, Stroke):
            line = [_pixels(v) for v in (item.x1, item.y1, item.x2, item.y2)]
            pen.line(line, fill=item.colour, width=_line(item.line))
        else:
            text = printable(item.text)
            place = (item.x * _PIXELS, item.y * _PIXELS)
            letters = font(max(1, _pixels(item.size)))
            anchor = {"start": "ls", "middle": "ms", "end": "rs"}[item.anchor]
            for shift in (0, item.size * _BOLD * _PIXELS) if item.bold else (0,):
                at = (place[0] + shift, place[1])
                pen.text(at, text, fill=item.colour, font=letters, anchor=anchor)
    return picture


def _draw_ring(picture: Image, ring: Ring) -> None:
    """Pillow draws circles without smooth edges: drawn finer, then made smaller, it has them."""
    from PIL import Image, ImageDraw

    left, top = _pixels(ring.x - ring.radius), _pixels(ring.y - ring.radius)
    size = _pixels(2 * ring.radius) + 1
    mask = Image.new("L", (size * _FINER, size * _FINER), 0)
    line = _line(ring.line) * _FINER
    ImageDraw.Draw(mask).ellipse((0, 0, *(n - 1 for n in mask.size)), outline=255, width=line)
    picture.paste(ring.colour, (left, top), mask.resize((size, size), Image.Resampling.BOX))


def _pixels(length: float) -> int:
    return round(length * _PIXELS)


def _line(width: float) -> int:
    return max(1, _pixels(width))
