"""Choose words that agree at crossings: optimally by CP-SAT, or by letter beliefs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from encoders import Cell, WeightedFill, WeightedInstance, WeightedModel
from satcross.answer.choosing.belief_propagation import Beliefs, propagate
from satcross.answer.choosing.lagrangian_bound import Bound
from satcross.answer.choosing.methods import INTERRUPTED, TIME_LIMIT, Answers
from satcross.answer.choosing.problem import PER_NAT, Problem
from satcross.answer.choosing.tables import LetterTables, cheapest_reading, spell_out
from satcross.errors import InternalError
from satcross.run_settings import NEVER, Deadline, OnProgress, ignore_progress

_STAGES = (0.03, 0.003, 0.0003, 0.0)
"""Letters less likely than this are left out of a stage. On a 15x15 with 500,000 words, 0.03 leaves
500 words; the best answer from these, found in half a second, remained the best."""
_STAGE_SECONDS = 8.0
_MAX_WORDS = 150_000
"""Words that are given to CP-SAT at the most; more would take gigabytes."""
_TOO_MANY = "too many words for a proof of optimality"


@dataclass(frozen=True, slots=True)
class SolverResult:
    """Result of a solver: an answer and its cost, or None, and whether it is proved optimal."""

    found: WeightedFill | None
    cost: int | None
    optimal: bool | None
    """None when nothing was to be proved."""
    stopped: str = ""


def by_belief(problem: Problem, deadline: Deadline, on_progress: OnProgress) -> Answers:
    """Choose the most likely letter of every cell; the letters spell the words."""
    beliefs = propagate(LetterTables.of(problem.costs), problem.costs.slots, PER_NAT)
    choice = _likeliest(problem, beliefs)
    reading = cheapest_reading(problem.costs, choice)
    by_letters = [word not in problem.costs.words[slot] for slot, word in enumerate(choice)]
    cost = None if reading is None else reading[0]
    return _answers("bp", problem, SolverResult((choice, by_letters), cost, None), None, beliefs)


def by_cpsat(problem: Problem, deadline: Deadline, on_progress: OnProgress) -> Answers:
    """Find the most likely answer in stages that admit ever less likely letters.

    The first answer is that of belief propagation. Each stage starts from the best answer so far
    and contains only words that a better answer may have. The last stage admits every letter, and
    so proves optimality.
    """
    instance = problem.costs
    on_progress("propagating beliefs")
    tables = LetterTables.of(instance)
    beliefs = propagate(tables, instance.slots, PER_NAT)
    best, cost = _first(instance, _likeliest(problem, beliefs))
    value, is_optimal, stopped = 0, False, TIME_LIMIT
    try:
        for floor in _STAGES:
            if deadline.passed:
                break
            likely = _likely(instance, beliefs, best[0], floor)
            bound = Bound.of(tables.with_letters(instance.slots, likely) if floor else tables)
            value = bound.tighten(cost)
            words = sum(len(table.words) for table in bound.tables.slots)
            on_progress(f"letters of {floor:g} or likelier: {words} words")
            solved = SolverResult(best, cost, value >= cost)
            if not solved.optimal and words <= _MAX_WORDS:
                limit = deadline.within(_STAGE_SECONDS) if floor else deadline
                solved = _solve_stage(instance, bound, best, limit, on_progress)
            if solved.found is not None and solved.cost is not None and solved.cost < cost:
                best, cost = solved.found, solved.cost
                if instance.cost(*best) != cost:
                    raise InternalError(f"cpsat says that its answer costs {cost}")
            elif solved.optimal and solved.cost != cost:
                raise InternalError(f"cpsat says {solved.cost}, and an answer costs {cost}")
            if not floor:
                is_optimal = bool(solved.optimal)
                value = cost if is_optimal else value
                stopped = solved.stopped or ("" if is_optimal else _TOO_MANY)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    proved = value if is_optimal or stopped == _TOO_MANY else None
    result = SolverResult(best, cost, is_optimal, stopped)
    return _answers("cpsat", problem, result, proved, beliefs)


def _solve_stage(
    instance: WeightedInstance,
    bound: Bound,
    best: WeightedFill,
    deadline: Deadline,
    on_progress: OnProgress,
) -> SolverResult:
    """Solve the words that are left. Raises KeyboardInterrupt when the solver was interrupted."""
    left, saved = bound.repriced(instance.allow_repeats, instance.slots)
    solved = cheapest_by_cpsat(left, best, deadline, on_progress)
    if solved.stopped == INTERRUPTED:
        raise KeyboardInterrupt
    return solved if solved.cost is None else replace(solved, cost=solved.cost + saved)


def _likely(
    instance: WeightedInstance, beliefs: Beliefs, choice: Sequence[str], floor: float
) -> dict[Cell, NDArray[np.bool_]]:
    """Return masks of the letters that are likely enough, or are in the best answer so far."""
    likely = {cell: known >= floor for cell, known in beliefs.letters.items()}
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


def cheapest_by_cpsat(
    instance: WeightedInstance,
    known: WeightedFill | None = None,
    deadline: Deadline = NEVER,
    on_progress: OnProgress = ignore_progress,
) -> SolverResult:
    """Find the minimum cost by CP-SAT alone, from a known answer if there is one."""
    from satcross.backends.cp_solver import CpSettings, solve_model

    encoding = WeightedModel(instance)
    if known is not None and _stands(instance, known):
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


def _stands(instance: WeightedInstance, known: WeightedFill) -> bool:
    """Return whether the restricted instance still allows the answer."""
    try:
        instance.cost(*known)
    except ValueError:
        return False
    return True


def _answers(
    method: str, problem: Problem, result: SolverResult, bound: int | None, beliefs: Beliefs
) -> Answers:
    assert result.found is not None
    words, by_letters = result.found
    return Answers(
        method,
        tuple(words),
        tuple(by_letters),
        result.cost,
        bound,
        result.optimal,
        result.stopped,
        beliefs,
        tuple(map(tuple, problem.grid.letters(words))),
    )
