"""The font of all pictures."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont


_COURSE_FONT = "assets/fonts/OpenSans-Regular.ttf"


@cache
def font(size: int) -> FreeTypeFont:
    """The font of all pictures, in a size in pixels."""
    from PIL import ImageFont

    shipped = files("satcross") / "resources" / "OpenSans-Regular.ttf"
    if shipped.is_file():
        return ImageFont.truetype(BytesIO(shipped.read_bytes()), size)
    # Where only the .py files have travelled, the course's own copy serves.
    return ImageFont.truetype(_COURSE_FONT, size)
