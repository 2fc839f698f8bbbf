"""Large neighbourhood search in compiled code: regions of a fill filled anew, for more weight.

Some 140 regions a second, against four in Python (15x15, 78 slots). A region that can't be improved
may become worse by chance, by less and less during a cycle (simulated annealing:
Kirkpatrick, Gelatt and Vecchi 1983). Where few words have a weight, as in thematic crosswords, the
best fills lie far from each other. So cycles that begin with the best fill found become the rarer
the longer they are in vain. The others belong to a rival, a fresh fill of the whole grid, which
another one follows as soon as a cycle does not improve it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from math import log
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross import engine
from satcross.backends.base import Words, accept_any
from satcross.backends.search.neighbourhood import connected_slots
from satcross.network.arc_consistency import Candidates, bits
from satcross.network.compiled import link_numbers, starts
from satcross.network.weights import Weights
from satcross.run_settings import Deadline
from satcross.vocabulary import WordGroup

Array = NDArray[Any]

_MAX_LISTED = 2048
"""Candidates of a slot of a region; where there are more, the lightest are left out."""

_MAX_COMPARED = 60
_MIN_SLOTS, _FIRST_SLOTS, _MAX_SLOTS = 4, 40.0, 100
_NODES = 1000
"""Decisions for a region: up to 0.03 s. On a 15x15 with 78 slots and 20 s, regions of up to 30 to
50 slots with 1,000 decisions gave means of 72.5 to 72.8, regions of 16 with 200 decisions 72.1.
Where regions are exhausted sooner, they grow."""

_GROWTH, _SHRINKAGE = 1.01, 0.97

_CYCLE = 350
"""Regions of a cycle: some 4 s. With cycles that grew to 4,000 regions, a 13x13 of docs/roco.md
reached 159 after 93 s with seed 1, with these 182 after 13 s."""

_MAX_WAIT = 16
"""Cycles of rivals at most before the best fill's next one."""

_HEAT = 0.6
"""Loss that is accepted once in e times at the beginning of a cycle, in spreads of scores."""

_TASTE = 0.5
"""Worth of a word one spread above another, in logarithms of the words left to crossing slots."""

_GREED = 8.0
"""Up to how many times as much a word's worth counts in some regions, by chance."""

_FRESH_NODES = 2000

_NOISE = 0.5
_MAX_LETTERS = 64


class RegionSearch:
    """Improves a fill of the candidates; ``words``, of weight ``value``, is the best one found.

    It goes only from one fill that ``accepts`` returns True for to another.
    """

    def __init__(
        self,
        candidates: Candidates,
        weights: Weights,
        words: Words,
        seed: int,
        accepts: Callable[[Words], bool] = accept_any,
    ) -> None:
        self._weights, self._accepts = weights, accepts
        self._network = network = candidates.network
        self._random = Random(seed)
        self._lexicons = {
            group: number for number, group in enumerate(dict.fromkeys(network.lexicons))
        }
        self._order = {
            lexicon: _heaviest_first(candidates, weights, lexicon) for lexicon in self._lexicons
        }
        self._slots = len(network.lexicons)
        self._spread = self._spread_of(words)
        self._near = [[link[3] for link in links] for links in network.links]
        self._plain = [
            weights.listed(slot)[self._order[lexicon][len(self._order[lexicon]) // 2]]
            for slot, lexicon in enumerate(network.lexicons)
        ]
        """The weight that half of a slot's words reach at most.

        Where few words have a weight, the others are soon found again, but hold those few in
        place: on a 13x13, emptying them all gave 182 instead of 147 (docs/roco.md).
        """
        self._appeal = [
            (size > 1) / (1 + len(near))
            for size, near in zip(candidates.root.sizes, self._near, strict=True)
        ]
        from satcross.engine.region import Regions

        of_words, of_slots = self._tables(candidates)
        self._regions = Regions(of_words, min(_MAX_SLOTS, self._slots), _NOISE)
        self._regions.lay_out(of_slots)
        self.words, self.value = words, weights.of(words)
        self.regions = self._wait = self._left = 0
        self._rival: tuple[Words, int] | None = None
        self.visit(words)
        self._max_slots = _FIRST_SLOTS

    @staticmethod
    def suits(candidates: Candidates) -> bool:
        """Whether there is compiled code, and it covers the grid."""
        network = candidates.network
        letters = {letter for here in candidates.root.letters for letter in here}
        return (
            engine.available()
            and network.shared_lexicons
            and len(letters) <= _MAX_LETTERS
            and bool(network.puzzle.grid.crossings)
            and max(map(len, network.links)) <= _MAX_LETTERS
        )

    def run(self, deadline: Deadline, max_regions: int) -> bool:
        """Fill up to ``max_regions`` regions anew; whether a better fill was found."""
        before = self.value
        open_slots = [slot for slot in range(self._slots) if self._appeal[slot]]
        for _ in range(max_regions if open_slots else 0):
            if deadline.passed:
                break
            if self._cycle >= _CYCLE:
                self._begin_cycle(open_slots)
            self._cycle += 1
            self.regions += 1
            self._try_region(open_slots)
        return self.value > before

    def visit(self, words: Words) -> None:
        """Begin a cycle with another fill of the candidates, whatever it is worth."""
        value = self._weights.of(words)
        self._is_rival = value < self.value
        if value > self.value:
            self.words, self.value = words, value
        self._cycle = 0
        self._here = self._top = words, value
        self._values_before = value, self.value
        self._spread = self._spread_of(words)
        self._place(words)

    def _begin_cycle(self, open_slots: list[int]) -> None:
        before, best_before = self._values_before
        if self.value > best_before:
            self._rival, self._wait, self._left = None, 0, 0
        elif self._is_rival:
            self._rival = self._top if before < self._top[1] < self.value else None
        else:
            self._wait = self._left = min(_MAX_WAIT, 2 * self._wait or 1)
        if not self._left or len(open_slots) > _MAX_SLOTS:
            self.visit(self.words)
            return
        self._left -= 1
        if self._rival is None:
            self._fill_anew(open_slots, -(1 << 60), _FRESH_NODES)
            self._rival = self._here
        self.visit(self._rival[0])

    def _spread_of(self, words: Words) -> float:
        scores = [self._network.puzzle.worth(word) for word in words]
        return max(1.0, float(np.subtract(*np.percentile(scores, [75, 25]))))

    def _try_region(self, open_slots: list[int]) -> None:
        words = self._here[0]
        region = self._choose(open_slots)
        old = sum(self._weights.weight(words[slot]) for slot in region)
        heat = _HEAT * self._spread * (1 - self._cycle / _CYCLE)
        loss = int(-heat * log(1 - self._random.random()))
        self._fill_anew(region, old - loss, _NODES)
        slots = self._max_slots * (_SHRINKAGE if self._regions.unfinished else _GROWTH)
        self._max_slots = min(float(_MAX_SLOTS), max(_MIN_SLOTS, slots))

    def _fill_anew(self, region: list[int], min_weight: int, nodes: int) -> None:
        """Go on from a fill with other words in a region, if one worth enough is found."""
        random = self._random
        greed, by_weight = _GREED ** random.random(), random.random() < 0.5
        seed = random.getrandbits(62) | 1
        numbers = self._regions.refill(region, min_weight, seed, nodes, greed, by_weight)
        if numbers is None:
            return
        words, value = self._here
        found = list(words)
        for slot, number in zip(region, numbers, strict=True):
            lexicon = self._network.lexicons[slot]
            found[slot] = lexicon.words[self._order[lexicon][number]]
            value += self._weights.weight(found[slot]) - self._weights.weight(words[slot])
        again = tuple(found)
        if not (self._network.word_rules.holds(again) and self._accepts(again)):
            return
        for slot, number in zip(region, numbers, strict=True):
            self._regions.place(slot, number)
        self._here = again, value
        if value > self._top[1]:
            self._top = self._here
        if value > self.value:
            self.words, self.value = again, value

    def _choose(self, open_slots: list[int]) -> list[int]:
        """Return connected slots, from one with a rather light word on, and all plain ones."""
        words, random = self._here[0], self._random
        weights = [self._weights.weight(word) for word in words]
        start = min(random.choices(open_slots, k=3), key=weights.__getitem__)
        size = int(_MIN_SLOTS * ((self._max_slots + 1) / _MIN_SLOTS) ** random.random())
        chosen = connected_slots(start, size, self._near, self._appeal, random)
        plain = [slot for slot in open_slots if weights[slot] <= self._plain[slot]]
        return sorted(chosen.union(plain[: _MAX_SLOTS - len(chosen)]))

    def _place(self, words: Words) -> None:
        for slot, word in enumerate(words):
            lexicon = self._network.lexicons[slot]
            index = lexicon.bit_of(word).bit_length() - 1
            self._regions.place(slot, int(self._position[lexicon][index]))

    def _tables(self, candidates: Candidates) -> tuple[dict[str, Any], dict[str, Any]]:
        """The tables of words, and those of slots (``Regions``)."""
        network, root = self._network, candidates.root
        lexicons, order = network.lexicons, self._order
        self._position = {
            lexicon: _positions(len(lexicon.words), order[lexicon]) for lexicon in self._lexicons
        }
        sizes = [(len(order[lexicon]) + 63) >> 6 for lexicon in lexicons]
        links = [(slot, link) for slot, crossed in enumerate(network.links) for link in crossed]
        letters = sorted({letter for _, link in links for letter in link[2]})
        word_starts = starts([len(order[lexicon]) for lexicon in self._lexicons])
        weights = [
            np.array(self._weights.listed(lexicons.index(lexicon)), dtype=np.int64)[order[lexicon]]
            for lexicon in self._lexicons
        ]
        worth = [
            np.array([network.puzzle.worth(lexicon.words[k]) for k in order[lexicon]], dtype=float)
            for lexicon in self._lexicons
        ]
        crossed = sorted((len(links) for links in network.links), reverse=True)
        codes = {lexicon: _letter_codes(lexicon, letters) for lexicon in self._lexicons}
        keys = [(lexicons[slot], link[1]) for slot, link in links]
        columns = {
            (lexicon, position): codes[lexicon][order[lexicon], position]
            for lexicon, position in keys
        }
        masks = [
            [_packed(column == letter) for letter in range(len(letters))]
            for column in columns.values()
        ]
        sizes_of = [sum(map(len, own)) for own in masks]
        mask_starts = dict(zip(columns, starts(sizes_of), strict=False))
        column_starts = dict(zip(columns, starts(list(map(len, columns.values()))), strict=False))
        of_words = {
            "max_slots": self._slots,
            "max_links": len(links),
            "repeats": network.word_rules.repeats,
            "max_listed": _MAX_LISTED,
            "max_compared": _MAX_COMPARED,
            "most_words": max(sizes),
            "most_links": crossed[0],
            "most_crossed": sum(crossed[:_MAX_SLOTS]),
            "roots": np.concatenate(
                [
                    _packed(_flags(domain, len(lexicon.words))[order[lexicon]])
                    for lexicon, domain in zip(lexicons, root.domains, strict=True)
                ]
            ),
            "letters": len(letters),
            "masks": np.concatenate(list(chain.from_iterable(masks))),
            "columns": np.concatenate(list(columns.values())),
            "weights": np.concatenate(weights),
            "tastes": np.concatenate(worth) * (_TASTE / self._spread),
            "logs": np.log(np.maximum(1, np.arange(_MAX_LISTED + 1.0))),
        }
        of_slots = {
            "lexicon": [self._lexicons[lexicon] for lexicon in lexicons],
            "domain_start": starts(sizes)[:-1],
            "domain_words": sizes,
            "word_start": [word_starts[self._lexicons[lexicon]] for lexicon in lexicons],
            **link_numbers(network),
            "mask_start": [mask_starts[key] for key in keys],
            "column_start": [column_starts[key] for key in keys],
        }
        return of_words, of_slots


def _letter_codes(lexicon: WordGroup, alphabet: list[str]) -> Array:
    """Return a matrix (words x positions) of indices in the alphabet; 0 for other letters."""
    table = np.zeros(0x110000, dtype=np.uint8)
    table[[ord(letter) for letter in alphabet]] = np.arange(len(alphabet))
    octets = "".join(lexicon.words).encode("utf-32-le", "surrogatepass")
    codes: Array = table[np.frombuffer(octets, dtype="<u4")]
    return codes.reshape(-1, lexicon.length)


def _heaviest_first(candidates: Candidates, weights: Weights, lexicon: WordGroup) -> Array:
    """The indices of the lexicon's words that are candidates of a slot, heaviest first."""
    network, used = candidates.network, 0
    for slot, item in enumerate(network.lexicons):
        if item is lexicon:
            used |= candidates.root.domains[slot]
    indices = np.fromiter(bits(used), dtype=np.int64)
    listed = np.array(weights.listed(network.lexicons.index(lexicon)), dtype=np.int64)[indices]
    ordered: Array = indices[np.argsort(-listed, kind="stable")]
    return ordered


def _positions(words: int, order: Array) -> Array:
    positions = np.full(words, -1, dtype=np.int32)
    positions[order] = np.arange(len(order), dtype=np.int32)
    return positions


def _flags(bitset: int, size: int) -> Array:
    octets = np.frombuffer(bitset.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
    return np.unpackbits(octets, count=size, bitorder="little").astype(bool)


def _packed(flags: Array) -> Array:
    """Flags as 64-bit words, the first flag in the lowest bit."""
    padded = np.zeros((len(flags) + 63) // 64 * 64, dtype=np.uint8)
    padded[: len(flags)] = flags
    return np.packbits(padded, bitorder="little").view(np.uint64)
