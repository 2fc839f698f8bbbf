"""The CP-SAT backend: OR-Tools' solver on a vocabulary that grows by stages.

The first models hold only the best-supported candidates of each slot; a fill found there is a
fill. Only the last model, with every candidate, can prove UNFILLABLE.
"""

from __future__ import annotations

from random import Random
from typing import ClassVar

from ortools.sat.python import cp_model

from encoders.cpsat import CpSatEncoding
from encoders.instance import Instance
from satcross.backends.base import INTERRUPTED, TIME_LIMIT, Answer, Capabilities, Stats, Task
from satcross.candidates import Candidates
from satcross.outcome import Status
from satcross.ranking import Ranking

_FIRST_BATCH = 1000
_BATCH_GROWTH = 4
_FIRST_STAGE_SECONDS = 5.0


class CpSat:
    """A Boolean model for OR-Tools CP-SAT."""

    name: ClassVar[str] = "cpsat"
    capabilities: ClassVar[Capabilities] = Capabilities()

    def solve(self, task: Task) -> Answer:
        batch, seconds = _FIRST_BATCH, _FIRST_STAGE_SECONDS
        while True:
            words = _best(task.candidates, batch, Random(task.seed))
            complete = sum(map(len, words)) == len(task.candidates)
            limit = task.deadline.left if complete else min(seconds, task.deadline.left)
            task.report(f"cpsat: {sum(map(len, words))} of {len(task.candidates)} candidates")
            answer = _solve_once(task, words, limit)
            if answer.status is Status.FILLED or complete or answer.reason == INTERRUPTED:
                return answer
            if task.deadline.passed:
                return Answer(Status.UNKNOWN, None, TIME_LIMIT, answer.stats)
            batch *= _BATCH_GROWTH
            seconds *= 2


def _best(candidates: Candidates, number: int, random: Random) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(Ranking(candidates, slot, random).take(number))
        for slot in range(len(candidates.network.lexicons))
    )


def _solve_once(task: Task, words: tuple[tuple[str, ...], ...], seconds: float) -> Answer:
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
    if seconds != float("inf"):
        solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(encoding.model)
    stats: Stats = {
        "variables": len(encoding.model.proto.variables),
        "constraints": len(encoding.model.proto.constraints),
        "conflicts": solver.num_conflicts,
    }
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        solution = solver.response_proto.solution
        fill = encoding.decode(lambda literal: bool(solution[literal]))
        return Answer(Status.FILLED, tuple(fill), "", stats)
    if status == cp_model.INFEASIBLE:
        return Answer(Status.UNFILLABLE, None, "CP-SAT proved the model infeasible", stats)
    # CP-SAT catches Ctrl-C itself: it then stops before its time.
    reason = TIME_LIMIT if solver.wall_time >= seconds else INTERRUPTED
    return Answer(Status.UNKNOWN, None, reason, stats)
