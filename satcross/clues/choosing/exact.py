"""Choosing words that agree: exactly, by CP-SAT or MaxSAT, or letter by letter, by beliefs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from encoders import Cell, WeightedFill, WeightedFormula, WeightedInstance, WeightedModel
from satcross.clues.choosing.belief_propagation import Beliefs, propagate
from satcross.clues.choosing.lagrangian_bound import Bound
from satcross.clues.choosing.methods import INTERRUPTED, TIME_LIMIT, Answers, Clock
from satcross.clues.choosing.problem import PER_NAT, Problem
from satcross.clues.choosing.tables import Tables, cheapest_reading, spell_out
from satcross.errors import InternalError

_STAGES = (0.03, 0.003, 0.0003, 0.0)
"""Letters less likely than this are left out of a stage. Measured on a 15x15 with 500,000 words:
0.03 leaves 500 words, and their best answer, found in half a second, stayed the best."""
_STAGE_SECONDS = 8.0
_MOST_WORDS = 150_000
"""More would take CP-SAT gigabytes."""
_TOO_MANY = "too many words to prove that nothing is likelier"


@dataclass(frozen=True, slots=True)
class Solved:
    """What a solver said: an answer with its cost, and whether nothing costs less."""

    found: WeightedFill | None
    cost: int | None
    optimal: bool
    stopped: str


Solver = Callable[[WeightedInstance, WeightedFill | None, Clock], Solved]


def by_belief(question: Problem, clock: Clock) -> Answers:
    """The likeliest letter of every cell; the words are what they spell."""
    beliefs = propagate(Tables.of(question.costs), question.costs.slots, PER_NAT)
    choice = _likeliest(question, beliefs)
    reading = cheapest_reading(question.costs, choice)
    by_letters = [word not in question.costs.words[slot] for slot, word in enumerate(choice)]
    cost = None if reading is None else reading[0]
    return _answers("bp", question, (choice, by_letters), cost, None, None, "", beliefs)


def by_cpsat(question: Problem, clock: Clock) -> Answers:
    """The likeliest answer to the whole puzzle, by CP-SAT."""
    return _exactly("cpsat", question, clock, _solve_cpsat)


def by_rc2(question: Problem, clock: Clock) -> Answers:
    """The likeliest answer to the whole puzzle, by PySAT's RC2 (MaxSAT)."""
    return _exactly("rc2", question, clock, _solve_rc2)


def cheapest_by_cpsat(question: WeightedInstance) -> Solved:
    """The least cost by CP-SAT alone, nothing left out beforehand."""
    return _solve_cpsat(question, None, Clock())


def cheapest_by_rc2(question: WeightedInstance) -> Solved:
    """The least cost by RC2 alone, nothing left out beforehand."""
    return _solve_rc2(question, None, Clock())


def _exactly(method: str, question: Problem, clock: Clock, solve: Solver) -> Answers:
    """Solve with the letters that beliefs call likely, then with ever fewer of them left out.

    The beliefs' own answer comes first. Each stage begins with the best so far and has only words
    that a better answer may have. The last stage has every letter: its answer is the cheapest.
    """
    asked = question.costs
    clock.on_progress("propagating beliefs")
    tables = Tables.of(asked)
    beliefs = propagate(tables, asked.slots, PER_NAT)
    best, cost = _first(asked, _likeliest(question, beliefs))
    value, optimal, stopped = 0, False, TIME_LIMIT
    try:
        for least in _STAGES:
            if clock.left <= 0:
                break
            likely = _likely(asked, beliefs, best[0], least)
            bound = Bound.of(tables.with_letters(asked.slots, likely) if least else tables)
            value = bound.tighten(cost)
            words = sum(len(one.words) for one in bound.tables.slots)
            clock.on_progress(f"letters of {least:g} or likelier: {words} words")
            solved = Solved(best, cost, value >= cost, "")
            if not solved.optimal and words <= _MOST_WORDS:
                seconds = min(clock.left, _STAGE_SECONDS) if least else clock.left
                limited = Clock(None if seconds == float("inf") else seconds, clock.on_progress)
                left, saved = bound.repriced(asked.allow_repeats, asked.slots)
                solved = solve(left, best, limited)
                if solved.cost is not None:
                    solved = replace(solved, cost=solved.cost + saved)
            if solved.found is not None and solved.cost is not None and solved.cost < cost:
                best, cost = solved.found, solved.cost
                if asked.cost(*best) != cost:
                    raise InternalError(f"{method} says that its answer costs {cost}")
            elif solved.optimal and solved.cost != cost:
                raise InternalError(f"{method} says {solved.cost}, and an answer costs {cost}")
            if solved.stopped == INTERRUPTED:
                raise KeyboardInterrupt
            if least == 0:
                optimal = solved.optimal
                value = cost if optimal else value
                stopped = solved.stopped or ("" if optimal else _TOO_MANY)
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    bound_known = value if optimal or stopped == _TOO_MANY else None
    return _answers(method, question, best, cost, bound_known, optimal, stopped, beliefs)


def _likely(
    asked: WeightedInstance, beliefs: Beliefs, choice: Sequence[str], least: float
) -> dict[Cell, NDArray[np.bool_]]:
    """The letters of every cell that are so likely, and those of the answer there is."""
    likely = {cell: known >= least for cell, known in beliefs.letters.items()}
    for cells, word in zip(asked.slots, choice, strict=True):
        for cell, letter in zip(cells, word, strict=True):
            likely[cell][beliefs.tables.alphabet.index(letter)] = True
    return likely


def _likeliest(question: Problem, beliefs: Beliefs) -> list[str]:
    letters = {cell: beliefs.best(cell) for cell in beliefs.letters}
    for slot, cells in enumerate(question.costs.slots):
        if question.costs.spellings[slot] is None:  # only its own words will do there
            for word, _ in beliefs.likeliest(slot, 1):
                letters.update(zip(cells, word, strict=True))
    return spell_out(letters, question.costs.slots)


def _first(asked: WeightedInstance, choice: Sequence[str]) -> tuple[WeightedFill, int]:
    reading = cheapest_reading(asked, choice)
    if reading is None:
        raise InternalError("no answer can be put together from the likeliest letters")
    return (list(choice), reading[1]), reading[0]


def _solve_cpsat(question: WeightedInstance, known: WeightedFill | None, clock: Clock) -> Solved:
    from satcross.backends.cp_solver import solve_model

    encoding = WeightedModel(question)
    if known is not None and _stands(question, known):
        encoding.hint(*known)
    if clock.left <= 0:
        return Solved(None, None, False, TIME_LIMIT)
    result = solve_model(
        encoding.model,
        clock.deadline,
        parameters={"linearization_level": 2},
        on_wait=lambda: clock.on_progress("cpsat at work"),
        keep_on_interrupt=True,
    )
    stopped = INTERRUPTED if result.interrupted else TIME_LIMIT
    if result.solution is not None:
        found = encoding.decode(result.is_true)
        return Solved(
            found, question.cost(*found), result.optimal, "" if result.optimal else stopped
        )
    if result.infeasible:
        return Solved(None, None, True, "")
    return Solved(None, None, False, stopped)


def _stands(question: WeightedInstance, known: WeightedFill) -> bool:
    """Whether the narrowed question still has everything that the answer uses."""
    try:
        question.cost(*known)
    except ValueError:
        return False
    return True


def _solve_rc2(question: WeightedInstance, known: WeightedFill | None, clock: Clock) -> Solved:
    from satcross.backends.sat.rc2 import minimise

    encoding = WeightedFormula(question)
    try:
        result = minimise(
            encoding.hard,
            [(weight, [literal]) for weight, literal in encoding.soft],
            encoding.variables.count,
            clock.deadline,
            on_slice=lambda: clock.on_progress("rc2 at work"),
        )
    except KeyboardInterrupt:
        return Solved(None, None, False, INTERRUPTED)
    if not result.finished:
        return Solved(None, None, False, TIME_LIMIT)
    if result.model is None:
        return Solved(None, None, True, "")
    found = encoding.decode(result.model)
    cost, claimed = question.cost(*found), encoding.floor + result.cost
    if cost != claimed:
        raise InternalError(f"RC2 says that an answer costs {claimed}, and it costs {cost}")
    return Solved(found, cost, True, "")


def _answers(
    method: str,
    question: Problem,
    found: WeightedFill,
    cost: int | None,
    bound: int | None,
    optimal: bool | None,
    stopped: str,
    beliefs: Beliefs,
) -> Answers:
    words, by_letters = found
    grid = question.grid
    return Answers(
        method,
        tuple(words),
        tuple(by_letters),
        cost,
        bound,
        optimal,
        stopped,
        beliefs,
        tuple(tuple(line) for line in grid.letters(words)),
        tuple(beliefs.word(slot, word) for slot, word in enumerate(words)),
    )
