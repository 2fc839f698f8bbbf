"""Weights of words, upper bounds on the weight of a fill, and removal of candidates by bounds.

The weight of a fill is the sum of its words' weights. The sum of the best candidates' weights is an
upper bound. A candidate that is worse than the best of its slot by more than the difference between
this bound and the required weight is in no fill of that weight (reduced-cost fixing; in constraint
programming, node consistency of weighted constraints: Larrosa and Schiex 2004).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from operator import lt

from satcross.network.arc_consistency import Network, State, bits
from satcross.vocabulary import WordGroup


class _Levels:
    """The words of one length, grouped by weight."""

    def __init__(self, lexicon: WordGroup, weights: tuple[int, ...]) -> None:
        self.weights = weights
        size = (len(lexicon.words) + 7) // 8
        exactly: defaultdict[int, bytearray] = defaultdict(lambda: bytearray(size))
        for index, value in enumerate(self.weights):
            exactly[value][index >> 3] |= 1 << (index & 7)
        self.at_least: dict[int, int] = {}
        """Weight -> bitset of the words of at least that weight; largest weight first."""
        heavier = 0
        for value in sorted(exactly, reverse=True):
            heavier |= int.from_bytes(exactly[value], "little")
            self.at_least[value] = heavier
        self.values = sorted(exactly)
        self.sorted = not any(map(lt, self.weights, self.weights[1:]))
        """Whether the words are sorted by weight, largest first, as by score."""


class Weights:
    """The weight of every word of a network's slots.

    ``weights_of`` gives the weights of a lexicon's words at once, where that is faster than
    ``weight`` for one after the other.
    """

    def __init__(
        self,
        network: Network,
        weight: Callable[[str], int],
        weights_of: Callable[[WordGroup], tuple[int, ...]] | None = None,
    ) -> None:
        self.network = network
        self.weight = weight
        listed = weights_of or (lambda lexicon: tuple(map(weight, lexicon.words)))
        by_length = {
            group.length: _Levels(group, listed(group)) for group in dict.fromkeys(network.lexicons)
        }
        self._levels = tuple(by_length[item.length] for item in network.lexicons)

    def of(self, words: Sequence[str]) -> int:
        """Return the weight of a fill."""
        return sum(map(self.weight, words))

    def best(self, slot: int, domain: int) -> int:
        """Return the largest weight of the slot's words in ``domain``."""
        levels = self._levels[slot]
        if levels.sorted:
            return levels.weights[(domain & -domain).bit_length() - 1]
        return next(value for value, words in levels.at_least.items() if words & domain)

    def worst(self, slot: int, domain: int) -> int:
        """Return the smallest weight of the slot's words in ``domain``."""
        return self.values(slot, domain)[-1]

    def at_least(self, slot: int, weight: int) -> int:
        """Return the bitset of the slot's words of at least that weight."""
        levels = self._levels[slot]
        index = bisect_left(levels.values, weight)
        return levels.at_least[levels.values[index]] if index < len(levels.values) else 0

    def values(self, slot: int, domain: int) -> list[int]:
        """Return the distinct weights of the slot's words in ``domain``, largest first."""
        values, previous = [], 0
        for value, words in self._levels[slot].at_least.items():
            if (words ^ previous) & domain:
                values.append(value)
            previous = words
        return values

    def ideal(self, state: State) -> int:
        """Return the sum of the best candidates' weights: an upper bound for every fill."""
        return sum(self.best(slot, domain) for slot, domain in enumerate(state.domains))

    def listed(self, slot: int) -> tuple[int, ...]:
        """Return the weights of all words of the slot's lexicon, in its order."""
        return self._levels[slot].weights

    def candidates(self, slot: int, domain: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Return the slot's words in ``domain``, largest weight first, and their weights."""
        words, weights = self.network.lexicons[slot].words, self._levels[slot].weights
        indices = sorted(bits(domain), key=weights.__getitem__, reverse=True)
        return tuple(words[i] for i in indices), tuple(weights[i] for i in indices)

    def narrow(self, state: State, min_weight: int) -> bool:
        """Remove candidates that are in no fill of weight ``min_weight`` or more.

        A candidate is removed if even the best candidates in all other slots would not reach
        ``min_weight``. Changes ``state`` in place and keeps it arc consistent. Returns False when a
        slot has no candidate left.
        """
        domains = state.domains
        while True:
            best = [self.best(slot, domain) for slot, domain in enumerate(domains)]
            spare = sum(best) - min_weight
            if spare < 0:
                return False
            changed = []
            for slot, domain in enumerate(domains):
                if state.sizes[slot] > 1:
                    retained = domain & self.at_least(slot, best[slot] - spare)
                    if retained != domain:
                        domains[slot], state.sizes[slot] = retained, retained.bit_count()
                        changed.append(slot)
            if not changed:
                return True
            if self.network.propagate(state, changed) is not None:
                return False

    def within(self, state: State, loss: int) -> State | None:
        """Return the candidates that are worse than the best of their slot by at most ``loss``.

        The result is arc consistent, or None when a slot has no candidate left. ``state`` is not
        changed.
        """
        best = (self.best(slot, domain) for slot, domain in enumerate(state.domains))
        return self._restricted(state, (weight - loss for weight in best))

    def reaching(self, state: State, weight: int) -> State | None:
        """Return the candidates of at least that weight, as ``within`` does."""
        return self._restricted(state, repeat(weight))

    def _restricted(self, state: State, lowest: Iterable[int]) -> State | None:
        result, changed = state.copy(), []
        for slot, (domain, weight) in enumerate(zip(state.domains, lowest, strict=False)):
            retained = domain & self.at_least(slot, weight)
            if retained != domain:
                result.domains[slot], result.sizes[slot] = retained, retained.bit_count()
                changed.append(slot)
        if all(result.domains) and self.network.propagate(result, changed) is None:
            return result
        return None
