"""Array form of a weighted instance: the words of each slot as rows of letter codes, with costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True)
class SlotTable:
    """Words and costs of one slot.

    ``codes`` has the shape (words, positions), with the letters of a position side by side, as they
    are read, and ``costs`` the shape (words,). ``by_letters``, of shape (positions, letters), has
    the cost of each letter when the slot is spelled; ``base`` is added once, and is NEVER when the
    slot can't be spelled.
    """

    words: tuple[str, ...]
    codes: NDArray[np.intp]
    costs: Integers
    base: int
    by_letters: Integers

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

    def min_by_letter(self, values: Integers) -> Integers:
        """Return the minimum value, of shape (positions, letters), of the words with each letter.

        NEVER for letters that no word has there.
        """
        lowest = np.full(self.by_letters.shape, NEVER, dtype=np.int64)
        for row, codes in zip(lowest, self.codes.T, strict=True):
            np.minimum.at(row, codes, values)
        return lowest


@dataclass(frozen=True, slots=True)
class LetterTables:
    """All slots of an instance and their crossings; perhaps with some of its words alone."""

    instance: WeightedInstance
    alphabet: str
    slots: tuple[SlotTable, ...]
    links: tuple[tuple[tuple[int, int, int], ...], ...]
    """For every slot, (position, crossing slot, position in it) of its crossings."""

    @classmethod
    def of(cls, instance: WeightedInstance) -> LetterTables:
        """Build the tables of an instance. Raises ValueError when three slots share a cell."""
        letters = {letter for words in instance.words for word in words for letter in word}
        spellings = [spelling for spelling in instance.spellings if spelling is not None]
        letters.update(*(here for spelling in spellings for here in spelling.letters))
        alphabet = "".join(sorted(letters))
        slots = tuple(_slot_table(instance, slot, alphabet) for slot in range(len(instance.slots)))
        where: dict[Cell, list[tuple[int, int]]] = {}
        for slot, cells in enumerate(instance.slots):
            for position, cell in enumerate(cells):
                where.setdefault(cell, []).append((slot, position))
        if any(len(places) > 2 for places in where.values()):
            raise ValueError("three slots share a cell")
        links = tuple(
            tuple(
                (position, *place)
                for position, cell in enumerate(cells)
                for place in where[cell]
                if place[0] != slot
            )
            for slot, cells in enumerate(instance.slots)
        )
        return cls(instance, alphabet, slots, links)

    def filtered(
        self, keep: Sequence[NDArray[np.bool_]], by_letters: Sequence[bool]
    ) -> LetterTables:
        """Return the tables restricted to some words, and with only some slots spellable."""
        slots = tuple(
            SlotTable(
                tuple(compress(table.words, mask.tolist())),
                np.asfortranarray(table.codes[mask]),
                table.costs[mask],
                table.base if may else NEVER,
                table.by_letters,
            )
            for table, mask, may in zip(self.slots, keep, by_letters, strict=True)
        )
        return replace(self, slots=slots)


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
    return SlotTable(words, np.asfortranarray(codes), costs, base, by_letters)


def _codes(text: str, alphabet: str) -> NDArray[np.intp]:
    """Return the place of every letter of a text in a sorted alphabet."""
    signs, letters = (
        np.frombuffer(part.encode("utf-32-le"), np.uint32) for part in (text, alphabet)
    )
    return letters.searchsorted(signs)


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
