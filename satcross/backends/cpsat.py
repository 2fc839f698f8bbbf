"""The CP-SAT backend: OR-Tools' solver on a vocabulary that grows by stages.

The first models hold only the best-supported candidates of each slot; a fill found there is a
fill. Only the last model, with every candidate, can prove UNFILLABLE.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from random import Random
from typing import ClassVar

from ortools.sat.python import cp_model

from encoders.cpsat import CpSatEncoding
from encoders.instance import Instance
from satcross.backends.base import TIME_LIMIT, Answer, Capabilities, Stats, Task
from satcross.candidates import Candidates
from satcross.errors import InternalError
from satcross.outcome import Status
from satcross.ranking import Ranking

_FIRST_BATCH = 1000
_BATCH_GROWTH = 4
_FIRST_STAGE_WORK = 5.0
"""CP-SAT's deterministic time, which is about seconds but does not depend on the clock."""


class CpSat:
    """A Boolean model for OR-Tools CP-SAT."""

    name: ClassVar[str] = "cpsat"
    capabilities: ClassVar[Capabilities] = Capabilities()

    def solve(self, task: Task) -> Answer:
        batch, work = _FIRST_BATCH, _FIRST_STAGE_WORK
        encode_seconds = 0.0
        while True:
            words = _best(task.candidates, batch, Random(task.seed))
            complete = sum(map(len, words)) == len(task.candidates)
            task.report(f"cpsat: {sum(map(len, words))} of {len(task.candidates)} candidates")
            answer = _solve_once(task, words, float("inf") if complete else work)
            encode_seconds += answer.encode_seconds
            if answer.status is Status.FILLED or complete:
                return replace(answer, encode_seconds=encode_seconds)
            if task.deadline.passed:
                return Answer(Status.UNKNOWN, None, TIME_LIMIT, answer.stats, encode_seconds)
            batch *= _BATCH_GROWTH
            work *= 2


def _best(candidates: Candidates, number: int, random: Random) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(Ranking(candidates, slot, random).take(number))
        for slot in range(len(candidates.network.lexicons))
    )


def _solve_once(task: Task, words: tuple[tuple[str, ...], ...], work: float) -> Answer:
    started = time.perf_counter()
    puzzle = task.candidates.network.puzzle
    encoding = CpSatEncoding(
        Instance(tuple(slot.cells for slot in puzzle.grid.slots), words, puzzle.allow_repeats)
    )
    solver = cp_model.CpSolver()
    # Measured on 15x15 grids: presolve, linear relaxations and a second worker (which runs other
    # strategies than the first) each take longer than the search alone.
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = task.seed
    solver.parameters.cp_model_presolve = False
    solver.parameters.linearization_level = 0
    solver.parameters.symmetry_level = 0
    solver.parameters.max_deterministic_time = work
    # Its own handler of Ctrl-C would take the place of Python's for good.
    solver.parameters.catch_sigint_signal = False
    encode_seconds = time.perf_counter() - started
    if task.deadline.passed:
        return Answer(Status.UNKNOWN, None, TIME_LIMIT, encode_seconds=encode_seconds)
    solver.parameters.max_time_in_seconds = task.deadline.left
    status = _solve_interruptibly(solver, encoding.model)
    stats: Stats = {
        "variables": len(encoding.model.proto.variables),
        "constraints": len(encoding.model.proto.constraints),
        "conflicts": solver.num_conflicts,
    }
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        solution = solver.response_proto.solution
        fill = encoding.decode(lambda literal: bool(solution[literal]))
        return Answer(Status.FILLED, tuple(fill), "", stats, encode_seconds)
    if status == cp_model.INFEASIBLE:
        reason = "CP-SAT proved the model infeasible"
        return Answer(Status.UNFILLABLE, None, reason, stats, encode_seconds)
    if status != cp_model.UNKNOWN:
        raise InternalError(f"CP-SAT calls the model {solver.status_name(status)}")
    return Answer(Status.UNKNOWN, None, TIME_LIMIT, stats, encode_seconds)


def _solve_interruptibly(solver: cp_model.CpSolver, model: cp_model.CpModel) -> int:
    """Solve on a thread, so that this one gets Ctrl-C at once and can stop the solver."""
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(solver.solve, model)
        try:
            return int(future.result())
        except KeyboardInterrupt:
            while wait([future], timeout=0.05).not_done:
                solver.stop_search()
            raise
