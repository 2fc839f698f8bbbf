"""Choose words that agree at crossings: optimally by CP-SAT or MaxSAT, or by letter beliefs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from encoders import Cell, WeightedFill, WeightedFormula, WeightedInstance, WeightedModel
from satcross.answer.choosing.belief_propagation import Beliefs, propagate
from satcross.answer.choosing.lagrangian_bound import Bound
from satcross.answer.choosing.methods import INTERRUPTED, TIME_LIMIT, Answers, Clock
from satcross.answer.choosing.problem import PER_NAT, Problem
from satcross.answer.choosing.tables import Tables, cheapest_reading, spell_out
from satcross.errors import InternalError

_STAGES = (0.03, 0.003, 0.0003, 0.0)
"""Letters less likely than this are left out of a stage. On a 15x15 with 500,000 words, 0.03 leaves
500 words; the best answer from these, found in half a second, remained the best."""
_STAGE_SECONDS = 8.0
_MAX_WORDS = 150_000
"""Most words that are given to a solver; more would take CP-SAT gigabytes."""
_TOO_MANY = "too many words for a proof of optimality"


@dataclass(frozen=True, slots=True)
class SolverResult:
    """Result of a solver: an answer and its cost, or None, and whether it is proved optimal."""

    found: WeightedFill | None
    cost: int | None
    optimal: bool | None
    """None when nothing was to be proved."""
    stopped: str


Solver = Callable[[WeightedInstance, WeightedFill | None, Clock], SolverResult]


def by_belief(problem: Problem, clock: Clock) -> Answers:
    """Choose the most likely letter of every cell; the letters spell the words."""
    beliefs = propagate(Tables.of(problem.costs), problem.costs.slots, PER_NAT)
    choice = _likeliest(problem, beliefs)
    reading = cheapest_reading(problem.costs, choice)
    by_letters = [word not in problem.costs.words[slot] for slot, word in enumerate(choice)]
    cost = None if reading is None else reading[0]
    return _answers(
        "bp", problem, SolverResult((choice, by_letters), cost, None, ""), None, beliefs
    )


def by_cpsat(problem: Problem, clock: Clock) -> Answers:
    """Find the most likely answer to the whole puzzle by CP-SAT."""
    return _exactly("cpsat", problem, clock, _solve_cpsat)


def by_rc2(problem: Problem, clock: Clock) -> Answers:
    """Find the most likely answer to the whole puzzle by MaxSAT (PySAT's RC2)."""
    return _exactly("rc2", problem, clock, _solve_rc2)


def cheapest_by_cpsat(instance: WeightedInstance) -> SolverResult:
    """Find the minimum cost by CP-SAT alone, without eliminating words first."""
    return _solve_cpsat(instance, None, Clock())


def cheapest_by_rc2(instance: WeightedInstance) -> SolverResult:
    """Find the minimum cost by RC2 alone, without eliminating words first."""
    return _solve_rc2(instance, None, Clock())


def _exactly(method: str, problem: Problem, clock: Clock, solve: Solver) -> Answers:
    """Solve in stages that admit ever less likely letters; the last stage admits every letter.

    The first answer is that of belief propagation. Each stage starts from the best answer so far
    and contains only words that a better answer may have, so the last stage proves optimality.
    """
    instance = problem.costs
    clock.on_progress("propagating beliefs")
    tables = Tables.of(instance)
    beliefs = propagate(tables, instance.slots, PER_NAT)
    best, cost = _first(instance, _likeliest(problem, beliefs))
    value, optimal, stopped = 0, False, TIME_LIMIT
    try:
        for least in _STAGES:
            if clock.left <= 0:
                break
            likely = _likely(instance, beliefs, best[0], least)
            bound = Bound.of(tables.with_letters(instance.slots, likely) if least else tables)
            value = bound.tighten(cost)
            words = sum(len(one.words) for one in bound.tables.slots)
            clock.on_progress(f"letters of {least:g} or likelier: {words} words")
            solved = SolverResult(best, cost, value >= cost, "")
            if not solved.optimal and words <= _MAX_WORDS:
                solved = _solve_stage(solve, instance, bound, best, clock, least)
            if solved.found is not None and solved.cost is not None and solved.cost < cost:
                best, cost = solved.found, solved.cost
                if instance.cost(*best) != cost:
                    raise InternalError(f"{method} says that its answer costs {cost}")
            elif solved.optimal and solved.cost != cost:
                raise InternalError(f"{method} says {solved.cost}, and an answer costs {cost}")
            if solved.stopped == INTERRUPTED:
                raise KeyboardInterrupt
            if least == 0:
                optimal = bool(solved.optimal)
                value = cost if optimal else value
                stopped = solved.stopped or ("" if optimal else _TOO_MANY)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    bound_known = value if optimal or stopped == _TOO_MANY else None
    result = SolverResult(best, cost, optimal, stopped)
    return _answers(method, problem, result, bound_known, beliefs)


def _solve_stage(
    solve: Solver,
    instance: WeightedInstance,
    bound: Bound,
    best: WeightedFill,
    clock: Clock,
    least: float,
) -> SolverResult:
    seconds = min(clock.left, _STAGE_SECONDS) if least else clock.left
    limited = Clock(None if seconds == float("inf") else seconds, clock.on_progress)
    left, saved = bound.repriced(instance.allow_repeats, instance.slots)
    solved = solve(left, best, limited)
    return solved if solved.cost is None else replace(solved, cost=solved.cost + saved)


def _likely(
    instance: WeightedInstance, beliefs: Beliefs, choice: Sequence[str], least: float
) -> dict[Cell, NDArray[np.bool_]]:
    """Return masks of the letters that are at least so likely, or are in the best answer so far."""
    likely = {cell: known >= least for cell, known in beliefs.letters.items()}
    for cells, word in zip(instance.slots, choice, strict=True):
        for cell, letter in zip(cells, word, strict=True):
            likely[cell][beliefs.tables.alphabet.index(letter)] = True
    return likely


def _likeliest(problem: Problem, beliefs: Beliefs) -> list[str]:
    letters = {cell: beliefs.best(cell) for cell in beliefs.letters}
    for slot, cells in enumerate(problem.costs.slots):
        if problem.costs.spellings[slot] is None:  # the slot can't be spelled
            for word, _ in beliefs.likeliest(slot, 1):
                letters.update(zip(cells, word, strict=True))
    return spell_out(letters, problem.costs.slots)


def _first(instance: WeightedInstance, choice: Sequence[str]) -> tuple[WeightedFill, int]:
    reading = cheapest_reading(instance, choice)
    if reading is None:
        raise InternalError("no answer can be put together from the likeliest letters")
    return (list(choice), reading[1]), reading[0]


def _solve_cpsat(
    instance: WeightedInstance, known: WeightedFill | None, clock: Clock
) -> SolverResult:
    from satcross.backends.cp_solver import CpSettings, solve_model

    encoding = WeightedModel(instance)
    if known is not None and _stands(instance, known):
        encoding.hint(*known)
    if clock.left <= 0:
        return SolverResult(None, None, False, TIME_LIMIT)
    result = solve_model(
        encoding.model,
        clock.deadline,
        CpSettings(parameters={"linearization_level": 2}, keep_on_interrupt=True),
        on_wait=lambda: clock.on_progress("cpsat at work"),
    )
    stopped = INTERRUPTED if result.interrupted else TIME_LIMIT
    if result.solution is not None:
        found = encoding.decode(result.is_true)
        return SolverResult(
            found, instance.cost(*found), result.optimal, "" if result.optimal else stopped
        )
    if result.infeasible:
        return SolverResult(None, None, True, "")
    return SolverResult(None, None, False, stopped)


def _stands(instance: WeightedInstance, known: WeightedFill) -> bool:
    """Return whether the restricted instance still allows the answer."""
    try:
        instance.cost(*known)
    except ValueError:
        return False
    return True


def _solve_rc2(
    instance: WeightedInstance, known: WeightedFill | None, clock: Clock
) -> SolverResult:
    from satcross.backends.sat.rc2 import minimise

    encoding = WeightedFormula(instance)
    try:
        result = minimise(
            encoding.hard,
            [(weight, [literal]) for weight, literal in encoding.soft],
            encoding.variables.count,
            clock.deadline,
            on_slice=lambda: clock.on_progress("rc2 at work"),
        )
    except KeyboardInterrupt:
        return SolverResult(None, None, False, INTERRUPTED)
    if not result.finished:
        return SolverResult(None, None, False, TIME_LIMIT)
    if result.model is None:
        return SolverResult(None, None, True, "")
    found = encoding.decode(result.model)
    cost, claimed = instance.cost(*found), encoding.floor + result.cost
    if cost != claimed:
        raise InternalError(f"RC2 says that an answer costs {claimed}, and it costs {cost}")
    return SolverResult(found, cost, True, "")


def _answers(
    method: str,
    problem: Problem,
    result: SolverResult,
    bound: int | None,
    beliefs: Beliefs,
) -> Answers:
    assert result.found is not None
    words, by_letters = result.found
    grid = problem.grid
    return Answers(
        method,
        tuple(words),
        tuple(by_letters),
        result.cost,
        bound,
        result.optimal,
        result.stopped,
        beliefs,
        tuple(tuple(line) for line in grid.letters(words)),
        tuple(beliefs.word(slot, word) for slot, word in enumerate(words)),
    )
