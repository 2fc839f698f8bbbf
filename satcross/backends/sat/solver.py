"""Calls of PySAT's solvers in slices, so that a deadline or Ctrl-C can end them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from itertools import islice
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, ClassVar

from pysat.solvers import Solver

from satcross.backends.base import Task
from satcross.backends.registry import DEFAULT_SOLVER, SOLVERS
from satcross.errors import UnavailableError
from satcross.run_settings import Deadline

if TYPE_CHECKING:
    from encoders import Clause

SLICE_CONFLICTS = 200
"""Conflicts of a call: some tenths of a second, after which Ctrl-C and the deadline have a turn.

Fixed, so that the same seed gives the same answer. Glucose looks at its budget only when it
restarts: on formulas of little but "all different", calls of ten seconds were seen."""

CHUNK = 20_000
"""Clauses handed over between two looks at the clock."""


def solver_name(task: Task) -> str:
    """Return the name of the solver that a task asks for. Raises UnavailableError for another."""
    name = task.options.get("solver", DEFAULT_SOLVER)
    if name not in SOLVERS:
        raise UnavailableError(f"there is no SAT solver {name!r}; choose from {', '.join(SOLVERS)}")
    return name


class _Caller:
    """A thread that calls solvers, so that the caller can leave a call when Ctrl-C is pressed.

    In the main thread, PySAT takes Ctrl-C for itself and jumps out of the solver wherever it is, in
    the middle of an allocation, too, after which the program may crash.
    """

    idle: ClassVar[list[_Caller]] = []

    def __init__(self) -> None:
        self._calls: SimpleQueue[tuple[Future[bool | None], Callable[[], bool | None]]]
        self._calls = SimpleQueue()
        Thread(target=self._run, name="PySAT", daemon=True).start()

    def _run(self) -> None:
        while True:
            answer, function = self._calls.get()
            try:
                answer.set_result(function())
            except BaseException as error:
                answer.set_exception(error)

    def call(self, call: Callable[[], bool | None]) -> bool | None:
        """Return what the call returns, unless the caller is interrupted."""
        answer: Future[bool | None] = Future()
        self._calls.put((answer, call))
        return answer.result()


if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_Caller.idle.clear)


def ask(solver: Solver, assumptions: list[int], conflicts: int) -> bool | None:
    """Call the solver once with a limit on conflicts; return None when the limit is reached.

    When Ctrl-C interrupts the caller, the solver goes on until that limit, and is never freed.
    """
    solver.conf_budget(conflicts)
    call = partial(solver.solve_limited, assumptions=assumptions, expect_interrupt=True)
    try:
        try:
            caller = _Caller.idle.pop()
        except IndexError:
            caller = _Caller()
        satisfiable = caller.call(call)
    except BaseException:
        for name, value in vars(solver.solver).items():
            if type(value).__name__ == "PyCapsule":
                setattr(solver.solver, name, None)
        raise
    _Caller.idle.append(caller)
    return satisfiable


def add_clauses(clauses: Iterator[Clause], solver: Solver, deadline: Deadline) -> int:
    """Hand clauses to the solver; return how many. Raises TimeUp when the deadline passes."""
    number = 0
    while chunk := list(islice(clauses, CHUNK)):
        deadline.check()
        solver.append_formula(chunk)
        number += len(chunk)
    return number
