"""Branch and bound on bitsets: the exact solver of the backtracking backend's search for the best.

Depth first, arc consistency maintained. At every node ``Weights.narrow`` takes away what can be in
no better fill; as the best words of the slots go, so does what others may fall short by. The slot
is chosen by domain size over weighted degree (Boussemart, Hemery, Lecoutre and Sais 2004), the word
among its heaviest: the one that leaves the crossing slots the most candidates.
"""

from __future__ import annotations

from math import log
from random import Random

from satcross.backends.search.exact import ExactProblem, ExactResult
from satcross.network.arc_consistency import State, bits

_NODES_OF_WORK = 3000
"""Nodes that are counted as a unit of work, which is about a second."""

_SAMPLE = 30
"""Words looked at when one is chosen."""

_DECAY = 0.99
_NOISE = 0.5
"""Random amount added to the logarithm by which words are compared."""


def maximise(question: ExactProblem) -> ExactResult:
    """Answer the question, as far as work and time go."""
    return _Search(question).run()


class _Search:
    def __init__(self, question: ExactProblem) -> None:
        self._question = question
        self._weights = question.weights
        self._network = question.candidates.network
        self._random = Random(question.seed)
        self._urgency = [1.0] * len(question.state.domains)
        self._increment = 1.0
        self._least = question.least
        self._best: State | None = None

    def run(self) -> ExactResult:
        question, deadline = self._question, self._question.deadline
        nodes, most = 0, max(1, int(question.work * _NODES_OF_WORK))
        left = [question.state.copy()]
        while left and nodes < most and not (nodes % 32 == 0 and deadline.passed):
            nodes += 1
            self._visit(left)
        # Every fill worth more lies below one of the nodes left.
        bound = max([self._least - 1, *map(self._weights.ideal, left)])
        stats = {"work": nodes / _NODES_OF_WORK, "nodes": nodes}
        if self._best is None:
            return ExactResult(None, bound, stats)
        return ExactResult(
            tuple(
                lexicon.words[domain.bit_length() - 1]
                for lexicon, domain in zip(self._network.lexicons, self._best.domains, strict=True)
            ),
            bound,
            stats,
        )

    def _visit(self, left: list[State]) -> None:
        """Take the newest node, and put what it splits into in its place."""
        state = left.pop()
        if not self._weights.narrow(state, self._least):
            return
        slot, least = -1, float("inf")
        for other, size in enumerate(state.sizes):
            if size > 1 and size / self._urgency[other] < least:
                slot, least = other, size / self._urgency[other]
        if slot < 0:
            self._best = state
            self._least = self._weights.ideal(state) + 1
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
            self._urgency = [max(one / 1e100, 1e-100) for one in self._urgency]
            self._increment /= 1e100

    def _choose(self, state: State, slot: int) -> int:
        """Of the heaviest words the best-supported one; its index."""
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
                its = state.domains[other]
                left.append(
                    (position, {c: log((its & other_masks[c]).bit_count()) for c in letters})
                )
        words, random = self._network.lexicons[slot].words, self._random.random
        return max(
            indices,
            key=lambda index: (
                _NOISE * random() + sum(logs[words[index][position]] for position, logs in left)
            ),
        )
