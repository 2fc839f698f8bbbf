"""No two words should be forms of the same word, as USE, USED and USING are."""

from __future__ import annotations

from typing import ClassVar

from satcross.solving.inflections import roots
from satcross.solving.preferences.preference import IsWord, Pairs


class SameStem(Pairs):
    name: ClassVar[str] = "same_stem"
    order: ClassVar[int] = 1
    kind: ClassVar[str] = "with the same stem"

    def marks(self, word: str, is_word: IsWord) -> frozenset[str]:
        return frozenset(roots(word, is_word))


PREFERENCE = SameStem()
