"""Lower bound on the cost of an answer by Lagrangian duality, and elimination of words by it.

The crossing constraints move into the objective, with a price for every crossing and letter that
one slot pays and the other receives. Each slot then chooses alone, and for any prices the sum of
these choices is at most the cost of any answer. Prices are improved slot by slot by MPLP (Globerson
and Jaakkola 2008): a slot passes the cost of each letter above its minimum, in equal shares, to the
slots that cross it, which never lowers the bound. A word whose reduced cost exceeds the gap between
the bound and a known answer is in no better answer and can be dropped. Prices are integers, so
there are no rounding errors. The rule that words differ is ignored, which weakens the bound but
keeps it valid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from encoders import Spelling, WeightedInstance
from satcross.answer.choosing.tables import NEVER, Integers, LetterTables
from satcross.answer.word_table import letter_sums

_IMPOSSIBLE = NEVER >> 1
_PROHIBITIVE = 1 << 16
_SWEEPS = 10
_ROUNDS = 8
_WORTHWHILE = 0.9


@dataclass(slots=True)
class Bound:
    """LetterTables and their prices; ``prices[slot]`` has the shape (positions, letters).

    The prices of a crossing sum to 0 over its two slots.
    """

    tables: LetterTables
    prices: list[Integers]

    @classmethod
    def of(cls, tables: LetterTables) -> Bound:
        return cls(tables, [np.zeros_like(table.by_letters) for table in tables.slots])

    def improve(self, sweeps: int) -> int:
        """Improve the prices in a number of sweeps over the slots; return the bound."""
        for number in range(sweeps):
            order = range(len(self.tables.slots))
            for slot in order if number % 2 == 0 else reversed(order):
                self._redistribute(slot)
        return self.value

    def tighten(self, cost: int) -> int:
        """Improve the bound and drop words that no answer below ``cost`` has; return the bound.

        Stops when the gain is small or when the bound reaches ``cost``.
        """
        value, left = self.value, self.words
        for _ in range(_ROUNDS):
            before, value = value, self.improve(_SWEEPS)
            if value >= cost:
                break
            self.narrow(cost - value)
            now = self.words
            if now > left * _WORTHWHILE and value - before < (cost - before) // 50:
                break
            left = now
        return value

    @property
    def words(self) -> int:
        """The number of words that are left in all slots."""
        return sum(len(table.words) for table in self.tables.slots)

    @property
    def value(self) -> int:
        """The lower bound on the cost of any answer."""
        return sum(
            min(_lowest(self.reduced(slot)), self._by_letters(slot))
            for slot in range(len(self.tables.slots))
        )

    def reduced(self, slot: int) -> Integers:
        """Return the reduced cost of every word of the slot."""
        table = self.tables.slots[slot]
        return table.costs + letter_sums(self.prices[slot], table.codes)

    def narrow(self, slack: int) -> None:
        """Drop the words and spellings that no answer of cost up to ``value + slack`` has."""
        masks, by_letters = [], []
        for slot in range(len(self.tables.slots)):
            reduced, spelling_cost = self.reduced(slot), self._by_letters(slot)
            highest = min(_lowest(reduced), spelling_cost) + slack
            masks.append(reduced <= highest)
            by_letters.append(spelling_cost <= highest)
        self.tables = self.tables.filtered(masks, by_letters)

    def repriced(self) -> tuple[WeightedInstance, int]:
        """Return the remaining instance at reduced costs, and the constant that they save.

        The cost of an answer is its reduced cost plus the constant, because the prices of a
        crossing cancel. Near the optimum most reduced costs are near 0, so solvers that raise a
        lower bound start from this bound.
        """
        words, spellings, saved = [], [], 0
        for slot, table in enumerate(self.tables.slots):
            reduced, single = self.reduced(slot), table.by_letters + self.prices[slot]
            by_letters = self._by_letters(slot)
            lowest = min(_lowest(reduced), by_letters)
            saved += lowest
            words.append(dict(zip(table.words, (reduced - lowest).tolist(), strict=True)))
            above, allowed = single - single.min(axis=1, keepdims=True), table.by_letters < NEVER
            letters = tuple(
                {self.tables.alphabet[at]: int(costs[at]) for at in np.flatnonzero(possible)}
                for costs, possible in zip(above, allowed, strict=True)
            )
            spelling = Spelling(by_letters - lowest, letters) if table.can_be_spelled else None
            spellings.append(spelling)
        whole = self.tables.instance
        return replace(whole, words=tuple(words), spellings=tuple(spellings)), saved

    def _by_letters(self, slot: int) -> int:
        table = self.tables.slots[slot]
        if not table.can_be_spelled:
            return NEVER
        return table.base + int((table.by_letters + self.prices[slot]).min(axis=1).sum())

    def _redistribute(self, slot: int) -> None:
        """Pass each crossing slot its share of the cost of the letters."""
        links = self.tables.links[slot]
        if not links:
            return
        worth = self._letter_costs(slot)
        lowest = worth.min()
        if lowest >= _IMPOSSIBLE:
            return
        for position, other, place in links:
            possible = worth[position] < _IMPOSSIBLE
            # The slot keeps its minimum cost: the shares are of the cost above it, rounded down.
            value = worth[position] - lowest
            # A letter that no word of this slot has becomes prohibitive in the crossing slot.
            share = np.where(
                possible, value // len(links), value[possible].max() // len(links) + _PROHIBITIVE
            )
            self.prices[slot][position] -= share
            self.prices[other][place] += share

    def _letter_costs(self, slot: int) -> Integers:
        """Return the minimum cost, of shape (positions, letters), of a word with each letter."""
        table = self.tables.slots[slot]
        worth = table.min_by_letter(self.reduced(slot))
        if table.can_be_spelled:
            single = table.by_letters + self.prices[slot]
            others = self._by_letters(slot) - single.min(axis=1, keepdims=True)
            worth = np.minimum(worth, single + others)
        return worth


def _lowest(values: Integers) -> int:
    return int(values.min()) if len(values) else NEVER
