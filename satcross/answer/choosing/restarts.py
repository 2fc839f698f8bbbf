"""Belief propagation from several starts, each finished by local search; the cheapest answer wins.

Messages that do not settle, or settle where a few words support each other, leave letters that
spell nothing. They are passed at a lower temperature first, where the likelier words count for
more; from there they mostly settle elsewhere, at a cheaper answer. The local search gives one slot
after the other the word that is cheapest with all crossings, until none gets cheaper (iterated
conditional modes: Besag, "On the statistical analysis of dirty pictures", 1986).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

import numpy as np

from encoders import WeightedInstance
from satcross.answer.choosing.belief_propagation import Beliefs, propagate
from satcross.answer.choosing.problem import PER_NAT
from satcross.answer.choosing.tables import NEVER, LetterTables, spell_out

_TEMPERATURES = (0.7, 1.0, 0.5)
"""Where messages are passed first: the first start alone where it settles, else all of them."""
_FIRST_ROUNDS = 12


def settle(instance: WeightedInstance) -> tuple[Beliefs, list[str]]:
    """Return beliefs and the words of the likeliest letters, improved where nothing settled."""
    tables = LetterTables.of(instance)
    found: list[tuple[int, Beliefs, list[str]]] = []
    for temperature in _TEMPERATURES:
        start = None
        if temperature != 1.0:
            cool = propagate(tables, instance.slots, PER_NAT * temperature, _FIRST_ROUNDS)
            start = cool.incoming
        beliefs = propagate(tables, instance.slots, PER_NAT, start=start)
        words = _likeliest(instance, beliefs)
        if beliefs.converged and not found:
            return beliefs, words
        words = improved(instance, tables, words)
        found.append((_total(instance, words), beliefs, words))
    _, beliefs, words = min(found, key=itemgetter(0))
    return beliefs, words


def _likeliest(instance: WeightedInstance, beliefs: Beliefs) -> list[str]:
    letters = {cell: beliefs.best(cell) for cell in beliefs.letters}
    for slot, cells in enumerate(instance.slots):
        if instance.spellings[slot] is None:  # the slot can't be spelled
            for word, _ in beliefs.likeliest(slot, 1):
                letters.update(zip(cells, word, strict=True))
    return spell_out(letters, instance.slots)


def improved(instance: WeightedInstance, tables: LetterTables, words: Sequence[str]) -> list[str]:
    """Give slots cheaper words until no change of a single slot makes the answer cheaper."""
    found = list(words)
    waiting = dict.fromkeys(range(len(found)))
    while waiting:
        slot = next(iter(waiting))
        del waiting[slot]
        word = _cheapest(instance, tables, found, slot)
        for position, link in enumerate(tables.links[slot]):
            if link is None or word[position] == found[slot][position]:
                continue
            other, place = link
            found[other] = found[other][:place] + word[position] + found[other][place + 1 :]
            near = [crossing[0] for crossing in tables.links[other] if crossing is not None]
            waiting |= dict.fromkeys((other, *near))
        found[slot] = word
        waiting.pop(slot, None)
    return found


def _cheapest(
    instance: WeightedInstance, tables: LetterTables, words: Sequence[str], slot: int
) -> str:
    """Return the word of a slot that is cheapest together with the words that cross it."""
    table, alphabet, now = tables.slots[slot], tables.alphabet, words[slot]
    crossing = np.zeros(table.by_letters.shape, dtype=np.int64)
    for position, link in enumerate(tables.links[slot]):
        if link is not None:
            other, place = link
            before, after = words[other][:place], words[other][place + 1 :]
            crossing[position] = [
                _cost(instance, other, before + letter + after) for letter in alphabet
            ]
    letters = [alphabet.index(letter) for letter in now]
    lowest = _cost(instance, slot, now) + int(crossing[range(len(now)), letters].sum())
    if len(table.words):
        totals = table.costs + table.total(crossing)
        at = int(totals.argmin())
        if totals[at] < lowest:
            now, lowest = table.words[at], int(totals[at])
    single = table.by_letters + crossing
    if table.can_be_spelled and table.base + int(single.min(axis=1).sum()) < lowest:
        now = "".join(alphabet[at] for at in single.argmin(axis=1))
    return now


def _cost(instance: WeightedInstance, slot: int, word: str) -> int:
    spelling = instance.spellings[slot]
    spelled = None if spelling is None else spelling.cost(word)
    return min(instance.words[slot].get(word, NEVER), NEVER if spelled is None else spelled)


def _total(instance: WeightedInstance, words: Sequence[str]) -> int:
    return sum(_cost(instance, slot, word) for slot, word in enumerate(words))
