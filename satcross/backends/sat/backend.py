"""The SAT backend: clause learning on letters, and clauses for PySAT's solvers.

A large puzzle is searched by compiled code of our own, where it is installed and the rules allow it
(satcross.backends.sat.letter_search): CDCL whose only variables are the letters of crossings, with
the slots as tables that explain lazily what follows from them. Searches of the whole puzzle and of
puzzles narrowed to the words that most fills are made of (satcross.network.narrowing) take turns;
with several workers, they race. A narrowed puzzle without a fill proves nothing, and the next one
has more words.

Otherwise, and if a solver or an encoding is named, the solvers read formulas. Writing out every
candidate of a large list costs far more than solving. So each slot starts with its best candidates
(satcross.network.word_order); a variable per slot, assumed to be false, stands for the words not
yet written out (encoders.lazy). A model is a fill. When there is none, the core of the assumptions
names the slots whose vocabulary has to grow; an empty core proves UNFILLABLE. The idea is that of
lazy clause generation and counterexample-guided refinement, applied to domains.
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
from satcross.backends.sat.search import PuzzleSearch, SolverChoice
from satcross.backends.sat.solver import solver_name
from satcross.backends.search.large_neighbourhood import optimise
from satcross.errors import UnavailableError
from satcross.network.narrowing import Narrowing
from satcross.network.theme_splits import split_by_theme_slots
from satcross.network.weights import Weights
from satcross.outcome import Status
from satcross.run_settings import INTERRUPTED, TIME_LIMIT, TimeUp

_PART_CONFLICTS = 1000
"""Conflicts of the first turn of each arrangement of theme words; they double every turn."""


class Sat:
    """Clause learning on letters, or clauses for a solver of PySAT.

    Options: ``solver``, one of SOLVERS, and ``encoding``, one of ENCODINGS, each of which asks for
    clauses; ``narrowing``, a value of ``Narrowing``, unless the encoding is not ``lazy``.
    """

    name: ClassVar[str] = "sat"
    capabilities: ClassVar[Capabilities] = Capabilities(count=True, best=True)

    def solve(self, task: Task) -> Answer:
        free = not {"solver", "encoding"} & task.options.keys()
        asked = SolverChoice(
            solver_name(task),
            task.options.get("encoding", ENCODINGS[0]),
            letters=free and may_be_narrowed(task.candidates),
        )
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
