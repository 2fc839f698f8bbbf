"""The CP-SAT backend: OR-Tools' solver on a vocabulary that grows by stages.

The first models hold only the best candidates of each slot (satcross.network.word_order); a fill
found there is a fill. Only the last model, with every candidate, can prove UNFILLABLE. Where theme
words are asked for, their places are gone through in turns, each with models of its own.
"""

from __future__ import annotations

import time
from dataclasses import replace
from math import ceil
from random import Random
from typing import ClassVar

from ortools.sat.python import cp_model

from encoders import CpSatEncoding
from encoders import maximise as add_objective
from satcross.backends.base import Answer, Capabilities, Listing, Optimum, Stats, Tally, Task
from satcross.backends.cp_solver import solve_interruptibly
from satcross.backends.search.exact import ExactProblem, ExactResult
from satcross.backends.search.large_neighbourhood import optimise
from satcross.deadline import INTERRUPTED, TIME_LIMIT
from satcross.errors import InternalError
from satcross.network.arc_consistency import Candidates
from satcross.network.belief_propagation import Marginals
from satcross.network.theme_splits import by_places
from satcross.network.to_encoder import to_instance
from satcross.network.weights import Weights
from satcross.network.word_order import Ranking, first_batch
from satcross.outcome import Status

_BATCH_GROWTH = 4
_FIRST_STAGE_WORK = 15.0
"""CP-SAT's deterministic time, which is about seconds but does not depend on the clock."""


class CpSat:
    """A Boolean model for OR-Tools CP-SAT."""

    name: ClassVar[str] = "cpsat"
    capabilities: ClassVar[Capabilities] = Capabilities(count=True, best=True)

    def solve(self, task: Task) -> Answer:
        batch = first_batch(len(task.candidates.root.sizes))
        parts = by_places(task.candidates)
        work = _FIRST_STAGE_WORK
        answer = Answer(Status.UNFILLABLE, None, "the theme words find no places")
        encode_seconds = 0.0
        while parts:
            open_parts = []
            for part in parts:
                words = _best(part, batch, task)
                complete = sum(map(len, words)) == len(part)
                task.on_progress(f"cpsat: {sum(map(len, words))} of {len(part)} candidates")
                alone = complete and len(parts) == 1
                answer = _solve_once(
                    replace(task, candidates=part), words, float("inf") if alone else work
                )
                encode_seconds += answer.encode_seconds
                if answer.status is Status.FILLED:
                    return replace(answer, encode_seconds=encode_seconds)
                if task.deadline.passed:
                    return Answer(Status.UNKNOWN, None, TIME_LIMIT, answer.stats, encode_seconds)
                if not (complete and answer.status is Status.UNFILLABLE):
                    open_parts.append(part)
            parts = open_parts
            batch *= _BATCH_GROWTH
            work *= 2
        return replace(answer, encode_seconds=encode_seconds)

    def count(self, task: Task, enough: int | None = None) -> Tally:
        return _enumerate(task, enough, keep=False)[1]

    def several(self, task: Task, number: int) -> Listing:
        collector, tally = _enumerate(task, number, keep=True)
        return Listing(tuple(collector.fills), tally.exact, tally.reason)

    def best(self, task: Task, weights: Weights) -> Optimum:
        return optimise(task, weights, self, maximise)


def maximise(question: ExactProblem) -> ExactResult:
    """The exact solver of ``optimise``: CP-SAT with an objective."""
    least, deadline = question.least, question.deadline
    words, weights = question.listed()
    encoding = CpSatEncoding(to_instance(question.candidates, words))
    ideal = add_objective(encoding, weights, least)
    if question.hint is not None:
        encoding.hint(question.hint)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = question.workers
    solver.parameters.random_seed = question.seed
    # Here, unlike for a first fill, presolve and linear relaxations pay (docs/best.md).
    solver.parameters.cp_model_probing_level = 0
    solver.parameters.symmetry_level = 0
    solver.parameters.max_deterministic_time = question.work
    solver.parameters.catch_sigint_signal = False
    if deadline.passed:
        return ExactResult(None, ideal)
    if deadline.at is not None:
        solver.parameters.max_time_in_seconds = deadline.left
    status = solve_interruptibly(solver, encoding.model)
    stats: Stats = {"work": solver.response_proto.deterministic_time}
    if status == cp_model.INFEASIBLE:
        return ExactResult(None, least - 1, stats)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.UNKNOWN):
        raise InternalError(f"CP-SAT calls the model {solver.status_name(status)}")
    # What a fill falls short by is a whole number, and the solver's bound on it nearly is.
    bound = min(ideal, ideal - ceil(solver.best_objective_bound - 1e-6))
    if status == cp_model.UNKNOWN:
        return ExactResult(None, max(least - 1, bound), stats)
    solution = solver.response_proto.solution
    fill = encoding.decode(lambda literal: bool(solution[literal]))
    return ExactResult(tuple(fill), max(least - 1, bound), stats)


def _best(candidates: Candidates, number: int, task: Task) -> tuple[tuple[str, ...], ...]:
    marginals = Marginals(candidates, may_go_on=lambda: not task.deadline.passed)
    random = Random(task.seed)
    return tuple(
        tuple(Ranking(marginals, slot, random).take(number))
        for slot in range(len(candidates.network.lexicons))
    )


def _solve_once(task: Task, words: tuple[tuple[str, ...], ...], work: float) -> Answer:
    started = time.perf_counter()
    encoding = CpSatEncoding(to_instance(task.candidates, words))
    encoding.prefer(task.candidates.network.preferred_words)
    solver = cp_model.CpSolver()
    # Measured on 15x15 grids: presolve, linear relaxations and a second worker (which runs other
    # strategies than the first) each take longer than the search alone.
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = task.seed
    solver.parameters.cp_model_presolve = False
    # Probing leaves no time for searching: 26 conflicts in the first 2 s of a 21x21 grid, not 900.
    solver.parameters.cp_model_probing_level = 0
    solver.parameters.linearization_level = 0
    solver.parameters.symmetry_level = 0
    solver.parameters.max_deterministic_time = work
    # Its own handler of Ctrl-C would take the place of Python's for good.
    solver.parameters.catch_sigint_signal = False
    encode_seconds = time.perf_counter() - started
    if task.deadline.passed:
        return Answer(Status.UNKNOWN, None, TIME_LIMIT, encode_seconds=encode_seconds)
    solver.parameters.max_time_in_seconds = task.deadline.left
    status = solve_interruptibly(solver, encoding.model)
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


class _Collector(cp_model.CpSolverSolutionCallback):
    """Counts the solutions, keeps their fills if it is to, and stops at enough of them."""

    def __init__(self, encoding: CpSatEncoding, enough: int | None, keep: bool) -> None:
        super().__init__()
        self._encoding, self._enough, self._keep = encoding, enough, keep
        self.found = 0
        self.fills: list[tuple[str, ...]] = []

    def on_solution_callback(self) -> None:
        if self._enough is not None and self.found >= self._enough:
            return  # the solver may still be stopping
        self.found += 1
        if self._keep:
            solution = self.response_proto.solution
            self.fills.append(tuple(self._encoding.decode(lambda at: bool(solution[at]))))
        if self.found == self._enough:
            self.stop_search()


def _enumerate(task: Task, enough: int | None, *, keep: bool) -> tuple[_Collector, Tally]:
    """All solutions of the model with every candidate, or ``enough`` of them.

    Every fill is one solution: exactly one word a slot, and the words say which letters stand.
    """
    started = time.perf_counter()
    encoding = CpSatEncoding(to_instance(task.candidates))
    collector = _Collector(encoding, enough, keep)
    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    # With more than one worker CP-SAT 9.15 loses solutions and still says that it has them all.
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = task.seed
    solver.parameters.cp_model_presolve = False
    solver.parameters.linearization_level = 0
    solver.parameters.symmetry_level = 0
    solver.parameters.catch_sigint_signal = False
    encode_seconds = time.perf_counter() - started
    if task.deadline.passed:
        return collector, Tally(0, False, TIME_LIMIT, encode_seconds=encode_seconds)
    if task.deadline.at is not None:
        solver.parameters.max_time_in_seconds = task.deadline.left

    def watch() -> None:
        task.on_progress(f"cpsat: at least {collector.found:,} fills")

    exact, reason = False, ""
    try:
        status = solve_interruptibly(solver, encoding.model, collector, watch)
    except KeyboardInterrupt:
        reason = INTERRUPTED
    else:
        if status not in (
            cp_model.OPTIMAL,
            cp_model.FEASIBLE,
            cp_model.INFEASIBLE,
            cp_model.UNKNOWN,
        ):
            raise InternalError(f"CP-SAT calls the model {solver.status_name(status)}")
        # When the callback has stopped the search the status may be OPTIMAL all the same.
        stopped = enough is not None and collector.found >= enough
        exact = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE) and not stopped
        reason = "" if exact or stopped else TIME_LIMIT
    stats: Stats = {
        "variables": len(encoding.model.proto.variables),
        "constraints": len(encoding.model.proto.constraints),
        "solutions": collector.found,
    }
    return collector, Tally(collector.found, exact, reason, stats, encode_seconds)
