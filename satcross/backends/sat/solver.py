"""Calls to PySAT's solvers in slices that end at a deadline or at Ctrl-C."""

from __future__ import annotations

import pysolvers
from pysat.solvers import Solver

from satcross.backends.base import Task
from satcross.backends.registry import DEFAULT_SOLVER, SOLVERS
from satcross.errors import UnavailableError

# Conflicts of a call: some tenths of a second, for Ctrl-C and the deadline come in between. Fixed,
# so that the same seed gives the same answer. Glucose looks at its budget only when it restarts:
# on formulas of little but "all different" a call was seen to take ten seconds.
SLICE_CONFLICTS = 200


def solver_name(task: Task) -> str:
    name = task.options.get("solver", DEFAULT_SOLVER)
    if name not in SOLVERS:
        raise UnavailableError(
            f"there is no SAT solver {name!r} here; choose from {', '.join(SOLVERS)}"
        )
    return name


def ask(solver: Solver, assumptions: list[int], conflicts: int) -> bool | None:
    """One call of the solver, of so many conflicts at the most; None when they do not suffice."""
    solver.conf_budget(conflicts)
    try:
        satisfiable: bool | None = solver.solve_limited(assumptions=assumptions)
    except pysolvers.error as error:
        # PySAT turns Ctrl-C during a call into an error of its own.
        raise KeyboardInterrupt from error
    return satisfiable
