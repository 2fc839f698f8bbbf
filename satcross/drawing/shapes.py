"""Drawings: shapes and text on a page, which the picture formats draw each in their way.

Lengths are in points (1/72 inch), from the top left corner; sizes of text are those of its em.
Text is measured in the font that all our pictures use, so that lines break alike everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Literal

BLACK, WHITE, GREY = "#000000", "#ffffff", "#777777"

BOLDER = 1.08
"""How much wider bold text may be; ours is made bold by thicker strokes."""
_UNITS = 1000
_SURELY_THERE = "\N{LATIN SMALL LETTER Z WITH CARON}"
"""Our font has all letters and signs up to here; looking into it takes a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle, filled, with an edge of that width when there is a colour for it."""

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
class Text:
    """A line of text; ``x`` is where it starts, has its middle or ends, ``y`` its baseline."""

    x: float
    y: float
    text: str
    size: float
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    colour: str = BLACK


Item = Box | Ring | Stroke | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """A page or picture: white, with the items drawn one over the other."""

    width: float
    height: float
    items: tuple[Item, ...]


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a line of text is, without kerning."""
    width = _units(text) * size / _UNITS
    return width * BOLDER if bold else width


@lru_cache(maxsize=10_000)
def _units(text: str) -> float:
    return sum(map(_advance, text))


@lru_cache(maxsize=1_000)
def clean(text: str) -> str:
    """A text as it is drawn: its blanks single, what can't be drawn (or be in XML) as U+FFFD."""
    joined = " ".join(unicodedata.normalize("NFC", text).split())
    return "".join("\N{REPLACEMENT CHARACTER}" if _is_bad(c) else c for c in joined)


def wrap(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """Break a text into lines no wider than ``width``; a word that is wider is cut."""
    lines: list[str] = []
    line, used = "", 0.0
    blank = text_width(" ", size, bold=bold)
    for word in clean(text).split(" "):
        for piece in _pieces(word, size, width, bold):
            wide = text_width(piece, size, bold=bold)
            if line and used + blank + wide <= width:
                line, used = f"{line} {piece}", used + blank + wide
            else:
                if line:
                    lines.append(line)
                line, used = piece, wide
    return [*lines, line] if line else lines


def _pieces(word: str, size: float, width: float, bold: bool) -> Iterator[str]:
    """The word, or pieces of it where it is wider than a line."""
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
    """The text with what our font has no glyph for as U+FFFD."""
    gone = missing(text)
    return "".join("\N{REPLACEMENT CHARACTER}" if c in gone else c for c in text)


def missing(text: str) -> list[str]:
    """The characters of a text that our font has no glyph for."""
    return [c for c in dict.fromkeys(text) if c > _SURELY_THERE and ord(c) not in _glyphs()]


def _is_bad(character: str) -> bool:
    category = unicodedata.category(character)
    return category in ("Cc", "Cs", "Cn") or character in "\ufffe\uffff"


@cache
def _glyphs() -> frozenset[int]:
    from fontTools.ttLib import TTFont

    data = (files("satcross") / "resources" / "OpenSans-Regular.ttf").read_bytes()
    return frozenset(TTFont(BytesIO(data)).getBestCmap())


@cache
def _advance(character: str) -> float:
    from satcross.drawing.font import font

    return font(_UNITS).getlength(printable(character))
