"""Unit propagation by a SAT solver that neither decides nor learns."""

from __future__ import annotations

from collections.abc import Sequence

from pysat.solvers import Solver


class UnitPropagation:
    """Clauses, and unit propagation on them; use it in a ``with`` block."""

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
