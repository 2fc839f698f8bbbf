"""Which candidates of a slot to try first: those whose letters the crossing slots support best.

A word's value is the sum, over its crossings, of the logarithm of how many candidates of the
crossing slot have its letter there: the logarithm of how many ways the crossings can be
completed if they were independent.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from random import Random

from satcross.candidates import Candidates, bits

_FIRST_BATCH = 1000
_FIRST_WORDS = 250_000
_LEAST_BATCH = 100


def first_batch(slots: int) -> int:
    """How many words a solver's model begins with in each of so many slots.

    A thousand was best on newspaper grids (docs/performance.md); in grids of hundreds of slots,
    where they would take gigabytes, fewer do.
    """
    return min(_FIRST_BATCH, max(_LEAST_BATCH, _FIRST_WORDS // max(1, slots)))


class Ranking:
    """The candidates of one slot from the best-supported to the worst, in batches.

    A little noise, drawn from ``random``, keeps near-equals in no fixed order. Theme words that are
    asked for all come in the first batch, however many it is to have, as who asks whether there are
    enough of them must know them all; then come preferred words.
    """

    def __init__(self, candidates: Candidates, slot: int, random: Random) -> None:
        network = candidates.network
        self._words = network.lexicons[slot].words
        self._left = candidates.root.domains[slot]
        self._levels = _levels(candidates, slot, random)
        if network.preferred[slot]:
            self._levels = _chain(network.preferred[slot], self._levels)
        self._first = 0
        if network.together.theme_least:
            for places in network.theme:
                self._first |= sum(bit for at, bit in places if at == slot) & self._left

    def __bool__(self) -> bool:
        """Whether there are words left to take."""
        return self._left != 0

    def take(self, number: int) -> list[str]:
        """The next ``number`` words, or those of the last level they reach."""
        taken = [self._words[index] for index in bits(self._first)]
        self._left ^= self._first
        self._first = 0
        while self._left and len(taken) < number:
            level = next(self._levels, self._left) & self._left
            indices = list(bits(level))
            if len(taken) + len(indices) > number:
                rest = indices[number - len(taken) :]
                indices = indices[: number - len(taken)]
                self._levels = _chain(sum(1 << index for index in rest), self._levels)
            for index in indices:
                self._left ^= 1 << index
            taken += [self._words[index] for index in indices]
        return taken


def _chain(first: int, rest: Iterator[int]) -> Iterator[int]:
    yield first
    yield from rest


_NOISE = 8
# With more, a byte would not hold the sum; the words then come in the order of their scores.
_MOST_CROSSINGS = 200


def _levels(candidates: Candidates, slot: int, random: Random) -> Iterator[int]:
    """Bitsets of the words of equal value, best first.

    All words are valued at once: every crossing contributes a string of one byte a word, and the
    strings are added as long integers, a byte each, so the values are cut to 0..255 in all.
    """
    network, root = candidates.network, candidates.root
    lexicon = network.lexicons[slot]
    links = network.links[slot]
    tables = []
    for crossing, position, _, other, other_masks in links:
        column = lexicon.column(position)
        if column is None:
            return
        counts = {
            letter: (root.domains[other] & other_masks[letter]).bit_count()
            for letter in root.letters[crossing]
        }
        tables.append((column, counts))
    if len(tables) > _MOST_CROSSINGS:
        return
    best = sum(log(max(counts.values())) for _, counts in tables) or 1.0
    scale = (255 - _NOISE - len(tables)) / best
    total = int.from_bytes(random.randbytes(len(lexicon.words)).translate(_NOISE_TABLE), "little")
    for column, counts in tables:
        table = bytearray(256)
        for letter, count in counts.items():
            table[column.code(letter)] = round(scale * log(count))
        total += int.from_bytes(column.letters.translate(table), "little")
    values = total.to_bytes(len(lexicon.words), "little")[::-1]
    flags = bytearray(b"0" * 256)
    for value in sorted(set(values), reverse=True):
        flags[value] = ord("1")
        level = int(values.translate(flags), 2)
        flags[value] = ord("0")
        if level:
            yield level


_NOISE_TABLE = bytes(byte % (_NOISE + 1) for byte in range(256))
