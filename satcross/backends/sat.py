"""The SAT backend: clauses for PySAT's solvers, with a vocabulary that grows where it must.

Writing out every candidate of a large list costs far more than solving. So each slot starts with
its best candidates (satcross.ranking); an extension literal per slot, assumed false, stands for the
words not yet written out. A model is a fill. When there is none, the core of the assumptions names
the slots whose vocabulary has to grow; an empty core proves UNFILLABLE. The idea is that of lazy
clause generation and counterexample-guided refinement, applied to domains.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from math import prod
from random import Random
from typing import ClassVar, Protocol

import pysolvers
from pysat.solvers import Solver

from encoders import SupportEncoding, WordChoice, direct_size, encode, encode_direct
from encoders.cnf import Clause
from satcross.backends.base import (
    INTERRUPTED,
    TIME_LIMIT,
    Answer,
    Capabilities,
    Deadline,
    Listing,
    Optimum,
    Tally,
    Task,
)
from satcross.backends.optimise import optimise
from satcross.backends.registry import DEFAULT_SOLVER, ENCODINGS, SOLVERS
from satcross.candidates import Candidates
from satcross.errors import UnavailableError
from satcross.instances import group_of, instance_of, wanted_of
from satcross.marginals import Marginals
from satcross.outcome import Status
from satcross.placing import by_places
from satcross.ranking import Ranking, first_batch
from satcross.together import Mark
from satcross.weights import Weights

MOST_DIRECT_CLAUSES = 20_000_000
"""About 2 GB of clauses."""

_CHUNK = 100_000  # clauses handed over between two looks at the clock

# Of seven middling 15x15, 21x21 and 23x23 grids with lists of 25,000 and 45,000 words, 25 s each,
# 20,000 conflicts (and 1000 words a slot, satcross.ranking) filled five; 2,000 conflicts three.
_ROUND_CONFLICTS = 20_000
# Conflicts of the first turn of each place that theme words could have.
_PART_CONFLICTS = 1000
# Conflicts of a call: some tenths of a second, for Ctrl-C and the deadline come in between. Fixed,
# so that the same seed gives the same answer. Glucose looks at its budget only when it restarts:
# on formulas of little but "all different" a call was seen to take ten seconds.
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
        instance = instance_of(candidates)
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
        _hand_over(clauses, solver, deadline)
        _prefer(self._encoding, candidates.network.first_words, solver)
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


def _prefer(encoding: WordChoice, preferred: frozenset[str], solver: Solver) -> None:
    """Have the solver suppose these words wherever it may, until it learns otherwise."""
    if preferred:
        solver.set_phases(
            [
                literal
                for slot in range(len(encoding.slots))
                for word, literal in encoding.words(slot).items()
                if word in preferred
            ]
        )


def _hand_over(clauses: list[Clause], solver: Solver, deadline: Deadline) -> None:
    for start in range(0, len(clauses), _CHUNK):
        if deadline.passed:
            break
        solver.append_formula(clauses[start : start + _CHUNK])


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

    def __init__(
        self, candidates: Candidates, solver: Solver, random: Random, deadline: Deadline
    ) -> None:
        grid = candidates.network.puzzle.grid
        self._together = candidates.network.together
        self._solver = solver
        wanted = wanted_of(self._together)
        self._encoding = SupportEncoding(
            [slot.cells for slot in grid.slots], wanted.words if wanted else ()
        )
        self._preferred = candidates.network.first_words
        marginals = Marginals(candidates, may_go_on=lambda: not deadline.passed)
        self._rankings = [Ranking(marginals, slot, random) for slot in range(len(grid.slots))]
        self._batch = [first_batch(len(grid.slots))] * len(grid.slots)
        self.clauses = 0
        self.rounds = 0
        for crossing, letters in zip(grid.crossings, candidates.root.letters, strict=True):
            self._add(self._encoding.add_letters(crossing.cell, letters))
        for slot in range(len(grid.slots)):
            self._give_more(slot)
        if wanted is not None:
            self._add(list(self._encoding.demand(wanted)))  # first batches have all of them
        _prefer(self._encoding, self._preferred, solver)

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
        _prefer(self._encoding, self._preferred, self._solver)

    def read(self) -> tuple[str, ...] | None:
        """The solver's fill; None when it repeats words or has words that clash, which it then may
        not do again.
        """
        words = self._encoding.decode(self._solver.get_model())
        clauses = []
        if not self._together.repeats:
            for word in sorted({word for word in words if words.count(word) > 1}):
                clauses += self._encoding.differ(word)
        if self._together.clashes:
            for mark in sorted(self._together.broken(words)):
                clauses += self._keep_apart(mark)
        if not clauses:
            return tuple(words)
        self._add(clauses)
        return None

    def _keep_apart(self, mark: Mark) -> list[Clause]:
        """What forbids that two words with this mark are used, among those handed over."""
        known = {
            word
            for slot in range(len(self._encoding.slots))
            for word in self._encoding.words(slot)
            if mark.text in word
        }
        group = group_of(mark, self._together, sorted(known))
        return (
            [] if group is None else list(self._encoding.keep_apart(group, self._together.repeats))
        )

    @property
    def stats(self) -> dict[str, int | float | str]:
        return _count(self, self._encoding, self._solver)


def _solver_name(task: Task) -> str:
    name = task.options.get("solver", DEFAULT_SOLVER)
    if name not in SOLVERS:
        raise UnavailableError(
            f"there is no SAT solver {name!r} here; choose from {', '.join(SOLVERS)}"
        )
    return name


class _Models:
    """The ways to put letters into the checked cells such that there is a fill, one by one.

    Each is what a solver finds of the full support encoding, which is then told not to find these
    letters again. Iterating gives, per slot, the words that have those letters: usually one, more
    where a slot has unchecked cells. Ends when there are no others (``exhausted``) or when the
    deadline has passed (``reason``).
    """

    def __init__(self, task: Task) -> None:
        started = time.perf_counter()
        self._task = task
        self._instance = instance_of(task.candidates)
        self._together = task.candidates.network.together
        self._solver = Solver(name=_solver_name(task))
        clauses, self._encoding = encode(self._instance)
        _hand_over(clauses, self._solver, task.deadline)
        checked = self._instance.checked
        self._places = [
            [place for place, cell in enumerate(cells) if cell in checked]
            for cells in self._instance.slots
        ]
        self._sharing: list[defaultdict[tuple[str, ...], set[str]]] = []
        for slot, words in enumerate(self._instance.candidates):
            sharing: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
            for word in words:
                sharing[self._pattern(slot, word)].add(word)
            self._sharing.append(sharing)
        self._models = 0
        self.exhausted = False
        self.reason = ""
        self.encode_seconds = time.perf_counter() - started
        self._clauses = len(clauses)

    def __enter__(self) -> _Models:
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.delete()

    def _pattern(self, slot: int, word: str) -> tuple[str, ...]:
        return tuple(word[place] for place in self._places[slot])

    def __iter__(self) -> Iterator[tuple[frozenset[str], ...]]:
        while True:
            if self._task.deadline.passed:
                self.reason = TIME_LIMIT
                return
            satisfiable = ask(self._solver, [], _SLICE_CONFLICTS)
            if satisfiable is False:
                self.exhausted = True
                return
            if satisfiable:
                self._models += 1
                words = self._encoding.decode(self._solver.get_model())
                self._forbid(words)
                yield tuple(
                    frozenset(self._sharing[slot][self._pattern(slot, word)])
                    for slot, word in enumerate(words)
                )

    def _forbid(self, words: list[str]) -> None:
        literals = {
            self._encoding.letters(cell)[word[place]]
            for cells, word, places in zip(self._instance.slots, words, self._places, strict=True)
            for place, cell in ((place, cells[place]) for place in places)
        }
        # Without checked cells nothing is left to vary: an empty clause.
        self._solver.add_clause(sorted(-literal for literal in literals))

    def choices(self, sets: tuple[frozenset[str], ...]) -> int:
        """In how many ways a word a slot can be chosen, so that the rules hold."""
        if not self._together.plain:
            return sum(1 for _ in self.each_choice(sets))  # until the deadline
        if self._together.repeats:
            return prod(map(len, sets))
        return _distinct(tuple(sorted(sets, key=len)))

    def each_choice(self, sets: tuple[frozenset[str], ...]) -> Iterator[tuple[str, ...]]:
        """The ways to choose, one by one."""

        def choose(chosen: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
            if len(chosen) == len(sets):
                if self._together.plain or self._together.holds(chosen):
                    yield chosen
                return
            for word in sorted(sets[len(chosen)]):
                if self._task.deadline.passed:
                    return
                if self._together.repeats or word not in chosen:
                    if any(self._together.clash(word, other) for other in chosen):
                        continue
                    yield from choose((*chosen, word))

        return choose(())

    @property
    def stats(self) -> dict[str, int | float | str]:
        counters = self._solver.accum_stats() or {}
        return {
            "variables": self._encoding.variables.count,
            "clauses": self._clauses,
            "models": self._models,
            "conflicts": counters.get("conflicts", 0),
        }


@lru_cache(10_000)
def _distinct(sets: tuple[frozenset[str], ...]) -> int:
    """How many ways there are to choose a different member from each set.

    The first set's choices, less those in which one of the others has chosen the same.
    """
    if not sets:
        return 1
    first, rest = sets[0], sets[1:]
    count = len(first) * _distinct(rest)
    for number, other in enumerate(rest):
        both = first & other
        if both:
            count -= _distinct((*rest[:number], both, *rest[number + 1 :]))
    return count


class Sat:
    """CNF for PySAT. Options: ``solver``, one of SOLVERS, and ``encoding``, one of ENCODINGS."""

    name: ClassVar[str] = "sat"
    capabilities: ClassVar[Capabilities] = Capabilities(count=True, best=True)

    def solve(self, task: Task) -> Answer:
        solver_name = _solver_name(task)
        encoding = task.options.get("encoding", ENCODINGS[0])
        if encoding not in ENCODINGS:
            raise UnavailableError(
                f"there is no encoding {encoding!r}; choose from {', '.join(ENCODINGS)}"
            )
        parts = by_places(task.candidates)
        answer = Answer(Status.UNFILLABLE, None, "the theme words find no places")
        conflicts, encode_seconds = _PART_CONFLICTS, 0.0
        while parts:
            open_parts = []
            for part in parts:
                answer = _solve_once(
                    replace(task, candidates=part),
                    solver_name,
                    encoding,
                    None if len(parts) == 1 else conflicts,
                )
                encode_seconds += answer.encode_seconds
                if answer.status is Status.FILLED or task.deadline.passed:
                    return replace(answer, encode_seconds=encode_seconds)
                if answer.status is Status.UNKNOWN:
                    open_parts.append(part)
            parts = open_parts
            conflicts *= 2
        return replace(answer, encode_seconds=encode_seconds)

    def count(self, task: Task, enough: int | None = None) -> Tally:
        found, reason = 0, ""
        with _Models(task) as models:
            try:
                for sets in models:
                    found += models.choices(sets)
                    if enough is not None and found >= enough:
                        break
                    task.report(f"sat: at least {found:,} fills")
                else:
                    reason = models.reason
            except KeyboardInterrupt:
                reason = INTERRUPTED
            return Tally(found, models.exhausted, reason, models.stats, models.encode_seconds)

    def several(self, task: Task, number: int) -> Listing:
        fills: list[tuple[str, ...]] = []
        with _Models(task) as models:
            try:
                for sets in models:
                    fills += islice(models.each_choice(sets), number - len(fills))
                    if len(fills) >= number:
                        return Listing(tuple(fills), False)
                    task.report(f"sat: {len(fills):,} fills")
            except KeyboardInterrupt:
                return Listing(tuple(fills), False, INTERRUPTED)
            return Listing(tuple(fills), models.exhausted, models.reason)

    def best(self, task: Task, weights: Weights) -> Optimum:
        from satcross.backends.maxsat import maximise

        return optimise(task, weights, self, maximise)


def _solve_once(
    task: Task, solver_name: str, encoding: str, conflicts: int | None = None
) -> Answer:
    """One formula of all that the task asks; UNKNOWN after so many conflicts, perhaps."""
    started = time.perf_counter()
    with Solver(name=solver_name) as solver:
        formula: _Formula
        if encoding == "lazy":
            formula = _LazyFormula(task.candidates, solver, Random(task.seed), task.deadline)
        else:
            formula = _WholeFormula(task.candidates, solver, encoding, task.deadline)
        encode_seconds = time.perf_counter() - started
        answer = _refine(task, solver, formula, conflicts)
        stats = {"solver": solver_name, "encoding": encoding, **formula.stats}
        return replace(answer, stats=stats, encode_seconds=encode_seconds)


def ask(solver: Solver, assumptions: list[int], conflicts: int) -> bool | None:
    """One call of the solver, of so many conflicts at the most; None when they do not suffice."""
    solver.conf_budget(conflicts)
    try:
        satisfiable: bool | None = solver.solve_limited(assumptions=assumptions)
    except pysolvers.error as error:
        # PySAT turns Ctrl-C during a call into an error of its own.
        raise KeyboardInterrupt from error
    return satisfiable


def _refine(task: Task, solver: Solver, formula: _Formula, most: int | None = None) -> Answer:
    spent, allowed = 0, _ROUND_CONFLICTS
    total = 0
    seconds = 0.0  # what the last call took
    conflicts = _SLICE_CONFLICTS
    while True:
        if task.deadline.passed:
            return Answer(Status.UNKNOWN, None, TIME_LIMIT)
        assumptions = formula.assumptions
        # Only a deadline that is near makes a call shorter.
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
            if most is not None and total >= most:
                return Answer(Status.UNKNOWN, None, "enough conflicts")
            if spent >= allowed and assumptions:
                formula.grow(None)
                spent, allowed = 0, 2 * allowed
        task.report(f"sat: {formula.clauses} clauses, {formula.rounds} rounds")
