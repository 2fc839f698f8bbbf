"""The CP-SAT backend: OR-Tools' solver on a vocabulary that grows by stages.

The first models have only the best candidates of each slot (satcross.network.word_order); a fill
found there is a fill. Only the last model, with every candidate, can prove UNFILLABLE. Where theme
words must be used, their places are tried in turn, each with models of its own.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from random import Random
from typing import ClassVar

from encoders import CpSatEncoding
from encoders import maximise as add_objective
from satcross.backends.base import Answer, Capabilities, Listing, Optimum, Stats, Tally, Task
from satcross.backends.cp_solver import solve_model
from satcross.backends.search.exact import ExactProblem, ExactResult
from satcross.backends.search.large_neighbourhood import optimise
from satcross.deadline import INTERRUPTED, TIME_LIMIT, Deadline, TimeUp
from satcross.network.arc_consistency import Candidates
from satcross.network.belief_propagation import Marginals
from satcross.network.theme_splits import split_by_theme_slots
from satcross.network.to_encoder import to_instance
from satcross.network.weights import Weights
from satcross.network.word_order import Ranking, first_batch
from satcross.outcome import Status

Words = tuple[str, ...]

_BATCH_GROWTH = 4
_FIRST_STAGE_WORK = 15.0
"""CP-SAT's deterministic time for the first stage."""

# Measured on 15x15 grids: presolve, linear relaxations and a second worker (which runs other
# strategies than the first) each take longer than the search alone.
_BARE_SEARCH = {"cp_model_presolve": False, "linearization_level": 0, "symmetry_level": 0}
# Probing leaves no time for the search: 26 conflicts in the first 2 s of a 21x21 grid, not 900.
_FIRST_FILL = {**_BARE_SEARCH, "cp_model_probing_level": 0}
# For the best fill, unlike the first one, presolve and linear relaxations pay (docs/best.md).
_BEST_FILL = {"cp_model_probing_level": 0, "symmetry_level": 0}


_LATE = Answer(Status.UNKNOWN, None, TIME_LIMIT)


class CpSat:
    """A Boolean model for OR-Tools CP-SAT."""

    name: ClassVar[str] = "cpsat"
    capabilities: ClassVar[Capabilities] = Capabilities(count=True, best=True)

    def solve(self, task: Task) -> Answer:
        batch = first_batch(len(task.candidates.root.sizes))
        parts = split_by_theme_slots(task.candidates)
        work = _FIRST_STAGE_WORK
        answer = Answer(Status.UNFILLABLE, None, "the theme words find no places")
        encode_seconds = 0.0
        while parts:
            open_parts = []
            for part in parts:
                try:
                    words = _best_candidates(part, batch, task)
                except TimeUp:
                    return replace(_LATE, encode_seconds=encode_seconds)
                complete = sum(map(len, words)) == len(part)
                task.on_progress(f"cpsat: {sum(map(len, words))} of {len(part)} candidates")
                last = complete and len(parts) == 1
                answer = _solve_once(
                    replace(task, candidates=part), words, float("inf") if last else work
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
        return _enumerate(task, enough)

    def several(self, task: Task, number: int) -> Listing:
        fills: list[Words] = []
        tally = _enumerate(task, number, fills)
        return Listing(tuple(fills), tally.exact, tally.reason)

    def best(self, task: Task, weights: Weights) -> Optimum:
        return optimise(task, weights, self, maximise)


def maximise(problem: ExactProblem) -> ExactResult:
    """Answer an exact problem of ``optimise`` by CP-SAT with an objective."""
    least, deadline = problem.least, problem.deadline
    words, weights = problem.listed()
    try:
        encoding = _encoding(problem.candidates, words, deadline)
    except TimeUp:
        return ExactResult(None, sum(map(max, weights)), {"work": 0.0})
    ideal = add_objective(encoding, weights, least)
    if problem.hint is not None:
        encoding.hint(problem.hint)
    if deadline.passed:
        return ExactResult(None, ideal)
    result = solve_model(
        encoding.model,
        deadline,
        seed=problem.seed,
        workers=problem.workers,
        work=problem.work,
        parameters=_BEST_FILL,
    )
    stats: Stats = {"work": result.work}
    if result.infeasible:
        return ExactResult(None, least - 1, stats)
    # By how much a fill falls short is a whole number, and the solver's bound on it nearly is.
    bound = max(least - 1, min(ideal, ideal - ceil(result.bound - 1e-6)))
    if result.solution is None:
        return ExactResult(None, bound, stats)
    return ExactResult(tuple(encoding.decode(result.is_true)), bound, stats)


def _encoding(
    candidates: Candidates, words: tuple[Words, ...] | None, deadline: Deadline
) -> CpSatEncoding:
    """The model of the candidates, or of only these words. Raises TimeUp at the deadline."""
    encoding = CpSatEncoding(to_instance(candidates, words, deadline), deadline.check)
    deadline.check()
    return encoding


def _best_candidates(candidates: Candidates, number: int, task: Task) -> tuple[Words, ...]:
    marginals = Marginals(candidates, pause=task.deadline.check)
    random = Random(task.seed)
    words = []
    for slot in range(len(candidates.network.lexicons)):
        task.deadline.check()
        words.append(tuple(Ranking(marginals, slot, random).take(number)))
    return tuple(words)


def _solve_once(task: Task, words: tuple[Words, ...], work: float) -> Answer:
    started = time.perf_counter()
    try:
        encoding = _encoding(task.candidates, words, task.deadline)
    except TimeUp:
        return replace(_LATE, encode_seconds=time.perf_counter() - started)
    encoding.prefer(task.candidates.network.preferred_words)
    encode_seconds = time.perf_counter() - started
    result = solve_model(
        encoding.model, task.deadline, seed=task.seed, work=work, parameters=_FIRST_FILL
    )
    stats: Stats = {**_size(encoding), "conflicts": result.conflicts}
    if result.solution is not None:
        fill = tuple(encoding.decode(result.is_true))
        return Answer(Status.FILLED, fill, "", stats, encode_seconds)
    if result.infeasible:
        reason = "CP-SAT proved the model infeasible"
        return Answer(Status.UNFILLABLE, None, reason, stats, encode_seconds)
    return Answer(Status.UNKNOWN, None, TIME_LIMIT, stats, encode_seconds)


def _enumerate(task: Task, enough: int | None, fills: list[Words] | None = None) -> Tally:
    """Count the solutions of the model with every candidate, up to ``enough``; append to ``fills``.

    Every fill is one solution: exactly one word per slot, and the words determine the letters.
    """
    started = time.perf_counter()
    try:
        encoding = _encoding(task.candidates, None, task.deadline)
    except TimeUp:
        return Tally(0, False, TIME_LIMIT, encode_seconds=time.perf_counter() - started)
    encode_seconds = time.perf_counter() - started
    found = 0

    def on_solution(values: Sequence[int]) -> bool:
        nonlocal found
        if found != enough:  # the solver may report more while it is stopping
            found += 1
            if fills is not None:
                fills.append(tuple(encoding.decode(lambda index: bool(values[index]))))
        return found == enough

    result = solve_model(
        encoding.model,
        task.deadline,
        seed=task.seed,
        workers=1,  # with more, CP-SAT 9.15 loses solutions and still says that it has them all
        parameters={**_BARE_SEARCH, "enumerate_all_solutions": True},
        on_solution=on_solution,
        on_wait=lambda: task.on_progress(f"cpsat: at least {found:,} fills"),
        keep_on_interrupt=True,
    )
    # When the callback has stopped the search, the status may be OPTIMAL all the same.
    stopped = found == enough
    exact = (result.optimal or result.infeasible) and not stopped and not result.interrupted
    reason = "" if exact or stopped else INTERRUPTED if result.interrupted else TIME_LIMIT
    stats: Stats = {**_size(encoding), "solutions": found}
    return Tally(found, exact, reason, stats, encode_seconds)


def _size(encoding: CpSatEncoding) -> dict[str, int | float | str]:
    proto = encoding.model.proto
    return {"variables": len(proto.variables), "constraints": len(proto.constraints)}
