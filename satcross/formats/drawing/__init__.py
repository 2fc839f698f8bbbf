"""Pictures and pages of crosswords: PNG, SVG, PDF and colour terminals.

``layout`` turns a crossword into a ``Drawing`` of shapes; ``png``, ``svg`` and ``pdf`` write
drawings, each with an optional library that it imports when used.
"""
