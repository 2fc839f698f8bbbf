"""Bar charts, for the word lengths and scores of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from satcross.formats.drawing.lettering import font

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

_WIDTH, _HEIGHT = 1000, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 20, 20, 70, 60
_TITLE, _LABEL = 26, 16
_INK, _BAR = (30, 30, 30), (0, 114, 178)

Panel = tuple[str, Sequence[tuple[str, int]]]
"""The title of a bar chart, and the label and value of each bar."""


def draw_bars(panels: Sequence[Panel]) -> Image:
    """Return a picture with the bar charts below each other, 1000 x 420 pixels each."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (_WIDTH, _HEIGHT * len(panels)), "white")
    draw = ImageDraw.Draw(picture)
    for number, (title, bars) in enumerate(panels):
        _draw_panel(draw, number * _HEIGHT, title, bars)
    return picture


def _draw_panel(draw: ImageDraw, top: int, title: str, bars: Sequence[tuple[str, int]]) -> None:
    draw.text((_LEFT, top + 16), title, fill=_INK, font=font(_TITLE))
    base = top + _HEIGHT - _BOTTOM
    max_height = base - top - _TOP - _LABEL - 4
    highest = max((value for _, value in bars), default=0) or 1
    step = (_WIDTH - _LEFT - _RIGHT) / max(len(bars), 1)
    small = font(_LABEL if step > 44 else 13)
    for index, (label, value) in enumerate(bars):
        left, right = _LEFT + index * step, _LEFT + (index + 1) * step
        middle = (left + right) / 2
        height = max_height * value / highest
        if value:
            box = (left + step * 0.1, base - max(height, 1), right - step * 0.1, base)
            draw.rectangle(box, fill=_BAR)
            above = (middle, base - max(height, 1) - 4)
            draw.text(above, _short(value), fill=_INK, font=small, anchor="mb")
        draw.text((middle, base + 8), label, fill=_INK, font=small, anchor="mt")
    draw.line((_LEFT, base, _WIDTH - _RIGHT, base), fill=_INK)


def _short(value: int) -> str:
    """Return a value in at most four characters: 999, 1.2k, 35k, 1.2M."""
    for size, letter in ((1_000_000, "M"), (1000, "k")):
        if value >= size:
            return f"{value / size:.{1 if value < 9.95 * size else 0}f}{letter}"
    return str(value)
