"""Grids for a terminal, with colours and numbers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from satcross.crossword import Crossword
from satcross.drawing.layout import numbers
from satcross.drawing.shapes import clean
from satcross.grid import BLOCKED

_OPEN, _BOLD, _PLAIN, _BLACK = "\x1b[22;30;107m", "\x1b[1;30;107m", "\x1b[0m", "\x1b[0;40m"
_WIDTH = 4


def draw_terminal(crossword: Crossword) -> str:
    """Return the solution with ANSI colours, two lines per row and four columns per cell."""
    return "".join(f"{line}{_PLAIN}\n" for line in _lines(crossword))


def _lines(crossword: Crossword) -> Iterator[str]:
    names = numbers(crossword)
    for row, cells in enumerate(crossword.grid.rows):
        upper, lower = "", ""
        for column, content in enumerate(cells):
            if content == BLOCKED:
                upper += _BLACK + " " * _WIDTH
                lower += _BLACK + " " * _WIDTH
                continue
            letter = clean(crossword.solution[row][column] or "") or " "
            letter_width = sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in letter)
            upper += _OPEN + names.get((row, column), "").ljust(_WIDTH)
            lower += f"{_BOLD} {letter}{' ' * (_WIDTH - 1 - letter_width)}"
        yield upper
        yield lower
