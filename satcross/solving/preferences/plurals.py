"""Few words should be another one with S, ES or IES."""

from __future__ import annotations

from satcross.solving.inflections import is_plain_plural
from satcross.solving.preferences.preference import IsWord, Limit


class PlainPlurals(Limit):
    name = "plurals"
    order = 4
    kind = "plain plural"
    ending = "S"
    share = 0.12
    min_words = 3

    def has(self, word: str, is_word: IsWord) -> bool:
        return is_plain_plural(word, is_word)


PREFERENCE = PlainPlurals()
