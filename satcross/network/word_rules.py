"""What a puzzle asks of the words of a fill together: the rules that no slot can judge by itself.

Two different words clash when they have a *mark* in common: a run of letters longer than two words
may share, or a stem. Marks make it possible to deal with rules about pairs of 100,000 words without
ever listing the pairs: at most one word with each mark.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from satcross.puzzle import Puzzle
from satcross.rules import RULES, Mark
from satcross.vocabulary import WordGroup


class WordRules:
    """The rules of one puzzle about words together."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.repeats = puzzle.allow_repeats
        self.theme, self.min_theme_words = puzzle.required_theme()
        markers = (rule.marker(puzzle) for rule in RULES)
        self._markers = {marker.relation: marker for marker in markers if marker is not None}
        self.clashes = bool(self._markers)
        """Whether different words may clash at all."""
        self.exempt_words = puzzle.exempt_words if self.clashes else frozenset()
        self._clashing: dict[tuple[WordGroup, str], int] = {}
        self._having: dict[tuple[WordGroup, Mark], int] = {}
        self._exempt_bits: dict[WordGroup, int] = {}

    @property
    def plain(self) -> bool:
        """Whether there is no rule but, perhaps, that all words differ."""
        return not (self.clashes or self.min_theme_words)

    def marks(self, word: str) -> set[Mark]:
        """What the word may not have in common with another."""
        return {mark for marker in self._markers.values() for mark in marker.marks(word)}

    def clash(self, word: str, other: str) -> set[Mark]:
        """The marks for which two words may not stand in one fill."""
        if (
            not self.clashes
            or word == other
            or (word in self.exempt_words and other in self.exempt_words)
        ):
            return set()
        return self.marks(word) & self.marks(other)

    def clashing(self, word: str, lexicon: WordGroup) -> int:
        """The bitset, over the lexicon, of the words that clash with this one."""
        key = (lexicon, word)
        known = self._clashing.get(key)
        if known is None:
            known = 0
            for mark in self.marks(word):
                known |= self._all_having(mark, lexicon)
            if word in self.exempt_words:
                known &= ~self._all_own(lexicon)
            known &= ~lexicon.bit_of(word)
            self._clashing[key] = known
        return known

    def holds(self, words: Sequence[str]) -> bool:
        """Whether these words, one a slot, may stand in one fill."""
        different = set(words)
        if not self.repeats and len(different) < len(words):
            return False
        if len(self.theme & different) < self.min_theme_words:
            return False
        return not (self.clashes and self.broken(words))

    def broken(self, words: Iterable[str]) -> set[Mark]:
        """The marks that words have in common which may not."""
        having: defaultdict[Mark, list[str]] = defaultdict(list)
        for word in set(words):
            for mark in self.marks(word):
                having[mark].append(word)
        return {
            mark
            for mark, its in having.items()
            if len(its) > 1 and not self.exempt_words.issuperset(its)
        }

    def _all_having(self, mark: Mark, lexicon: WordGroup) -> int:
        key = (lexicon, mark)
        known = self._having.get(key)
        if known is None:
            known = self._markers[mark.relation].having(mark.text, lexicon)
            self._having[key] = known
        return known

    def _all_own(self, lexicon: WordGroup) -> int:
        if lexicon not in self._exempt_bits:
            self._exempt_bits[lexicon] = sum(map(lexicon.bit_of, self.exempt_words))
        return self._exempt_bits[lexicon]
