"""Rules about several words of a fill: repetitions, theme words, and pairs of similar words.

Two different words clash when they share a *mark*: a substring longer than two words may share, or
a stem. So a rule about pairs becomes "at most one word with each mark", and the pairs of 100,000
words are never listed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

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
        self._clashing: dict[tuple[WordGroup, str], int] = {}
        self._having: dict[tuple[WordGroup, Mark], int] = {}
        self._exempt_bits: dict[WordGroup, int] = {}

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

    def clashing(self, word: str, lexicon: WordGroup) -> int:
        """Return the bitset, over the lexicon, of the words that clash with ``word``; cached."""
        key = (lexicon, word)
        known = self._clashing.get(key)
        if known is None:
            known = 0
            for mark in self.marks(word):
                known |= self.having(mark, lexicon)
            if word in self.exempt_words:
                known &= ~self._all_exempt(lexicon)
            known &= ~lexicon.bit_of(word)
            self._clashing[key] = known
        return known

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

    def having(self, mark: Mark, lexicon: WordGroup) -> int:
        """Return the bitset, over the lexicon, of the words with a mark; cached."""
        key = (lexicon, mark)
        known = self._having.get(key)
        if known is None:
            known = self._markers[mark.relation].having(mark.text, lexicon)
            self._having[key] = known
        return known

    def _all_exempt(self, lexicon: WordGroup) -> int:
        if lexicon not in self._exempt_bits:
            self._exempt_bits[lexicon] = sum(map(lexicon.bit_of, self.exempt_words))
        return self._exempt_bits[lexicon]
