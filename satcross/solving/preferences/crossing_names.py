"""No two names that score below 60 should cross: whoever knows neither can't guess the letter."""

from __future__ import annotations

from typing import ClassVar

from satcross.solving.preferences.names import Names
from satcross.solving.preferences.preference import Crossings, IsWord


class CrossingNames(Crossings):
    name: ClassVar[str] = "crossing_names"
    order: ClassVar[int] = 3
    kind: ClassVar[str] = "of crossing names"

    def has(self, word: str, is_word: IsWord) -> bool:
        return Names().has(word, is_word)


PREFERENCE = CrossingNames()
