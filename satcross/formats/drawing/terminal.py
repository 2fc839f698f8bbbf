"""Grids for a terminal, with colours and numbers."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from satcross.crossword import Crossword
from satcross.formats.drawing.layout import numbers
from satcross.formats.drawing.lettering import clean, reads_leftwards
from satcross.grid import BLOCKED

_OPEN, _BOLD, _PLAIN, _BLACK = "\x1b[22;30;107m", "\x1b[1;30;107m", "\x1b[0m", "\x1b[0;40m"
_SHADED, _UNDERLINED, _NOT_UNDERLINED = "\x1b[47m", "\x1b[4m", "\x1b[24m"
_RIGHT_BAR = "\N{RIGHT ONE EIGHTH BLOCK}"
_WIDTH = 4


def draw_terminal(crossword: Crossword) -> str:
    """Return the solution with ANSI colours, two lines per row and four columns per cell.

    The grid is mirrored for languages that run from right to left.
    """
    return "".join(f"{line}{_PLAIN}\n" for line in _lines(crossword))


def _lines(crossword: Crossword) -> Iterator[str]:
    names = numbers(crossword)
    grid = crossword.grid
    leftwards = reads_leftwards(crossword)
    for row, cells in enumerate(grid.rows):
        upper, lower = "", ""
        columns = range(grid.width)
        for column in reversed(columns) if leftwards else columns:
            content = cells[column]
            if content == BLOCKED:
                ground = _PLAIN if (row, column) in grid.holes else _BLACK
                upper += ground + " " * _WIDTH
                lower += ground + " " * _WIDTH
                continue
            cell = (row, column)
            shade = _SHADED if cell in grid.shaded else ""
            neighbour = (row, column - 1) if leftwards else (row, column + 1)
            bar = (min(cell, neighbour), max(cell, neighbour))
            right = _RIGHT_BAR if bar in grid.bars else " "
            below = (cell, (row + 1, column)) in grid.bars
            letter = clean(crossword.solution[row][column] or "")[: _WIDTH - 2] or " "
            letter_width = sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in letter)
            upper += _OPEN + shade + names.get(cell, "").ljust(_WIDTH - 1) + right
            text = f" {letter}{' ' * (_WIDTH - 2 - letter_width)}{right}"
            text = f"{_UNDERLINED}{text}{_NOT_UNDERLINED}" if below else text
            lower += _BOLD + shade + text
        yield upper
        yield lower
