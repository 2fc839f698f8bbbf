"""SAT solvers that write proofs in the DRAT format (Wetzler, Heule and Hunt 2014)."""

from __future__ import annotations

from collections.abc import Iterator

from pysat.solvers import Solver

from encoders import Clause
from satcross.backends.sat.solver import SLICE_CONFLICTS, add_clauses, ask
from satcross.run_settings import Deadline, OnProgress, ignore_progress


class SatisfiableError(Exception):
    """The clauses that were to be refuted have a model."""


def refute(
    clauses: Iterator[Clause],
    solver_name: str,
    deadline: Deadline,
    on_progress: OnProgress = ignore_progress,
) -> list[str]:
    """Return the lines of a solver's proof that the clauses are unsatisfiable.

    Raises TimeUp when the deadline passes, and SatisfiableError when they have a model.
    """
    with Solver(name=solver_name, with_proof=True) as solver:
        add_clauses(clauses, solver, deadline)
        conflicts = 0
        while True:
            deadline.check()
            satisfiable = ask(solver, [], SLICE_CONFLICTS)
            if satisfiable:
                raise SatisfiableError
            if satisfiable is False:
                return list(solver.get_proof() or [])
            conflicts += SLICE_CONFLICTS
            on_progress(f"proof: {conflicts} conflicts of {solver_name}")
