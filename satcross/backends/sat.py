"""The SAT backend: clauses for PySAT's solvers, with a vocabulary that grows where it must.

Writing out every candidate of a large list costs far more than solving. So each slot starts with
its best-supported candidates; an extension literal per slot, assumed false, stands for the words
not yet written out. A model is a fill. When there is none, the core of the assumptions names the
slots whose vocabulary has to grow; an empty core proves UNFILLABLE. The idea is that of lazy
clause generation and counterexample-guided refinement, applied to domains.
"""

from __future__ import annotations

import time
from random import Random
from typing import ClassVar, Protocol

import pysolvers
from pysat.solvers import Solver

from encoders import Instance, SupportEncoding, WordChoice, direct_size, encode, encode_direct
from encoders.cnf import Clause
from satcross.backends.base import TIME_LIMIT, Answer, Capabilities, Deadline, Task
from satcross.backends.registry import DEFAULT_SOLVER, ENCODINGS, SOLVERS
from satcross.candidates import Candidates
from satcross.errors import UnavailableError
from satcross.outcome import Status
from satcross.ranking import Ranking

MOST_DIRECT_CLAUSES = 20_000_000
"""About 2 GB of clauses."""

_CHUNK = 100_000  # clauses handed over between two looks at the clock

# Of seven middling 15x15, 21x21 and 23x23 grids with lists of 25,000 and 45,000 words, 25 s each,
# 1000 words a slot and 20,000 conflicts filled five; 2,000 conflicts, or 300 or 3,000 words, two or
# three. More words make a slower solver, fewer a harder puzzle.
_FIRST_BATCH = 1000
_ROUND_CONFLICTS = 20_000
# Conflicts of a call: some tenths of a second, for Ctrl-C and the deadline come in between. Fixed,
# so that the same seed gives the same answer.
_SLICE_CONFLICTS = 200


class _Formula(Protocol):
    """What a solver has been given, and how to go on."""

    clauses: int
    rounds: int

    @property
    def assumptions(self) -> list[int]: ...

    def grow(self, core: list[int] | None) -> None: ...

    def read(self) -> tuple[str, ...] | None: ...

    @property
    def stats(self) -> dict[str, int | float | str]: ...


class _WholeFormula:
    """A solver that is given every candidate at once, by the support or the direct encoding."""

    def __init__(
        self, candidates: Candidates, solver: Solver, name: str, deadline: Deadline
    ) -> None:
        puzzle = candidates.network.puzzle
        instance = Instance(
            tuple(slot.cells for slot in puzzle.grid.slots),
            tuple(tuple(candidates.words(slot)) for slot in range(len(puzzle.grid.slots))),
            puzzle.allow_repeats,
        )
        clauses: list[Clause]
        self._encoding: WordChoice
        if name == "direct":
            size = direct_size(instance)
            if size > MOST_DIRECT_CLAUSES:
                raise UnavailableError(
                    f"the direct encoding of this puzzle has {size:,} clauses, more than "
                    f"{MOST_DIRECT_CLAUSES:,}; use the full or the lazy one"
                )
            clauses, self._encoding = encode_direct(instance)
        else:
            clauses, self._encoding = encode(instance)
        self._solver = solver
        for start in range(0, len(clauses), _CHUNK):
            if deadline.passed:
                break
            solver.append_formula(clauses[start : start + _CHUNK])
        self.clauses = len(clauses)
        self.rounds = 0
        self.assumptions: list[int] = []

    def grow(self, core: list[int] | None) -> None:
        """There is nothing left to give."""

    def read(self) -> tuple[str, ...]:
        return tuple(self._encoding.decode(self._solver.get_model()))

    @property
    def stats(self) -> dict[str, int | float | str]:
        return _count(self, self._encoding, self._solver)


def _count(formula: _Formula, encoding: WordChoice, solver: Solver) -> dict[str, int | float | str]:
    counters = solver.accum_stats() or {}
    return {
        "variables": encoding.variables.count,
        "clauses": formula.clauses,
        "rounds": formula.rounds,
        "conflicts": counters.get("conflicts", 0),
    }


class _LazyFormula:
    """A solver that is given the candidates of each slot batch by batch."""

    def __init__(self, candidates: Candidates, solver: Solver, random: Random) -> None:
        grid = candidates.network.puzzle.grid
        self._repeats = candidates.network.puzzle.allow_repeats
        self._solver = solver
        self._encoding = SupportEncoding([slot.cells for slot in grid.slots])
        self._rankings = [Ranking(candidates, slot, random) for slot in range(len(grid.slots))]
        self._batch = [_FIRST_BATCH] * len(grid.slots)
        self.clauses = 0
        self.rounds = 0
        for crossing, letters in zip(grid.crossings, candidates.root.letters, strict=True):
            self._add(self._encoding.add_letters(crossing.cell, letters))
        for slot in range(len(grid.slots)):
            self._give_more(slot)

    def _add(self, clauses: list[Clause]) -> None:
        self.clauses += len(clauses)
        self._solver.append_formula(clauses)

    def _give_more(self, slot: int) -> None:
        words = self._rankings[slot].take(self._batch[slot])
        self._batch[slot] *= 2
        self._add(self._encoding.add_words(slot, words, last=not self._rankings[slot]))

    @property
    def assumptions(self) -> list[int]:
        return self._encoding.assumptions

    def grow(self, core: list[int] | None) -> None:
        """Give more words to the slots of the core; to all that want some without one."""
        self.rounds += 1
        literals = self.assumptions if core is None else core
        for slot in [self._encoding.slot_of(literal) for literal in literals]:
            self._give_more(slot)

    def read(self) -> tuple[str, ...] | None:
        """The solver's fill; None when it repeats words, which it then may not do again."""
        words = self._encoding.decode(self._solver.get_model())
        if self._repeats or len(set(words)) == len(words):
            return tuple(words)
        for word in sorted({word for word in words if words.count(word) > 1}):
            self._add(self._encoding.differ(word))
        return None

    @property
    def stats(self) -> dict[str, int | float | str]:
        return _count(self, self._encoding, self._solver)


class Sat:
    """CNF for PySAT. Options: ``solver``, one of SOLVERS, and ``encoding``, one of ENCODINGS."""

    name: ClassVar[str] = "sat"
    capabilities: ClassVar[Capabilities] = Capabilities()

    def solve(self, task: Task) -> Answer:
        solver_name = task.options.get("solver", DEFAULT_SOLVER)
        if solver_name not in SOLVERS:
            raise UnavailableError(
                f"there is no SAT solver {solver_name!r} here; choose from {', '.join(SOLVERS)}"
            )
        encoding = task.options.get("encoding", ENCODINGS[0])
        if encoding not in ENCODINGS:
            raise UnavailableError(
                f"there is no encoding {encoding!r}; choose from {', '.join(ENCODINGS)}"
            )
        started = time.perf_counter()
        with Solver(name=solver_name) as solver:
            formula: _Formula
            if encoding == "lazy":
                formula = _LazyFormula(task.candidates, solver, Random(task.seed))
            else:
                formula = _WholeFormula(task.candidates, solver, encoding, task.deadline)
            encode_seconds = time.perf_counter() - started
            answer = _refine(task, solver, formula)
            return Answer(
                answer.status,
                answer.words,
                answer.reason,
                {"solver": solver_name, "encoding": encoding, **formula.stats},
                encode_seconds,
            )


def _refine(task: Task, solver: Solver, formula: _Formula) -> Answer:
    spent, allowed = 0, _ROUND_CONFLICTS
    seconds = 0.0  # what the last call took
    conflicts = _SLICE_CONFLICTS
    while True:
        if task.deadline.passed:
            return Answer(Status.UNKNOWN, None, TIME_LIMIT)
        assumptions = formula.assumptions
        # Only a deadline that is near makes a call shorter.
        if seconds > task.deadline.left:
            conflicts = max(10, conflicts // 2)
        solver.conf_budget(conflicts)
        started = time.perf_counter()
        try:
            satisfiable = solver.solve_limited(assumptions=assumptions)
        except pysolvers.error as error:
            # PySAT turns Ctrl-C during a call into an error of its own.
            raise KeyboardInterrupt from error
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
            if spent >= allowed and assumptions:
                formula.grow(None)
                spent, allowed = 0, 2 * allowed
        task.report(f"sat: {formula.clauses} clauses, {formula.rounds} rounds")
