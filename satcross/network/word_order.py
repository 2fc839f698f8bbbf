"""Which candidates of a slot to try first: those that most fills are thought to have there.

A little noise keeps near-equals in no fixed order.
"""

from __future__ import annotations

from random import Random

import numpy as np

from satcross.network.arc_consistency import bits
from satcross.network.belief_propagation import Marginals

MAX_FIRST_BATCH = 1000
"""The most candidates of a slot in its first batch."""
_FIRST_WORDS = 250_000
_LEAST_BATCH = 100
_NOISE = 0.1
"""At the most so much is added to the logarithm of a word's share."""


def first_batch(slots: int) -> int:
    """How many words a solver's model begins with in each of so many slots.

    A thousand was best on newspaper grids (docs/performance.md); in grids of hundreds of slots,
    where they would take gigabytes, fewer do.
    """
    return min(MAX_FIRST_BATCH, max(_LEAST_BATCH, _FIRST_WORDS // max(1, slots)))


class Ranking:
    """The candidates of one slot from the best to the worst, in batches.

    Theme words that are asked for all come in the first batch, however many it is to have, as who
    asks whether there are enough of them must know them all; then come preferred words.
    """

    def __init__(self, marginals: Marginals, slot: int, random: Random) -> None:
        candidates = marginals.candidates
        network, domain = candidates.network, candidates.root.domains[slot]
        asked = 0
        if network.word_rules.min_theme_words:
            for places in network.theme:
                asked |= sum(bit for at, bit in places if at == slot) & domain
        first = list(bits(asked))
        first += bits(network.preferred[slot] & domain & ~asked)
        order = marginals.order(slot, _NOISE, random.getrandbits(32))
        # Four bytes a word: all candidates of all slots may be tens of millions.
        self._order = np.concatenate(
            [np.array(first, dtype=np.uint32), order[~np.isin(order, first)] if first else order]
        )
        self._words = network.lexicons[slot].words
        self._taken = 0
        self._least = asked.bit_count()

    def __bool__(self) -> bool:
        """Whether there are words left to take."""
        return self._taken < len(self._order)

    def take(self, number: int) -> list[str]:
        """The next ``number`` words, or all theme words if these are more."""
        start = self._taken
        self._taken = min(len(self._order), max(start + number, self._least))
        return [self._words[index] for index in self._order[start : self._taken].tolist()]
