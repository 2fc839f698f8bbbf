"""The ledger: on which days entries were used, in this series and in puzzles made elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

Record = Mapping[str, Any]
"""What a line of ``series.jsonl`` has; docs/series.md describes it."""
MADE, FAILED = "made", "failed"

_RECENT = 4
"""Windows after which an entry is as good as new."""
_PENALTY, _LOWEST = 10, 50
"""What the score of a word loses that was used recently, and what it does not fall below by it."""


class Ledger:
    """Entry -> the days on which it was used; ``days`` says how long an entry stays away."""

    def __init__(self, days: Callable[[int], int]) -> None:
        self._days = days
        self._used: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, words: Iterable[str], day: date) -> None:
        """Note that these words are used on that day."""
        for word in words:
            self._used[word].append(day.toordinal())

    def banned(self, day: date) -> frozenset[str]:
        """Return the words that may not stand in a puzzle of that day."""
        return self._near(day, 1)

    def recent(self, day: date) -> frozenset[str]:
        """Return the words that may, but were used not long ago."""
        return self._near(day, _RECENT) - self._near(day, 1)

    def _near(self, day: date, windows: int) -> frozenset[str]:
        at = day.toordinal()
        return frozenset(
            word
            for word, used in self._used.items()
            if any(abs(at - other) <= windows * self._days(len(word)) for other in used)
        )


def lowered(score: int) -> int:
    """Return the score of a word that was used recently."""
    return min(score, max(_LOWEST, score - _PENALTY))
