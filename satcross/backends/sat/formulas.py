"""What a SAT solver is given: every candidate at once, or batches of them as they are needed."""

from __future__ import annotations

from random import Random
from typing import Protocol

from pysat.solvers import Solver

from encoders import (
    Clause,
    Encoding,
    LazyEncoding,
    at_least_clauses,
    conflict_clauses,
    direct_size,
    encode,
    encode_direct,
)
from satcross.deadline import Deadline
from satcross.errors import UnavailableError
from satcross.network.arc_consistency import Candidates
from satcross.network.belief_propagation import Marginals
from satcross.network.to_encoder import conflict_group, theme_requirement, to_instance
from satcross.network.word_order import Ranking, first_batch
from satcross.rules import Mark

MOST_DIRECT_CLAUSES = 20_000_000
"""About 2 GB of clauses."""


_CHUNK = 100_000  # clauses handed over between two looks at the clock


class Formula(Protocol):
    """What a solver has been given, and how to go on."""

    clauses: int
    rounds: int

    @property
    def assumptions(self) -> list[int]: ...

    def grow(self, core: list[int] | None) -> None: ...

    def read(self) -> tuple[str, ...] | None: ...

    @property
    def stats(self) -> dict[str, int | float | str]: ...


class WholeFormula:
    """A solver that is given every candidate at once, by the support or the direct encoding."""

    def __init__(
        self, candidates: Candidates, solver: Solver, name: str, deadline: Deadline
    ) -> None:
        instance = to_instance(candidates)
        clauses: list[Clause]
        self._encoding: Encoding
        if name == "direct":
            size = direct_size(instance)
            if size > MOST_DIRECT_CLAUSES:
                raise UnavailableError(
                    f"the direct encoding of this puzzle has {size:,} clauses, more than "
                    f"{MOST_DIRECT_CLAUSES:,}; use the full or the lazy one"
                )
            clauses, self._encoding = encode_direct(instance)
        else:
            clauses, self._encoding = encode(instance)
        self._solver = solver
        add_clauses(clauses, solver, deadline)
        set_preferred_phases(self._encoding, candidates.network.preferred_words, solver)
        self.clauses = len(clauses)
        self.rounds = 0
        self.assumptions: list[int] = []

    def grow(self, core: list[int] | None) -> None:
        """There is nothing left to give."""

    def read(self) -> tuple[str, ...]:
        return tuple(self._encoding.decode(self._solver.get_model()))

    @property
    def stats(self) -> dict[str, int | float | str]:
        return formula_stats(self, self._encoding, self._solver)


def set_preferred_phases(encoding: Encoding, preferred: frozenset[str], solver: Solver) -> None:
    """Have the solver suppose these words wherever it may, until it learns otherwise."""
    if preferred:
        solver.set_phases(
            [
                literal
                for words in encoding.words
                for word, literal in words.items()
                if word in preferred
            ]
        )


def add_clauses(clauses: list[Clause], solver: Solver, deadline: Deadline) -> None:
    for start in range(0, len(clauses), _CHUNK):
        if deadline.passed:
            break
        solver.append_formula(clauses[start : start + _CHUNK])


def formula_stats(
    formula: Formula, encoding: Encoding, solver: Solver
) -> dict[str, int | float | str]:
    counters = solver.accum_stats() or {}
    return {
        "variables": encoding.variables.count,
        "clauses": formula.clauses,
        "rounds": formula.rounds,
        "conflicts": counters.get("conflicts", 0),
    }


class LazyFormula:
    """A solver that is given the candidates of each slot batch by batch."""

    def __init__(
        self, candidates: Candidates, solver: Solver, random: Random, deadline: Deadline
    ) -> None:
        grid = candidates.network.puzzle.grid
        self._word_rules = candidates.network.word_rules
        self._solver = solver
        wanted = theme_requirement(self._word_rules)
        self._encoding = LazyEncoding(
            [slot.cells for slot in grid.slots], wanted.words if wanted else ()
        )
        self._preferred = candidates.network.preferred_words
        marginals = Marginals(candidates, may_go_on=lambda: not deadline.passed)
        self._rankings = [Ranking(marginals, slot, random) for slot in range(len(grid.slots))]
        self._batch = [first_batch(len(grid.slots))] * len(grid.slots)
        self.clauses = 0
        self.rounds = 0
        for crossing, letters in zip(grid.crossings, candidates.root.letters, strict=True):
            self._add(self._encoding.add_letters(crossing.cell, letters))
        for slot in range(len(grid.slots)):
            self._give_more(slot)
        if wanted is not None:
            # The first batches have all theme words.
            self._add(list(at_least_clauses(self._encoding, wanted)))
        set_preferred_phases(self._encoding, self._preferred, solver)

    def _add(self, clauses: list[Clause]) -> None:
        self.clauses += len(clauses)
        self._solver.append_formula(clauses)

    def _give_more(self, slot: int) -> None:
        words = self._rankings[slot].take(self._batch[slot])
        self._batch[slot] *= 2
        self._add(self._encoding.add_words(slot, words, last=not self._rankings[slot]))

    @property
    def assumptions(self) -> list[int]:
        return self._encoding.assumptions

    def grow(self, core: list[int] | None) -> None:
        """Give more words to the slots of the core; to all that want some without one."""
        self.rounds += 1
        literals = self.assumptions if core is None else core
        for slot in [self._encoding.slot_of(literal) for literal in literals]:
            self._give_more(slot)
        set_preferred_phases(self._encoding, self._preferred, self._solver)

    def read(self) -> tuple[str, ...] | None:
        """The solver's fill; None when it repeats words or has words that clash, which it then may
        not do again.
        """
        words = self._encoding.decode(self._solver.get_model())
        clauses = []
        if not self._word_rules.repeats:
            for word in sorted({word for word in words if words.count(word) > 1}):
                clauses += self._encoding.unique(word)
        if self._word_rules.clashes:
            for mark in sorted(self._word_rules.broken(words)):
                clauses += self._keep_apart(mark)
        if not clauses:
            return tuple(words)
        self._add(clauses)
        return None

    def _keep_apart(self, mark: Mark) -> list[Clause]:
        """What forbids that two words with this mark are used, among those handed over."""
        known = {word for words in self._encoding.words for word in words if mark.text in word}
        group = conflict_group(mark, self._word_rules, sorted(known))
        return (
            []
            if group is None
            else list(conflict_clauses(self._encoding, group, self._word_rules.repeats))
        )

    @property
    def stats(self) -> dict[str, int | float | str]:
        return formula_stats(self, self._encoding, self._solver)
