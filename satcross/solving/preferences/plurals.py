"""Few words should be another one with S, ES or IES."""

from __future__ import annotations

from typing import ClassVar

from satcross.solving.inflections import is_plain_plural
from satcross.solving.preferences.preference import IsWord, Limit


class PlainPlurals(Limit):
    name: ClassVar[str] = "plurals"
    order: ClassVar[int] = 4
    kind: ClassVar[str] = "plain plural"
    ending: ClassVar[str] = "S"
    share: ClassVar[float] = 0.12
    min_words: ClassVar[int] = 3

    def has(self, word: str, is_word: IsWord) -> bool:
        return is_plain_plural(word, is_word)


PREFERENCE = PlainPlurals()
