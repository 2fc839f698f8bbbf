"""How sure each letter and each word is: loopy belief propagation.

Slots are factors, cells are variables: a slot tells its cells how likely each letter is given what
the crossing slots said about its other cells (Pearl 1988; Murphy, Weiss and Jordan 1999 on grids
with loops; used for crosswords by Littman, Keim and Shazeer 2002). Probabilities are those of the
costs, ``exp(-cost / per_nat)``. Repeated words are not considered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from encoders import Cell
from satcross.clues.choosing.tables import NEVER, Floats, Integers, Tables

_ROUNDS = 30
_CLOSE = 1e-4
"""Messages that change less than this have settled."""
_FLOOR = 1e-12
"""A letter that one slot has no word for is still not impossible to the other: rounding aside,
the slot may be spelt."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Posterior probabilities.

    ``letters[cell]`` (by ``alphabet``) are those of the letters of each cell in a slot;
    ``words[slot]`` those of the slot's words, in the order of the tables. ``settled``: whether the
    messages stopped changing.
    """

    tables: Tables
    letters: Mapping[Cell, Floats]
    words: tuple[Floats, ...]
    heard: tuple[Floats, ...]
    """``heard[slot]`` (positions x letters): what the crossing slots say about the slot's cells,
    this slot's own words not considered; the same for every letter where nothing crosses."""
    _by_letters: tuple[tuple[float, Floats], ...]
    settled: bool

    def best(self, cell: Cell) -> str:
        """The likeliest letter of a cell."""
        return self.tables.alphabet[int(self.letters[cell].argmax())]

    def letter(self, cell: Cell, letter: str) -> float:
        """The probability of a letter in a cell."""
        at = self.tables.alphabet.find(letter)
        return float(self.letters[cell][at]) if at >= 0 else 0.0

    def word(self, slot: int, word: str) -> float:
        """The probability that these letters stand in the slot, as a word or spelt."""
        table = self.tables.slots[slot]
        codes = [self.tables.alphabet.find(letter) for letter in word]
        if -1 in codes:
            return 0.0
        share, letters = self._by_letters[slot]
        for position, code in enumerate(codes):
            share *= float(letters[position][code])
        same = (table.codes == np.array(codes)).all(axis=1)
        return share + float(self.words[slot][same].sum())

    def likeliest(self, slot: int, number: int) -> list[tuple[str, float]]:
        """The likeliest words of a slot with their probabilities, best first."""
        order = (-self.words[slot]).argsort(kind="stable")[:number]
        words = self.tables.slots[slot].words
        return [(words[at], float(self.words[slot][at])) for at in order]


def propagate(
    tables: Tables, slots: tuple[tuple[Cell, ...], ...], per_nat: float, rounds: int = _ROUNDS
) -> Beliefs:
    """The beliefs after so many rounds of messages, or fewer when they settle."""
    size = len(tables.alphabet)
    prior = [_prior(table.costs, per_nat) for table in tables.slots]
    base = [_prior(np.array([table.base], dtype=np.int64), per_nat)[0] for table in tables.slots]
    by_letters = [_prior(table.by_letters, per_nat) for table in tables.slots]
    # inward[slot][position]: what the crossing slot says about this slot's cell there.
    inward = [np.full((len(cells), size), 1.0 / size) for cells in slots]
    outward = [message.copy() for message in inward]
    settled = False
    for number in range(rounds):
        change = 0.0
        for slot, table in enumerate(tables.slots):
            heard = inward[slot]
            weights = prior[slot].copy()
            for position in range(heard.shape[0]):
                weights *= heard[position][table.codes[:, position]]
            open_parts = (by_letters[slot] * heard).sum(axis=1)
            for position in range(heard.shape[0]):
                # Division undoes the multiplication: messages are never below _FLOOR.
                told = np.bincount(table.codes[:, position], weights=weights, minlength=size)
                told = told / heard[position]
                others = np.prod(np.delete(open_parts, position))
                told = told + base[slot] * others * by_letters[slot][position]
                total = told.sum()
                told = told / total if total > 0 else np.full(size, 1.0 / size)
                told = np.maximum(told, _FLOOR)
                link = tables.links[slot][position]
                outward[slot][position] = told
                if link is not None:
                    other, place = link
                    before = inward[other][place]
                    # Half of the old message: without damping they may swing for ever.
                    new = told if number == 0 else 0.5 * (told + before)
                    change = max(change, float(np.abs(new - before).max()))
                    inward[other][place] = new
        if change < _CLOSE:
            settled = True
            break
    letters: dict[Cell, Floats] = {}
    words, letter_beliefs = [], []
    for slot, (table, cells) in enumerate(zip(tables.slots, slots, strict=True)):
        weights = prior[slot].copy()
        for position, cell in enumerate(cells):
            weights *= inward[slot][position][table.codes[:, position]]
            here = outward[slot][position] * inward[slot][position]
            letters[cell] = here / here.sum()
        singles = by_letters[slot] * inward[slot]
        sums = singles.sum(axis=1)
        share = base[slot] * float(np.prod(sums))
        total = float(weights.sum()) + share or 1.0
        words.append(weights / total)
        letter_beliefs.append((share / total, singles / np.where(sums > 0, sums, 1.0)[:, None]))
    said = tuple(message / message.sum(axis=1)[:, None] for message in inward)
    return Beliefs(tables, letters, tuple(words), said, tuple(letter_beliefs), settled)


def _prior(costs: Integers, per_nat: float) -> Floats:
    values = np.exp(-costs / per_nat)
    return np.asarray(np.where(costs >= NEVER, 0.0, values), dtype=np.float64)
