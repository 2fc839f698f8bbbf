"""No two entries should repeat a word, as USE and USING do, or AREA MAP and AREA."""

from __future__ import annotations

from satcross.solving.preferences.preference import IsWord, Pairs
from satcross.solving.repeats import repeated


class SameStem(Pairs):
    name = "same_stem"
    order = 1
    kind = "with the same stem"

    def marks(self, word: str, is_word: IsWord) -> frozenset[str]:
        return repeated(word, is_word)


PREFERENCE = SameStem()
