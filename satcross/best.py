"""``best``: the best fill of a puzzle, with proof, or the best that was found in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from satcross.backends.base import (
    INTERRUPTED,
    TIME_LIMIT,
    Answer,
    Deadline,
    Optimum,
    OptimisingBackend,
    Report,
    Task,
    silent,
)
from satcross.backends.registry import get_optimising_backend
from satcross.candidates import Candidates, State, arc_consistent
from satcross.errors import InternalError
from satcross.outcome import TOTAL, Goal, Outcome, Status
from satcross.puzzle import Puzzle
from satcross.reproduce import write_report
from satcross.solving import as_outcome, available_workers, check, explain_wipe_out
from satcross.weights import Weights, narrowed

LOWEST, FRESH = "lowest", "fresh"
"""Names of goals."""


class Measure(StrEnum):
    """What the best fill is the best by.

    ``TOTAL``: the sum of its words' scores. ``MEAN``: their mean, which puts the fills of one grid
    in the same order. ``MIN``: the score of its worst word; of fills that are equal in this, their
    total. ``FRESHNESS``: how many of its words have not been used before; then the total.
    """

    TOTAL = "total"
    MEAN = "mean"
    MIN = "min"
    FRESHNESS = "freshness"


@dataclass(frozen=True, slots=True)
class Objective:
    """A measure, and for freshness the words that are no longer fresh."""

    measure: Measure = Measure.TOTAL
    used: frozenset[str] = frozenset()


def best(
    puzzle: Puzzle,
    objective: Objective | str = "total",
    backend: str = "auto",
    *,
    time_limit: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    options: Mapping[str, str] | None = None,
    report: Report = silent,
) -> Outcome:
    """Find the fill that is the best by the objective (one, or the name of a measure).

    ``optimal`` says whether that is proved; ``goals`` say how good it is and what no fill exceeds.
    At the time limit or an interruption the best fill so far is returned, if there is one. Words
    score what ``puzzle.vocabulary.score`` says, locked ones and theme words included. The other
    arguments, and the errors, are those of ``solve``; a backend must declare ``best``.
    """
    if not isinstance(objective, Objective):
        objective = Objective(Measure(objective))
    solver = get_optimising_backend(backend)
    started = time.perf_counter()
    deadline = Deadline.after(time_limit)
    result = _Result(Answer(Status.UNKNOWN, None, INTERRUPTED), ())
    try:
        candidates = arc_consistent(puzzle)
        if candidates.wiped_out:
            reason = explain_wipe_out(candidates)
            result = _Result(Answer(Status.UNFILLABLE, None, reason), ())
        else:
            task = Task(
                candidates, deadline, seed, workers or available_workers(), options or {}, report
            )
            result = _pursue(objective, solver, task)
    except KeyboardInterrupt:
        pass
    outcome = replace(
        as_outcome(puzzle, backend, result.answer, seed),
        seconds={
            "encode": result.answer.encode_seconds,
            "solve": time.perf_counter() - started - result.answer.encode_seconds,
        },
        objective=str(objective.measure),
        goals=result.goals,
        optimal=_optimal(result),
    )
    settings = {"time_limit": time_limit, "workers": workers, **(options or {})}
    check(puzzle, outcome, settings)
    _check_goals(puzzle, objective, outcome, settings)
    return outcome


@dataclass(frozen=True, slots=True)
class _Result:
    answer: Answer
    goals: tuple[Goal, ...]


def _optimal(result: _Result) -> bool | None:
    if result.answer.words is None:
        return None
    return all(goal.reached for goal in result.goals)


def _pursue(objective: Objective, solver: OptimisingBackend, task: Task) -> _Result:
    puzzle = task.candidates.network.puzzle
    score = puzzle.vocabulary.score
    if objective.measure is Measure.MIN:
        return _best_lowest(solver, task, Weights(task.candidates.network, score))
    if objective.measure is Measure.FRESHNESS:
        return _freshest(solver, task, score, objective.used)
    found = _maximise(solver, task, Weights(task.candidates.network, score))
    words = found.answer.words
    value = None if words is None else sum(map(score, words))
    return _Result(found.answer, (Goal(TOTAL, value, found.bound),))


def _maximise(solver: OptimisingBackend, task: Task, weights: Weights) -> Optimum:
    if not task.candidates.root.domains:
        return Optimum(Answer(Status.FILLED, ()), 0)
    return solver.best(task, weights)


def _freshest(
    solver: OptimisingBackend, task: Task, score: Callable[[str], int], used: frozenset[str]
) -> _Result:
    """Fresh words first, then the total: a fresh word weighs more than all scores together can."""
    root = task.candidates.root
    plain = Weights(task.candidates.network, score)
    highest = plain.ideal(root)
    lowest = sum(plain.least(slot, domain) for slot, domain in enumerate(root.domains))
    unit = highest - lowest + 1
    weights = Weights(task.candidates.network, lambda word: score(word) + unit * (word not in used))
    found = _maximise(solver, task, weights)
    words = found.answer.words
    fresh = None if words is None else sum(word not in used for word in words)
    total = None if words is None else sum(map(score, words))
    most_fresh = None if found.bound is None else (found.bound - lowest) // unit
    most = None
    if found.bound is not None and fresh is not None and fresh == most_fresh:
        most = min(highest, found.bound - unit * fresh)
    return _Result(found.answer, (Goal(FRESH, fresh, most_fresh), Goal(TOTAL, total, most)))


_FIRST_SECONDS = 1.0


def _best_lowest(solver: OptimisingBackend, task: Task, weights: Weights) -> _Result:
    """The highest score that every word can have, by asking for fills of at least so much.

    Asked with time limits that grow, in the middle of what is not known; then, with what time is
    left, for the highest total of a fill with that lowest score.
    """
    candidates, deadline = task.candidates, task.deadline
    root = candidates.root
    highest = min(
        (weights.best(slot, domain) for slot, domain in enumerate(root.domains)), default=0
    )
    scores = sorted(
        {
            value
            for slot, domain in enumerate(root.domains)
            for value in weights.values(slot, domain)
            if value <= highest
        }
    )
    first = solver.solve(task) if root.domains else Answer(Status.FILLED, ())
    if first.words is None:
        return _Result(first, (Goal(LOWEST, None, None), Goal(TOTAL, None, None)))
    words = first.words
    lowest = min(map(weights.weight, words), default=0)
    bound = highest
    reason = ""
    patience = _FIRST_SECONDS
    try:
        while lowest < bound and not deadline.passed:
            # Half the time is for the total.
            open_scores = [value for value in scores if lowest < value <= bound]
            low, high = 0, len(open_scores) - 1
            unknown = False
            while low <= high and not deadline.passed:
                middle = (low + high) // 2
                wanted = open_scores[middle]
                task.report(f"lowest score {lowest}, at most {bound}: trying {wanted}")
                state = _at_least(candidates, weights, wanted)
                if state is None:
                    answer = Answer(Status.UNFILLABLE, None, "no arc-consistent candidates")
                else:
                    limit = Deadline.after(min(patience, deadline.left))
                    answer = solver.solve(
                        replace(
                            task,
                            candidates=narrowed(candidates, state),
                            deadline=limit,
                            report=silent,
                        )
                    )
                if answer.words is not None:
                    words = answer.words
                    lowest = min(map(weights.weight, words))
                    low = middle + 1
                    while low <= high and open_scores[low] <= lowest:
                        low += 1
                elif answer.status is Status.UNFILLABLE:
                    bound = max([value for value in scores if value < wanted])
                    high = middle - 1
                elif answer.reason == INTERRUPTED:
                    raise KeyboardInterrupt
                else:
                    unknown = True
                    high = middle - 1
            if not unknown:
                break
            patience *= 2
            if patience > deadline.left / 2:
                break
    except KeyboardInterrupt:
        reason = INTERRUPTED
    total, most = sum(map(weights.weight, words)), None
    if not reason:
        state = _at_least(candidates, weights, lowest)
        assert state is not None  # the words are in it
        found = _maximise(
            solver, replace(task, candidates=narrowed(candidates, state)), weights
        )
        reason = found.answer.reason
        if found.answer.words is not None:
            value = sum(map(weights.weight, found.answer.words))
            if value >= total:
                words, total = found.answer.words, value
        if lowest == bound:
            most = found.bound
    optimal = lowest == bound and total == most
    answer = Answer(Status.FILLED, words, "" if optimal else reason or TIME_LIMIT)
    return _Result(answer, (Goal(LOWEST, lowest, bound), Goal(TOTAL, total, most)))


def _at_least(candidates: Candidates, weights: Weights, wanted: int) -> State | None:
    """The candidates that weigh so much or more, arc consistent; None when that leaves nothing."""
    state = candidates.root.copy()
    for slot, domain in enumerate(state.domains):
        state.domains[slot] = domain & weights.at_least(slot, wanted)
        state.sizes[slot] = state.domains[slot].bit_count()
    if not all(state.domains):
        return None
    changed = range(len(state.domains))
    return None if candidates.network.propagate(state, changed) is not None else state


def _check_goals(
    puzzle: Puzzle, objective: Objective, outcome: Outcome, settings: Mapping[str, object]
) -> None:
    """Work out from the words alone what the goals say, and that no bound is broken."""
    if outcome.fill is None:
        return
    words = list(outcome.fill.values())
    scores = [puzzle.vocabulary.score(word) for word in words]
    truth = {
        TOTAL: sum(scores),
        LOWEST: min(scores, default=0),
        FRESH: sum(word not in objective.used for word in words),
    }
    for goal in outcome.goals:
        if goal.value != truth[goal.name] or (goal.bound is not None and goal.bound < goal.value):
            raise InternalError(
                f"backend {outcome.backend} says that {goal.name} is {goal.value} and at most "
                f"{goal.bound}, where it is {truth[goal.name]} (seed {outcome.seed})",
                write_report(puzzle, [outcome], settings),
            )
