"""Searches by a solver of PySAT whose variables are letters: no clause is written for a word.

The slots are tables in compiled code (``LetterPropagator``), which tells the solver what follows
from its letters, and explains it by a clause when the solver learns from a contradiction. So the
solver learns about letters, where formulas teach it about words: hard fills take it a tenth of the
conflicts. It is asked for fills only. When it has refuted the whole puzzle, the formula of the
puzzle, in which no code of ours takes part, has to do the same (``LettersFirst``).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING

from pysat.solvers import Solver

from satcross.backends.base import Stats, Task, Words
from satcross.backends.letter_tables import (
    DEFAULTS,
    WordChoice,
    crossings_of,
    first_activities,
)
from satcross.backends.sat.solver import ask
from satcross.engine.letters import LetterPropagator
from satcross.engine.puzzle import CompiledPuzzle
from satcross.network.arc_consistency import Candidates
from satcross.outcome import Status

if TYPE_CHECKING:
    from satcross.backends.sat.formulas import FormulaSearch

_SOLVER = "cadical195"

_OPTIONS = {
    "stabilizeonly": 1,
    "reluctant": DEFAULTS.restart_unit,  # restarts by Luby's sequence
    # Each has made CaDiCaL crash with a propagator (docs/lab-notebook.md).
    "chrono": 0,
    "ilb": 0,
    "shrink": 0,
}

_SLICE_CONFLICTS = 100
"""Conflicts of a call, a tenth of a second: Ctrl-C has to wait for its end."""


_FORMULA_EVERY = 8
"""One turn of the whole puzzle in so many goes to its formula, which takes seconds to write."""


class _Propagator(LetterPropagator):
    """The slots of a puzzle; ``words`` are those of the model that it has accepted."""

    is_lazy = False

    def __init__(self, task: Task, candidates: Candidates, puzzle: CompiledPuzzle) -> None:
        distinct = not candidates.network.puzzle.allow_repeats
        activities = first_activities(task, candidates)
        super().__init__(puzzle, candidates.root, distinct, DEFAULTS, activities)
        self._candidates = candidates
        self.words: Words | None = None

    def accept(self) -> bool:
        choice = WordChoice(self._candidates, self.domains())
        if too_few := choice.make():
            self.exclude(crossings_of(self._candidates, too_few))
            return False
        self.words = choice.words
        return True


class LetterSolver:
    """A search that can be paused and resumed; ``words`` is the fill that it has found."""

    def __init__(self, task: Task, candidates: Candidates, puzzle: CompiledPuzzle) -> None:
        started = time.perf_counter()
        self._task = task
        self._slots = _Propagator(task, candidates, puzzle)
        self._solver = Solver(name=_SOLVER)
        self._solver.configure(_OPTIONS)
        variables = self._slots.variables()
        clauses = [clause for letters in variables for clause in _one_letter(letters)]
        self._solver.append_formula(clauses)
        self._solver.connect_propagator(self._slots)
        for letters in variables:
            for letter in letters:
                self._solver.observe(letter)
        self._variables, self._clauses = sum(map(len, variables)), len(clauses)
        self.encode_seconds = time.perf_counter() - started

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    @property
    def words(self) -> Words | None:
        return self._slots.words

    @property
    def stats(self) -> Stats:
        return {
            "solver": _SOLVER,
            "variables": self._variables,
            "clauses": self._clauses,
            "conflicts": self._conflicts,
        }

    @property
    def _conflicts(self) -> int:
        return int((self._solver.accum_stats() or {}).get("conflicts", 0))

    def run(self, max_conflicts: float) -> Status:
        """Search until there is an answer, or for about ``max_conflicts``.

        Raises TimeUp when the deadline passes.
        """
        last = self._conflicts + max_conflicts
        while self._conflicts < last:
            self._task.deadline.check()
            satisfiable = ask(self._solver, [], _SLICE_CONFLICTS)
            if satisfiable is not None:
                return Status.FILLED if satisfiable else Status.UNFILLABLE
            self._task.on_progress(f"sat: {self._conflicts} conflicts on letters")
        return Status.UNKNOWN


def _one_letter(variables: list[int]) -> list[list[int]]:
    return [variables, *([-a, -b] for a, b in combinations(variables, 2))]


class LettersFirst:
    """A search of the whole puzzle, on letters; its formula has a turn now and then.

    When the letters have been refuted, the formula has every turn. ``begin`` writes it.
    """

    def __init__(self, letters: LetterSolver, begin: Callable[[], FormulaSearch]) -> None:
        self._letters, self._begin = letters, begin
        self._last: LetterSolver | FormulaSearch = letters
        self._formula: FormulaSearch | None = None
        self._refuted = False
        self._turns = 0

    def close(self) -> None:
        """Free the solvers."""
        self._letters.close()
        if self._formula is not None:
            self._formula.close()

    @property
    def encode_seconds(self) -> float:
        seconds = self._letters.encode_seconds
        return seconds + (self._formula.encode_seconds if self._formula else 0.0)

    @property
    def words(self) -> Words | None:
        return self._last.words

    @property
    def stats(self) -> Stats:
        return self._last.stats

    def run(self, max_conflicts: float) -> Status:
        """Take a turn. Raises TimeUp when the deadline passes."""
        self._turns += 1
        if not self._refuted and self._turns % _FORMULA_EVERY:
            self._last = self._letters
            status = self._letters.run(max_conflicts)
            if status is not Status.UNFILLABLE:
                return status
            self._refuted = True
        if self._formula is None:
            self._formula = self._begin()
        self._last = self._formula
        return self._formula.run(max_conflicts)
