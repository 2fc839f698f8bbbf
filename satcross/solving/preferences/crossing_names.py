"""No two names that score below 60 should cross: whoever knows neither can't guess the letter."""

from __future__ import annotations

from satcross.solving.preferences.names import PREFERENCE as NAMES
from satcross.solving.preferences.preference import Crossings, IsWord


class CrossingNames(Crossings):
    name = "crossing_names"
    order = 3
    kind = "of crossing names"

    def has(self, word: str, is_word: IsWord) -> bool:
        return NAMES.has(word, is_word)


PREFERENCE = CrossingNames()
