"""Drawings: shapes and text on a page, independent of the format that they are written in.

Lengths are in points (1/72 inch), from the top left corner; text sizes are the size of the em. Text
is measured in the font of ``font``, so that lines break at the same words in all formats.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

BLACK, WHITE, GREY, LIGHT = "#000000", "#ffffff", "#777777", "#d3d3d3"

BOLDER = 1.08
"""Maximum ratio of the widths of bold and plain text; bold text has thicker strokes."""
_UNITS = 1000
_LAST_COMMON = "\N{LATIN SMALL LETTER Z WITH CARON}"
"""The font has a glyph for each printable character up to this one."""
_NO_CHARACTER = "\N{REPLACEMENT CHARACTER}"
_UNASSIGNED = "\uffff"
"""A code point that no font has a glyph for."""


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle, with an edge of width ``line`` unless ``edge``, the colour, is None."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    edge: str | None = None
    line: float = 0.0


@dataclass(frozen=True, slots=True)
class Ring:
    """A circle around (x, y)."""

    x: float
    y: float
    radius: float
    line: float
    colour: str = GREY


@dataclass(frozen=True, slots=True)
class Stroke:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    line: float
    colour: str = BLACK


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text: ``anchor`` says which part of the text is at ``x``; ``y`` is the baseline."""

    x: float
    y: float
    text: str
    size: float
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    colour: str = BLACK


Item = Box | Ring | Stroke | TextLine


@dataclass(frozen=True, slots=True)
class Drawing:
    """A white page or picture with items, later ones drawn over earlier ones."""

    width: float
    height: float
    items: tuple[Item, ...]


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line of text, without kerning, in the unit of ``size``."""
    width = _units(text) * size / _UNITS
    return width * BOLDER if bold else width


@lru_cache(maxsize=10_000)
def _units(text: str) -> float:
    return sum(map(_advance, text))


@lru_cache(maxsize=1_000)
def clean(text: str) -> str:
    """Return the text with single spaces, and U+FFFD for characters that can't be in XML."""
    joined = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join(_NO_CHARACTER if _is_invalid(c) else c for c in joined)


def wrap(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """Return the text broken into lines no wider than ``width``; wider words are split."""
    lines: list[str] = []
    line, used = "", 0.0
    blank = text_width(" ", size, bold=bold)
    for word in clean(text).split(" "):
        for piece in _pieces(word, size, width, bold):
            piece_width = text_width(piece, size, bold=bold)
            if line and used + blank + piece_width <= width:
                line, used = f"{line} {piece}", used + blank + piece_width
            else:
                if line:
                    lines.append(line)
                line, used = piece, piece_width
    return [*lines, line] if line else lines


def _pieces(word: str, size: float, width: float, bold: bool) -> Iterator[str]:
    """Yield a word, in several pieces if it is wider than a line."""
    if text_width(word, size, bold=bold) <= width:
        yield word
        return
    piece = ""
    for character in word:
        if piece and text_width(piece + character, size, bold=bold) > width:
            yield piece
            piece = ""
        piece += character
    yield piece


def printable(text: str) -> str:
    """Return the text with U+FFFD for each character that the font lacks."""
    absent = missing_glyphs(text)
    return "".join(_NO_CHARACTER if c in absent else c for c in text)


def missing_glyphs(text: str) -> list[str]:
    """Return the characters of a text that the font lacks, each once, in order of appearance."""
    return [c for c in dict.fromkeys(text) if c > _LAST_COMMON and not _has_glyph(c)]


def _is_invalid(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cs", "Cn") or character in "\ufffe\uffff"


@cache
def _has_glyph(character: str) -> bool:
    """Return whether the font draws a character differently from one that no font has.

    Pillow gives no access to the character map of a font. For this font, the comparison of pictures
    agrees with the map on every code point.
    """
    return _glyph_picture(character) != _glyph_picture(_UNASSIGNED)


@cache
def _glyph_picture(character: str) -> tuple[tuple[int, int], bytes]:
    """Return the size and pixels of a character, without the substitutions of text shaping."""
    from PIL import ImageFont

    from satcross.formats.drawing.font import font

    basic = font(40).font_variant(layout_engine=ImageFont.Layout.BASIC)
    mask = basic.getmask(character)
    return mask.size, bytes(mask)


@cache
def _advance(character: str) -> float:
    from satcross.formats.drawing.font import font

    return font(_UNITS).getlength(printable(character))
