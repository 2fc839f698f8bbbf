"""Candidates and state of a search as the flat arrays of ``satcross.engine.kernel``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.backends.search.search_state import Decision, SearchState
from satcross.engine.kernel_loader import Kernel
from satcross.errors import InternalError
from satcross.network.arc_consistency import MANY_PEERS, Network, State, bits
from satcross.network.belief_propagation import letter_codes
from satcross.outcome import Status
from satcross.vocabulary import WordGroup

_STATUSES = (Status.UNKNOWN, Status.FILLED, Status.UNFILLABLE)
FULL = 3
"""The kernel returns an index into ``_STATUSES``, or ``FULL`` if the trail must grow first."""

# Places of the numbers of a search, as in ``kernel``.
(
    DEPTH,
    TRAIL,
    SAVED,
    LETTERS_SAVED,
    QUEUED,
    CONFLICTS,
    LEAVING,
    NODES,
    FAILURES,
    RESTARTS,
    BY_LETTER,
    MAY_RESTART,
    MOST_FILLED,
    TWISTED,
) = range(14)
INCREMENT, INTERVAL, FAILURES_LEFT = range(3)

_MOST_LETTERS = 64
_MOST_BYTES = 1 << 30
"""Size above which arrays are not made."""

Array = NDArray[Any]
Corrections = Sequence[Sequence[Mapping[str, float]]]


@dataclass(frozen=True, slots=True)
class Tables:
    """The arrays that a search does not change, in the kernel's order, and the alphabet."""

    arrays: tuple[Array, ...]
    alphabet: str

    @property
    def domain_start(self) -> Array:
        return self.arrays[2]

    @property
    def domain_words(self) -> Array:
        return self.arrays[3]

    @property
    def link_start(self) -> Array:
        return self.arrays[4]


def tables_of(network: Network, search: SearchState, max_peers: int = MANY_PEERS) -> Tables | None:
    """Convert a network to arrays; None if the kernel does not cover it.

    Neither does it if a slot has more than ``max_peers`` peers.
    """
    settings = search.settings
    links = network.links
    letters = sorted({letter for crossed in links for link in crossed for letter in link[2]})
    if len(letters) > _MOST_LETTERS or max(map(len, network.peers), default=0) > max_peers:
        return None
    lexicons = list(dict.fromkeys(network.lexicons))
    number_of = {lexicon: number for number, lexicon in enumerate(lexicons)}
    domain_words = np.array(
        [(len(lexicon.words) + 63) >> 6 for lexicon in network.lexicons], dtype=np.int32
    )
    columns = {
        (lexicon, link[1]): domain_words[slot]
        for slot, (lexicon, crossed) in enumerate(zip(network.lexicons, links, strict=True))
        for link in crossed
    }
    if sum(int(words) for words in columns.values()) * len(letters) * 8 > _MOST_BYTES:
        return None
    ids = _WordIds(lexicons)
    if ids.size * 4 > _MOST_BYTES:
        return None
    clashes = _Clashes(network, search.root, lexicons)
    themes = network.theme
    arrays: list[Array] = [
        np.array(
            [
                settings.sample,
                settings.letters_every,
                settings.many,
                settings.preferring,
                network.word_rules.min_theme_words,
                network.word_rules.clashes,
                len(lexicons),
                settings.growing_fast_after,
            ],
            dtype=np.int64,
        ),
        np.array([settings.restart_growth, settings.decay, settings.noise, settings.fast_growth]),
        _starts(domain_words, np.int64)[:-1],
        domain_words,
        _starts([len(crossed) for crossed in links]),
        *_link_arrays(network),
        *_letter_arrays(network, letters),
        _starts([len(peers) for peers in network.peers]),
        _joined(network.peers),
        np.array([number_of[lexicon] for lexicon in network.lexicons], dtype=np.int32),
        _starts([len(lexicon.words) for lexicon in lexicons], np.int64),
        *ids.arrays(),
        _preferred(network, domain_words),
        _starts([len(places) for places in themes]),
        _joined([[slot for slot, _ in places] for places in themes]),
        _joined([[bit.bit_length() - 1 for _, bit in places] for places in themes]),
        *clashes.arrays(),
        _logarithms(max(search.root.sizes, default=0)),
        _corrections(network, letters, search.corrections),
    ]
    return Tables(tuple(arrays), "".join(letters))


def _starts(sizes: Sequence[int] | Array, kind: Any = np.int32) -> Array:
    return np.array([0, *accumulate(int(size) for size in sizes)], dtype=kind)


def _joined(parts: Sequence[Sequence[int]]) -> Array:
    return np.fromiter(chain.from_iterable(parts), dtype=np.int32)


def _link_arrays(network: Network) -> list[Array]:
    """The crossing and the other slot of each link, and the same link from that slot."""
    links = [(slot, link) for slot, crossed in enumerate(network.links) for link in crossed]
    number_of = {(slot, link[0]): number for number, (slot, link) in enumerate(links)}
    return [
        np.array([link[0] for _, link in links], dtype=np.int32),
        np.array([link[3] for _, link in links], dtype=np.int32),
        np.array([number_of[link[3], link[0]] for _, link in links], dtype=np.int32),
    ]


def _letter_arrays(network: Network, letters: list[str]) -> list[Array]:
    """Masks and columns of letters; slots with the same lexicon share them."""
    codes = dict(zip(network.lexicons, letter_codes(network.lexicons, letters), strict=True))
    mask_start: dict[tuple[WordGroup, int], int] = {}
    column_start: dict[tuple[WordGroup, int], int] = {}
    masks, columns = bytearray(), bytearray()
    starts: tuple[list[int], list[int]] = ([], [])
    for lexicon, crossed in zip(network.lexicons, network.links, strict=True):
        for _, position, its, *_ in crossed:
            key = (lexicon, position)
            if key not in mask_start:
                size = (len(lexicon.words) + 63) // 64 * 8
                mask_start[key], column_start[key] = len(masks) // 8, len(columns)
                for letter in letters:
                    masks += its.get(letter, 0).to_bytes(size, "little")
                columns += codes[lexicon][:, position].astype(np.uint8).tobytes()
            starts[0].append(mask_start[key])
            starts[1].append(column_start[key])
    return [
        np.array(starts[0], dtype=np.int64),
        np.frombuffer(bytes(masks), dtype=np.uint64),
        np.array(starts[1], dtype=np.int64),
        np.frombuffer(bytes(columns), dtype=np.uint8),
    ]


class _WordIds:
    """One number per word, the same in every lexicon, and its index in each lexicon."""

    def __init__(self, lexicons: list[WordGroup]) -> None:
        self._lexicons = lexicons
        self._shared: dict[int, dict[str, int]] = {}
        by_length: dict[int, list[WordGroup]] = {}
        for lexicon in lexicons:
            by_length.setdefault(lexicon.length, []).append(lexicon)
        self._first: dict[int, int] = {}
        number = 0
        for length, same in by_length.items():
            self._first[length] = number
            if len(same) == 1:
                number += len(same[0].words)
            else:
                words = dict.fromkeys(word for lexicon in same for word in lexicon.words)
                self._shared[length] = {word: index for index, word in enumerate(words)}
                number += len(words)

    @property
    def size(self) -> int:
        return sum(len(self._shared.get(lexicon.length, ())) for lexicon in self._lexicons)

    def arrays(self) -> list[Array]:
        ids: list[Array] = [np.zeros(0, dtype=np.int32)]
        places: list[Array] = [np.zeros(0, dtype=np.int32)]
        starts, start = [], 0
        for lexicon in self._lexicons:
            first, shared = self._first[lexicon.length], self._shared.get(lexicon.length)
            starts.append(start - first)
            if shared is None:
                ids.append(np.arange(first, first + len(lexicon.words), dtype=np.int32))
                continue
            own = np.array([shared[word] for word in lexicon.words], dtype=np.int32)
            where = np.full(len(shared), -1, dtype=np.int32)
            where[own] = np.arange(len(own), dtype=np.int32)
            ids.append(own + np.int32(first))
            places.append(where)
            start += len(shared)
        return [np.concatenate(ids), np.array(starts, dtype=np.int64), np.concatenate(places)]


class _Clashes:
    """Which of the root's candidates share a mark, so that they exclude each other."""

    def __init__(self, network: Network, root: State, lexicons: list[WordGroup]) -> None:
        self._lexicons = lexicons
        self._word_rules = network.word_rules
        self._used = dict.fromkeys(lexicons, 0)
        for lexicon, domain in zip(network.lexicons, root.domains, strict=True):
            self._used[lexicon] |= domain

    def arrays(self) -> list[Array]:
        empty = np.zeros(0, dtype=np.int32)
        if not self._word_rules.clashes:
            no_starts = np.zeros(1, dtype=np.int64)
            return [no_starts, empty, no_starts, empty, np.zeros(0, dtype=np.uint8)]
        marks_of: list[list[int]] = []
        exempt_words: list[bool] = []
        numbers: dict[object, int] = {}
        having: list[list[list[int]]] = []
        for number, lexicon in enumerate(self._lexicons):
            first = len(marks_of)
            marks_of += [[] for _ in lexicon.words]
            exempt_words += [word in self._word_rules.exempt_words for word in lexicon.words]
            for index in bits(self._used[lexicon]):
                for mark in sorted(self._word_rules.marks(lexicon.words[index])):
                    its = numbers.setdefault(mark, len(numbers))
                    if its == len(having):
                        having.append([[] for _ in self._lexicons])
                    marks_of[first + index].append(its)
                    having[its][number].append(index)
        every = [part for parts in having for part in parts]
        return [
            _starts([len(marks) for marks in marks_of], np.int64),
            _joined(marks_of),
            _starts([len(part) for part in every], np.int64),
            _joined(every),
            np.array(exempt_words, dtype=np.uint8),
        ]


def _preferred(network: Network, domain_words: Array) -> Array:
    if not any(network.preferred):
        return np.zeros(0, dtype=np.uint64)
    return _bits_of(network.preferred, domain_words)


def _bits_of(domains: Sequence[int], domain_words: Array | Sequence[int]) -> Array:
    octets = b"".join(
        domain.to_bytes(int(words) * 8, "little")
        for domain, words in zip(domains, domain_words, strict=True)
    )
    return np.frombuffer(octets, dtype=np.uint64).copy()


def _logarithms(most: int) -> Array:
    from math import log  # the values that the reference computes, to the last bit

    return np.array([0.0, *(log(number) for number in range(1, most + 1))])


def _corrections(
    network: Network, letters: Sequence[str], corrections: Corrections | None
) -> Array:
    numbers = np.zeros(sum(map(len, network.links)) * _MOST_LETTERS)
    if corrections is not None:
        code = {letter: place for place, letter in enumerate(letters)}
        link = 0
        for corrected in corrections:
            for its in corrected:
                for letter, value in its.items():
                    numbers[link * _MOST_LETTERS + code[letter]] = value
                link += 1
    return numbers


class KernelSearch:
    """A ``Search`` that the kernel continues, with its open decisions."""

    def __init__(self, kernel: Kernel, tables: Tables, search: SearchState) -> None:
        self._advance, self._tables, self._network = kernel.advance, tables, search.network
        state, settings = search.root, search.settings
        slots, crossings = len(state.sizes), len(state.letters)
        words = len(_bits_of(state.domains, tables.domain_words))
        depth = slots + crossings + 2
        code = {letter: place for place, letter in enumerate(tables.alphabet)}
        numbers = np.zeros(16, dtype=np.int64)
        numbers[[NODES, FAILURES, RESTARTS]] = search.nodes, search.failures, search.restarts
        numbers[BY_LETTER], numbers[MAY_RESTART] = search.by_letter, search.may_restart
        numbers[MOST_FILLED] = search.most_filled
        twister = search.random.getstate()[1]
        numbers[TWISTED] = twister[-1]
        floats = np.array([search.increment, search.interval, search.failures_left])
        most = max((len(lexicon.words) for lexicon in self._network.lexicons), default=1)
        crossed = max(map(len, self._network.links), default=0)
        themes = sum(map(len, self._network.theme))
        self._arrays: list[Array] = [
            numbers,
            floats,
            _bits_of(state.domains, tables.domain_words),
            np.array(state.sizes, dtype=np.int32),
            np.array(
                [sum(1 << code[letter] for letter in here) for here in state.letters],
                dtype=np.uint64,
            ),
            np.array(search.weights, dtype=np.float64),
            np.zeros(slots, dtype=np.int32),
            np.zeros(sum(map(len, self._network.links)) * _MOST_LETTERS, dtype=np.int32),
            np.zeros(max(slots, _MOST_LETTERS), dtype=np.int32),
            np.full(slots, -2, dtype=np.int32),
            np.zeros(max(slots, themes, 2), dtype=np.int32),
            _places(search.targets),
            _places(search.best_targets),
            *(np.zeros(depth, dtype=np.int32) for _ in range(4)),
            *(np.zeros(depth, dtype=np.int64) for _ in range(2)),
            np.zeros(max(words * 4, 1 << 16), dtype=np.uint64),
            *(np.zeros(slots * 8, dtype=np.int32) for _ in range(3)),
            np.zeros(crossings * (_MOST_LETTERS + 8), dtype=np.int32),
            np.zeros(crossings * (_MOST_LETTERS + 8), dtype=np.uint64),
            np.zeros(max(settings.sample, 1), dtype=np.int32),
            np.zeros((most + 63) // 64, dtype=np.uint64),
            np.zeros(max(crossed, 1) * _MOST_LETTERS),
            np.zeros(max(crossed, 1), dtype=np.int32),
            np.array(twister[:-1], dtype=np.uint32),
        ]
        for decision, after in pairwise([*search.stack, None]):
            assert decision is not None
            self._decide(decision, search.state if after is None else after.state, code)
        self._point()

    def _decide(self, decision: Decision, after: State, code: Mapping[str, int]) -> None:
        """Add an open decision, and put what it replaced on the trail."""
        numbers, tables, before = self._arrays[0], self._tables, decision.state
        slots = [
            slot
            for slot, (old, new) in enumerate(zip(before.domains, after.domains, strict=True))
            if old != new
        ]
        crossings = [
            crossing
            for crossing, (old, new) in enumerate(zip(before.letters, after.letters, strict=True))
            if old != new
        ]
        start, words = tables.domain_start[slots], tables.domain_words[slots]
        while not self._has_room(int(words.sum()), len(slots), len(crossings)):
            self._grow()
        depth = int(numbers[DEPTH]) + 1
        numbers[DEPTH] = depth
        place = self._place_of(decision)
        for array, value in zip(
            self._arrays[13:19],
            (decision.slot, *place, numbers[SAVED], numbers[LETTERS_SAVED]),
            strict=True,
        ):
            array[depth] = value
        domains, sizes, letters, stamps = *self._arrays[2:5], self._arrays[6]
        trail, saved_slot, saved_size, saved_stamp, saved_crossing, saved_letters = self._arrays[
            19:25
        ]
        for slot, first, size in zip(slots, start.tolist(), words.tolist(), strict=True):
            top, number = int(numbers[TRAIL]), int(numbers[SAVED])
            trail[top : top + size] = domains[first : first + size]
            saved_slot[number], saved_size[number] = slot, sizes[slot]
            saved_stamp[number] = stamps[slot]
            numbers[TRAIL], numbers[SAVED] = top + size, number + 1
            domains[first : first + size] = _bits_of([after.domains[slot]], [size])
            sizes[slot], stamps[slot] = after.sizes[slot], depth
        for crossing in crossings:
            number = int(numbers[LETTERS_SAVED])
            saved_crossing[number], saved_letters[number] = crossing, letters[crossing]
            numbers[LETTERS_SAVED] = number + 1
            letters[crossing] = sum(1 << code[letter] for letter in after.letters[crossing])

    def _has_room(self, words: int, slots: int, crossings: int) -> bool:
        numbers = self._arrays[0]
        return bool(
            len(self._arrays[19]) - numbers[TRAIL] >= words
            and len(self._arrays[20]) - numbers[SAVED] >= slots
            and len(self._arrays[23]) - numbers[LETTERS_SAVED] >= crossings
            and len(self._arrays[13]) - numbers[DEPTH] > 2
        )

    def _place_of(self, decision: Decision) -> tuple[int, int, int]:
        """The word that was decided for, or the link and the letter (the others are -1)."""
        if not decision.kept & (decision.kept - 1):
            return decision.kept.bit_length() - 1, -1, -1
        first = int(self._tables.link_start[decision.slot])
        for link, (_, _, masks, *_) in enumerate(self._network.links[decision.slot], first):
            for letter, mask in masks.items():
                if mask == decision.kept:
                    return -1, link, self._tables.alphabet.index(letter)
        raise InternalError("a decision for neither a word nor a letter")

    def _point(self) -> None:
        every = [*self._tables.arrays, *self._arrays]
        self._table = np.array(
            [number for array in every for number in (array.ctypes.data, len(array))],
            dtype=np.uint64,
        )
        self._address = self._table.ctypes.data

    def advance(self, max_nodes: int) -> Status:
        """Take up to ``max_nodes`` decisions, fewer if there is an answer."""
        last = int(self._arrays[0][NODES]) + max_nodes
        while True:
            result = self._advance(self._address, last - int(self._arrays[0][NODES]))
            if result != FULL:
                return _STATUSES[result]
            self._grow()

    def _grow(self) -> None:
        for number in range(19, 25):
            array = self._arrays[number]
            self._arrays[number] = np.concatenate((array, np.zeros_like(array)))
        for number in range(13, 19):
            array = self._arrays[number]
            if len(array) - self._arrays[0][DEPTH] <= 2:
                self._arrays[number] = np.concatenate((array, np.zeros_like(array)))
        self._point()

    def leave(self) -> bool:
        """Leave the fill just found; False when there are no others."""
        self._arrays[0][MAY_RESTART] = 0
        self._arrays[0][LEAVING] = 1
        return self.advance(0) is not Status.UNFILLABLE

    @property
    def counts(self) -> tuple[int, int, int]:
        """Decisions, contradictions and restarts of the whole search."""
        nodes, failures, restarts = self._arrays[0][NODES : RESTARTS + 1].tolist()
        return nodes, failures, restarts

    def guide(self, corrections: Corrections) -> None:
        """From now on, value words with these corrections."""
        tables = self._tables
        numbers = _corrections(self._network, tables.alphabet, corrections)
        self._tables = Tables((*tables.arrays[:-1], numbers), tables.alphabet)
        self._point()

    def words(self) -> tuple[str, ...]:
        """The fill, when every slot has one word."""
        domains, starts = self._arrays[2], self._tables.domain_start
        places = np.flatnonzero(domains)
        bits_set = np.frexp(domains[places].astype(np.float64))[1] - 1
        indices = (((places - starts) << 6) + bits_set).tolist()
        return tuple(
            lexicon.words[index]
            for lexicon, index in zip(self._network.lexicons, indices, strict=True)
        )

    def state(self) -> State:
        """The current candidates."""
        octets = self._arrays[2].tobytes()
        domains = []
        for start, words in zip(
            self._tables.domain_start.tolist(), self._tables.domain_words.tolist(), strict=True
        ):
            domains.append(int.from_bytes(octets[start * 8 : (start + words) * 8], "little"))
        alphabet = self._tables.alphabet
        letters = [[alphabet[place] for place in bits(here)] for here in self._arrays[4].tolist()]
        return State(domains, self._arrays[3].tolist(), letters)


def _places(singles: list[int]) -> Array:
    return np.array([bit.bit_length() - 1 for bit in singles], dtype=np.int32)
