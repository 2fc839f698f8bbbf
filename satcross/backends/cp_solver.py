"""Calls to OR-Tools' CP-SAT that Ctrl-C interrupts at once."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait

from ortools.sat.python import cp_model

_WATCH_SECONDS = 0.2


def solve_interruptibly(
    solver: cp_model.CpSolver,
    model: cp_model.CpModel,
    collector: cp_model.CpSolverSolutionCallback | None = None,
    watch: Callable[[], None] = lambda: None,
) -> int:
    """Solve on a thread, so that this one gets Ctrl-C at once and can stop the solver.

    ``watch`` is called now and then meanwhile.
    """
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(solver.solve, model, collector)
        try:
            while wait([future], timeout=_WATCH_SECONDS).not_done:
                watch()
            return int(future.result())
        except KeyboardInterrupt:
            while wait([future], timeout=0.05).not_done:
                solver.stop_search()
            raise
