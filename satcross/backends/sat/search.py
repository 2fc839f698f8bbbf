"""Searches by SAT solvers that can be paused and resumed: of one formula, or of several."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from random import Random

from pysat.solvers import Solver

from satcross import engine
from satcross.backends.base import Answer, Stats, Task
from satcross.backends.narrowed import MAX_NARROWED_CANDIDATES
from satcross.backends.sat.formulas import Formula, LazyFormula, WholeFormula
from satcross.backends.sat.letter_search import LetterSearch
from satcross.backends.sat.solver import SLICE_CONFLICTS, ask
from satcross.backends.search.cell_sweep import is_dense
from satcross.network.arc_consistency import Candidates
from satcross.network.belief_propagation import Marginals
from satcross.network.narrowing import Narrowing, Schedule, Widening, first_left_out
from satcross.outcome import Status
from satcross.run_settings import TIME_LIMIT, Deadline, TimeUp

_ROUND_CONFLICTS = 20_000
"""Conflicts after which all slots get more words.

Of seven middling 15x15, 21x21 and 23x23 grids with lists of 25,000 and 45,000 words, 25 s each,
this (with 1000 words per slot) filled five; 2,000 conflicts filled three."""

_GRACE_SECONDS = 0.2
"""By how much a call may be expected to run past the deadline."""

_TURN_CONFLICTS = 2 * SLICE_CONFLICTS
"""Conflicts of a turn: half a second or so."""

_WHOLE_TURNS = 6
"""Turns of the whole puzzle for each narrowed one that is refuted: where narrowing fails, writing
its formulas takes longer than to fill or refute the whole puzzle (docs/lab-notebook.md)."""


_LETTERS_EVERY = 4
"""One turn in so many goes to the letters of the whole puzzle, which cost nothing to write."""

_FIRST_CONFLICTS = 100
"""Conflicts (of a formula) on the letters of the whole puzzle before anything is estimated."""


@dataclass(frozen=True, slots=True)
class SolverChoice:
    """The names of a solver of PySAT and of an encoding; ``letters`` if both are the defaults.

    Then compiled clause learning on letters may take the place of the solver and its formulas.
    """

    solver: str
    encoding: str
    letters: bool = False


class FormulaSearch:
    """A solver and the formula of some candidates, which grows where it must.

    Use it in a ``with`` block. Raises TimeUp when the deadline passes, here or in ``run``.
    """

    def __init__(self, task: Task, candidates: Candidates, asked: SolverChoice) -> None:
        started = time.perf_counter()
        self._task = task
        self._solver = Solver(name=asked.solver)
        self.words: tuple[str, ...] | None = None
        self._spent, self._allowed = 0, _ROUND_CONFLICTS
        self._seconds = 0.0  # of the last call
        self._slice = SLICE_CONFLICTS
        self._formula: Formula
        try:
            if asked.encoding == "lazy":
                self._formula = LazyFormula(
                    candidates, self._solver, Random(task.seed), task.deadline
                )
            else:
                self._formula = WholeFormula(
                    candidates, self._solver, asked.encoding, task.deadline
                )
        except BaseException:
            self._solver.delete()
            raise
        self.encode_seconds = time.perf_counter() - started

    def __enter__(self) -> FormulaSearch:
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.delete()

    @property
    def stats(self) -> Stats:
        return self._formula.stats

    def run(self, max_conflicts: float) -> Status:
        """Solve and grow until there is an answer, or for about ``max_conflicts``."""
        while max_conflicts > 0:
            conflicts = self._slice
            satisfiable = self._ask()
            max_conflicts -= conflicts
            if satisfiable:
                self.words = self._formula.read()
                if self.words is not None:
                    return Status.FILLED
            elif satisfiable is False:
                core = self._solver.get_core() or []
                if not core:
                    return Status.UNFILLABLE
                self._formula.grow(core)
                self._spent = 0
            else:
                self._spent += conflicts
                if self._spent >= self._allowed and self._formula.assumptions:
                    self._formula.grow(None)
                    self._spent, self._allowed = 0, 2 * self._allowed
            self._task.on_progress(
                f"sat: {self._formula.clauses} clauses, {self._formula.rounds} rounds"
            )
        return Status.UNKNOWN

    def _ask(self) -> bool | None:
        deadline = self._task.deadline
        deadline.check()
        # A call is made shorter only when the deadline is near, and not made at all when another
        # one like the last would end too late: some solvers look at their limits at restarts only.
        if self._seconds > deadline.left + _GRACE_SECONDS:
            raise TimeUp
        if self._seconds > deadline.left:
            self._slice = max(10, self._slice // 2)
        started = time.perf_counter()
        satisfiable = ask(self._solver, self._formula.assumptions, self._slice)
        self._seconds = time.perf_counter() - started
        return satisfiable


def open_search(
    task: Task, candidates: Candidates, asked: SolverChoice
) -> FormulaSearch | LetterSearch:
    """Begin to search candidates: their letters if possible, else a formula of them.

    Raises TimeUp when the deadline passes.
    """
    return search_letters(task, candidates, asked) or FormulaSearch(task, candidates, asked)


def search_letters(task: Task, candidates: Candidates, asked: SolverChoice) -> LetterSearch | None:
    """Begin to search letters; None if that is not wanted or not possible."""
    if not asked.letters or not engine.available():
        return None
    tables = LetterSearch.tables(candidates)
    return None if tables is None else LetterSearch(task, candidates, tables)


class NarrowedFormulas:
    """Searches of one narrowed puzzle after another, each with a solver of its own.

    What is refuted is narrowed less and begun anew. Use it in a ``with`` block. Raises TimeUp
    when the deadline passes, here or in ``run``.
    """

    def __init__(self, task: Task, number: int, rounds: int, asked: SolverChoice) -> None:
        self._task = task
        self._asked = SolverChoice(asked.solver, "full", asked.letters)
        marginals = Marginals(task.candidates, rounds=rounds, pause=task.deadline.check)
        random = Random(f"{task.seed} {number}")
        self._widening = Widening(marginals, first_left_out(random))
        self._search: FormulaSearch | LetterSearch | None = None
        self.words: tuple[str, ...] | None = None
        self.refuted = 0
        self.encode_seconds = 0.0
        self.stats: Stats = {}
        self._widen()

    def __enter__(self) -> NarrowedFormulas:
        return self

    def __exit__(self, *error: object) -> None:
        self.give_up()

    @property
    def over(self) -> bool:
        """Whether every narrowed puzzle has been refuted, or the next one is too large."""
        return self._search is None

    def give_up(self) -> None:
        """End the search and free its solver."""
        if self._search is not None:
            self._search.__exit__()
        self._search = None

    def run(self, max_conflicts: int) -> Status:
        """Solve for about so many conflicts: FILLED or UNKNOWN, since words are left out."""
        if self._search is None:
            return Status.UNKNOWN
        status = self._search.run(max_conflicts)
        self.stats = self._search.stats
        if status is Status.UNFILLABLE:
            self.refuted += 1
            self._widen()
            return Status.UNKNOWN
        self.words = self._search.words
        return status

    def _widen(self) -> None:
        self.give_up()
        narrowed = self._widening.next(self._task.deadline)
        self._task.deadline.check()
        if narrowed is None:
            return
        self._search = search_letters(self._task, narrowed, self._asked)
        if self._search is None and len(narrowed) <= MAX_NARROWED_CANDIDATES:
            self._search = FormulaSearch(self._task, narrowed, self._asked)
        if self._search is not None:
            self.encode_seconds += self._search.encode_seconds


class PuzzleSearch:
    """Searches of narrowed puzzles and of the whole one, in turns.

    Only a search of the whole puzzle can prove that there is no fill. Use it in a ``with`` block.
    """

    def __init__(self, task: Task, asked: SolverChoice, narrowing: Narrowing) -> None:
        self._task, self._asked = task, asked
        if asked.letters and narrowing is Narrowing.AHEAD and is_dense(task.candidates):
            narrowing = Narrowing.NONE  # most hard open rectangles have no fill
        self._schedule = Schedule(narrowing, self._narrow)
        self._takes_turns = narrowing is Narrowing.TURNS
        self._turns = self._whole_turns = 0
        self._whole: FormulaSearch | LetterSearch | None = None
        self._last: FormulaSearch | NarrowedFormulas | LetterSearch | None = None
        self._stack = ExitStack()

    def __enter__(self) -> PuzzleSearch:
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    def run(self, max_conflicts: float) -> Answer:
        """Take turns for about ``max_conflicts``, or until there is an answer."""
        spent = 0
        reason = "enough conflicts"
        try:
            while spent < max_conflicts:
                search = self._last = self._next()
                status = search.run(_TURN_CONFLICTS if self._turns > 1 else _FIRST_CONFLICTS)
                if status is Status.FILLED:
                    return self._answer(status, search.words)
                if status is Status.UNFILLABLE:
                    return self._answer(status, None, "the clauses are unsatisfiable")
                spent += _TURN_CONFLICTS
        except TimeUp:
            reason = TIME_LIMIT
        return self._answer(Status.UNKNOWN, None, reason)

    def _next(self) -> FormulaSearch | NarrowedFormulas | LetterSearch:
        """Return the search whose turn it is."""
        self._turns += 1
        narrowed = None if self._is_turn_of_whole() else self._schedule.next(self._task.deadline)
        if narrowed:
            return narrowed
        self._whole_turns += 1
        if self._whole is None:
            self._whole = open_search(self._task, self._task.candidates, self._asked)
            self._stack.push(self._whole)
        return self._whole

    def _is_turn_of_whole(self) -> bool:
        if isinstance(self._whole, LetterSearch):
            return self._takes_turns and self._turns % _LETTERS_EVERY == 0
        if self._turns == 1 and self._asked.letters and engine.available():
            return True
        return self._takes_turns and self._whole_turns < _WHOLE_TURNS * self._refuted

    @property
    def _refuted(self) -> int:
        """How many narrowed puzzles have been refuted."""
        return sum(search.refuted for search in self._schedule.searches)

    def _narrow(self, number: int, rounds: int, deadline: Deadline) -> NarrowedFormulas:
        return self._stack.enter_context(NarrowedFormulas(self._task, number, rounds, self._asked))

    def _answer(self, status: Status, words: tuple[str, ...] | None, reason: str = "") -> Answer:
        narrowed = self._schedule.searches
        encode_seconds = sum(search.encode_seconds for search in narrowed)
        encode_seconds += self._whole.encode_seconds if self._whole else 0.0
        return Answer(
            status,
            words,
            reason,
            {
                "solver": self._asked.solver,
                "encoding": self._asked.encoding,
                **(self._last.stats if self._last else {}),
                **({"narrowed_refuted": self._refuted} if narrowed else {}),
            },
            encode_seconds,
        )
