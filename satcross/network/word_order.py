"""The order in which the candidates of a slot are tried: by their estimated share of all fills.

A little noise varies the order of words with nearly equal shares.
"""

from __future__ import annotations

from array import array
from random import Random

from satcross.network.arc_consistency import bits
from satcross.network.belief_propagation import Marginals

MAX_FIRST_BATCH = 1000
"""The most candidates of a slot in its first batch."""
_FIRST_WORDS = 250_000
_LEAST_BATCH = 100
_NOISE = 0.1
"""Maximum noise, added to the logarithm of a word's share."""


def first_batch(slots: int) -> int:
    """Return the number of words per slot in the first model of a grid with ``slots`` slots.

    A thousand was best on newspaper grids (docs/lab-notebook.md). In grids of hundreds of slots,
    fewer words save gigabytes of memory.
    """
    return min(MAX_FIRST_BATCH, max(_LEAST_BATCH, _FIRST_WORDS // max(1, slots)))


class Ranking:
    """The candidates of one slot from the best to the worst, in batches.

    The first batch has all required theme words, even beyond its size, since a solver can tell
    whether there are enough of them only if it knows all. Preferred words come next.
    """

    def __init__(self, marginals: Marginals, slot: int, random: Random) -> None:
        candidates = marginals.candidates
        network, domain = candidates.network, candidates.root.domains[slot]
        theme = 0
        if network.word_rules.min_theme_words:
            for places in network.theme:
                theme |= sum(bit for at, bit in places if at == slot) & domain
        first = list(bits(theme))
        first += bits(network.preferred[slot] & domain & ~theme)
        order = marginals.order(slot, _NOISE, random.getrandbits(32))
        if first:
            placed = frozenset(first)
            order = array("i", [*first, *(index for index in order if index not in placed)])
        self._order = order
        self._words = network.lexicons[slot].words
        self._taken = 0
        self._least = theme.bit_count()

    def __bool__(self) -> bool:
        """Whether words are left."""
        return self._taken < len(self._order)

    def take(self, number: int) -> list[str]:
        """Return the next ``number`` words; in the first batch, at least all theme words."""
        start = self._taken
        self._taken = min(len(self._order), max(start + number, self._least))
        return [self._words[index] for index in self._order[start : self._taken]]
