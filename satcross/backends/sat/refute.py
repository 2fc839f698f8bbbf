"""Refutations by PySAT's solvers: proofs that clauses have no model, and unit propagation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    """Return the lines of a DRAT proof (Wetzler, Heule and Hunt 2014) that there is no model.

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


class UnitPropagation:
    """Clauses, and unit propagation on them, without a decision; use it in a ``with`` block."""

    def __init__(self, clauses: Sequence[Sequence[int]], solver_name: str) -> None:
        self._solver = Solver(name=solver_name)
        self._solver.append_formula(clauses)

    def __enter__(self) -> UnitPropagation:
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.delete()

    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""
        self._solver.append_formula([clause])

    def conflict(self, literals: Sequence[int] = ()) -> bool:
        """Return whether propagation meets a conflict when these literals are true."""
        consistent, _ = self._solver.propagate(list(literals))
        return not consistent
