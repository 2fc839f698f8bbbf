"""American, British and barred grid styles, and the usual numbers of words and blocks.

American: every cell is checked (lies in an across and in a down word), words have at least three
letters, the grid is connected and rotationally symmetric. The New York Times accepts at most 78
words in a 15x15 (72 without a theme) and 140 in a 21x21, and most American papers have similar
limits; about a sixth of the cells are blocked. These two sizes fix the curve for all other sizes:
the limits grow with the area to the power of 0.87.

British: a lattice in which about every other cell of a word is checked. The rules differ between
papers: The Times requires half of each word's letters to be checked, others round that down for odd
lengths; no paper accepts three unchecked cells in a row, and strict ones accept no two. A 15x15
usually has 28 to 32 words and about a third of its cells blocked; other sizes follow the curve.

Barred: no blocks; words end at bars between cells, and most letters are checked. D. S. Macnutt
("Ximenes on the Art of the Crossword", 1966) allows one unchecked letter in words of four and five
letters, and one more for every two further letters; Azed and the Listener follow him. Their 12x12s
have about 36 words; other sizes follow the curve.
"""

from __future__ import annotations

from enum import StrEnum

from satcross.grid import STRIDE, Grid
from satcross.support.frozen import frozen

MIN_WORD_LENGTH = 3
"""Number of letters of the shortest word in either style."""

_GROWTH = 0.87
"""Exponent of the area at which 78 words in 225 cells become 140 words in 441."""
_LEAST_LATTICE = 7
"""Rows of the smallest grid that is taken for a lattice."""


class Style(StrEnum):
    """Style of a grid; the module docstring describes each."""

    AMERICAN = "american"
    BRITISH = "british"
    BARRED = "barred"


def style_of(grid: Grid) -> Style | None:
    """Return the style that a grid looks to be of; None if it looks like none."""
    if grid.bars:
        return Style.BARRED
    cells = {cell for slot in grid.slots for cell in slot.cells}
    checked = sum(crossing.cell[1] < STRIDE for crossing in grid.crossings)
    if checked == len(cells):
        return Style.AMERICAN
    turned = {(grid.height - 1 - row, grid.width - 1 - column) for row, column in cells}
    is_lattice = turned == cells and 3 * checked < 2 * len(cells) and grid.height >= _LEAST_LATTICE
    return Style.BRITISH if is_lattice else None


@frozen
class UsualLimits:
    """Usual minimum and maximum number of words, and maximum number of blocks, of a grid."""

    min_words: int
    max_words: int
    max_blocks: int


def usual_limits(style: Style, height: int, width: int) -> UsualLimits:
    """Return the usual limits: published ones for 15x15 and 21x21, else extrapolated."""
    area = height * width
    scale = (area / 225) ** _GROWTH
    if style is Style.AMERICAN:
        max_words = round(78 * scale)
        return UsualLimits(max(2, round(max_words * 0.85)), max_words, max(4, round(area / 6) + 1))
    if style is Style.BARRED:
        return UsualLimits(max(2, round(50 * scale)), max(4, round(62 * scale)), 0)
    return UsualLimits(
        max(2, round(26 * scale)), max(4, round(34 * scale)), max(4, round(area * 0.4) + 1)
    )


def max_unchecked(length: int) -> int:
    """Return how many letters of a word may be unchecked in a barred grid."""
    return (length - 2) // 2
