"""Clause learning on the letters of crossings, in compiled code (``search.letter_kernel``).

The slots are tables that explain lazily what follows from them, so that a puzzle is ready as soon
as its letter masks are, whatever the number of candidates, and a contradiction costs a tenth of
what it costs a solver that reads the support encoding.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.backends.base import Stats, Task
from satcross.backends.search.kernel_search import Tables, tables_of
from satcross.backends.search.search_state import SearchSettings, SearchState
from satcross.engine.kernel_loader import Kernel
from satcross.network.arc_consistency import Candidates, bits
from satcross.outcome import Status

Array = NDArray[Any]

_WORK_A_CALL = 4_000_000
"""64-bit words visited between two checks of the deadline: some ten milliseconds."""

_MAX_PEERS = 3000
"""With more peers than this, a slot's word takes too long to be removed from all of them."""

_CONFLICTS_A_TURN = 5
"""Conflicts for each one that ``run`` is given, since a solver of formulas takes longer for one."""


@dataclass(frozen=True, slots=True)
class LetterSettings:
    """Settings of a search on letters; the defaults were measured (docs/lab-notebook.md)."""

    restart_unit: int = 250
    """Conflicts before the first restart; the intervals are Luby's sequence times this."""
    reduce_every: int = 2000
    """Conflicts before half of the learned clauses are forgotten for the first time."""
    reduce_later: int = 300
    """By how many conflicts this interval grows each time."""
    decay: float = 0.92
    """Factor by which the activities of letters shrink at each conflict."""
    weight_decay: float = 0.999
    """Factor by which the weights of crossings shrink at each conflict."""


_DEFAULTS = LetterSettings()

# Places of the numbers of a search, as in ``letter_kernel``.
_CONFLICTS, _UNTIL_RESTART, _UNTIL_REDUCE = 8, 10, 11
_QUEUED, _CLAUSES, _GIVEN = 6, 18, 21
_FILLED, _EXHAUSTED, _FULL = 1, 2, 3

# Positions in ``letter_kernel.Work`` of some arrays that a search changes.
_LETTER, _DOMAINS, _SAVED, _CLAUSE_ARRAY, _LEARNED = 12, 13, (16, 17, 18), 27, 32


class LetterSearch:
    """A search that can be paused and resumed."""

    def __init__(
        self,
        kernel: Kernel,
        task: Task,
        candidates: Candidates,
        tables: Tables,
        settings: LetterSettings = _DEFAULTS,
    ) -> None:
        started = time.perf_counter()
        self._run, self._task, self._candidates = kernel.learn_letters, task, candidates
        self.words: tuple[str, ...] | None = None
        self._letters = len(tables.alphabet)
        self._tables = _tables(candidates, tables, settings)
        self._arrays = _work(candidates, tables, settings, task.seed)
        self._point()
        self.encode_seconds = time.perf_counter() - started

    @staticmethod
    def tables(candidates: Candidates) -> Tables | None:
        """Convert the candidates to arrays; None if the search does not cover their rules."""
        rules = candidates.network.word_rules
        if rules.clashes or candidates.network.preferred_words or not candidates.root.letters:
            return None
        state = SearchState(candidates, 0, SearchSettings())
        return tables_of(candidates.network, state, max_peers=_MAX_PEERS)

    def close(self) -> None:
        """Do nothing: the arrays are freed with the search."""

    @property
    def stats(self) -> Stats:
        numbers = self._arrays[0]
        return {
            "solver": "satcross",
            "encoding": "letters",
            "variables": sum(map(len, self._candidates.root.letters)),
            "clauses": int(numbers[_CLAUSES]),
            "conflicts": int(numbers[_CONFLICTS]),
        }

    def run(self, max_conflicts: float) -> Status:
        """Search until there is an answer, or for about ``max_conflicts`` conflicts of a formula.

        Raises TimeUp when the deadline passes.
        """
        numbers = self._arrays[0]
        last = numbers[_CONFLICTS] + _CONFLICTS_A_TURN * max_conflicts
        while numbers[_CONFLICTS] < last:
            self._task.deadline.check()
            result = self._run(self._table.ctypes.data, _WORK_A_CALL)
            if result == _FULL:
                self._grow()
            elif result == _EXHAUSTED or (result == _FILLED and not self._found()):
                return Status.UNFILLABLE
            elif self.words is not None:
                return Status.FILLED
            self._task.on_progress(f"letters: {numbers[_CONFLICTS]} conflicts")
        return Status.UNKNOWN

    def exclude(self, slots: Iterable[int] | None = None) -> bool:
        """Exclude the letters that crossings have in the state of FILLED; False if nothing is left.

        With ``slots``, only the combination of letters of these slots is excluded.
        """
        links = self._candidates.network.links
        crossings = {
            link[0]
            for slot in (range(len(links)) if slots is None else slots)
            for link in links[slot]
        }
        letter = self._arrays[_LETTER]
        variables = [
            crossing * self._letters + int(letter[crossing]) for crossing in sorted(crossings)
        ]
        self._arrays[_LEARNED][: len(variables)] = variables
        self._arrays[0][_GIVEN] = len(variables)
        self.words = None
        return bool(variables)

    def _found(self) -> bool:
        """Set ``words``; or exclude letters that leave too few words, False if nothing is left."""
        choice = _WordChoice(self._candidates, self._domains())
        if slots := choice.make():
            return self.exclude(slots)
        self.words = choice.words
        return True

    def _domains(self) -> list[int]:
        octets = self._arrays[_DOMAINS].tobytes()
        return [
            int.from_bytes(octets[8 * start : 8 * (start + words)], "little")
            for start, words in zip(self._tables[2].tolist(), self._tables[3].tolist(), strict=True)
        ]

    def _point(self) -> None:
        every = [*self._tables, *self._arrays]
        self._table = np.array(
            [number for array in every for number in (array.ctypes.data, len(array))],
            dtype=np.uint64,
        )

    def _grow(self) -> None:
        for number in (*_SAVED, _CLAUSE_ARRAY):
            array = self._arrays[number]
            self._arrays[number] = np.concatenate((array, np.zeros_like(array)))
        self._point()


def _tables(candidates: Candidates, tables: Tables, settings: LetterSettings) -> list[Array]:
    """Return the arrays of ``letter_kernel.Tables``."""
    arrays = tables.arrays
    root = candidates.root
    link_start, link_crossing = arrays[4:6]
    links_of = np.full(2 * len(root.letters), -1, dtype=np.int32)
    for link, crossing in enumerate(link_crossing.tolist()):
        links_of[2 * crossing + (links_of[2 * crossing] >= 0)] = link
    link_slot = np.repeat(np.arange(len(root.sizes), dtype=np.int32), np.diff(link_start))
    numbers = (
        len(root.sizes),
        len(tables.alphabet),
        not candidates.network.puzzle.allow_repeats,
        settings.restart_unit,
        settings.reduce_every,
        settings.reduce_later,
    )
    return [
        np.array(numbers, dtype=np.int64),
        np.array([settings.decay, settings.weight_decay]),
        *arrays[2:5],
        link_slot,
        link_crossing,
        links_of,
        *arrays[8:19],
    ]


def _work(
    candidates: Candidates, tables: Tables, settings: LetterSettings, seed: int
) -> list[Array]:
    """Return the arrays of ``letter_kernel.Work`` before the first decision."""
    root = candidates.root
    slots, crossings, letters = len(root.sizes), len(root.letters), len(tables.alphabet)
    variables = crossings * letters
    code = {letter: number for number, letter in enumerate(tables.alphabet)}
    random = Random(seed)
    value = np.full(variables, -1, dtype=np.int32)
    activity = np.zeros(variables)
    order = [
        crossing * letters + code[letter]
        for crossing, here in enumerate(root.letters)
        for letter in here
    ]
    value[order] = 0
    activity[order] = [random.random() * 1e-3 for _ in order]
    numbers = np.zeros(32, dtype=np.int64)
    numbers[_UNTIL_RESTART], numbers[_UNTIL_REDUCE] = (
        settings.restart_unit,
        settings.reduce_every,
    )
    numbers[_QUEUED] = slots
    domain_words, links, peers = tables.domain_words, tables.arrays[5], tables.arrays[13]
    octets = b"".join(
        domain.to_bytes(8 * words, "little")
        for domain, words in zip(root.domains, domain_words.tolist(), strict=True)
    )
    domains = np.frombuffer(octets, dtype=np.uint64)
    most = int(domain_words.max())
    possible = [sum(1 << code[letter] for letter in here) for here in root.letters]
    return [
        numbers,
        np.ones(2),
        value,
        *(_zeros(variables) for _ in range(3)),
        np.full(variables, -1, dtype=np.int32),
        _zeros(variables),
        *(_zeros(variables + 2) for _ in range(3)),
        np.array(possible, dtype=np.uint64),
        np.full(crossings, -1, dtype=np.int32),
        domains.copy(),
        domains.copy(),
        _zeros(slots),
        *(_zeros(slots * 8) for _ in range(2)),
        np.zeros(max(len(domains) * 4, 1 << 16), dtype=np.uint64),
        *(_zeros(len(peers) + 1) for _ in range(4)),
        np.arange(slots, dtype=np.int32),
        np.ones(slots, dtype=np.uint8),
        _zeros(len(links) * 64),
        np.full(2 * variables, -1, dtype=np.int32),
        _zeros(max(1 << 16, 4 * variables)),
        activity,
        np.zeros(crossings),
        np.zeros(variables, dtype=np.uint8),
        *(_zeros(variables + 1) for _ in range(2)),
        np.zeros(5 * (slots + 64), dtype=np.int64),
        np.zeros(most, dtype=np.uint64),
        _zeros(most),
        np.zeros(variables + 2, dtype=np.int64),
        np.zeros(variables, dtype=np.int64),
        np.zeros(slots, dtype=np.int64),
    ]


def _zeros(size: int) -> Array:
    return np.zeros(size, dtype=np.int32)


class _WordChoice:
    """A word of each slot's domain, all different where they must be: a bipartite matching.

    Almost all slots have one word, which no other slot has.
    """

    def __init__(self, candidates: Candidates, domains: list[int]) -> None:
        self._network, self._domains = candidates.network, domains
        self._chosen: dict[int, str] = {}
        self._holder: dict[str, int] = {}

    def make(self) -> set[int]:
        """Choose; return no slots, or some that have too few words between them."""
        for slot in sorted(
            range(len(self._domains)), key=lambda one: self._domains[one].bit_count()
        ):
            if not self._network.peers[slot]:
                self._chosen[slot] = next(self._words(slot))
            elif too_few := self._choose(slot):
                return too_few
        return set()

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self._chosen[slot] for slot in range(len(self._domains)))

    def _words(self, slot: int) -> Iterator[str]:
        words = self._network.lexicons[slot].words
        return (words[index] for index in bits(self._domains[slot]))

    def _choose(self, first: int) -> set[int]:
        """Find an augmenting path from a slot; if there is none, return the slots reached."""
        taker: dict[str, int] = {}  # word -> the slot that would take it
        queue = [first]
        for slot in queue:
            for word in self._words(slot):
                if word in taker:
                    continue
                taker[word] = slot
                if word not in self._holder:
                    self._take(word, taker)
                    return set()
                queue.append(self._holder[word])
        return set(queue)

    def _take(self, word: str, taker: Mapping[str, int]) -> None:
        """Give a word to its taker, the taker's former word to that word's taker, and so on."""
        now: str | None = word
        while now is not None:
            slot = taker[now]
            before = self._chosen.get(slot)
            self._chosen[slot], self._holder[now] = now, slot
            now = before
