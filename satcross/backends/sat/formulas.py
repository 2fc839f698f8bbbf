"""Searches by a SAT solver: every candidate at once, or batches of them where they are needed."""

from __future__ import annotations

import time
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from pysat.solvers import Solver

from encoders import LazyEncoding
from satcross.backends.base import Stats, Task, Words
from satcross.backends.sat.solver import SLICE_CONFLICTS, add_clauses, ask
from satcross.network.arc_consistency import Candidates, bits
from satcross.network.belief_propagation import Marginals, Ranking
from satcross.network.narrowing import first_batch
from satcross.network.to_encoder import (
    conflict_group,
    refuse_large_direct,
    theme_requirement,
    to_instance,
)
from satcross.outcome import Status
from satcross.rules.rule import Mark
from satcross.run_settings import Deadline, TimeUp

if TYPE_CHECKING:
    from encoders import Clause, Encoding

_ROUND_CONFLICTS = 20_000
"""Conflicts after which all slots get more words.

Of seven middling 15x15, 21x21 and 23x23 grids with lists of 25,000 and 45,000 words, 25 s each,
this (with 1000 words per slot) filled five; 2,000 conflicts filled three."""

_GRACE_SECONDS = 0.2
"""By how much a call may be expected to run past the deadline."""


class FormulaSearch:
    """A solver and the formula of a task's candidates, which grows where it must.

    ``marginals``, if any, say which words and letters the solver tries first. Raises TimeUp when
    the deadline passes, here or in ``run``.
    """

    def __init__(
        self, task: Task, solver: str, encoding: str, marginals: Marginals | None = None
    ) -> None:
        started = time.perf_counter()
        self._task = task
        self._solver = Solver(name=solver)
        self.words: Words | None = None
        self._spent, self._allowed = 0, _ROUND_CONFLICTS
        self._seconds = 0.0  # of the last call
        self._slice = SLICE_CONFLICTS
        self._formula: WholeFormula | LazyFormula
        candidates, deadline = task.candidates, task.deadline
        try:
            if encoding == "lazy":
                random = Random(task.seed)
                self._formula = LazyFormula(candidates, self._solver, random, deadline)
            else:
                self._formula = WholeFormula(
                    candidates, self._solver, encoding, deadline, marginals
                )
        except BaseException:
            self._solver.delete()
            raise
        self.encode_seconds = time.perf_counter() - started

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    @property
    def stats(self) -> Stats:
        return self._formula.stats

    def run(self, max_conflicts: float) -> Status:
        """Solve and grow until there is an answer, or for about ``max_conflicts``."""
        while max_conflicts > 0:
            conflicts = self._slice
            satisfiable = self._ask()
            max_conflicts -= conflicts
            if satisfiable:
                self.words = self._formula.accept()
                if self.words is not None:
                    return Status.FILLED
            elif satisfiable is False:
                core = self._solver.get_core() or []
                if not core:
                    return Status.UNFILLABLE
                self._formula.grow(core)
                self._spent = 0
            else:
                self._spent += conflicts
                if self._spent >= self._allowed and self._formula.assumptions:
                    self._formula.grow(None)
                    self._spent, self._allowed = 0, 2 * self._allowed
            self._task.on_progress(
                f"sat: {self._formula.clauses} clauses, {self._formula.rounds} rounds"
            )
        return Status.UNKNOWN

    def _ask(self) -> bool | None:
        deadline = self._task.deadline
        deadline.check()
        # A call is made shorter only when the deadline is near, and not made at all when another
        # one like the last would end too late: some solvers look at their limits at restarts only.
        if self._seconds > deadline.left + _GRACE_SECONDS:
            raise TimeUp
        if self._seconds > deadline.left:
            self._slice = max(10, self._slice // 2)
        started = time.perf_counter()
        satisfiable = ask(self._solver, self._formula.assumptions, self._slice)
        self._seconds = time.perf_counter() - started
        return satisfiable


class _Formula:
    """What a solver has been given of a task's candidates, and how to read a fill from its model.

    ``clauses`` is the number of clauses that the solver has, ``rounds`` how often the formula has
    grown, and ``assumptions`` are literals to solve under.
    """

    clauses = rounds = 0

    def __init__(self, candidates: Candidates, encoding: Encoding, solver: Solver) -> None:
        self._encoding: Encoding = encoding
        self._solver = solver
        self._preferred = candidates.network.preferred_words

    @property
    def assumptions(self) -> list[int]:
        return []

    def grow(self, core: list[int] | None) -> None:
        """Give more candidates to the slots of a core of the assumptions; None for all of them.

        Raises TimeUp when the deadline passes.
        """

    def accept(self) -> Words | None:
        """Return the fill of the solver's model; None when it breaks a rule, now forbidden."""
        return tuple(self._encoding.decode(self._solver.get_model()))

    def _prefer(self) -> None:
        """Have the solver try preferred words first, until it learns otherwise."""
        known = self._encoding.words
        literals = [words[word] for words in known for word in words.keys() & self._preferred]
        if literals:
            self._solver.set_phases(literals)

    @property
    def stats(self) -> Stats:
        return {
            "variables": self._encoding.variables.count,
            "clauses": self.clauses,
            "rounds": self.rounds,
            "conflicts": (self._solver.accum_stats() or {}).get("conflicts", 0),
        }


class WholeFormula(_Formula):
    """Every candidate at once, by the full (support) encoding, a variant, or the direct one."""

    def __init__(
        self,
        candidates: Candidates,
        solver: Solver,
        name: str,
        deadline: Deadline,
        marginals: Marginals | None = None,
    ) -> None:
        instance = to_instance(candidates, None, deadline)
        if name == "direct":
            refuse_large_direct(instance, "use the full or the lazy one")
        from encoders import generate, generate_direct

        make = generate_direct if name == "direct" else partial(generate, variant=name)
        clauses, encoding = make(instance, deadline.check)
        super().__init__(candidates, encoding, solver)
        self.clauses = add_clauses(clauses, solver, deadline)
        if marginals is not None:
            solver.set_phases(_likeliest(encoding, marginals))
        self._prefer()


class LazyFormula(_Formula):
    """The candidates of each slot batch by batch, each batch twice as large as the one before."""

    _encoding: LazyEncoding

    def __init__(
        self, candidates: Candidates, solver: Solver, random: Random, deadline: Deadline
    ) -> None:
        grid = candidates.network.puzzle.grid
        self._word_rules = candidates.network.word_rules
        self._lexicons = set(candidates.network.lexicons)
        demand = theme_requirement(self._word_rules)
        cells = [slot.cells for slot in grid.slots]
        super().__init__(candidates, LazyEncoding(cells, demand.words if demand else ()), solver)
        marginals = Marginals(candidates, deadline)
        self._rankings = []
        for slot in range(len(grid.slots)):
            deadline.check()
            self._rankings.append(Ranking(marginals, slot, random))
        self._deadline = deadline
        self._batch = [first_batch(len(grid.slots))] * len(grid.slots)
        for crossing, letters in zip(grid.crossings, candidates.root.letters, strict=True):
            self._add(self._encoding.add_letters(crossing.cell, letters))
        for slot in range(len(grid.slots)):
            deadline.check()
            self._give_more(slot)
        if demand is not None:
            from encoders import at_least_clauses

            # The first batches have all theme words.
            self._add(list(at_least_clauses(self._encoding, demand)))
        solver.set_phases(_likeliest(self._encoding, marginals))
        self._prefer()

    @property
    def assumptions(self) -> list[int]:
        return self._encoding.assumptions

    def grow(self, core: list[int] | None) -> None:
        self.rounds += 1
        literals = self.assumptions if core is None else core
        for slot in [self._encoding.slot_of(literal) for literal in literals]:
            self._deadline.check()
            self._give_more(slot)
        self._prefer()

    def accept(self) -> Words | None:
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

    def _add(self, clauses: list[Clause]) -> None:
        self.clauses += len(clauses)
        self._solver.append_formula(clauses)

    def _give_more(self, slot: int) -> None:
        words = self._rankings[slot].take(self._batch[slot])
        self._batch[slot] *= 2
        self._add(self._encoding.add_words(slot, words, last=not self._rankings[slot]))

    def _keep_apart(self, mark: Mark) -> list[Clause]:
        """Return clauses against two words with this mark, among those the slots have."""
        marked = {
            lexicon.word(index)
            for lexicon in self._lexicons
            for index in bits(self._word_rules.having(mark, lexicon))
        }
        known = {word for words in self._encoding.words for word in marked & words.keys()}
        group = conflict_group(mark, self._word_rules, sorted(known))
        if group is None:
            return []
        from encoders import conflict_clauses

        return list(conflict_clauses(self._encoding, group, self._word_rules.repeats))


def _likeliest(encoding: Encoding, marginals: Marginals) -> list[int]:
    """Return the literals of the likeliest word of each slot and the likeliest letter of each cell.

    With these phases, solvers needed a half to a fifth of the conflicts on narrowed puzzles.
    """
    grid = marginals.candidates.network.puzzle.grid
    letters = marginals.likeliest_letters()
    found = [
        encoding.letters.get(crossing.cell, {}).get(letter)
        for crossing, letter in zip(grid.crossings, letters, strict=True)
    ]
    found += [
        words.get(marginals.likeliest_word(slot)) for slot, words in enumerate(encoding.words)
    ]
    return [literal for literal in found if literal]
