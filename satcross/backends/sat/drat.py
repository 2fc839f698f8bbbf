"""SAT solvers that write proofs in the DRAT format (Wetzler, Heule and Hunt 2014)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from pysat.solvers import Solver

from encoders import Clause
from satcross.backends.sat.solver import CHUNK, SLICE_CONFLICTS, ask
from satcross.deadline import Deadline, OnProgress, ignore_progress


class SatisfiableError(Exception):
    """The clauses that were to be refuted have a model."""


def refute(
    clauses: Iterator[Clause],
    solver_name: str,
    deadline: Deadline,
    on_progress: OnProgress = ignore_progress,
) -> list[str] | None:
    """Return the lines of a solver's proof that the clauses are unsatisfiable.

    Returns None when the deadline passes. Raises SatisfiableError when they have a model.
    """
    with Solver(name=solver_name, with_proof=True) as solver:
        while chunk := list(islice(clauses, CHUNK)):
            if deadline.passed:
                return None
            solver.append_formula(chunk)
        conflicts = 0
        while not deadline.passed:
            satisfiable = ask(solver, [], SLICE_CONFLICTS)
            if satisfiable:
                raise SatisfiableError
            if satisfiable is False:
                return list(solver.get_proof() or [])
            conflicts += SLICE_CONFLICTS
            on_progress(f"proof: {conflicts} conflicts of {solver_name}")
    return None
