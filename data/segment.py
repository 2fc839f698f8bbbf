"""Split entries that no source writes with blanks into the likeliest words.

The likeliest split has the greatest product of probabilities: those of pairs of words where pairs
are known, otherwise those of single words, both from counts on the web (Norvig, "Natural Language
Corpus Data", in Segaran and Hammerbacher, "Beautiful Data", 2009). A word that no dictionary has
needs a higher count, since the counts know joined words such as OFTHE; one that was not counted is
none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

_TOTAL = 12.0
"""The decimal logarithm of the number of words on the web that were counted."""
_NO_WORD = 2.0
"""Cost of a word that no dictionary has, over that of its count; for short ones, twice that."""
_SHORT = 4
_LETTERS = {"A": 9.96, "I": 9.49}
"""Logarithms of the counts of the words of one letter."""
_LONGEST = 18


class Segmenter:
    """Splits entries; ``web`` and ``pairs`` are logarithms of counts."""

    def __init__(
        self,
        words: Collection[str],
        web: Mapping[str, float],
        pairs: Mapping[tuple[str, str], float],
    ) -> None:
        self._words, self._pairs = words, pairs
        self._web = {**web, **_LETTERS}

    def split(self, letters: str) -> list[str]:
        """Return the words of an entry; it may be one word."""
        best: list[dict[int, tuple[float, int]]] = [{0: (0.0, 0)}]
        for end in range(1, len(letters) + 1):
            here: dict[int, tuple[float, int]] = {}
            for start in range(max(0, end - _LONGEST), end):
                word = letters[start:end]
                single = self._cost(word)
                if single is not None and best[start]:
                    here[start] = min(
                        (cost + self._after(letters[before:start], word, single), before)
                        for before, (cost, _) in best[start].items()
                    )
            best.append(here)
        if not best[-1]:
            return [letters]
        words: list[str] = []
        end, start = len(letters), min(best[-1], key=lambda one: best[-1][one][0])
        while end:
            words.append(letters[start:end])
            end, start = start, best[end][start][1]
        return words[::-1]

    def _cost(self, word: str) -> float | None:
        """Return the cost of a word by itself; None for one that was not counted."""
        count = self._web.get(word)
        if count is None:
            return None
        unlisted = 0 if word in self._words else 2 if len(word) < _SHORT else 1
        return _TOTAL - count + _NO_WORD * unlisted

    def _after(self, before: str, word: str, single: float) -> float:
        pair = self._pairs.get((before, word)) if before in self._web else None
        return single if pair is None else min(single, max(0.0, self._web[before] - pair))
