"""The CP-SAT backend: OR-Tools' solver on a vocabulary that grows by stages.

The first models of a large puzzle are those of narrowed puzzles (satcross.network.narrowing) and
of the likeliest candidates of each slot (``Ranking``), in turns; a fill found there is
a fill. With several workers, such searches race. Only a model with every candidate can prove
UNFILLABLE. Where theme words must be used, their places are tried in turn, each with models of its
own.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from math import ceil, inf
from random import Random
from typing import TYPE_CHECKING, ClassVar

from encoders import CpSatEncoding
from satcross.backends.base import Answer, Capabilities, Listing, Optimum, Stats, Tally, Task
from satcross.backends.cp_solver import CpSettings, solve_model
from satcross.backends.narrowed import MAX_NARROWED_CANDIDATES, parts_of, race_narrowings
from satcross.network.arc_consistency import Candidates
from satcross.network.belief_propagation import Marginals, Ranking
from satcross.network.narrowing import (
    Narrowing,
    Widening,
    estimate_rounds,
    estimated_left_out,
    first_batch,
    may_be_narrowed,
)
from satcross.network.to_encoder import to_instance
from satcross.outcome import Status
from satcross.run_settings import INTERRUPTED, TIME_LIMIT, Deadline, TimeUp

if TYPE_CHECKING:
    from satcross.backends.search.branch_and_bound import ExactProblem, ExactResult
    from satcross.network.weights import Weights

Words = tuple[str, ...]

_BATCH_GROWTH = 4
_AHEAD_WORK = 16.0
"""The work of the last turn of narrowed models with ``Narrowing.AHEAD``."""

_FIRST_WORK = 8.0
"""CP-SAT's deterministic time for each model of the first turn, somewhat more than seconds."""

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
    # A second worker costs more than twice the CPU time, and seldom saves half of the other.
    capabilities: ClassVar[Capabilities] = Capabilities(alone=True, count=True, best=True)

    def solve(self, task: Task) -> Answer:
        narrowing = task.narrowing
        if not may_be_narrowed(task.candidates):
            narrowing = Narrowing.NONE
        elif task.can_race:
            return race_narrowings(task, self.name)
        try:
            return _take_turns(task, narrowing)
        except TimeUp:
            return _LATE

    def count(self, task: Task, enough: int | None = None) -> Tally:
        return _enumerate(task, enough)

    def several(self, task: Task, number: int) -> Listing:
        fills: list[Words] = []
        tally = _enumerate(task, number, fills)
        return Listing(tuple(fills), tally.exact, tally.reason)

    def best(self, task: Task, weights: Weights) -> Optimum:
        from satcross.backends.search.large_neighbourhood import optimise

        return optimise(task, weights, self, maximise)


def maximise(problem: ExactProblem) -> ExactResult:
    """Answer an exact problem of ``optimise`` by CP-SAT with an objective."""
    from encoders import maximise as add_objective
    from satcross.backends.search.branch_and_bound import ExactResult

    min_value, deadline = problem.min_value, problem.deadline
    words, weights = problem.listed()
    try:
        encoding = _encoding(problem.candidates, words, deadline)
    except TimeUp:
        return ExactResult(None, sum(map(max, weights)), {"work": 0.0})
    ideal = add_objective(encoding, weights, min_value)
    if problem.hint is not None:
        encoding.hint(problem.hint)
    if deadline.passed:
        return ExactResult(None, ideal)
    result = solve_model(
        encoding.proto,
        deadline,
        CpSettings(problem.seed, problem.workers, problem.work, _BEST_FILL),
    )
    stats: Stats = {"work": result.work}
    if result.infeasible:
        return ExactResult(None, min_value - 1, stats)
    # By how much a fill falls short is a whole number, and the solver's bound on it nearly is.
    bound = max(min_value - 1, min(ideal, ideal - ceil(result.bound - 1e-6)))
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


class _NarrowedModels:
    """Models of the narrowed puzzles of one estimate.

    CP-SAT cannot go on where it was stopped: each turn solves a model anew, with another seed.
    """

    def __init__(self, task: Task, number: int, rounds: int) -> None:
        self._task = replace(task, seed=(task.seed + number) % 2**31)
        self._rounds = rounds
        self._widening: Widening | None = None
        self._narrowed: Candidates | None = None
        self.over = False
        """Whether no narrowed puzzle is left, or the next one is too large."""

    def run(self, work: float, *, to_the_end: bool) -> Answer:
        """Solve for ``work`` of deterministic time. FILLED or UNKNOWN, since words are left out."""
        encode_seconds = 0.0
        answer = Answer(Status.UNKNOWN)
        if self._narrowed is None:
            self._widen()
        while self._narrowed is not None and work > 0:
            self._task.on_progress(f"cpsat: narrowed to {len(self._narrowed)} candidates")
            answer = _solve_once(replace(self._task, candidates=self._narrowed), None, work)
            encode_seconds += answer.encode_seconds
            work -= float(answer.stats.get("work", work))
            if answer.status is not Status.UNFILLABLE:
                break
            answer = replace(answer, status=Status.UNKNOWN)
            self._widen()
        self._task = replace(self._task, seed=(self._task.seed + 2) % 2**31)
        return replace(answer, encode_seconds=encode_seconds)

    def _widen(self) -> None:
        task = self._task
        if self._widening is None:
            marginals = Marginals(task.candidates, task.deadline, rounds=self._rounds)
            left_out = estimated_left_out(marginals, Random(task.seed))
            self._widening = Widening(marginals, left_out)
        narrowed = self._widening.next(task.deadline)
        task.deadline.check()
        if narrowed is not None and len(narrowed) > MAX_NARROWED_CANDIDATES:
            narrowed = None
        self._narrowed, self.over = narrowed, narrowed is None


class _WholeModels:
    """Models of the best candidates of all slots: more of them each turn, and finally all."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._batch = first_batch(len(task.candidates.root.sizes))

    def run(self, work: float, *, to_the_end: bool) -> Answer:
        """Solve for ``work`` of deterministic time, or ``to_the_end`` once all candidates are in.

        Only a model of all candidates can prove UNFILLABLE.
        """
        task, candidates = self._task, self._task.candidates
        words = _best_candidates(candidates, self._batch, task)
        self._batch *= _BATCH_GROWTH
        number = sum(map(len, words))
        complete = number == len(candidates)
        task.on_progress(f"cpsat: {number} of {len(candidates)} candidates")
        answer = _solve_once(task, words, inf if complete and to_the_end else work)
        if answer.status is Status.UNFILLABLE and not complete:
            return replace(answer, status=Status.UNKNOWN, reason="")
        return answer


def _take_turns(task: Task, narrowing: Narrowing) -> Answer:
    """Solve models of narrowed puzzles and of the whole one in turns, with more work each time.

    Where theme words must be used, every place for them has its own models, and none is narrowed.
    """
    wholes = list(map(_WholeModels, parts_of(task)))
    narrowed: list[_NarrowedModels] = []
    if len(wholes) == 1:
        rounds = estimate_rounds(narrowing)
        narrowed = [_NarrowedModels(task, number, own) for number, own in enumerate(rounds)]
    answer = Answer(Status.UNFILLABLE, None, "the theme words find no places")
    work, encode_seconds = _FIRST_WORK, 0.0
    while wholes:
        narrowed = [models for models in narrowed if not models.over]
        turns: list[_NarrowedModels | _WholeModels] = [*narrowed]
        if not narrowed or narrowing is not Narrowing.ONLY:
            turns += wholes
        for models in turns:
            answer = models.run(work, to_the_end=not narrowed and len(wholes) == 1)
            encode_seconds += answer.encode_seconds
            if answer.status is Status.FILLED or answer.reason == TIME_LIMIT:
                return replace(answer, encode_seconds=encode_seconds)
            if answer.status is Status.UNFILLABLE and isinstance(models, _WholeModels):
                wholes.remove(models)
        if narrowing is Narrowing.AHEAD and work >= _AHEAD_WORK:
            narrowed = []
        work *= 2
    return replace(answer, encode_seconds=encode_seconds)


def _best_candidates(candidates: Candidates, number: int, task: Task) -> tuple[Words, ...]:
    marginals = Marginals(candidates, task.deadline)
    random = Random(task.seed)
    words = []
    for slot in range(len(candidates.network.lexicons)):
        task.deadline.check()
        words.append(tuple(Ranking(marginals, slot, random).take(number)))
    return tuple(words)


def _solve_once(task: Task, words: tuple[Words, ...] | None, work: float) -> Answer:
    started = time.perf_counter()
    try:
        encoding = _encoding(task.candidates, words, task.deadline)
    except TimeUp:
        return replace(_LATE, encode_seconds=time.perf_counter() - started)
    encoding.prefer(task.candidates.network.preferred_words)
    encode_seconds = time.perf_counter() - started
    settings = CpSettings(seed=task.seed, work=work, parameters=_FIRST_FILL)
    result = solve_model(encoding.proto, task.deadline, settings)
    stats: Stats = {**_size(encoding), "conflicts": result.conflicts, "work": result.work}
    if result.solution is not None:
        fill = tuple(encoding.decode(result.is_true))
        return Answer(Status.FILLED, fill, "", stats, encode_seconds)
    if result.infeasible:
        reason = "CP-SAT proved the model infeasible"
        return Answer(Status.UNFILLABLE, None, reason, stats, encode_seconds)
    reason = TIME_LIMIT if task.deadline.passed else "enough work"
    return Answer(Status.UNKNOWN, None, reason, stats, encode_seconds)


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
        encoding.proto,
        task.deadline,
        CpSettings(
            seed=task.seed,
            workers=1,  # with more, CP-SAT 9.15 loses solutions and still says that it has them all
            parameters={**_BARE_SEARCH, "enumerate_all_solutions": True},
            keep_on_interrupt=True,
        ),
        on_solution=on_solution,
        on_wait=lambda: task.on_progress(f"cpsat: at least {found:,} fills"),
    )
    # When the callback has stopped the search, the status may be OPTIMAL all the same.
    stopped = found == enough
    exact = (result.optimal or result.infeasible) and not stopped and not result.interrupted
    reason = "" if exact or stopped else INTERRUPTED if result.interrupted else TIME_LIMIT
    stats: Stats = {**_size(encoding), "solutions": found}
    return Tally(found, exact, reason, stats, encode_seconds)


def _size(encoding: CpSatEncoding) -> dict[str, int | float | str]:
    proto = encoding.proto
    return {"variables": len(proto.variables), "constraints": len(proto.constraints)}
