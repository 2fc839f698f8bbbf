"""What a puzzle asks of the words of a fill together: the rules that no slot can judge by itself.

Two different words clash when they have a *mark* in common: a run of letters longer than two words
may share, or a stem. Marks make it possible to deal with rules about pairs of 100,000 words without
ever listing the pairs: at most one word with each mark.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from satcross.puzzle import Puzzle
from satcross.vocabulary import WordGroup

LEAST_STEM = 2
"""Letters of a stem: as many as the shortest word has."""


class Mark(NamedTuple):
    """What two different words of a fill may not both have: a run of letters, or a stem."""

    text: str
    is_stem: bool = False

    def __str__(self) -> str:
        return f"a word of the stem {self.text}" if self.is_stem else f"a word with {self.text}"


class WordRules:
    """The rules of one puzzle about words together."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.repeats = puzzle.allow_repeats
        self.theme, self.min_theme_words = puzzle.required_theme()
        self._run = None if puzzle.max_shared_substring is None else puzzle.max_shared_substring + 1
        self._stem_endings = puzzle.stem_endings
        self.clashes = self._run is not None or bool(self._stem_endings)
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
        found: set[Mark] = set()
        if self._run is not None:
            found.update(
                Mark(word[start : start + self._run]) for start in range(len(word) - self._run + 1)
            )
        if self._stem_endings:
            found.add(Mark(word, True))
            found.update(
                Mark(word[: -len(ending)], True)
                for ending in self._stem_endings
                if word.endswith(ending) and len(word) - len(ending) >= LEAST_STEM
            )
        return found

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
            if mark.is_stem:
                known = 0
                for ending in ("", *self._stem_endings):
                    known |= lexicon.bit_of(mark.text + ending)
            else:
                known = _containing(mark.text, lexicon)
            self._having[key] = known
        return known

    def _all_own(self, lexicon: WordGroup) -> int:
        if lexicon not in self._exempt_bits:
            self._exempt_bits[lexicon] = sum(map(lexicon.bit_of, self.exempt_words))
        return self._exempt_bits[lexicon]


def _containing(run: str, lexicon: WordGroup) -> int:
    """The bitset of the words with these letters one after the other."""
    found = 0
    for start in range(lexicon.length - len(run) + 1):
        found |= _with(run, start, lexicon)
    return found


def _with(text: str, start: int, lexicon: WordGroup) -> int:
    bits = lexicon.everything
    for place, letter in enumerate(text, start):
        bits &= lexicon.masks(place).get(letter, 0)
        if not bits:
            return 0
    return bits
