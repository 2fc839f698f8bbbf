"""The font of all pictures: Open Sans, or one that the user names."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.errors import InputError
from satcross.support.texts import texts, use_texts

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

_COURSE_FONT = "assets/fonts/OpenSans-Regular.ttf"
_LAST_COMMON = "\N{LATIN SMALL LETTER Z WITH CARON}"


def use_font(path: str | None) -> None:
    """Draw and measure all texts in the font of a file from now on; None for Open Sans.

    Raises InputError for a file that is no TrueType or OpenType font.
    """
    if path is not None:
        from PIL import ImageFont

        try:
            ImageFont.truetype(BytesIO(Path(path).read_bytes()), 10)
        except OSError as error:
            reason = error.strerror or "no font"
            raise InputError(
                f"can't be read as a font ({reason})", "give a .ttf or .otf file", file=path
            ) from None
    use_texts(replace(texts(), font=path))
    for cached in (_font, characters):
        cached.cache_clear()


def is_packaged(text: str = "") -> bool:
    """Whether a text is drawn in Open Sans: also where the user's font lacks a letter of it."""
    return texts().font is None or bool(
        lacking(text, packaged=False) and not lacking(text, packaged=True)
    )


def lacking(text: str, *, packaged: bool) -> list[str]:
    """Return the characters of a text that Open Sans or the user's font lacks, each once."""
    if packaged:  # Open Sans has all printable characters up to this one
        text = "".join(c for c in text if c > _LAST_COMMON)
    known = characters(packaged) if text else ()
    return [c for c in dict.fromkeys(text) if not c.isspace() and ord(c) not in known]


def font_bytes(*, packaged: bool) -> bytes:
    """Return the content of the file of Open Sans, or of the user's font."""
    chosen = texts().font
    if not packaged and chosen is not None:
        return Path(chosen).read_bytes()
    path = files("satcross") / "resources" / "OpenSans-Regular.ttf"
    # If only the .py files were copied into the course's folder, the font is in that folder.
    return path.read_bytes() if path.is_file() else Path(_COURSE_FONT).read_bytes()


def font(size: int, text: str = "") -> FreeTypeFont:
    """Return the font at a size in pixels, for a text."""
    return _font(size, is_packaged(text))


@cache
def _font(size: int, packaged: bool) -> FreeTypeFont:
    from PIL import ImageFont

    return ImageFont.truetype(BytesIO(font_bytes(packaged=packaged)), size)


@cache
def characters(packaged: bool) -> frozenset[int]:
    """Return the code points that Open Sans, or the user's font, has a glyph for."""
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    with TTFont(BytesIO(font_bytes(packaged=packaged)), fontNumber=0) as opened:
        return frozenset(opened.getBestCmap())
