"""Few words should be abbreviations, initials or acronyms, as DNA, DEPT and NASA are."""

from __future__ import annotations

from typing import ClassVar

from satcross.solving.preferences.preference import Listed


class Abbreviations(Listed):
    name: ClassVar[str] = "abbreviations"
    order: ClassVar[int] = 5
    kind: ClassVar[str] = "abbreviation"
    share: ClassVar[float] = 0.07
    min_words: ClassVar[int] = 2
    file: ClassVar[str] = "abbreviations.txt"


PREFERENCE = Abbreviations()
