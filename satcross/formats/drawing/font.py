"""The font of all pictures, Open Sans."""

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
    """Return the font at a size in pixels."""
    from PIL import ImageFont

    packaged = files("satcross") / "resources" / "OpenSans-Regular.ttf"
    if packaged.is_file():
        return ImageFont.truetype(BytesIO(packaged.read_bytes()), size)
    # If only the .py files were copied into the course's folder, the font is in that folder.
    return ImageFont.truetype(_COURSE_FONT, size)
