"""Pictures and pages of crosswords: PNG, SVG, PDF and colour terminals.

``layout`` turns a crossword into a ``Drawing`` of shapes; ``png``, ``svg`` and ``pdf`` write
drawings, each with an optional library that it imports when used.
"""

from satcross.formats.drawing.svg import crossword_svg
from satcross.formats.drawing.terminal import draw_terminal

__all__ = ["crossword_svg", "draw_terminal"]
