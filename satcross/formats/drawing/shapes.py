"""Drawings: shapes and text on a page, independent of the format that they are written in.

Lengths are in points (1/72 inch), from the top left corner; text sizes are the size of the em. Text
is measured in the font of ``lettering``, so that lines break at the same words in all formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Literal

from satcross.crossword import ITALIC, UPRIGHT, Crossword
from satcross.formats.drawing.lettering import (
    clean,
    font,
    is_packaged,
    needs_shaping,
    printable,
    runs_left,
)

BLACK, WHITE, GREY, LIGHT = "#000000", "#ffffff", "#777777", "#d3d3d3"

BOLDER = 1.08
"""Maximum ratio of the widths of bold and plain text; bold text has thicker strokes."""
_UNITS = 1000
_MARKS = re.compile(f"[{ITALIC}{UPRIGHT}]")


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
    """A line of text: ``anchor`` says which part of the text is at ``x``; ``y`` is the baseline.

    Italics are marked in the text as in that of ``Clue``; ``pieces`` are lines without marks.
    """

    x: float
    y: float
    text: str
    size: float
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    colour: str = BLACK
    italic: bool = False

    @property
    def share_before(self) -> float:
        """The share of the text's width that is before ``x``."""
        return {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]

    @property
    def parts(self) -> list[tuple[str, bool]]:
        """The parts of the text, and whether each is in italics."""
        return [(part, index % 2 == 1) for index, part in enumerate(_MARKS.split(self.text))]

    def pieces(self, size: float | None = None) -> Iterator[TextLine]:
        """Yield the line, or the parts of one with italics, side by side.

        ``size`` is that of the font with which they are drawn, if it is rounded.
        """
        parts = self.parts
        if len(parts) == 1:
            yield self
            return
        size = self.size if size is None else size
        x = self.x - self.share_before * text_width(self.text, size)
        for text, italic in parts[:: -1 if runs_left(self.text) else 1]:
            yield replace(self, x=x, text=text, anchor="start", italic=italic)
            x += text_width(text, size)


@dataclass(frozen=True, slots=True)
class Polygon:
    """A filled polygon."""

    points: tuple[tuple[float, float], ...]
    fill: str = BLACK


Item = Box | Ring | Stroke | TextLine | Polygon


@dataclass(frozen=True, slots=True)
class Drawing:
    """A white page or picture with items, later ones drawn over earlier ones."""

    width: float
    height: float
    items: tuple[Item, ...]


def mirrored(drawing: Drawing) -> Drawing:
    """Return a drawing for scripts that run from right to left: all but the texts is mirrored."""
    width = drawing.width
    anchors: dict[str, Literal["start", "middle", "end"]]
    anchors = {"start": "end", "middle": "middle", "end": "start"}

    def mirror(item: Item) -> Item:
        if isinstance(item, Box):
            return replace(item, x=width - item.x - item.width)
        if isinstance(item, Stroke):
            return replace(item, x1=width - item.x1, x2=width - item.x2)
        if isinstance(item, TextLine):
            return replace(item, x=width - item.x, anchor=anchors[item.anchor])
        if isinstance(item, Polygon):
            return replace(item, points=tuple((width - x, y) for x, y in item.points))
        return replace(item, x=width - item.x)

    return replace(drawing, items=tuple(map(mirror, drawing.items)))


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a line of text, without kerning, in the unit of ``size``."""
    width = _units(text) * size / _UNITS
    return width * BOLDER if bold else width


@lru_cache(maxsize=10_000)
def _units(text: str) -> float:
    text = text if text.isascii() else _MARKS.sub("", text)
    if needs_shaping(text) or not is_packaged():
        return font(_UNITS, text).getlength(printable(text))
    return sum(map(_advance, text))


def byline(crossword: Crossword) -> str:
    """Return the author and the date, unless the title has it."""
    date = "" if crossword.date in crossword.title else crossword.date
    return " · ".join(filter(None, map(clean, (crossword.author, date))))


def wrap(text: str, size: float, width: float, *, bold: bool = False) -> list[str]:
    """Return the text broken into lines no wider than ``width``; wider words are split.

    Marks of italics are repeated in each line.
    """
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
    lines += [line] if line else []
    for index, line in enumerate(lines):
        if line.rfind(ITALIC) > line.rfind(UPRIGHT):
            lines[index] += UPRIGHT
            lines[index + 1] = ITALIC + lines[index + 1]
    return lines


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


@cache
def _advance(character: str) -> float:
    return font(_UNITS).getlength(printable(character))
