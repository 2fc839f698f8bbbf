"""Enumeration of fills by a SAT solver, to count them or to list several."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import compress, product
from math import comb, factorial, perm, prod

from pysat.solvers import Solver

from encoders import generate
from satcross.backends.base import Task
from satcross.backends.sat.solver import SLICE_CONFLICTS, add_clauses, ask, solver_name
from satcross.network.to_encoder import to_instance
from satcross.run_settings import NEVER, TIME_LIMIT, Deadline


class ModelEnumerator:
    """Iterate over the letters of the checked cells that some fill has.

    Each item has, for every slot, the set of words with these letters: usually one, more where a
    slot has unchecked cells. The solver finds a model of the full support encoding, and is then
    given a clause that forbids its letters. Iteration ends when there are no others
    (``exhausted``) or when the deadline has passed (``reason``). Use it in a ``with`` block.
    Raises TimeUp when the deadline passes before the first model, or in ``choices``.
    """

    def __init__(self, task: Task) -> None:
        started = time.perf_counter()
        self._task = task
        self._instance = to_instance(task.candidates, None, task.deadline)
        self._word_rules = task.candidates.network.word_rules
        self._solver = Solver(name=solver_name(task))
        clauses, self._encoding = generate(self._instance, task.deadline.check)
        self._clauses = add_clauses(clauses, self._solver, task.deadline)
        checked = self._instance.checked
        self._checked_positions = [
            [position for position, cell in enumerate(cells) if cell in checked]
            for cells in self._instance.slots
        ]
        self._sharing: list[defaultdict[tuple[str, ...], set[str]]] = []
        for slot, words in enumerate(self._instance.candidates):
            task.deadline.check()
            sharing: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
            for word in words:
                sharing[self._pattern(slot, word)].add(word)
            self._sharing.append(sharing)
        self._models = 0
        self.exhausted = False
        self.reason = ""
        self.encode_seconds = time.perf_counter() - started

    def __enter__(self) -> ModelEnumerator:
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.delete()

    def _pattern(self, slot: int, word: str) -> tuple[str, ...]:
        return tuple(word[position] for position in self._checked_positions[slot])

    def __iter__(self) -> Iterator[tuple[frozenset[str], ...]]:
        while True:
            if self._task.deadline.passed:
                self.reason = TIME_LIMIT
                return
            satisfiable = ask(self._solver, [], SLICE_CONFLICTS)
            if satisfiable is False:
                self.exhausted = True
                return
            if satisfiable:
                self._models += 1
                words = self._encoding.decode(self._solver.get_model())
                self._forbid(words)
                yield tuple(
                    frozenset(self._sharing[slot][self._pattern(slot, word)])
                    for slot, word in enumerate(words)
                )

    def _forbid(self, words: list[str]) -> None:
        literals = {
            self._encoding.letters[cells[position]][word[position]]
            for cells, word, positions in zip(
                self._instance.slots, words, self._checked_positions, strict=True
            )
            for position in positions
        }
        # Without checked cells nothing is left to vary: an empty clause.
        self._solver.add_clause(sorted(-literal for literal in literals))

    def choices(self, sets: tuple[frozenset[str], ...]) -> int:
        """Return in how many ways one word per slot can be chosen so that the rules hold."""
        if not self._word_rules.plain:
            return sum(1 for _ in self.each_choice(sets))  # until the deadline: a lower bound
        if self._word_rules.repeats:
            return prod(map(len, sets))
        return count_distinct_choices(sets, self._task.deadline)

    def each_choice(self, sets: tuple[frozenset[str], ...]) -> Iterator[tuple[str, ...]]:
        """Yield the ways to choose, one word per slot; stop when the deadline passes."""

        def choose(chosen: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
            if len(chosen) == len(sets):
                if self._word_rules.plain or self._word_rules.holds(chosen):
                    yield chosen
                return
            for word in sorted(sets[len(chosen)]):
                if self._task.deadline.passed:
                    return
                if self._word_rules.repeats or word not in chosen:
                    if any(self._word_rules.clash(word, other) for other in chosen):
                        continue
                    yield from choose((*chosen, word))

        return choose(())

    @property
    def stats(self) -> dict[str, int | float | str]:
        counters = self._solver.accum_stats() or {}
        return {
            "variables": self._encoding.variables.count,
            "clauses": self._clauses,
            "models": self._models,
            "conflicts": counters.get("conflicts", 0),
        }


def count_distinct_choices(sets: Iterable[frozenset[str]], deadline: Deadline = NEVER) -> int:
    """Return in how many ways a different member of each set can be chosen.

    Sets that have nothing in common, not even through others, are counted apart. Equal sets are
    told apart by their number only: with n equal sets of each of k kinds there are (n + 1)^k steps.
    Raises TimeUp when the deadline passes.
    """
    groups: list[tuple[frozenset[str], list[frozenset[str]]]] = []  # the union, and its sets
    for item in sets:
        touching = [group for group in groups if not item.isdisjoint(group[0])]
        groups = [group for group in groups if item.isdisjoint(group[0])]
        union = item.union(*(words for words, _ in touching))
        groups.append((union, [item, *(each for _, members in touching for each in members)]))
    return prod(_count_distinct(Counter(members), deadline) for _, members in groups)


def _count_distinct(numbers: Counter[frozenset[str]], deadline: Deadline) -> int:
    """Count choices of different members, given how often each set occurs.

    By inclusion and exclusion over the blocks of equal choices: the next set chooses the same as
    ``s`` others, which has the sign (-1)^s and counts for the s! orders of a cycle.
    """
    if len(numbers) == 1:
        [(members, number)] = numbers.items()
        return perm(len(members), number)
    kinds = list(numbers)
    shared: dict[tuple[bool, ...], int] = {}
    ways: dict[tuple[int, ...], int] = {}
    for left in product(*(range(number + 1) for number in numbers.values())):
        deadline.check()
        first = next((kind for kind, number in enumerate(left) if number), None)
        if first is None:
            ways[left] = 1
            continue
        others = [number - (kind == first) for kind, number in enumerate(left)]
        total = 0
        for block in product(*(range(number + 1) for number in others)):
            chosen = tuple(bool(size) or kind == first for kind, size in enumerate(block))
            if chosen not in shared:
                deadline.check()
                shared[chosen] = len(frozenset.intersection(*compress(kinds, chosen)))
            if shared[chosen]:
                size = sum(block)
                rest = tuple(number - taken for number, taken in zip(others, block, strict=True))
                picks = prod(map(comb, others, block))
                total += (-1) ** size * factorial(size) * picks * shared[chosen] * ways[rest]
        ways[left] = total
    return ways[left]
