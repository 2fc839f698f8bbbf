"""Few words should be names of people, places and brands, which one knows or does not."""

from __future__ import annotations

from typing import ClassVar

from satcross.solving.preferences.preference import Listed


class Names(Listed):
    name: ClassVar[str] = "names"
    order: ClassVar[int] = 6
    kind: ClassVar[str] = "name"
    quiet: ClassVar[bool] = True
    share: ClassVar[float] = 0.1
    min_words: ClassVar[int] = 3
    file: ClassVar[str] = "names.txt"


PREFERENCE = Names()
