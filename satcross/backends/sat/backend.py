"""The SAT backend: clauses for PySAT's solvers, with a vocabulary that grows where it must.

A large puzzle is first narrowed to the words that most fills are made of
(satcross.network.narrowing). These formulas are small and often have a model; one without proves
nothing, and the next one has more words. With several workers, such searches race.

The formula of the whole puzzle takes turns with them. Writing out every candidate of a large list
costs far more than solving. So each slot starts with its best candidates
(satcross.network.word_order); a variable per slot, assumed to be false, stands for the words not
yet written out (encoders.lazy). A model is a fill. When there is none, the core of the assumptions
names the slots whose vocabulary has to grow; an empty core proves UNFILLABLE. The idea is that of
lazy clause generation and counterexample-guided refinement, applied to domains.

Experimental, with the option ``tables`` set to "on": in an open grid, where every cell is crossed,
CaDiCaL searches on letters alone in every other turn, the slots being tables that a propagator
explains lazily (satcross.backends.sat.tables).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from math import inf
from typing import ClassVar

from satcross.backends.base import Answer, Capabilities, Listing, Optimum, Tally, Task
from satcross.backends.narrowed import may_be_narrowed, race_narrowings
from satcross.backends.racers import can_race
from satcross.backends.registry import ENCODINGS
from satcross.backends.sat.enumerate import ModelEnumerator
from satcross.backends.sat.search import Asked, PuzzleSearch
from satcross.backends.sat.solver import solver_name
from satcross.backends.search.large_neighbourhood import optimise
from satcross.deadline import INTERRUPTED, TIME_LIMIT, TimeUp
from satcross.errors import UnavailableError
from satcross.network.narrowing import Narrowing
from satcross.network.theme_splits import split_by_theme_slots
from satcross.network.weights import Weights
from satcross.outcome import Status

_PART_CONFLICTS = 1000
"""Conflicts of the first turn of each arrangement of theme words; they double every turn."""


class Sat:
    """Clauses for a solver of PySAT.

    Options: ``solver``, one of SOLVERS; ``encoding``, one of ENCODINGS; ``narrowing``, a value of
    ``Narrowing``, for the encoding ``lazy``.
    """

    name: ClassVar[str] = "sat"
    capabilities: ClassVar[Capabilities] = Capabilities(count=True, best=True)

    def solve(self, task: Task) -> Answer:
        asked = Asked(solver_name(task), task.options.get("encoding", ENCODINGS[0]))
        if asked.encoding not in ENCODINGS:
            raise UnavailableError(
                f"there is no encoding {asked.encoding!r}; choose from {', '.join(ENCODINGS)}"
            )
        narrowing = task.narrowing
        if asked.encoding != "lazy" or not may_be_narrowed(task.candidates):
            narrowing = Narrowing.NONE
        elif task.workers > 1 and can_race():
            return race_narrowings(task, self.name)
        parts = split_by_theme_slots(task.candidates)
        answer = Answer(Status.UNFILLABLE, None, "the theme words find no places")
        conflicts, encode_seconds = _PART_CONFLICTS, 0.0
        while parts:
            open_parts = []
            for part in parts:
                with PuzzleSearch(replace(task, candidates=part), asked, narrowing) as search:
                    answer = search.run(inf if len(parts) == 1 else conflicts)
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
