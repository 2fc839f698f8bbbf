"""Exact solvers for the best fill, and that of ``backtrack``: branch and bound on bitsets.

The search is depth first and maintains arc consistency. At every node, ``Weights.narrow`` removes
the candidates that are in no better fill; the fewer heavy words are left, the more it removes. The
slot is chosen by domain size over weighted degree (Boussemart, Hemery, Lecoutre and Sais 2004). Of
its heaviest words, the search tries the one that leaves the crossing slots the most candidates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import log
from random import Random
from typing import Protocol

from satcross.backends.base import Stats, Words, accept_any
from satcross.network.arc_consistency import Candidates, State, bits
from satcross.network.weights import Weights
from satcross.run_settings import Deadline

_NODES_OF_WORK = 3000
"""Number of nodes in a unit of work, which takes about a second."""

_SAMPLE = 30
"""Maximum number of words that are compared when one is chosen."""

_DECAY = 0.99
_NOISE = 0.5
"""Maximum random amount added to the logarithm by which words are compared."""


@dataclass(frozen=True, slots=True)
class ExactProblem:
    """Which fill from ``state``'s candidates is worth the most, and at least ``min_value``?

    ``state`` is arc consistent, and narrowed to what may be worth ``min_value``.
    ``work`` is about seconds. ``hint``: a fill that is known, perhaps not worth as much. Only
    branch and bound looks at ``accepts``, as ``Task`` has it.
    """

    candidates: Candidates
    state: State
    weights: Weights
    min_value: int
    deadline: Deadline
    work: float
    seed: int = 0
    workers: int = 1
    hint: Words | None = None
    accepts: Callable[[Words], bool] = field(default=accept_any)

    def listed(self) -> tuple[tuple[Words, ...], tuple[tuple[int, ...], ...]]:
        """Every slot's candidates, heaviest first, and their weights."""
        both = [
            self.weights.candidates(slot, domain) for slot, domain in enumerate(self.state.domains)
        ]
        return tuple(words for words, _ in both), tuple(weights for _, weights in both)


@dataclass(frozen=True, slots=True)
class ExactResult:
    """The best fill found (None: none worth ``min_value``), and what none can be worth more than.

    ``bound`` speaks of the question's candidates, and is at least ``min_value - 1``. ``stats`` has
    ``work`` that was done. ``complete``: no better fill would have been accepted.
    """

    words: Words | None
    bound: int
    stats: Stats = field(default_factory=dict)
    complete: bool = False


class Exact(Protocol):
    """A solver of exact problems that stops at its limits of work and time."""

    def __call__(self, question: ExactProblem, /) -> ExactResult: ...


def maximise(problem: ExactProblem) -> ExactResult:
    """Solve the problem within its limits of work and time."""
    return _Search(problem).run()


class _Search:
    def __init__(self, problem: ExactProblem) -> None:
        self._problem = problem
        self._weights = problem.weights
        self._network = problem.candidates.network
        self._random = Random(problem.seed)
        self._urgency = [1.0] * len(problem.state.domains)
        self._increment = 1.0
        self._min_weight = problem.min_value
        self._best: Words | None = None
        self._refused = self._min_weight - 1  # the weight of the best fill not accepted

    def run(self) -> ExactResult:
        problem, deadline = self._problem, self._problem.deadline
        nodes, max_nodes = 0, max(1, int(problem.work * _NODES_OF_WORK))
        left = [problem.state.copy()]
        while left and nodes < max_nodes and not (nodes % 32 == 0 and deadline.passed):
            nodes += 1
            self._visit(left)
        # Every better fill lies below one of the remaining nodes.
        bound = max([self._min_weight - 1, self._refused, *map(self._weights.ideal, left)])
        stats = {"work": nodes / _NODES_OF_WORK, "nodes": nodes}
        return ExactResult(self._best, bound, stats, not left)

    def _visit(self, left: list[State]) -> None:
        """Replace the newest node by its children, or record it if it is a fill."""
        state = left.pop()
        if not self._weights.narrow(state, self._min_weight):
            return
        slot, lowest = -1, float("inf")
        for other, size in enumerate(state.sizes):
            if size > 1 and size / self._urgency[other] < lowest:
                slot, lowest = other, size / self._urgency[other]
        if slot < 0:
            words = tuple(
                lexicon.words[domain.bit_length() - 1]
                for lexicon, domain in zip(self._network.lexicons, state.domains, strict=True)
            )
            weight = self._weights.ideal(state)
            if self._problem.accepts(words):
                self._best, self._min_weight = words, weight + 1
            else:
                self._refused = max(self._refused, weight)
            return
        word = 1 << self._choose(state, slot)
        for kept in (state.domains[slot] ^ word, word):
            after = state.copy()
            after.domains[slot], after.sizes[slot] = kept, kept.bit_count()
            conflict = self._network.propagate(after, (slot,))
            if conflict is None:
                left.append(after)
            else:
                self._learn(conflict)

    def _learn(self, conflict: tuple[int, ...]) -> None:
        for slot in conflict:
            self._urgency[slot] += self._increment
        self._increment /= _DECAY
        if self._increment > 1e100:
            self._urgency = [max(item / 1e100, 1e-100) for item in self._urgency]
            self._increment /= 1e100

    def _choose(self, state: State, slot: int) -> int:
        """Return the index of the heaviest word that leaves crossing slots the most candidates."""
        domain = state.domains[slot]
        heaviest = domain & self._weights.at_least(slot, self._weights.best(slot, domain))
        indices = list(bits(heaviest))
        if len(indices) == 1:
            return indices[0]
        if len(indices) > _SAMPLE:
            indices = self._random.sample(indices, _SAMPLE)
        left = []
        for crossing, position, _, other, other_masks in self._network.links[slot]:
            letters = state.letters[crossing]
            if len(letters) > 1:
                crossed = state.domains[other]
                left.append(
                    (position, {c: log((crossed & other_masks[c]).bit_count()) for c in letters})
                )
        words, random = self._network.lexicons[slot].words, self._random.random
        return max(
            indices,
            key=lambda index: (
                _NOISE * random() + sum(logs[words[index][position]] for position, logs in left)
            ),
        )
