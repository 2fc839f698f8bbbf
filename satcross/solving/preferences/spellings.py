"""No word of an American grid should be spelt as in Britain, as METRE is, nor the other way."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from satcross.grid.styles import Style, style_of
from satcross.puzzle import Puzzle
from satcross.solving.preferences.preference import Listed

_BRITISH = ("American spelling", "american-spellings", "HONOUR")
_FOREIGN = {
    Style.AMERICAN: ("British spelling", "british-spellings", "HONOR"),
    Style.BRITISH: _BRITISH,
    Style.BARRED: _BRITISH,
}
"""For each kind of grid the foreign spelling, the file of its words, and a word that a list has in
which the other spelling can be expected."""


class Spellings(Listed):
    """Which spellings are foreign depends on the kind of grid, and on the list."""

    def of(self, puzzle: Puzzle) -> Self | None:
        style = style_of(puzzle.grid)
        if style is None:
            return None
        kind, file, witness = _FOREIGN[style]
        return replace(self, kind=kind, file=file) if witness in puzzle.vocabulary else None


PREFERENCE = Spellings("spellings", 8, "foreign spelling", share=0.0, min_words=0, quiet=True)
