"""No two words should have a long substring in common."""

from __future__ import annotations

from typing import Self

from satcross.puzzle import Puzzle
from satcross.solving.preferences.preference import IsWord, Pairs

MAX_SHARED = 5
"""Most letters in a row that two words of a fill should share."""


class SharedSubstring(Pairs):
    name = "shared"
    order = 2
    kind = "much alike"

    def of(self, puzzle: Puzzle) -> Self | None:
        return self if puzzle.max_shared_substring is None else None

    def marks(self, word: str, is_word: IsWord) -> frozenset[str]:
        size = MAX_SHARED + 1
        return frozenset(word[start : start + size] for start in range(len(word) - size + 1))


PREFERENCE = SharedSubstring()
