"""A search by a SAT solver that can be paused and resumed, with a formula that may grow."""

from __future__ import annotations

import time
from random import Random

from pysat.solvers import Solver

from satcross.backends.base import Stats, Task, Words
from satcross.backends.sat.formulas import Formula, LazyFormula, WholeFormula
from satcross.backends.sat.solver import SLICE_CONFLICTS, ask
from satcross.network.belief_propagation import Marginals
from satcross.outcome import Status
from satcross.run_settings import TimeUp

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
        self._formula: Formula
        try:
            if encoding == "lazy":
                self._formula = LazyFormula(
                    task.candidates, self._solver, Random(task.seed), task.deadline
                )
            else:
                self._formula = WholeFormula(
                    task.candidates, self._solver, encoding, task.deadline, marginals
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
                self.words = self._formula.read()
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
