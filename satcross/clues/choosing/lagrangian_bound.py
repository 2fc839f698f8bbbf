"""Which words can be in an answer at most so dear: a bound by Lagrangian duality.

The crossings' equations are moved into the objective with a price for every crossing and letter,
which one slot pays and the other gets; each slot then chooses alone, and the sum of their choices
is at most the cost of any answer, whatever the prices. Prices are improved slot by slot as MPLP
does (Globerson and Jaakkola 2008): a slot hands the worth of each of its letters, above its least
cost, in equal shares to the slots that cross it, which never lowers the bound. A word whose reduced
cost exceeds the distance from the bound to a known answer is in no better answer, and can be left
out. Prices are whole numbers, so that nothing is lost by rounding. Repeated words are not
considered, which makes the bound lower and no less true.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from encoders import Cell, Spelling, WeightedInstance
from satcross.clues.choosing.tables import NEVER, Integers, SlotTable, Tables

_IMPOSSIBLE = NEVER >> 1


@dataclass(slots=True)
class Bound:
    """Prices for a question. ``prices[slot]`` (positions x letters) are what the slot pays.

    For a crossing they sum to 0 over the two slots.
    """

    tables: Tables
    prices: list[Integers]

    @classmethod
    def of(cls, tables: Tables) -> Bound:
        letters = len(tables.alphabet)
        return cls(
            tables,
            [np.zeros((table.codes.shape[1], letters), dtype=np.int64) for table in tables.slots],
        )

    def improve(self, sweeps: int) -> int:
        """Sweep over the slots so many times; the bound that results."""
        for number in range(sweeps):
            order = range(len(self.tables.slots))
            for slot in order if number % 2 == 0 else reversed(order):
                self._hand_out(slot)
        return self.value

    def tighten(self, cost: int) -> int:
        """Improve, and leave out what no answer of at most ``cost`` has; the bound that results.

        Ends when that gains no more, or when the bound shows that there is none.
        """
        value, left = self.value, _words(self.tables)
        for _ in range(_ROUNDS):
            before, value = value, self.improve(_SWEEPS)
            if value >= cost:
                break
            self.narrow(cost - value)
            now = _words(self.tables)
            if now > left * _WORTHWHILE and value - before < (cost - before) // 50:
                break
            left = now
        return value

    @property
    def value(self) -> int:
        """No answer costs less than this."""
        return sum(
            min(_least(self.reduced(slot)), self._by_letters(slot))
            for slot in range(len(self.tables.slots))
        )

    def reduced(self, slot: int) -> Integers:
        """The cost of every word of the slot under the prices."""
        table = self.tables.slots[slot]
        return table.costs + table.total(self.prices[slot])

    def narrow(self, slack: int) -> None:
        """Leave out the words and spellings that no answer up to ``value + slack`` has."""
        masks, by_letters = [], []
        for slot in range(len(self.tables.slots)):
            reduced, spelling_cost = self.reduced(slot), self._by_letters(slot)
            most = min(_least(reduced), spelling_cost) + slack
            masks.append(reduced <= most)
            by_letters.append(spelling_cost <= most)
        self.tables = self.tables.kept(masks, by_letters)

    def repriced(
        self, repeats: bool, slots: tuple[tuple[Cell, ...], ...]
    ) -> tuple[WeightedInstance, int]:
        """The question that the tables leave, at reduced costs, and what they save.

        Every answer costs the second more than its cost here, because prices of crossings cancel.
        Most costs near the optimum are then near 0, so that solvers that raise a bound from below
        begin where this one ended.
        """
        words, spellings, saved = [], [], 0
        for slot, table in enumerate(self.tables.slots):
            reduced = self.reduced(slot)
            single = table.by_letters + self.prices[slot]
            least = single.min(axis=1)
            base = table.base + int(least.sum())
            lowest = min(_least(reduced), base)
            saved += lowest
            words.append(dict(zip(table.words, (reduced - lowest).tolist(), strict=True)))
            spellings.append(
                Spelling(
                    base - lowest,
                    tuple(
                        {
                            self.tables.alphabet[letter]: int(costs[letter])
                            for letter in np.flatnonzero(possible)
                        }
                        for costs, possible in zip(
                            single - least[:, None], table.by_letters < NEVER, strict=True
                        )
                    ),
                )
                if table.can_be_spelt
                else None
            )
        return WeightedInstance(slots, tuple(words), tuple(spellings), repeats), saved

    def _by_letters(self, slot: int) -> int:
        table = self.tables.slots[slot]
        if table.base >= NEVER:
            return NEVER
        return table.base + int((table.by_letters + self.prices[slot]).min(axis=1).sum())

    def _hand_out(self, slot: int) -> None:
        """Give each crossing slot its share of what the letters here are worth."""
        links = self.tables.links[slot]
        crossed = sum(link is not None for link in links)
        if not crossed:
            return
        worth = letter_costs(self.tables.slots[slot], self.prices[slot])
        least = worth.min()
        if least >= _IMPOSSIBLE:
            return
        for position, link in enumerate(links):
            if link is None:
                continue
            possible = worth[position] < _IMPOSSIBLE
            # The slot keeps its least cost: shares of what is above that, rounded down, leave it
            # as much, however they add up.
            value = worth[position] - least
            # A letter that no word has here costs the others as much as can't be gained anywhere.
            share = np.where(possible, value // crossed, value[possible].max() // crossed + _DEAR)
            other, place = link
            self.prices[slot][position] -= share
            self.prices[other][place] += share


_DEAR = 1 << 16
_SWEEPS = 10
_ROUNDS = 8
_WORTHWHILE = 0.9


def letter_costs(table: SlotTable, prices: Integers) -> Integers:
    """The least cost (positions x letters) of a word or spelling with that letter there."""
    letters = prices.shape[1]
    reduced = table.costs + table.total(prices)
    worth = np.stack(
        [table.least(position, reduced, letters) for position in range(prices.shape[0])]
    )
    if table.base < NEVER:
        single = table.by_letters + prices
        least = single.min(axis=1)
        others = table.base + least.sum() - least
        worth = np.minimum(worth, single + others[:, None])
    return worth


def _words(tables: Tables) -> int:
    return sum(len(table.words) for table in tables.slots)


def _least(values: Integers) -> int:
    return int(values.min()) if len(values) else NEVER
