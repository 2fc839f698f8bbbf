"""Rules about several words of a fill: repetitions, theme words, and pairs of similar words.

Two different words clash when they share a *mark*: a substring longer than two words may share, or
a stem. So a rule about pairs becomes "at most one word with each mark", and the pairs of 100,000
words are never listed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache, reduce
from operator import or_

from satcross.puzzle import Puzzle
from satcross.rules import RULES
from satcross.rules.rule import Mark
from satcross.vocabulary import WordGroup


class WordRules:
    """The rules of one puzzle about several words."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.repeats = puzzle.allow_repeats
        self.theme, self.min_theme_words = puzzle.required_theme()
        markers = (rule.marker(puzzle) for rule in RULES)
        self._markers = {marker.relation: marker for marker in markers if marker is not None}
        self.clashes = bool(self._markers)
        """Whether the puzzle has a rule by which different words can clash."""
        self.exempt_words = puzzle.exempt_words if self.clashes else frozenset()
        self.clashing, self.having = cache(self._clashing), cache(self._having)
        self._all_exempt = cache(lambda lexicon: sum(map(lexicon.bit_of, self.exempt_words)))

    @property
    def plain(self) -> bool:
        """Whether the only possible rule about several words is that all words differ."""
        return not (self.clashes or self.min_theme_words)

    def marks(self, word: str) -> set[Mark]:
        """Return the marks of a word."""
        return {mark for marker in self._markers.values() for mark in marker.marks(word)}

    def clash(self, word: str, other: str) -> set[Mark]:
        """Return the marks by which two words exclude each other."""
        if (
            not self.clashes
            or word == other
            or (word in self.exempt_words and other in self.exempt_words)
        ):
            return set()
        return self.marks(word) & self.marks(other)

    def _clashing(self, word: str, lexicon: WordGroup) -> int:
        """Return the bitset, over the lexicon, of the words that clash with ``word``."""
        found = reduce(or_, (self.having(mark, lexicon) for mark in self.marks(word)), 0)
        exempt = self._all_exempt(lexicon) if word in self.exempt_words else 0
        return found & ~exempt & ~lexicon.bit_of(word)

    def holds(self, words: Sequence[str]) -> bool:
        """Whether a fill of these words, one for each slot, obeys the rules."""
        different = set(words)
        if not self.repeats and len(different) < len(words):
            return False
        if len(self.theme & different) < self.min_theme_words:
            return False
        return not (self.clashes and self.broken(words))

    def broken(self, words: Iterable[str]) -> set[Mark]:
        """Return the marks shared by words that exclude each other."""
        having: defaultdict[Mark, list[str]] = defaultdict(list)
        for word in set(words):
            for mark in self.marks(word):
                having[mark].append(word)
        return {
            mark
            for mark, marked in having.items()
            if len(marked) > 1 and not self.exempt_words.issuperset(marked)
        }

    def _having(self, mark: Mark, lexicon: WordGroup) -> int:
        """Return the bitset, over the lexicon, of the words with a mark."""
        return self._markers[mark.relation].having(mark.text, lexicon)
