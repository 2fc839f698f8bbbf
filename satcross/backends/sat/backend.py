"""The SAT backend: the puzzle as clauses, for a solver of PySAT.

Writing out every candidate of a large list costs far more than solving. So the solver looks for
fills with letters as its only variables, and clauses are made when it asks for them
(``letter_solver``): first in puzzles narrowed to the likeliest words
(satcross.network.narrowing), as few as have a fill by the estimate, then in the whole one. A
formula proves that there is no fill. It also finds fills where there is no compiled code, for the
rules that this does not know, and where a solver or an encoding was asked for.

In the formula of the whole puzzle, each slot starts with its best candidates
(``Ranking``); a variable per slot, assumed to be false, stands for the words not
yet written out (encoders.lazy). A model is a fill. When there is none, the core of the assumptions
names the slots whose vocabulary has to grow; an empty core proves UNFILLABLE. The idea is that of
lazy clause generation and counterexample-guided refinement, applied to domains.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from satcross.backends.base import Answer, Capabilities, Listing, Optimum, Tally, Task, Words
from satcross.backends.letter_tables import letter_tables
from satcross.backends.narrowed import MAX_NARROWED_CANDIDATES, Learner, solve_in_turns
from satcross.backends.registry import ENCODINGS
from satcross.backends.sat.solver import solver_name
from satcross.errors import UnavailableError
from satcross.network.arc_consistency import Candidates
from satcross.network.narrowing import Narrowing, estimated_left_out, may_be_narrowed
from satcross.run_settings import INTERRUPTED, TIME_LIMIT, TimeUp

if TYPE_CHECKING:
    from satcross.backends.narrowed import PausedSearch
    from satcross.backends.sat.formulas import FormulaSearch
    from satcross.backends.sat.letter_solver import LetterSolver
    from satcross.network.belief_propagation import Marginals
    from satcross.network.weights import Weights


class Sat:
    """Clauses for a solver of PySAT.

    Options: ``solver``, one of SOLVERS, which works on formulas alone, and ``encoding``, one of
    ENCODINGS; ``narrowing``, a value of ``Narrowing``, unless the encoding is not ``lazy``.
    """

    name: ClassVar[str] = "sat"
    capabilities: ClassVar[Capabilities] = Capabilities(count=True, best=True)

    def solve(self, task: Task) -> Answer:
        solver, encoding = solver_name(task), task.options.get("encoding", ENCODINGS[0])
        if encoding not in ENCODINGS:
            raise UnavailableError(
                f"there is no encoding {encoding!r}; choose from {', '.join(ENCODINGS)}"
            )
        narrowing = task.narrowing
        if encoding != "lazy" or not may_be_narrowed(task.candidates):
            narrowing = Narrowing.NONE
        return solve_in_turns(task, narrowing, partial(_learner, solver, encoding))

    def count(self, task: Task, enough: int | None = None) -> Tally:
        return _enumerate(task, enough)

    def several(self, task: Task, number: int) -> Listing:
        fills: list[Words] = []
        tally = _enumerate(task, number, fills)
        return Listing(tuple(fills), tally.exact, tally.reason)

    def best(self, task: Task, weights: Weights) -> Optimum:
        from satcross.backends.sat.rc2 import maximise
        from satcross.backends.search.large_neighbourhood import optimise

        return optimise(task, weights, self, maximise)


def _enumerate(task: Task, enough: int | None, fills: list[Words] | None = None) -> Tally:
    """Count the fills, up to about ``enough``, or find that many and append them to ``fills``."""
    from satcross.backends.sat.enumerate import ModelEnumerator

    found, reason = 0, ""
    try:
        models = ModelEnumerator(task)
    except TimeUp:
        return Tally(0, False, TIME_LIMIT)
    with models:
        try:
            for sets in models:
                if fills is None:
                    found += models.choices(sets)
                    task.on_progress(f"sat: at least {found:,} fills")
                else:
                    fills += islice(models.each_choice(sets), (enough or 0) - found)
                    found = len(fills)
                    task.on_progress(f"sat: {found:,} fills")
                if enough is not None and found >= enough:
                    break
            else:
                reason = models.reason
        except KeyboardInterrupt:
            reason = INTERRUPTED
        except TimeUp:
            reason = TIME_LIMIT
        return Tally(found, models.exhausted, reason, models.stats, models.encode_seconds)


def _learner(solver: str, encoding: str, task: Task) -> Learner:
    def on_letters(candidates: Candidates) -> LetterSolver | None:
        if "solver" in task.options or encoding != "lazy":
            return None
        tables = letter_tables(candidates)
        if tables is None:
            return None
        from satcross.backends.sat.letter_solver import LetterSolver

        return LetterSolver(task, candidates, tables)

    def formula() -> FormulaSearch:
        from satcross.backends.sat.formulas import FormulaSearch

        return FormulaSearch(task, solver, encoding)

    def whole() -> PausedSearch:
        letters = on_letters(task.candidates)
        if letters is None:
            return formula()
        from satcross.backends.sat.letter_solver import LettersFirst

        return LettersFirst(letters, formula)

    def narrowed(candidates: Candidates, marginals: Marginals) -> PausedSearch | None:
        if letters := on_letters(candidates):
            return letters
        if len(candidates) > MAX_NARROWED_CANDIDATES:
            return None
        from satcross.backends.sat.formulas import FormulaSearch

        return FormulaSearch(replace(task, candidates=candidates), solver, "full", marginals)

    return Learner(
        whole,
        narrowed,
        first_left_out=estimated_left_out,
        whole_every=0,
        stats={"solver": solver, "encoding": encoding},
    )
