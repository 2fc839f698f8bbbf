"""The two usual styles of crossword grids, and how many words and blocks they have.

American: every cell is checked (stands in an across and a down word), words have three letters or
more, all is connected, and the grid looks the same after half a turn. Where the numbers come from:
The New York Times takes at most 78 words in a 15x15 (72 without a theme) and 140 in a 21x21, as
most American papers do, give or take a few; blocks are held to a sixth of the cells or so. Those
two sizes fix the curve used for all others: limits grow with the area to the power of 0.87.

British: a lattice, in which about every other cell of a word is checked. The rules differ from
paper to paper: The Times asks for half of each word's letters to be checked, others round that down
for odd lengths; nobody takes three unchecked cells in a row, and the strict take no two. A 15x15
usually has 28 to 32 words and about a third of its cells blocked; other sizes follow the curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SHORTEST = 3
"""Letters of the shortest word in either style."""

_GROWTH = 0.87
"""The exponent at which 78 words in 225 cells become 140 in 441."""


class Style(StrEnum):
    """What kind of grid."""

    AMERICAN = "american"
    BRITISH = "british"


@dataclass(frozen=True, slots=True)
class Usual:
    """What is usual for a size: fewest and most words, most blocks."""

    fewest_words: int
    most_words: int
    most_blocks: int


def usual(style: Style, height: int, width: int) -> Usual:
    """The usual limits for a grid of that size; known for 15x15 and 21x21, else from the curve."""
    area = height * width
    scale = (area / 225) ** _GROWTH
    if style is Style.AMERICAN:
        most = round(78 * scale)
        return Usual(max(2, round(most * 0.85)), most, max(4, round(area / 6) + 1))
    return Usual(
        max(2, round(26 * scale)), max(4, round(34 * scale)), max(4, round(area * 0.4) + 1)
    )
