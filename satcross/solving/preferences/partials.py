"""Few words should be pieces of phrases, as I MAY and HAS TO are."""

from __future__ import annotations

from typing import ClassVar

from satcross.solving.preferences.preference import Listed


class Partials(Listed):
    name: ClassVar[str] = "partials"
    order: ClassVar[int] = 7
    kind: ClassVar[str] = "partial"
    quiet: ClassVar[bool] = True
    share: ClassVar[float] = 0.03
    min_words: ClassVar[int] = 1
    file: ClassVar[str] = "partials.txt"


PREFERENCE = Partials()
