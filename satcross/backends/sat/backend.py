"""The SAT backend: clauses for PySAT's solvers, with a vocabulary that grows where it must.

Writing out every candidate of a large list costs far more than solving. So each slot starts with
its best candidates (satcross.network.word_order); a variable per slot, assumed to be false, stands
for the words not yet written out (encoders.lazy). A model is a fill. When there is none, the core
of the assumptions names the slots whose vocabulary has to grow; an empty core proves UNFILLABLE.
The idea is that of lazy clause generation and counterexample-guided refinement, applied to domains.
"""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import islice
from random import Random
from typing import ClassVar

from pysat.solvers import Solver

from satcross.backends.base import Answer, Capabilities, Listing, Optimum, Tally, Task
from satcross.backends.registry import ENCODINGS
from satcross.backends.sat.enumerate import ModelEnumerator
from satcross.backends.sat.formulas import Formula, LazyFormula, WholeFormula
from satcross.backends.sat.solver import SLICE_CONFLICTS, ask, solver_name
from satcross.backends.search.large_neighbourhood import optimise
from satcross.deadline import INTERRUPTED, TIME_LIMIT, TimeUp
from satcross.errors import UnavailableError
from satcross.network.theme_splits import split_by_theme_slots
from satcross.network.weights import Weights
from satcross.outcome import Status

_ROUND_CONFLICTS = 20_000
"""Conflicts after which all slots get more words.

Of seven middling 15x15, 21x21 and 23x23 grids with lists of 25,000 and 45,000 words, 25 s each,
this (with 1000 words per slot) filled five; 2,000 conflicts filled three."""

_GRACE_SECONDS = 0.4
"""By how much a call may be expected to run past the deadline."""

_PART_CONFLICTS = 1000
"""Conflicts of the first turn of each arrangement of theme words; they double every turn."""


class Sat:
    """Clauses for a solver of PySAT.

    Options: ``solver``, one of SOLVERS, and ``encoding``, one of ENCODINGS.
    """

    name: ClassVar[str] = "sat"
    capabilities: ClassVar[Capabilities] = Capabilities(count=True, best=True)

    def solve(self, task: Task) -> Answer:
        name = solver_name(task)
        encoding = task.options.get("encoding", ENCODINGS[0])
        if encoding not in ENCODINGS:
            raise UnavailableError(
                f"there is no encoding {encoding!r}; choose from {', '.join(ENCODINGS)}"
            )
        parts = split_by_theme_slots(task.candidates)
        answer = Answer(Status.UNFILLABLE, None, "the theme words find no places")
        conflicts, encode_seconds = _PART_CONFLICTS, 0.0
        while parts:
            open_parts = []
            for part in parts:
                answer = _solve_once(
                    replace(task, candidates=part),
                    name,
                    encoding,
                    None if len(parts) == 1 else conflicts,
                )
                encode_seconds += answer.encode_seconds
                out_of_time = answer.reason == TIME_LIMIT or task.deadline.passed
                if answer.status is Status.FILLED or out_of_time:
                    return replace(answer, encode_seconds=encode_seconds)
                if answer.status is Status.UNKNOWN:
                    open_parts.append(part)
            parts = open_parts
            conflicts *= 2
        return replace(answer, encode_seconds=encode_seconds)

    def count(self, task: Task, enough: int | None = None) -> Tally:
        found, reason = 0, ""
        try:
            models = ModelEnumerator(task)
        except TimeUp:
            return Tally(0, False, TIME_LIMIT)
        with models:
            try:
                for sets in models:
                    found += models.choices(sets)
                    if enough is not None and found >= enough:
                        break
                    task.on_progress(f"sat: at least {found:,} fills")
                else:
                    reason = models.reason
            except KeyboardInterrupt:
                reason = INTERRUPTED
            except TimeUp:
                reason = TIME_LIMIT
            return Tally(found, models.exhausted, reason, models.stats, models.encode_seconds)

    def several(self, task: Task, number: int) -> Listing:
        fills: list[tuple[str, ...]] = []
        try:
            models = ModelEnumerator(task)
        except TimeUp:
            return Listing((), False, TIME_LIMIT)
        with models:
            try:
                for sets in models:
                    fills += islice(models.each_choice(sets), number - len(fills))
                    if len(fills) >= number:
                        return Listing(tuple(fills), False)
                    task.on_progress(f"sat: {len(fills):,} fills")
            except KeyboardInterrupt:
                return Listing(tuple(fills), False, INTERRUPTED)
            return Listing(tuple(fills), models.exhausted, models.reason)

    def best(self, task: Task, weights: Weights) -> Optimum:
        from satcross.backends.sat.rc2 import maximise

        return optimise(task, weights, self, maximise)


def _solve_once(
    task: Task, solver_name: str, encoding: str, max_conflicts: int | None = None
) -> Answer:
    """Write and solve one formula; the answer is UNKNOWN after about ``max_conflicts``."""
    started = time.perf_counter()
    with Solver(name=solver_name) as solver:
        formula: Formula
        try:
            if encoding == "lazy":
                formula = LazyFormula(task.candidates, solver, Random(task.seed), task.deadline)
            else:
                formula = WholeFormula(task.candidates, solver, encoding, task.deadline)
        except TimeUp:
            seconds = time.perf_counter() - started
            return Answer(Status.UNKNOWN, None, TIME_LIMIT, encode_seconds=seconds)
        encode_seconds = time.perf_counter() - started
        answer = _refine(task, solver, formula, max_conflicts)
        stats = {"solver": solver_name, "encoding": encoding, **formula.stats}
        return replace(answer, stats=stats, encode_seconds=encode_seconds)


def _refine(task: Task, solver: Solver, formula: Formula, max_conflicts: int | None) -> Answer:
    """Solve and grow in turns, until there is an answer or a limit is reached."""
    try:
        return _refine_in_time(task, solver, formula, max_conflicts)
    except TimeUp:
        return Answer(Status.UNKNOWN, None, TIME_LIMIT)


def _refine_in_time(
    task: Task, solver: Solver, formula: Formula, max_conflicts: int | None
) -> Answer:
    """Do the same, and raise TimeUp at the deadline."""
    spent, allowed = 0, _ROUND_CONFLICTS
    total = 0
    seconds = 0.0  # of the last call
    conflicts = SLICE_CONFLICTS
    while True:
        task.deadline.check()
        assumptions = formula.assumptions
        # A call is made shorter only when the deadline is near, and not made at all when another
        # one like the last would end too late: some solvers look at their limits at restarts only.
        if seconds > task.deadline.left + _GRACE_SECONDS:
            raise TimeUp
        if seconds > task.deadline.left:
            conflicts = max(10, conflicts // 2)
        started = time.perf_counter()
        satisfiable = ask(solver, assumptions, conflicts)
        seconds = time.perf_counter() - started
        if satisfiable:
            words = formula.read()
            if words is not None:
                return Answer(Status.FILLED, words)
        elif satisfiable is False:
            core = solver.get_core() or []
            if not core:
                return Answer(Status.UNFILLABLE, None, "the clauses are unsatisfiable")
            formula.grow(core)
            spent = 0
        else:
            spent += conflicts
            total += conflicts
            if max_conflicts is not None and total >= max_conflicts:
                return Answer(Status.UNKNOWN, None, "enough conflicts")
            if spent >= allowed and assumptions:
                formula.grow(None)
                spent, allowed = 0, 2 * allowed
        task.on_progress(f"sat: {formula.clauses} clauses, {formula.rounds} rounds")
