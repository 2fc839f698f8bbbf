"""The font of all pictures, Open Sans or the user's; its letters, and which way they run."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.grid import BLOCKED, OPEN
from satcross.support.letters import spell
from satcross.support.texts import texts as text_settings
from satcross.support.texts import use_texts

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

_COURSE_FONT = "assets/fonts/OpenSans-Regular.ttf"
_LAST_COMMON = "\N{LATIN SMALL LETTER Z WITH CARON}"
_NO_CHARACTER = "\N{REPLACEMENT CHARACTER}"
_SHAPED = "[\u0590-\u1cff\ua840-\uabff\ufb1d-\ufdff\ufe70-\ufeff]"
"""Scripts whose letters join, change places or run from right to left."""


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
            problem = f"can't be read as a font ({reason})"
            raise InputError(problem, "give a .ttf or .otf file", file=path) from None
    use_texts(replace(text_settings(), font=path))
    for cached in (_font, characters):
        cached.cache_clear()


def is_packaged(text: str = "") -> bool:
    """Whether a text is drawn in Open Sans: also where the user's font lacks a letter of it."""
    return text_settings().font is None or bool(
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
    chosen = text_settings().font
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


def needs_shaping(text: str) -> bool:
    """Whether the letters of a text join, change places or run from right to left."""
    return not text.isascii() and re.search(_SHAPED, text) is not None


def runs_left(text: str) -> bool:
    """Whether most letters of a text belong to scripts that run from right to left."""
    if text.isascii():
        return False
    classes = [unicodedata.bidirectional(c) for c in text if c.isalpha()]
    return 2 * sum(item in ("R", "AL") for item in classes) > len(classes)


@lru_cache(maxsize=1_000)
def clean(text: str) -> str:
    """Return the text with single spaces, and U+FFFD for characters that can't be in XML."""
    joined = " ".join(unicodedata.normalize("NFC", spell(text)).split())
    return "".join(_NO_CHARACTER if _is_invalid(c) else c for c in joined)


def printable(text: str) -> str:
    """Return the text with U+FFFD, or a question mark, for each character that the font lacks."""
    absent = missing_glyphs(text)
    if not absent:
        return text
    sign = "?" if lacking(_NO_CHARACTER, packaged=is_packaged(text)) else _NO_CHARACTER
    return "".join(sign if c in absent else c for c in text)


def missing_glyphs(text: str) -> list[str]:
    """Return the characters of a line that its font lacks, each once, in order of appearance."""
    return lacking(text, packaged=is_packaged(text))


def _is_invalid(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cs", "Cn") or character in "\ufffe\uffff"


def reads_leftwards(crossword: Crossword) -> bool:
    """Whether the crossword's language runs from right to left, or else its letters do."""
    language = text_settings().language
    if language:
        from satcross.formats.languages import languages

        return bool(languages()[language].get("right_to_left"))
    letters = "".join(letter for row in crossword.solution for letter in row if letter)
    return runs_left(letters or " ".join(crossword.clues.values()))


def texts(crossword: Crossword, style: str) -> list[str]:
    """Return the texts that a drawing of the crossword may contain."""
    letters = [clean(letter) for row in crossword.solution for letter in row if letter]
    cells = [cell for row in crossword.grid.rows for cell in row if cell not in (BLOCKED, OPEN)]
    prefilled = list(map(clean, cells))
    if style != "newspaper":
        return [*letters, *prefilled]
    from satcross.formats.languages import phrase

    about = [getattr(crossword, key) for key in ("title", "author", "copyright", "notes", "date")]
    headings = [phrase(key) for key in ("across", "down", "crossword", "solution")]
    return [*letters, *prefilled, *headings, *map(clean, (*about, *crossword.clues.values()))]
