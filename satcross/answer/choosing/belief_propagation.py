"""Posterior probabilities of letters and words by loopy belief propagation.

Slots are factors and cells are variables. The message of a slot to a cell is the probability of
each letter given the messages of the crossing slots to its other cells (Pearl 1988; Murphy, Weiss
and Jordan 1999 on graphs with loops; Littman, Keim and Shazeer 2002 on crosswords). A cost stands
for the probability ``exp(-cost / per_nat)``. The rule that words differ is ignored.

``satcross.network.belief_propagation`` is another algorithm of the same family: there every
candidate counts the same, nothing is spelled by letters, and messages are updated all at once, as
logarithms; here as probabilities, one slot after the other.

``settle`` begins from two starts, each finished by local search; the cheaper answer wins.
Messages that do not settle, or settle where a few words support each other, leave letters that
spell nothing. They are passed at a lower temperature first, where the likelier words count for
more; from there they mostly settle elsewhere, at a cheaper answer. The second start cools slowly
(simulated annealing: Kirkpatrick, Gelatt and Vecchi 1983). The local search gives one slot
after the other the word that is cheapest with all crossings, until none gets cheaper (iterated
conditional modes: Besag, "On the statistical analysis of dirty pictures", 1986).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from encoders import Cell, WeightedInstance
from satcross.answer.choosing.tables import (
    NEVER,
    PER_NAT,
    Floats,
    Integers,
    LetterTables,
    SlotTable,
    spell_out,
)
from satcross.answer.word_table import letter_sums

_ROUNDS = 30
_CLOSE = 1e-4
"""Messages that change less than this have converged."""
_SAME = 0.05
"""Relative change of a message below which its receiver is not asked again. Small probabilities
count as much as large ones here, since they are multiplied."""
_FLOOR = 1e-12
"""Smallest probability in a message. A letter that no word of a slot has is not impossible, because
the slot may be spelled."""
_COOLING = (1.5, 1.25, 1.1, 0.9, 0.8, 0.65, 0.55, 0.5, 0.4, 0.35, 0.3, 0.25)
_STARTS = (((0.7,), 12), (_COOLING, 5))
"""Temperatures at which messages are passed first, and the rounds at each: the first start alone
where it settles, else all of them."""


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Posterior probabilities of the letters in all cells and of the words in all slots.

    ``letters[cell]``, in the order of the alphabet, are those of the letters of a cell;
    ``words[slot]`` those of the words of a slot, in the order of the tables. ``converged`` says
    whether the messages stopped changing.
    """

    tables: LetterTables
    letters: Mapping[Cell, Floats]
    words: tuple[Floats, ...]
    incoming: tuple[Floats, ...]
    """``incoming[slot]``, of shape (positions, letters): the messages of the crossing slots to the
    cells of the slot, without regard to the words of the slot; uniform where nothing crosses."""
    _by_letters: tuple[tuple[float, Floats], ...]
    converged: bool

    def best(self, cell: Cell) -> str:
        """Return the most likely letter of a cell."""
        return self.tables.alphabet[int(self.letters[cell].argmax())]

    def letter(self, cell: Cell, letter: str) -> float:
        """Return the probability of a letter in a cell."""
        at = self.tables.alphabet.find(letter)
        return float(self.letters[cell][at]) if at >= 0 else 0.0

    def word(self, slot: int, word: str) -> float:
        """Return the probability that the slot holds these letters, as a word or spelled."""
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
        """Return the most likely words of a slot with their probabilities, best first."""
        order = (-self.words[slot]).argsort(kind="stable")[:number]
        words = self.tables.slots[slot].words
        return [(words[at], float(self.words[slot][at])) for at in order]


def _weigh(prior: Floats, incoming: Floats, table: SlotTable) -> Floats:
    """Return the weights of a slot's words: their prior times the messages to their letters."""
    weights = prior.copy()
    for at, codes in enumerate(table.pairs):
        first, *second = incoming[2 * at : 2 * at + 2]
        both = np.outer(first, second[0]).ravel() if second else first
        weights *= both.take(codes)
    return weights


def _shares(weights: Floats, table: SlotTable) -> Floats:
    """Return, for every position and letter, the sum of the weights of the words that have it."""
    length, size = table.by_letters.shape
    sums = np.empty((length, size))
    for at, codes in enumerate(table.pairs):
        here = sums[2 * at : 2 * at + 2]
        if len(here) == 2:
            both = np.bincount(codes, weights, size * size).reshape(size, size)
            here[0], here[1] = both.sum(axis=1), both.sum(axis=0)
        else:
            here[0] = np.bincount(codes, weights, size)
    return sums


def propagate(
    tables: LetterTables,
    per_nat: float = PER_NAT,
    rounds: int = _ROUNDS,
    start: tuple[Floats, ...] | None = None,
) -> Beliefs:
    """Pass messages for at most ``rounds`` rounds, or until they converge.

    They begin as ``start``, the ``incoming`` messages of other beliefs; without, all are equal.
    """
    slots, size = tables.instance.slots, len(tables.alphabet)
    prior = [_prior(table.costs, per_nat) for table in tables.slots]
    base = _prior(np.array([table.base for table in tables.slots], dtype=np.int64), per_nat)
    by_letters = [_prior(table.by_letters, per_nat) for table in tables.slots]
    # The rows of a slot, one for each position, have the messages of the crossing slots.
    ends = np.cumsum([0, *map(len, slots)]).tolist()
    equal = np.full((ends[-1], size), 1.0 / size)
    inward = equal if start is None else np.concatenate(start)
    outward = inward.copy()
    rows = [slice(*ends[slot : slot + 2]) for slot in range(len(slots))]
    links = [
        np.array(
            [(position, ends[other] + place, other) for position, other, place in crossing],
            dtype=np.intp,
        ).reshape(-1, 3)
        for crossing in tables.links
    ]
    converged = False
    stale = np.ones(len(slots), dtype=np.bool_)
    for number in range(rounds):
        change = 0.0
        for slot, table in enumerate(tables.slots):
            if not stale[slot]:
                continue
            stale[slot] = False
            incoming = inward[rows[slot]]
            weights = _weigh(prior[slot], incoming, table)
            others = base[slot] * _products_of_others((by_letters[slot] * incoming).sum(axis=1))
            # Division undoes the multiplication: messages are never below _FLOOR.
            messages = _shares(weights, table) / incoming + others[:, None] * by_letters[slot]
            totals = messages.sum(axis=1, keepdims=True)
            messages = np.where(totals > 0, messages, 1.0) / np.where(totals > 0, totals, size)
            messages = outward[rows[slot]] = np.maximum(messages, _FLOOR)
            if not len(links[slot]):
                continue
            positions, receivers, owners = links[slot].T
            before, new = inward[receivers], messages[positions]
            if number or start is not None:
                # Damping by one half: without it the messages may oscillate for ever.
                new = 0.5 * (new + before)
            changes = np.abs(new - before)
            inward[receivers] = new
            change = max(change, float(changes.max()))
            changed = (changes > _SAME * new).any(axis=1)
            stale[owners[changed]] = True
            stale[slot] = changed.any()
        if change < _CLOSE:
            converged = True
            break
    letters: dict[Cell, Floats] = {}
    words, letter_beliefs = [], []
    for slot, (table, cells) in enumerate(zip(tables.slots, slots, strict=True)):
        incoming = inward[rows[slot]]
        weights = _weigh(prior[slot], incoming, table)
        for cell, here in zip(cells, outward[rows[slot]] * incoming, strict=True):
            letters[cell] = here / here.sum()
        singles = by_letters[slot] * incoming
        sums = singles.sum(axis=1)
        share = base[slot] * float(np.prod(sums))
        total = float(weights.sum()) + share or 1.0
        words.append(weights / total)
        letter_beliefs.append((share / total, singles / np.where(sums > 0, sums, 1.0)[:, None]))
    said = inward / inward.sum(axis=1, keepdims=True)
    heard = tuple(said[here] for here in rows)
    return Beliefs(tables, letters, tuple(words), heard, tuple(letter_beliefs), converged)


def _products_of_others(parts: Floats) -> Floats:
    """Return, for every position, the product of the parts at all other positions."""
    before = np.cumprod(np.concatenate([[1.0], parts[:-1]]))
    after = np.cumprod(np.concatenate([[1.0], parts[:0:-1]]))[::-1]
    return np.asarray(before * after)


def _prior(costs: Integers, per_nat: float) -> Floats:
    values = np.exp(-costs / per_nat)
    return np.asarray(np.where(costs >= NEVER, 0.0, values), dtype=np.float64)


def settle(instance: WeightedInstance) -> tuple[Beliefs, list[str]]:
    """Return beliefs and the words of the likeliest letters, improved by local search."""
    tables = LetterTables.of(instance)
    found: list[tuple[int, Beliefs, list[str]]] = []
    for temperatures, rounds in _STARTS:
        start = None
        for temperature in temperatures:
            start = propagate(tables, PER_NAT * temperature, rounds, start).incoming
        beliefs = propagate(tables, start=start)
        words = improved(tables, _likeliest(beliefs))
        if beliefs.converged and not found:
            return beliefs, words
        total = sum(_cost(tables, slot, word) for slot, word in enumerate(words))
        found.append((total, beliefs, words))
    _, beliefs, words = min(found, key=itemgetter(0))
    return beliefs, words


def _likeliest(beliefs: Beliefs) -> list[str]:
    instance = beliefs.tables.instance
    letters = {cell: beliefs.best(cell) for cell in beliefs.letters}
    for slot, cells in enumerate(instance.slots):
        if instance.spellings[slot] is None:  # the slot can't be spelled
            for word, _ in beliefs.likeliest(slot, 1):
                letters.update(zip(cells, word, strict=True))
    return spell_out(letters, instance.slots)


def improved(tables: LetterTables, words: Sequence[str]) -> list[str]:
    """Give slots cheaper words until no change of a single slot makes the answer cheaper."""
    found = list(words)
    waiting = dict.fromkeys(range(len(found)))
    while waiting:
        slot = next(iter(waiting))
        del waiting[slot]
        word = _cheapest(tables, found, slot)
        for position, other, place in tables.links[slot]:
            if word[position] != found[slot][position]:
                found[other] = found[other][:place] + word[position] + found[other][place + 1 :]
                near = [crossing for _, crossing, _ in tables.links[other]]
                waiting |= dict.fromkeys((other, *near))
        found[slot] = word
        waiting.pop(slot, None)
    return found


def _cheapest(tables: LetterTables, words: Sequence[str], slot: int) -> str:
    """Return the word of a slot that is cheapest together with the words that cross it."""
    table, alphabet, now = tables.slots[slot], tables.alphabet, words[slot]
    crossing = np.zeros(table.by_letters.shape, dtype=np.int64)
    for position, other, place in tables.links[slot]:
        crossing[position] = _costs_at(tables, other, place, words[other])
    letters = [alphabet.index(letter) for letter in now]
    lowest = _cost(tables, slot, now) + int(crossing[range(len(now)), letters].sum())
    if len(table.words):
        totals = table.costs + letter_sums(crossing, table.codes)
        at = int(totals.argmin())
        if totals[at] < lowest:
            now, lowest = table.words[at], int(totals[at])
    single = table.by_letters + crossing
    if table.can_be_spelled and table.base + int(single.min(axis=1).sum()) < lowest:
        now = "".join(alphabet[at] for at in single.argmin(axis=1))
    return now


def _costs_at(tables: LetterTables, slot: int, place: int, word: str) -> Integers:
    """Return the cost of a slot's word with each letter of the alphabet at one place."""
    table, alphabet = tables.slots[slot], tables.alphabet
    codes = [alphabet.index(letter) for letter in word]
    singles = table.by_letters[range(len(word)), codes]
    spelled = table.base + int(singles.sum() - singles[place]) + table.by_letters[place]
    before, after, listed = word[:place], word[place + 1 :], tables.instance.words[slot]
    costs = [listed.get(before + letter + after, NEVER) for letter in alphabet]
    return np.asarray(np.minimum(costs, spelled))


def _cost(tables: LetterTables, slot: int, word: str) -> int:
    return int(_costs_at(tables, slot, 0, word)[tables.alphabet.index(word[0])])
