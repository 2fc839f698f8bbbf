"""Array form of a weighted instance: the words of each slot as rows of letter codes, with costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from encoders import Cell, WeightedInstance

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

PER_NAT = 100
"""Units of cost per nat: a cost of 100 means a probability of 1/e. Sources are not that precise."""

NEVER = 1 << 40
"""Cost of the impossible: above the cost of any answer, and small enough to be summed."""


@dataclass(frozen=True, slots=True)
class LetterOrder:
    """Words sorted by their letter at one position.

    ``order`` sorts the words, ``present`` are the letters that occur, and ``starts`` is where each
    of them begins in that order.
    """

    order: NDArray[np.intp]
    starts: NDArray[np.intp]
    present: NDArray[np.intp]


@dataclass(frozen=True)
class SlotTable:
    """Words and costs of one slot.

    ``codes`` has the shape (words, positions) and ``costs`` the shape (words,). ``by_letters``, of
    shape (positions, letters), has the cost of each letter when the slot is spelled; ``base`` is
    added once, and is NEVER when the slot can't be spelled.
    """

    words: tuple[str, ...]
    codes: NDArray[np.intp]
    costs: Integers
    base: int
    by_letters: Integers

    @cached_property
    def letter_orders(self) -> tuple[LetterOrder, ...]:
        """For every position, the words sorted by their letter there."""
        orders = []
        for column in self.codes.T:
            order = column.argsort(kind="stable")
            present, starts = np.unique(column[order], return_index=True)
            orders.append(LetterOrder(order, starts, present))
        return tuple(orders)

    @cached_property
    def pairs(self) -> tuple[NDArray[np.intp], ...]:
        """For every two positions, the letters there as one number; the last may stand alone."""
        size = self.by_letters.shape[1]
        firsts, seconds = self.codes[:, 0::2].T, self.codes[:, 1::2].T
        joined = [first * size + second for first, second in zip(firsts, seconds, strict=False)]
        return (*joined, *firsts[len(seconds) :])

    @property
    def can_be_spelled(self) -> bool:
        return self.base < NEVER

    def min_by_letter(self, position: int, values: Integers, letters: int) -> Integers:
        """Return for each letter the minimum value of the words with that letter at a position.

        NEVER for letters that no word has there.
        """
        min_by_letter = np.full(letters, NEVER, dtype=np.int64)
        if len(values):
            by = self.letter_orders[position]
            min_by_letter[by.present] = np.minimum.reduceat(values[by.order], by.starts)
        return min_by_letter


@dataclass(frozen=True, slots=True)
class LetterTables:
    """All slots of an instance and their crossings.

    ``shared`` maps the cells that lie in two slots to ((slot, position), (slot, position)).
    """

    alphabet: str
    slots: tuple[SlotTable, ...]
    shared: Mapping[Cell, tuple[tuple[int, int], tuple[int, int]]]
    links: tuple[tuple[tuple[int, int] | None, ...], ...]
    """For every slot and position, the (slot, position) that crosses there, or None."""

    @classmethod
    def of(cls, instance: WeightedInstance) -> LetterTables:
        """Build the tables of an instance. Raises ValueError when three slots share a cell."""
        alphabet = "".join(sorted({letter for here in _letters(instance) for letter in here}))
        slots = tuple(_slot_table(instance, slot, alphabet) for slot in range(len(instance.slots)))
        where: dict[Cell, list[tuple[int, int]]] = {}
        for slot, cells in enumerate(instance.slots):
            for position, cell in enumerate(cells):
                where.setdefault(cell, []).append((slot, position))
        if any(len(places) > 2 for places in where.values()):
            raise ValueError("three slots share a cell")
        shared = {cell: (places[0], places[1]) for cell, places in where.items() if places[1:]}
        links = tuple(
            tuple(
                next((place for place in where[cell] if place[0] != slot), None) for cell in cells
            )
            for slot, cells in enumerate(instance.slots)
        )
        return cls(alphabet, slots, shared, links)

    def filtered(
        self, keep: Sequence[NDArray[np.bool_]], by_letters: Sequence[bool]
    ) -> LetterTables:
        """Return the tables restricted to some words, and with only some slots spellable."""
        slots = tuple(
            SlotTable(
                tuple(compress(table.words, mask.tolist())),
                _by_column(table.codes[mask]),
                table.costs[mask],
                table.base if may else NEVER,
                table.by_letters,
            )
            for table, mask, may in zip(self.slots, keep, by_letters, strict=True)
        )
        return LetterTables(self.alphabet, slots, self.shared, self.links)


def _letters(instance: WeightedInstance) -> list[set[str]]:
    found = [set("".join(words)) for words in instance.words]
    for spelling in instance.spellings:
        if spelling is not None:
            found += [set(letters) for letters in spelling.letters]
    return found


def _slot_table(instance: WeightedInstance, slot: int, alphabet: str) -> SlotTable:
    length = len(instance.slots[slot])
    words = tuple(instance.words[slot])
    costs = np.fromiter(instance.words[slot].values(), dtype=np.int64, count=len(words))
    code = {letter: at for at, letter in enumerate(alphabet)}
    codes = _codes("".join(words), alphabet).reshape(len(words), length)
    by_letters = np.full((length, len(alphabet)), NEVER, dtype=np.int64)
    base = NEVER
    spelling = instance.spellings[slot]
    if spelling is not None:
        base = spelling.base
        for position, letters in enumerate(spelling.letters):
            for letter, cost in letters.items():
                by_letters[position, code[letter]] = cost
    return SlotTable(words, _by_column(codes), costs, base, by_letters)


def _codes(text: str, alphabet: str) -> NDArray[np.intp]:
    """Return the place of every letter of a text in a sorted alphabet."""
    signs, letters = (
        np.frombuffer(part.encode("utf-32-le"), np.uint32) for part in (text, alphabet)
    )
    return letters.searchsorted(signs)


def _by_column(codes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the codes with the letters of a position side by side, as they are read."""
    return np.asfortranarray(codes)


def spell_out(letters: Mapping[Cell, str], slots: Sequence[Sequence[Cell]]) -> list[str]:
    """Return the word of every slot from the letters of the cells."""
    return ["".join(letters[cell] for cell in cells) for cells in slots]


def cheapest_reading(
    instance: WeightedInstance, choice: Sequence[str]
) -> tuple[int, list[bool]] | None:
    """Return the minimum cost of these words and which of them are spelled; None if infeasible.

    Only one slot may use a word that must not repeat: the slot where spelling costs most extra.
    """
    by_letters: list[bool] = []
    gains: dict[str, list[tuple[int, int]]] = {}
    for slot, word in enumerate(choice):
        taken = instance.words[slot].get(word)
        spelling = instance.spellings[slot]
        spelling_cost = None if spelling is None else spelling.cost(word)
        if taken is None and spelling_cost is None:
            return None
        better = taken is not None and (spelling_cost is None or taken <= spelling_cost)
        by_letters.append(not better)
        if better and taken is not None:
            gain = NEVER if spelling_cost is None else spelling_cost - taken
            gains.setdefault(word, []).append((gain, slot))
    if not instance.allow_repeats:
        for users in gains.values():
            for gain, slot in sorted(users, reverse=True)[1:]:
                if gain >= NEVER:
                    return None
                by_letters[slot] = True
    return instance.cost(choice, by_letters), by_letters
