"""The exact solver of the SAT backend's search for the best fill: RC2, weighted MaxSAT.

RC2 (Ignatiev, Morgado and Marques-Silva 2019) is PySAT's core-guided MaxSAT solver: it begins by
demanding the best word of every slot, and gives way where the SAT solver names slots that can't all
have them. Its cost so far is therefore a bound at any time. It knows no deadline: its SAT solver is
put behind one that looks at the clock, and at the bound, between two short calls.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pysat.examples.rc2 import RC2, RC2Stratified
from pysat.formula import WCNF
from pysat.solvers import Solver

from encoders import Encoding, encode, weight_levels
from satcross.backends.base import Stats
from satcross.backends.sat.solver import ask
from satcross.backends.search.exact import ExactProblem, ExactResult
from satcross.network.to_encoder import to_instance

_CONFLICTS_OF_WORK = 4000
"""Conflicts that are counted as a unit of work, which is about a second."""

_SLICE_CONFLICTS = 200
_CALLS_OF_WORK = 1000
"""Calls of the solver that are counted as one: many cores come without conflicts."""


class _Enough(Exception):  # noqa: N818 (nothing is wrong)
    """The work or the time is used up, or the bound says that nothing better will come."""


class _Patient:
    """A SAT solver as RC2 uses it, whose calls are cut into slices.

    ``model`` is the newest model found. ``solve`` raises ``_Enough`` once ``look`` says so.
    """

    def __init__(self, solver: Solver, question: ExactProblem) -> None:
        self._solver = solver
        self._question = question
        self._conflicts_left = question.work * _CONFLICTS_OF_WORK
        self._allowed: float = float("inf")
        self.rc2: Any = None
        self.ideal = 0
        self.model: list[int] | None = None
        self.work = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)

    def conf_budget(self, budget: int = -1) -> None:
        self._allowed = float("inf") if budget < 0 else budget

    def solve(self, assumptions: Sequence[int] = ()) -> bool | None:
        return self.solve_limited(assumptions)

    def solve_limited(
        self, assumptions: Sequence[int] = (), expect_interrupt: bool = False
    ) -> bool | None:
        allowed = self._allowed
        while True:
            if (
                self.work >= self._question.work
                or self._question.deadline.passed
                or self.bound < self._question.least
            ):
                raise _Enough
            conflicts = min(_SLICE_CONFLICTS, allowed)
            answer = ask(self._solver, list(assumptions), int(conflicts))
            self.work += 1 / _CALLS_OF_WORK
            if answer is None:
                self.work += conflicts / _CONFLICTS_OF_WORK
                allowed -= conflicts
                if allowed <= 0:
                    return None
                continue
            if answer:
                self.model = self._solver.get_model()
            return answer

    @property
    def bound(self) -> int:
        """No fill is worth more."""
        return self.ideal - int(self.rc2.cost if self.rc2 is not None else 0)


def maximise(question: ExactProblem) -> ExactResult:
    """Answer the question by RC2, as far as work and time go."""
    deadline = question.deadline
    slots, slots_weights = question.listed()
    clauses, encoding = encode(to_instance(question.candidates, slots))
    formula = WCNF()
    formula.extend(clauses)
    ideal = 0
    for slot, (its, weights) in enumerate(zip(slots, slots_weights, strict=True)):
        hard, soft = weight_levels(encoding, slot, dict(zip(its, weights, strict=True)))
        formula.extend(hard)
        for weight, clause in soft:
            formula.append(clause, weight=weight)
        ideal += max(weights)
    if deadline.passed:
        return ExactResult(None, ideal)
    words, bound, stats = _run_rc2(formula, encoding, question, ideal)
    if words is not None and question.weights.of(words) < question.least:
        words = None
    return ExactResult(words, max(question.least - 1, bound), stats)


def _run_rc2(
    formula: WCNF, encoding: Encoding, question: ExactProblem, ideal: int
) -> tuple[tuple[str, ...] | None, int, Stats]:
    # By strata it never asks at all when there is nothing to gain.
    kind = RC2Stratified if formula.soft else RC2
    with kind(formula, solver="g4", minz=True) as rc2:
        patient = rc2.oracle = _Patient(rc2.oracle, question)
        patient.rc2, patient.ideal = rc2, ideal
        try:
            model = rc2.compute()
        except _Enough:
            pass
        else:
            if model is None:  # the hard clauses are unsatisfiable
                return None, question.least - 1, {"work": patient.work}
            words = tuple(encoding.decode(model))
            return words, question.weights.of(words), {"work": patient.work}
        if patient.model is None:
            return None, patient.bound, {"work": patient.work}
        # RC2 has numbered the variables anew.
        outer = rc2.vmap.i2e
        true = {outer[v] for v in patient.model if v > 0 and v in outer}
        model = [v if v in true else -v for v in range(1, encoding.variables.count + 1)]
        return tuple(encoding.decode(model)), patient.bound, {"work": patient.work}
