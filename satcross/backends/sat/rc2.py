"""RC2, PySAT's core-guided MaxSAT solver, with a deadline: for the best fill.

RC2 (A. Ignatiev, A. Morgado and J. Marques-Silva, "RC2: an efficient MaxSAT solver", JSAT 11, 2019)
begins by demanding every soft clause, and gives way where its SAT solver names some that can't all
hold. Its cost so far is therefore a lower bound at any time. It knows no deadline: here its SAT
solver is wrapped in one that is asked in short calls, with a look at the clock and at the bound in
between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from pysat.examples.rc2 import RC2, RC2Stratified
from pysat.formula import WCNF
from pysat.solvers import Solver

from encoders import Encoding, generate, weight_levels
from satcross.backends.base import Stats, Words
from satcross.backends.sat.solver import CHUNK, SLICE_CONFLICTS, ask
from satcross.backends.search.branch_and_bound import ExactProblem, ExactResult
from satcross.network.to_encoder import to_instance
from satcross.run_settings import TimeUp

_CONFLICTS_OF_WORK = 4000
"""Conflicts in a unit of work, which is about a second."""

_CALLS_OF_WORK = 1000
"""Calls of the solver in a unit of work: many cores come without conflicts."""


class _StopSearch(Exception):  # noqa: N818 (nothing is wrong)
    """Ends RC2 early: its caller needs no better model."""


class _SlicedSolver:
    """A SAT solver as RC2 uses it, whose calls are cut into slices.

    ``stop`` is called before every slice with the work done so far; when it returns True, the call
    raises ``_StopSearch``. ``model`` is the newest model found.
    """

    def __init__(self, solver: Solver, stop: Callable[[float], bool]) -> None:
        self._solver = solver
        self._stop = stop
        self._budget: float = float("inf")
        self.model: list[int] | None = None
        self.work = 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solver, name)

    def conf_budget(self, budget: int = -1) -> None:
        self._budget = float("inf") if budget < 0 else budget

    def solve(self, assumptions: Sequence[int] = ()) -> bool | None:
        return self.solve_limited(assumptions)

    def solve_limited(
        self, assumptions: Sequence[int] = (), expect_interrupt: bool = False
    ) -> bool | None:
        budget = self._budget
        while not self._stop(self.work):
            conflicts = min(SLICE_CONFLICTS, budget)
            satisfiable = ask(self._solver, list(assumptions), int(conflicts))
            self.work += 1 / _CALLS_OF_WORK
            if satisfiable is not None:
                if satisfiable:
                    self.model = self._solver.get_model()
                return satisfiable
            self.work += conflicts / _CONFLICTS_OF_WORK
            budget -= conflicts
            if budget <= 0:
                return None
        raise _StopSearch


def maximise(problem: ExactProblem) -> ExactResult:
    """Solve an exact problem that ``optimise`` poses, by RC2, within its limits of work and time.

    Every core is minimised before it is relaxed.
    """
    words, weights = problem.listed()
    ideal, min_value = sum(map(max, weights)), problem.min_value
    try:
        formula, encoding = _write(problem, words, weights)
    except TimeUp:
        return ExactResult(None, ideal, {"work": 0.0})

    def stop(work: float) -> bool:
        is_hopeless = ideal - int(rc2.cost) < min_value
        return work >= problem.work or problem.deadline.passed or is_hopeless

    # Without soft clauses, the stratified variant never calls its solver at all.
    kind = RC2Stratified if formula.soft else RC2
    with kind(formula, solver="g4", minz=True) as rc2:
        sliced = rc2.oracle = _SlicedSolver(rc2.oracle, stop)
        try:
            model, is_finished = rc2.compute(), True
        except _StopSearch:
            numbers = rc2.vmap.i2e  # RC2 has numbered the variables anew
            true = {numbers[v] for v in sliced.model or () if v > 0 and v in numbers}
            literals = [v if v in true else -v for v in range(1, formula.nv + 1)]
            model, is_finished = literals if sliced.model else None, False
        cost = int(rc2.cost)
    stats: Stats = {"work": sliced.work}
    if is_finished and model is None:
        return ExactResult(None, min_value - 1, stats)
    bound = max(min_value - 1, ideal - cost)
    if model is None:
        return ExactResult(None, bound, stats)
    fill = tuple(encoding.decode(model))
    is_enough = problem.weights.of(fill) >= min_value
    return ExactResult(fill if is_enough else None, bound, stats)


def _write(
    problem: ExactProblem, words: tuple[Words, ...], weights: tuple[tuple[int, ...], ...]
) -> tuple[WCNF, Encoding]:
    """Write the formula whose models of least cost are the fills that weigh the most.

    Raises TimeUp when the problem's deadline passes.
    """
    deadline = problem.deadline
    clauses, encoding = generate(to_instance(problem.candidates, words, deadline), deadline.check)
    formula = WCNF()
    while chunk := list(islice(clauses, CHUNK)):
        deadline.check()
        formula.extend(chunk)
    for slot, (own, own_weights) in enumerate(zip(words, weights, strict=True)):
        deadline.check()
        hard, soft = weight_levels(encoding, slot, dict(zip(own, own_weights, strict=True)))
        formula.extend(hard)
        for weight, clause in soft:
            formula.append(clause, weight=weight)
    formula.nv = encoding.variables.count
    return formula, encoding
