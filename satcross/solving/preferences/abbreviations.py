"""Few words should be abbreviations, initials or acronyms, as DNA, DEPT and NASA are."""

from __future__ import annotations

from functools import cache
from typing import ClassVar

from satcross.formats.resources import read_resource
from satcross.solving.preferences.preference import IsWord, Limit


class Abbreviations(Limit):
    name: ClassVar[str] = "abbreviations"
    order: ClassVar[int] = 4
    kind: ClassVar[str] = "abbreviation"
    share: ClassVar[float] = 0.07
    min_words: ClassVar[int] = 2

    def has(self, word: str, is_word: IsWord) -> bool:
        return word in known_abbreviations()


@cache
def known_abbreviations() -> frozenset[str]:
    """Return the English abbreviations of three to six letters that the default list has."""
    return frozenset(read_resource("abbreviations.txt").decode("ascii").split())


PREFERENCE = Abbreviations()
