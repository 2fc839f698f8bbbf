"""The built-in backend: backtracking that maintains arc consistency, on bitset candidates.

- Branching is two-way, slot = word against slot != word (Sabin and Freuder 1994's MAC).
- The slot is chosen by domain size over weighted degree, dom/wdeg (Boussemart, Hemery, Lecoutre
  and Sais 2004), with the weights aged: later contradictions count for more.
- The word is the one that leaves the crossing slots the most candidates (the largest product),
  among all words of a small slot or a random sample of a large one.
- The search restarts at growing intervals (Gomes, Selman and Kautz 1998; geometric, Walsh 1999),
  and what was refuted at the root stays refuted. The intervals grow without bound, so that the
  search is complete: it proves UNFILLABLE when it exhausts the root.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from random import Random
from typing import ClassVar

from satcross.backends.base import TIME_LIMIT, Answer, Capabilities, Deadline, Task
from satcross.backends.sweep import Sweep
from satcross.candidates import Candidates, State, bits
from satcross.outcome import Status

# Nodes a turn, about 0.1 s and 1 s: where a sweep is possible it nearly always comes first.
_SEARCH_TURN = 300
_SWEEP_TURN = 400_000


@dataclass(frozen=True, slots=True)
class Settings:
    """How to search; the defaults are measured (tests/benchmarks)."""

    sample: int = 100
    """Words looked at when one is chosen."""
    restart_after: int = 200
    """Contradictions before the first restart."""
    restart_growth: float = 1.1
    decay: float = 0.99
    """What the weight of an older contradiction is multiplied with at each new one."""
    noise: float = 0.5
    """Random amount added to the logarithm by which words are compared."""


@dataclass(slots=True)
class _Decision:
    """A choice of a word (bit ``index``) for a slot, and the state it was made in."""

    state: State
    slot: int
    index: int


class Search:
    """One search over one puzzle's candidates; ``run`` may be called again to go on."""

    def __init__(
        self, candidates: Candidates, *, seed: int = 0, settings: Settings | None = None
    ) -> None:
        self._network = candidates.network
        self._settings = settings or Settings()
        self._random = Random(seed)
        self._root = candidates.root.copy()
        self._state = self._root
        self._stack: list[_Decision] = []
        self._weights = [1.0] * len(self._root.domains)
        self._increment = 1.0
        self._interval = float(self._settings.restart_after)
        self._failures_left = self._interval
        self.nodes = 0
        self.failures = 0
        self.restarts = 0
        self.words: tuple[str, ...] | None = None

    def run(self, deadline: Deadline, max_nodes: int | None = None) -> Status:
        """Search until an answer, the deadline, or ``max_nodes`` more decisions.

        Sets ``words`` when FILLED.
        """
        last = None if max_nodes is None else self.nodes + max_nodes
        while True:
            if (last is not None and self.nodes >= last) or deadline.passed:
                return Status.UNKNOWN
            slot = self._choose_slot()
            if slot is None:
                self.words = self._read_words()
                return Status.FILLED
            self.nodes += 1
            conflict = self._assign(slot, self._choose_word(slot))
            while conflict:
                self._learn(conflict)
                if not self._stack:
                    return Status.UNFILLABLE
                conflict = self._refute()
            if self._failures_left <= 0:
                self._restart()

    def _choose_slot(self) -> int | None:
        chosen, least = None, float("inf")
        weights = self._weights
        for slot, size in enumerate(self._state.sizes):
            if size > 1 and size / weights[slot] < least:
                chosen, least = slot, size / weights[slot]
        return chosen

    def _choose_word(self, slot: int) -> int:
        state, network = self._state, self._network
        left = []  # per crossing: letter -> log of the candidates it leaves the other slot
        for crossing, position, _, other, other_masks in network.links[slot]:
            letters = state.letters[crossing]
            if len(letters) > 1:
                domain = state.domains[other]
                left.append(
                    (position, {c: log((domain & other_masks[c]).bit_count()) for c in letters})
                )
        words = network.lexicons[slot].words
        random, noise = self._random.random, self._settings.noise
        best, most = -1, float("-inf")
        for index in self._sample(slot):
            word = words[index]
            value = noise * random()
            for position, logs in left:
                value += logs[word[position]]
            if value > most:
                best, most = index, value
        return best

    def _sample(self, slot: int) -> list[int]:
        domain = self._state.domains[slot]
        if self._state.sizes[slot] <= self._settings.sample:
            return list(bits(domain))
        # The first word at or after a random place: not quite uniform, but cheap.
        places = domain.bit_length()
        sample = []
        for _ in range(self._settings.sample):
            skipped = int(places * self._random.random())
            rest = domain >> skipped
            sample.append(skipped + (rest & -rest).bit_length() - 1)
        return sample

    def _assign(self, slot: int, index: int) -> tuple[int, int] | None:
        self._stack.append(_Decision(self._state, slot, index))
        self._state = state = self._state.copy()
        state.domains[slot] = 1 << index
        state.sizes[slot] = 1
        return self._network.propagate(state, (slot,))

    def _refute(self) -> tuple[int, int] | None:
        """Undo the last decision and take its word from the slot for good, below this point."""
        decision = self._stack.pop()
        slot = decision.slot
        self._state = state = decision.state if not self._stack else decision.state.copy()
        state.domains[slot] ^= 1 << decision.index
        state.sizes[slot] -= 1
        return self._network.propagate(state, (slot,))

    def _learn(self, conflict: tuple[int, int]) -> None:
        self.failures += 1
        self._failures_left -= 1
        for slot in conflict:
            self._weights[slot] += self._increment
        self._increment /= self._settings.decay
        if self._increment > 1e100:
            self._weights = [max(weight / 1e100, 1e-100) for weight in self._weights]
            self._increment /= 1e100

    def _restart(self) -> None:
        self.restarts += 1
        self._interval *= self._settings.restart_growth
        self._failures_left = self._interval
        if self._stack:
            self._state = self._stack[0].state
            self._stack.clear()

    def _read_words(self) -> tuple[str, ...]:
        return tuple(
            lexicon.words[domain.bit_length() - 1]
            for lexicon, domain in zip(self._network.lexicons, self._state.domains, strict=True)
        )

    @property
    def stats(self) -> dict[str, int | float | str]:
        return {"nodes": self.nodes, "failures": self.failures, "restarts": self.restarts}


class Portfolio:
    """What the backend does: ``Search``, and ``Sweep`` in turns with it where the grid suits.

    ``run`` may be called again to go on. Turns are counted in nodes, never in seconds, so that the
    same seed gives the same answer.
    """

    def __init__(self, candidates: Candidates, *, seed: int = 0) -> None:
        self.search = Search(candidates, seed=seed)
        self.sweep = Sweep(candidates) if Sweep.suits(candidates) else None
        self.words: tuple[str, ...] | None = None

    def run(self, deadline: Deadline, turns: int) -> Status:
        """Take so many turns; sets ``words`` when FILLED."""
        for _ in range(turns):
            for searcher, nodes in ((self.search, _SEARCH_TURN), (self.sweep, _SWEEP_TURN)):
                if searcher is None:
                    continue
                status = searcher.run(deadline, nodes)
                if status is not Status.UNKNOWN:
                    self.words = searcher.words
                    return status
                if deadline.passed:
                    return status
        return Status.UNKNOWN

    @property
    def stats(self) -> dict[str, int | float | str]:
        swept = {} if self.sweep is None else {"sweep_nodes": self.sweep.nodes}
        return {**self.search.stats, **swept}


class Backtrack:
    """AC-3 and maintained arc consistency; needs nothing but the standard library."""

    name: ClassVar[str] = "backtrack"
    capabilities: ClassVar[Capabilities] = Capabilities()

    def solve(self, task: Task) -> Answer:
        portfolio = Portfolio(task.candidates, seed=task.seed)
        while True:
            status = portfolio.run(task.deadline, 1)
            if status is not Status.UNKNOWN or task.deadline.passed:
                return answer(portfolio, status)
            task.report(f"backtrack: {portfolio.search.nodes} nodes")


def answer(portfolio: Portfolio, status: Status) -> Answer:
    """The portfolio's standing as a backend's answer."""
    reasons = {
        Status.FILLED: "",
        Status.UNFILLABLE: "the search space is exhausted",
        Status.UNKNOWN: TIME_LIMIT,
    }
    return Answer(status, portfolio.words, reasons[status], portfolio.stats)
