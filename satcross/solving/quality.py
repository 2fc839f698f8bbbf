"""Quality of fills: low scores, and the editors' preferences.

``judge`` says how good a fill is, and ``satcross.solving.polish`` makes it better. The preferences
(``satcross.solving.preferences``) are not rules of the puzzle: a puzzle that can only be filled
against them is still filled, and the quality says so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations

from satcross.outcome import Expectation, FillQuality
from satcross.puzzle import Puzzle
from satcross.run_settings import EDITED, RunSettings
from satcross.solving.preferences import PREFERENCES, Crossings, Limit, Pairs
from satcross.vocabulary import WordGroup

WEAK_BELOW = 50
"""Words with a lower score are named: on the scale of the default list, they are glue."""
SOLID, LONG = 60, 8
"""A word of so many letters or more is conspicuous beside the setter's own entries: below this
score it costs twice as much."""

_OBJECTION = 4
"""What a word above a limit costs; half as much as a word that scores below 40."""
_PAIR = 3 * _OBJECTION
_PRICES = ((40, 2 * _OBJECTION), (WEAK_BELOW, _OBJECTION), (55, 2), (SOLID, 1))
"""Scores, and what a word below each costs: four words of 55 weigh as much as a plural too many."""
Words = tuple[str, ...]


def price_of(score: int) -> int:
    """Return what a word of the score costs."""
    return next((price for below, price in _PRICES if score < below), 0)


def judge(puzzle: Puzzle, fill: Mapping[str, str], allowed: Collection[str] = ()) -> FillQuality:
    """Return the quality of a fill (slot name -> word), its setter's own words listed apart.

    ``allowed`` names preferences that are switched off.
    """
    own, vocabulary = puzzle.exempt_words, puzzle.vocabulary
    names = [slot.name for slot in puzzle.grid.slots]
    if fill.keys() == set(names):
        fill = {name: fill[name] for name in names}
    scores = {word: vocabulary.score(word) for word in fill.values() if word not in own}
    return FillQuality(
        lowest=min(scores.values(), default=None),
        weak=tuple(sorted(((w, s) for w, s in scores.items() if s < WEAK_BELOW), key=_by_score)),
        expectations=Editor(puzzle, allowed).expectations(tuple(fill.values())),
        own=tuple(
            (word, vocabulary.score(word) if word in vocabulary else None)
            for word in sorted(own.intersection(fill.values()))
        ),
    )


def _by_score(scored: tuple[str, int]) -> tuple[int, str]:
    return scored[1], scored[0]


Mark = tuple[str, str]
"""The name of a preference about pairs, and what two words should not have in common."""


class Editor:
    """What an editor objects to in the fills of a puzzle, and how much: the only place that weighs.

    ``allowed`` names preferences that are switched off.
    """

    def __init__(self, puzzle: Puzzle, allowed: Collection[str] = ()) -> None:
        self._vocabulary, self._grid = puzzle.vocabulary, puzzle.grid
        self._own, self._preferred = puzzle.exempt_words, puzzle.preferred
        self._is_word = cache(puzzle.vocabulary.__contains__)
        self.marks = cache(self._marks_of)
        """What no two words should have in common, by word."""
        self.kinds = cache(self._kinds_of)
        """The names of the limits that count a word; none count the setter's own."""
        self.price = cache(self._price_of)
        """What a word's score costs; a preferred word is worth an objection."""
        self._flagged = cache(self._flags_of)
        self._of_kind = cache(self._part_of_kind)
        self._last: tuple[Words, dict[tuple[str, str], str]] = (), {}
        found = (item.of(puzzle) for item in PREFERENCES if item.name not in allowed)
        active = [item for item in found if item is not None]
        self._pairs = [item for item in active if isinstance(item, Pairs)]
        self._crossings = [item for item in active if isinstance(item, Crossings)]
        self._limits = [item for item in active if isinstance(item, Limit)]
        self._limit = {limit.name: limit.limit(len(puzzle.grid.slots)) for limit in self._limits}

    @classmethod
    def of(cls, puzzle: Puzzle, settings: RunSettings) -> Editor | None:
        """Return the editor whom the settings ask for, if any."""
        return cls(puzzle, settings.allow) if settings.quality == EDITED else None

    def _marks_of(self, word: str) -> frozenset[Mark]:
        found = ((pair.name, pair.marks(word, self._is_word)) for pair in self._pairs)
        return frozenset((name, mark) for name, every in found for mark in every)

    def _kinds_of(self, word: str) -> frozenset[str]:
        return frozenset(limit.name for limit in self._limits if self._counts(limit, word))

    def _counts(self, limit: Limit, word: str) -> bool:
        return limit.has(word, self._is_word) and word not in self._own

    @property
    def endings(self) -> list[str]:
        """The last letters of words of those kinds that have one."""
        return [limit.ending for limit in self._limits if limit.ending]

    def listed(self, limited: float, unwanted: float) -> Mapping[str, float]:
        """Return the listed words, with a number for each limit on them and for each of zero."""
        found: defaultdict[str, float] = defaultdict(float)
        for limit in self._limits:
            for word in limit.listed() - self._own:
                found[word] += limited if self._limit[limit.name] else unwanted
        return found

    def of_kinds(self, kinds: Collection[str], lexicon: WordGroup) -> int:
        """Return the bitset of the words of these kinds, and of some that look like it."""
        found = 0
        for limit in self._limits:
            if limit.name in kinds:
                found |= self._of_kind(limit, lexicon)
        return found

    def _part_of_kind(self, limit: Limit, lexicon: WordGroup) -> int:
        whole, _ = lexicon.origin
        return lexicon.bits_of(self._flagged(limit, whole))

    def _flags_of(self, limit: Limit, lexicon: WordGroup) -> int:
        if limit.ending:
            return lexicon.masks(lexicon.length - 1).get(limit.ending, 0)
        listed = limit.listed() - self._own
        flags = ["1" if word in listed else "0" for word in lexicon.words]
        return int("0" + "".join(flags)[::-1], 2)

    @property
    def unwanted(self) -> frozenset[str]:
        """The listed words of which a fill should have none."""
        none = (item.listed() for item in self._limits if not self._limit[item.name])
        return frozenset[str]().union(*none) - self._own

    def _above(self, words: Iterable[str]) -> dict[str, int]:
        """Return by how much the words exceed each limit; below 0 where they do not reach it."""
        above = {name: -limit for name, limit in self._limit.items()}
        for word in words:
            for name in self.kinds(word):
                above[name] += 1
        return above

    def too_many(self, words: Iterable[str]) -> frozenset[str]:
        """Return the names of the limits that the words exceed."""
        return frozenset(name for name, above in self._above(words).items() if above > 0)

    def full(self, words: Iterable[str]) -> frozenset[str]:
        """Return the names of the limits that the words reach."""
        return frozenset(name for name, above in self._above(words).items() if above >= 0)

    def pairs(self, words: Sequence[str]) -> dict[tuple[str, str], str]:
        """Return the pairs of words that an editor objects to, with the preference's name.

        Crossings are looked at where there is a word for each slot, in the order of the slots.
        """
        key, (last, known) = tuple(words), self._last
        if key != last:  # a fill is weighed in several ways, one after the other
            found = self.alike(words)
            for item in self._crossings if len(words) == len(self._grid.slots) else ():
                found = {**dict.fromkeys(self._crossing(words, item), item.name), **found}
            known = dict(sorted(found.items()))
            self._last = key, known
        return known

    def alike(self, words: Sequence[str]) -> dict[tuple[str, str], str]:
        """Return the pairs of words that are too much alike, wherever they stand."""
        having: defaultdict[Mark, list[str]] = defaultdict(list)
        for word in dict.fromkeys(words):
            for mark in self.marks(word):
                having[mark].append(word)
        shared = {mark: marked for mark, marked in having.items() if len(marked) > 1}
        found: dict[tuple[str, str], str] = {}
        for preference in self._pairs:
            for (name, _), marked in shared.items():
                if name == preference.name:
                    for pair in combinations(sorted(marked), 2):
                        if not self._own.issuperset(pair):
                            found.setdefault(pair, name)
        return found

    def _crossing(self, words: Sequence[str], kind: Crossings) -> Iterator[tuple[str, str]]:
        """Yield the pairs of words of a kind that cross, unless everybody knows one of them."""
        having = {word for word in words if kind.has(word, self._is_word) and self.price(word) > 0}
        for crossing in self._grid.crossings:
            first, second = words[crossing.across], words[crossing.down]
            if first in having and second in having and not self._own.issuperset((first, second)):
                yield (first, second) if first < second else (second, first)

    def expectations(self, words: Sequence[str]) -> tuple[Expectation, ...]:
        """Return how far the words meet each preference."""
        pairs = self.pairs(words)
        return (
            *(
                Expectation(
                    item.name,
                    item.kind,
                    pairs=tuple(pair for pair, name in pairs.items() if name == item.name),
                    quiet=isinstance(item, Crossings),
                )
                for item in (*self._pairs, *self._crossings)
            ),
            *(
                Expectation(
                    limit.name,
                    limit.kind,
                    words=tuple(sorted(word for word in words if limit.name in self.kinds(word))),
                    limit=self._limit[limit.name],
                    quiet=limit.quiet,
                )
                for limit in self._limits
            ),
        )

    def cost(self, words: Sequence[str]) -> int:
        """Return what a fill costs: by scores, words above limits, and pairs that are alike.

        A word of a kind of which there should be none costs as much as a pair.
        """
        above = {name: more for name, more in self._above(words).items() if more > 0}
        refused = sum(more for name, more in above.items() if not self._limit[name])
        accepted = sum(above.values()) - refused
        prices, pairs = map(self.price, words), len(self.pairs(words))
        return sum(prices) + _OBJECTION * accepted + _PAIR * (pairs + refused)

    def objections(self, words: Sequence[str]) -> int:
        """Return the number of weak words, of pairs, and of words above a limit."""
        return sum(map(self.is_weak, words)) + self.breaks(words)

    def breaks(self, words: Sequence[str]) -> int:
        """Return the number of pairs that are too much alike, and of words above a limit."""
        return len(self.pairs(words)) + sum(max(0, more) for more in self._above(words).values())

    def _weight(self, word: str) -> int:
        return 2 if self._own and len(word) >= LONG else 1

    def _price_of(self, word: str) -> int:
        price = price_of(self._vocabulary.score(word)) * self._weight(word)
        return price - (_OBJECTION if word in self._preferred else 0)

    def cheaper(self, word: str) -> int:
        """Return the least score of words of the same length that cost no more."""
        price = self.price(word)
        return max(
            (below for below, cost in _PRICES if cost * self._weight(word) > price), default=0
        )

    def is_weak(self, word: str) -> bool:
        """Whether the word's score is below ``WEAK_BELOW``, and costs something."""
        return self.price(word) > 0 and self._vocabulary.score(word) < WEAK_BELOW

    def offenders(self, words: Sequence[str]) -> dict[int, int]:
        """Return the slots with a word that costs something, and how much that is."""
        alike = {word for pair in self.pairs(words) for word in pair}
        too_many = self.too_many(words)
        costs = {
            slot: self.price(word)
            + (_PAIR if word in alike else 0)
            + (0 if too_many.isdisjoint(self.kinds(word)) else _OBJECTION)
            for slot, word in enumerate(words)
        }
        return {slot: cost for slot, cost in costs.items() if cost > 0}
