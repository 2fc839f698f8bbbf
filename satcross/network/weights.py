"""What the words of a fill are worth, slot by slot, and what follows for the candidates.

A fill's worth is the sum of its words' weights. Bounds come from the best candidate of each slot:
whatever falls short of these by more than there is to lose is in no fill worth having (reduced-cost
fixing; in constraint programming the same is known as node consistency of weighted constraints,
Larrosa and Schiex 2004).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Sequence
from operator import lt

from satcross.network.arc_consistency import Candidates, Network, State, bits
from satcross.vocabulary import WordGroup


class _Levels:
    """The words of one length by weight."""

    def __init__(self, lexicon: WordGroup, weight: Callable[[str], int]) -> None:
        self.weights = tuple(map(weight, lexicon.words))
        size = (len(lexicon.words) + 7) // 8
        exactly: defaultdict[int, bytearray] = defaultdict(lambda: bytearray(size))
        for index, value in enumerate(self.weights):
            exactly[value][index >> 3] |= 1 << (index & 7)
        self.at_least: dict[int, int] = {}
        """Weight -> bitset of the words that weigh so much or more, heaviest first."""
        heavier = 0
        for value in sorted(exactly, reverse=True):
            heavier |= int.from_bytes(exactly[value], "little")
            self.at_least[value] = heavier
        self.values = sorted(exactly)
        self.sorted = not any(map(lt, self.weights, self.weights[1:]))
        """Whether the heaviest words come first, as in a lexicon by score."""


class Weights:
    """The weight of every word of a network's slots."""

    def __init__(self, network: Network, weight: Callable[[str], int]) -> None:
        self.network = network
        self.weight = weight
        by_length = {one.length: _Levels(one, weight) for one in dict.fromkeys(network.lexicons)}
        self._levels = tuple(by_length[one.length] for one in network.lexicons)

    def of(self, words: Sequence[str]) -> int:
        """What a fill is worth."""
        return sum(map(self.weight, words))

    def best(self, slot: int, domain: int) -> int:
        """The weight of the heaviest of some words of a slot."""
        levels = self._levels[slot]
        if levels.sorted:
            return levels.weights[(domain & -domain).bit_length() - 1]
        return next(value for value, its in levels.at_least.items() if its & domain)

    def least(self, slot: int, domain: int) -> int:
        """The weight of the lightest of some words of a slot."""
        previous = 0
        lightest = None
        for value, its in self._levels[slot].at_least.items():
            if (its ^ previous) & domain:
                lightest = value
            previous = its
        assert lightest is not None
        return lightest

    def at_least(self, slot: int, weight: int) -> int:
        """The bitset of the slot's words that weigh so much or more."""
        levels = self._levels[slot]
        place = bisect_left(levels.values, weight)
        return levels.at_least[levels.values[place]] if place < len(levels.values) else 0

    def values(self, slot: int, domain: int) -> list[int]:
        """The different weights of some words of a slot, highest first."""
        values, previous = [], 0
        for value, its in self._levels[slot].at_least.items():
            if (its ^ previous) & domain:
                values.append(value)
            previous = its
        return values

    def ideal(self, state: State) -> int:
        """What a fill would be worth if every slot had its best candidate: an upper bound."""
        return sum(self.best(slot, domain) for slot, domain in enumerate(state.domains))

    def candidates(self, slot: int, domain: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
        """Some words of a slot, heaviest first, and their weights."""
        words, weights = self.network.lexicons[slot].words, self._levels[slot].weights
        indices = sorted(bits(domain), key=weights.__getitem__, reverse=True)
        return tuple(words[i] for i in indices), tuple(weights[i] for i in indices)

    def narrow(self, state: State, least: int) -> bool:
        """Take away what is in no fill worth ``least`` or more; False when nothing is left.

        Changes ``state`` in place, and it remains arc consistent. What is taken away is a candidate
        that would not do even if every other slot had its best one.
        """
        domains = state.domains
        while True:
            best = [self.best(slot, domain) for slot, domain in enumerate(domains)]
            spare = sum(best) - least
            if spare < 0:
                return False
            changed = []
            for slot, domain in enumerate(domains):
                if state.sizes[slot] > 1:
                    kept = domain & self.at_least(slot, best[slot] - spare)
                    if kept != domain:
                        domains[slot], state.sizes[slot] = kept, kept.bit_count()
                        changed.append(slot)
            if not changed:
                return True
            if self.network.propagate(state, changed) is not None:
                return False

    def within(self, state: State, loss: int) -> State | None:
        """The candidates that fall short of their slot's best by ``loss`` at the most.

        Arc consistent; None when that leaves nothing. ``state`` is left alone.
        """
        after = state.copy()
        changed = []
        for slot, domain in enumerate(after.domains):
            kept = domain & self.at_least(slot, self.best(slot, domain) - loss)
            if kept != domain:
                after.domains[slot], after.sizes[slot] = kept, kept.bit_count()
                changed.append(slot)
        return None if self.network.propagate(after, changed) is not None else after


def narrowed(candidates: Candidates, state: State) -> Candidates:
    """The same puzzle with fewer candidates; ``state`` must be arc consistent."""
    return Candidates(candidates.network, state)
