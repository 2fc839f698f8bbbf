"""No two entries should repeat a word, as USE and USING do, or AREA MAP and AREA."""

from __future__ import annotations

from typing import ClassVar

from satcross.solving.preferences.preference import IsWord, Pairs
from satcross.solving.repeats import repeated


class SameStem(Pairs):
    name: ClassVar[str] = "same_stem"
    order: ClassVar[int] = 1
    kind: ClassVar[str] = "with the same stem"

    def marks(self, word: str, is_word: IsWord) -> frozenset[str]:
        return repeated(word, is_word)


PREFERENCE = SameStem()
