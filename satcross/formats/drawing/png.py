"""PNG pictures: in CS50's style, pixel for pixel (with Pillow 9.4 or later), or numbered."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.crossword import Crossword
from satcross.formats.drawing import lettering
from satcross.formats.drawing.lettering import font

if TYPE_CHECKING:
    from PIL.Image import Image

    from satcross.formats.drawing import shapes

CELL = 100
"""Width and height of a cell, in pixels, as in CS50."""
BORDER = 2
FONT_SIZE = 80
_INTERIOR = CELL - 2 * BORDER
_LETTER_RAISE = 10
"""Distance of a letter above the middle of the cell, in pixels, as in CS50."""


def draw_letters(
    structure: Sequence[Sequence[bool]], letters: Sequence[Sequence[str | None]]
) -> Image:
    """Return a picture of a grid as CS50 draws it: RGBA, 100 pixels per cell.

    ``structure`` is true where a cell is open. ``letters`` has the same shape, with None for cells
    without a letter.
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
                # CS50 uses the right and bottom of the box as the width and height of the letter.
                _, _, right, bottom = draw.textbbox((0, 0), letter, font=letters_font)
                position = (
                    left + (_INTERIOR - right) / 2,
                    top + (_INTERIOR - bottom) / 2 - _LETTER_RAISE,
                )
                draw.text(position, letter, fill="black", font=letters_font)
    return picture


def write_crossword(crossword: Crossword, path: Path, style: str) -> None:
    """Write a crossword to a PNG file; ``style`` is one of ``registry.STYLES``."""
    grid = crossword.grid
    is_odd = grid.bars or grid.holes or crossword.rebus or lettering.reads_leftwards(crossword)
    if style == "fill" and not is_odd:
        rows = [[text and lettering.clean(text) for text in row] for row in crossword.solution]
        draw_letters(grid.structure, rows).save(path, format="PNG")
    else:
        from satcross.formats.drawing.layout import style_drawing

        draw(style_drawing(crossword, style)).save(path, format="PNG")


_PIXELS = CELL / 30
"""Pixels per point of a drawing, so that a cell of a grid picture is as large as in CS50."""
_BOLD = 0.03  # in ems: bold text is drawn twice, this far apart
_SLANT = 0.21  # of italics: how far letters lean for each pixel they rise
_OVERSAMPLING = 4  # of circles, to smooth their edges


def draw(drawing: shapes.Drawing) -> Image:
    """Return a drawing as an RGB picture."""
    from PIL import Image, ImageDraw

    from satcross.formats.drawing import shapes

    picture = Image.new("RGB", (_pixels(drawing.width), _pixels(drawing.height)), "white")
    pen = ImageDraw.Draw(picture)
    for item in drawing.items:
        if isinstance(item, shapes.Box):
            # Rounding both ends, not the size, makes neighbouring boxes share an edge.
            box = [_pixels(v) for v in (item.x, item.y, item.x + item.width, item.y + item.height)]
            pen.rectangle(box, fill=item.fill, outline=item.edge, width=_line(item.line))
        elif isinstance(item, shapes.Ring):
            _draw_ring(picture, item)
        elif isinstance(item, shapes.Stroke):
            line = [_pixels(v) for v in (item.x1, item.y1, item.x2, item.y2)]
            pen.line(line, fill=item.colour, width=_line(item.line))
        elif isinstance(item, shapes.Polygon):
            pen.polygon([(x * _PIXELS, y * _PIXELS) for x, y in item.points], fill=item.fill)
        else:
            for piece in item.pieces(_pixels(item.size) / _PIXELS):
                _draw_text(picture, piece)
    return picture


def _draw_text(picture: Image, item: shapes.TextLine) -> None:
    from PIL import Image, ImageDraw, features

    text = lettering.printable(item.text)
    x, y = item.x * _PIXELS, item.y * _PIXELS
    letters = font(max(1, _pixels(item.size)), item.text)
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[item.anchor]
    direction = "rtl" if lettering.runs_left(text) and features.check("raqm") else None
    if item.italic:
        size = round(letters.size)
        mask = Image.new("L", (round(letters.getlength(text)) + 2 * size, 2 * size))
        ImageDraw.Draw(mask).text((size, size), text, 255, letters, "ls", direction=direction)
        lean = (1, _SLANT, -_SLANT * size, 0, 1, 0)
        slanted = mask.transform(mask.size, Image.Transform.AFFINE, lean, Image.Resampling.BICUBIC)
        picture.paste(item.colour, (round(x) - size, round(y) - size), slanted)
        return
    pen = ImageDraw.Draw(picture)
    for shift in (0, item.size * _BOLD * _PIXELS) if item.bold else (0,):
        pen.text((x + shift, y), text, item.colour, letters, anchor, direction=direction)


def _draw_ring(picture: Image, ring: shapes.Ring) -> None:
    """Draw a smooth circle: Pillow's own has rough edges, so scale down a large one."""
    from PIL import Image, ImageDraw

    left, top = _pixels(ring.x - ring.radius), _pixels(ring.y - ring.radius)
    size = _pixels(2 * ring.radius) + 1
    mask = Image.new("L", (size * _OVERSAMPLING, size * _OVERSAMPLING), 0)
    line = _line(ring.line) * _OVERSAMPLING
    ImageDraw.Draw(mask).ellipse((0, 0, *(n - 1 for n in mask.size)), outline=255, width=line)
    picture.paste(ring.colour, (left, top), mask.resize((size, size), Image.Resampling.BOX))


def _pixels(length: float) -> int:
    return round(length * _PIXELS)


def _line(width: float) -> int:
    return max(1, _pixels(width))
