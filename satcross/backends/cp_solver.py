"""OR-Tools' CP-SAT, set up in one way: seed, workers, work, deadline, Ctrl-C.

Modules outside ``satcross.backends`` build models of ``CpModel`` and its literals, imported from
here, and never see the solver itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

from ortools.sat.python import cp_model
from ortools.sat.python.cp_model import CpModel, LinearExpr
from ortools.sat.python.cp_model import IntVar as Literal

from satcross.errors import InternalError
from satcross.run_settings import Deadline

__all__ = ["CpModel", "CpResult", "CpSettings", "LinearExpr", "Literal", "solve_model"]

_WATCH_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class CpSettings:
    """How CP-SAT searches.

    ``work`` is the limit of deterministic time, and ``parameters`` are further ones of CP-SAT's
    (sat_parameters.proto). Ctrl-C ends the search at once with KeyboardInterrupt, or, with
    ``keep_on_interrupt``, with the result so far.
    """

    seed: int = 0
    workers: int = 1
    work: float = float("inf")
    parameters: Mapping[str, bool | int | float] = field(default_factory=dict)
    keep_on_interrupt: bool = False


@dataclass(frozen=True, slots=True)
class CpResult:
    """What CP-SAT answers: at most one of ``infeasible`` and ``solution``, or neither.

    ``solution`` has the value of each variable by its index; it is the best one when ``optimal``,
    which without an objective means that there is no other one left to find. ``objective`` is its
    objective value, and ``bound`` what CP-SAT has proved that no solution is below. ``work`` is the
    deterministic time: about seconds, but independent of the clock and of other processes.
    ``interrupted`` says that Ctrl-C ended the search.
    """

    solution: Sequence[int] | None
    infeasible: bool
    optimal: bool
    objective: float
    bound: float
    work: float
    conflicts: int
    interrupted: bool = False

    def is_true(self, variable: int) -> bool:
        """Return whether the variable at an index is true in the solution."""
        assert self.solution is not None
        return bool(self.solution[variable])


_DEFAULTS = CpSettings()


def solve_model(
    model: CpModel,
    deadline: Deadline,
    settings: CpSettings = _DEFAULTS,
    *,
    on_solution: Callable[[Sequence[int]], bool] | None = None,
    on_wait: Callable[[], None] = lambda: None,
) -> CpResult:
    """Solve a CP-SAT model until the deadline, or until the work of the settings is done.

    ``on_solution`` receives the variables' values in each solution, and returns whether to stop.
    ``on_wait`` is called ten times a second. Raises InternalError when CP-SAT refuses the model.
    """
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = settings.workers
    solver.parameters.random_seed = settings.seed
    solver.parameters.max_deterministic_time = settings.work
    # CP-SAT's own handler of Ctrl-C would replace Python's for good.
    solver.parameters.catch_sigint_signal = False
    for name, value in settings.parameters.items():
        setattr(solver.parameters, name, value)
    if deadline.at is not None:
        solver.parameters.max_time_in_seconds = deadline.left
    callback = None if on_solution is None else _Callback(on_solution)
    interrupted = False
    # On a thread of its own, so that this one receives Ctrl-C at once and can stop the solver.
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(solver.solve, model, callback)
        while True:
            try:
                if not wait([future], timeout=_WATCH_SECONDS).not_done:
                    break
                on_wait()
                if deadline.stopped:
                    _stop(solver, future)
            except KeyboardInterrupt:
                interrupted = True
                _stop(solver, future)
        status = future.result()
    if interrupted and not settings.keep_on_interrupt:
        raise KeyboardInterrupt
    solved = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    if not solved and status not in (cp_model.INFEASIBLE, cp_model.UNKNOWN):
        raise InternalError(f"CP-SAT calls the model {solver.status_name(status)}")
    return CpResult(
        list(solver.response_proto.solution) if solved else None,
        status == cp_model.INFEASIBLE,
        status == cp_model.OPTIMAL,
        solver.objective_value if solved else float("inf"),
        solver.best_objective_bound,
        solver.response_proto.deterministic_time,
        solver.num_conflicts,
        interrupted,
    )


def _stop(solver: cp_model.CpSolver, future: Future[Any]) -> None:
    # A solver that has only just started does not hear the first call.
    while wait([future], timeout=0.05).not_done:
        solver.stop_search()


class _Callback(cp_model.CpSolverSolutionCallback):
    def __init__(self, on_solution: Callable[[Sequence[int]], bool]) -> None:
        super().__init__()
        self._on_solution = on_solution

    def on_solution_callback(self) -> None:
        if self._on_solution(self.response_proto.solution):
            self.stop_search()
