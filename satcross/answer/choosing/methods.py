"""The methods that choose words which agree at crossings: CP-SAT, letter beliefs, CROSSWIND."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from encoders import WeightedFill, WeightedInstance, WeightedModel
from satcross.answer.choosing.answers import INTERRUPTED, TIME_LIMIT, Answers
from satcross.answer.choosing.belief_propagation import settle
from satcross.answer.choosing.crosswind import by_partial_selections
from satcross.answer.choosing.lagrangian_bound import Bound
from satcross.answer.choosing.problem import Problem
from satcross.answer.choosing.tables import cheapest_reading
from satcross.errors import InternalError, UnavailableError
from satcross.run_settings import NEVER, Deadline, OnProgress, ignore_progress

DEFAULT_METHOD = "auto"
"""``cpsat`` for puzzles of at most ``_SMALL`` slots, ``bp`` for larger ones."""
_SMALL = 30
"""``cpsat`` proves its answers to minis; on 15x15s it proves little and is no better."""
_MAX_WORDS = 150_000
"""Words that are given to CP-SAT at the most; more would take gigabytes."""
_TOO_MANY = "too many words for a proof of optimality"


@dataclass(frozen=True, slots=True)
class SolverResult:
    """Result of a solver: an answer and its cost, or None, and whether it is proved optimal."""

    found: WeightedFill | None
    cost: int | None
    optimal: bool
    stopped: str = ""


def by_belief(problem: Problem, deadline: Deadline, on_progress: OnProgress) -> Answers:
    """Choose the most likely letter of every cell; cheap words where beliefs don't settle."""
    beliefs, choice = problem.settled or settle(problem.costs)
    reading = cheapest_reading(problem.costs, choice)
    by_letters = [word not in problem.costs.words[slot] for slot, word in enumerate(choice)]
    cost = None if reading is None else reading[0]
    return Answers("bp", problem.grid, tuple(choice), tuple(by_letters), beliefs, cost)


def by_cpsat(problem: Problem, deadline: Deadline, on_progress: OnProgress) -> Answers:
    """Find the most likely answer, from that of belief propagation on.

    A bound removes the words that no better answer has; CP-SAT solves what is left.
    """
    instance = problem.costs
    on_progress("propagating beliefs")
    beliefs, choice = problem.settled or settle(instance)
    reading = cheapest_reading(instance, choice)
    if reading is None:
        raise InternalError("no answer can be put together from the likeliest letters")
    cost, by_letters = reading
    best = list(choice), by_letters
    bound, value = Bound.of(beliefs.tables), None
    solved = SolverResult(best, cost, False, TIME_LIMIT)
    try:
        if not deadline.passed:
            value = bound.tighten(cost)
            solved = _solve_rest(bound, best, cost, deadline, on_progress)
    except KeyboardInterrupt:
        solved = replace(solved, stopped=INTERRUPTED)
    assert solved.found is not None
    words, by_letters = solved.found
    proved = solved.cost if solved.optimal else value if solved.stopped == _TOO_MANY else None
    return Answers(
        "cpsat",
        problem.grid,
        tuple(words),
        tuple(by_letters),
        beliefs,
        solved.cost,
        proved,
        solved.optimal,
        solved.stopped,
    )


def _solve_rest(
    bound: Bound, best: WeightedFill, cost: int, deadline: Deadline, on_progress: OnProgress
) -> SolverResult:
    """Return the better of a known answer and of one of the words that are left."""
    instance = bound.tables.instance
    if bound.value >= cost:
        return SolverResult(best, cost, True)
    if bound.words > _MAX_WORDS:
        return SolverResult(best, cost, False, _TOO_MANY)
    on_progress(f"{bound.words} words are left")
    left, saved = bound.repriced()
    found = cheapest_by_cpsat(left, best, deadline, on_progress)
    if found.found is None or found.cost is None:
        return SolverResult(best, cost, found.optimal, found.stopped)
    total = found.cost + saved
    if instance.cost(*found.found) != total or (found.optimal and total > cost):
        raise InternalError(f"cpsat says that its answer costs {total}")
    return replace(found, cost=total) if total <= cost else replace(found, found=best, cost=cost)


def cheapest_by_cpsat(
    instance: WeightedInstance,
    known: WeightedFill | None = None,
    deadline: Deadline = NEVER,
    on_progress: OnProgress = ignore_progress,
) -> SolverResult:
    """Find the minimum cost by CP-SAT alone, from a known answer if there is one."""
    from satcross.backends.cp_solver import CpSettings, solve_model

    encoding = WeightedModel(instance)
    if known is not None:
        with suppress(ValueError):  # the restricted instance may not allow the answer any more
            instance.cost(*known)
            encoding.hint(*known)
    if deadline.passed:
        return SolverResult(None, None, False, TIME_LIMIT)
    result = solve_model(
        encoding.proto,
        deadline,
        CpSettings(parameters={"linearization_level": 2}, keep_on_interrupt=True),
        on_wait=partial(on_progress, "cpsat at work"),
    )
    stopped = INTERRUPTED if result.interrupted else TIME_LIMIT
    if result.solution is not None:
        found = encoding.decode(result.is_true)
        stopped = "" if result.optimal else stopped
        return SolverResult(found, instance.cost(*found), result.optimal, stopped)
    if result.infeasible:
        return SolverResult(None, None, True)
    return SolverResult(None, None, False, stopped)


METHODS: dict[str, Callable[[Problem, Deadline, OnProgress], Answers]] = {
    "cpsat": by_cpsat,
    "bp": by_belief,
    "crosswind": by_partial_selections,
}
"""Method -> its function. ``cpsat`` finds the most likely answer to the whole puzzle, ``bp`` the
most likely letter of every cell; ``crosswind`` is the algorithm of CROSSWIND."""


def answer(
    problem: Problem,
    method: str = DEFAULT_METHOD,
    deadline: Deadline = NEVER,
    on_progress: OnProgress = ignore_progress,
) -> Answers:
    """Choose a word for every slot. Raises UnavailableError for an unknown method."""
    check_method(method)
    if method == DEFAULT_METHOD:
        method = "cpsat" if len(problem.costs.slots) <= _SMALL else "bp"
    return METHODS[method](problem, deadline, on_progress)


def check_method(method: str) -> None:
    """Raise UnavailableError for an unknown method."""
    names = (DEFAULT_METHOD, *METHODS)
    if method not in names:
        raise UnavailableError(f"there is no method {method!r}; choose from {', '.join(names)}")
