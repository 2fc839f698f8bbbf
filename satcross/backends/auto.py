"""The ``auto`` backend: search and clause learning in turns, then a race of complementary backends.

A search and clause learning on letters take short turns on one compiled puzzle, in this process,
which answers most puzzles. For the others, several backends race, each in a thread of its own, and
one of them has a head start. The first definite answer wins, and the other threads end.
With one worker there is no race: after many turns, the backend ``letters`` goes on with narrowed
puzzles, so that the same seed gives the same answer.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, islice
from typing import TYPE_CHECKING, ClassVar

from satcross.backends.base import Answer, Capabilities, Listing, Optimum, Tally, Task
from satcross.backends.registry import get_backend, get_counting_backend
from satcross.backends.search.backend import Backtrack, answer
from satcross.backends.search.portfolio import Portfolio
from satcross.network.narrowing import Narrowing
from satcross.outcome import Status
from satcross.run_settings import INTERRUPTED, TimeUp

if TYPE_CHECKING:
    from satcross.network.weights import Weights

FIRST_NODES_PER_SLOT = 1.3
"""Nodes per slot of the first search before learning takes turns with it. Of 252
fills that the first search found in 31 grids with four lists and four seeds, 210 took no more; the
rest of it, which is in vain for five puzzles of six, costs as much as an estimate."""

FIRST_NODES = 432
"""The same at least: six per slot in a 15x15, where nodes are cheap, as ``backtrack`` begins. With
240, one of twenty generated 15x15 grids took 1.31 times as long as by ``backtrack``."""

FIRST_SWEPT_TURNS = 2
"""Turns of the first search where the grid is swept: about a second."""

FIRST_TURNS = 12
"""Turns of the search in this process before others race: about a second."""

LETTERS_TURN = 5
"""Length of a turn of learning on letters (``LetterSearch.run``): 25 conflicts, some 30 ms."""

LETTERS_EVERY = 3
"""One turn of learning for so many of the search while the search is young, and one for each later:
where the two answer within a second, the search mostly does so first."""

FIRST_LIST_NODES = 20_000
"""Nodes of the search for a first fill when several are requested; then the SAT backend is used."""

ALONE_TURNS = 400
"""Turns of the search when there is one worker, before ``letters`` takes over."""

RACERS = ("backtrack", "backtrack", "letters", "cpsat", "backtrack", "letters")
"""The backends that race, in this order, one per worker.

A backend that occurs several times has another seed and another ``Narrowing`` each time. On eight
hard benchmark grids with two workers, a second search filled one grid more than the SAT backend in
its place.
"""

NARROWINGS = (Narrowing.ONLY, Narrowing.AHEAD, Narrowing.TURNS)
"""How the searches of a race narrow the puzzle, in turn. The first begins with narrowed puzzles,
because the whole one has just been searched. The second soon searches the whole puzzle only, with a
processor of its own until the end: a proof needs that."""

SWEPT_RACERS = ("backtrack", "letters", "cpsat")
"""The backends that race if the grid is swept; a second sweep would do the same again."""


def entrants(number: int) -> list[tuple[str, Narrowing | None]]:
    """Return ``number`` backends to race; a search is paired with its narrowing."""
    narrowings = cycle(NARROWINGS)
    return [
        (name, next(narrowings) if name == "backtrack" else None)
        for name in islice(cycle(RACERS), number)
    ]


class Auto:
    """A short search, then a race of backends over the workers."""

    name: ClassVar[str] = "auto"
    capabilities: ClassVar[Capabilities] = Capabilities(count=True, best=True)

    def solve(self, task: Task) -> Answer:
        racing = task.can_race
        if Portfolio.sweeps(task.candidates):
            found = _sweep_first(task, FIRST_SWEPT_TURNS if racing else ALONE_TURNS)
        else:
            found = _take_turns(task, FIRST_TURNS if racing else ALONE_TURNS)
        if found.status is not Status.UNKNOWN or task.deadline.passed:
            return found
        if not racing:
            name = _learner(task)
            return _sign(get_backend(name).solve(task), name)
        return _race(task)

    def count(self, task: Task, enough: int | None = None) -> Tally:
        # The other backends can only list fills one by one.
        return Backtrack().count(task, enough)

    def several(self, task: Task, number: int) -> Listing:
        from satcross.backends.search.enumerate import FillEnumerator

        listed = FillEnumerator(task.candidates, seed=task.seed)
        try:
            listed.run(task.deadline, FIRST_LIST_NODES, 1)
        except KeyboardInterrupt:
            return Listing(tuple(listed.fills), False, INTERRUPTED)
        # A search that has found one fill soon finds similar ones; otherwise, learning is better.
        if listed.found or listed.complete:
            return Backtrack().several(task, number)
        return get_counting_backend("sat").several(task, number)

    def best(self, task: Task, weights: Weights) -> Optimum:
        # Measured (docs/best.md): branch and bound proves more than CP-SAT and RC2, and sooner.
        found = Backtrack().best(task, weights)
        return replace(found, answer=_sign(found.answer, Backtrack.name))


def _sweep_first(task: Task, turns: int) -> Answer:
    portfolio = Portfolio(task.candidates, seed=task.seed)
    status = portfolio.run(task.deadline, turns, task.on_partial)
    return _sign(answer(portfolio, status), "backtrack")


def _take_turns(task: Task, turns: int) -> Answer:
    """Search, and learn clauses on the letters of the same compiled puzzle, in short turns.

    Neither is the faster one on all puzzles, and no estimate says which one will be. The first turn
    of learning comes before anything is estimated for the search.
    """
    portfolio, letters = Portfolio(task.candidates, seed=task.seed), None
    nodes = max(FIRST_NODES, int(FIRST_NODES_PER_SLOT * len(task.candidates.root.sizes)))
    status = portfolio.start(task.deadline, nodes, task.on_partial) if nodes else Status.UNKNOWN
    if status is Status.UNKNOWN and _learner(task) == "letters":
        from satcross.backends.letters import LetterSearch

        letters = LetterSearch.begin(task, task.candidates)
    for turn in range(turns):
        if status is not Status.UNKNOWN or task.deadline.passed:
            break
        if letters is not None and (turn % LETTERS_EVERY == 0 or turn > FIRST_TURNS):
            try:
                learned = letters.run(LETTERS_TURN)
            except TimeUp:
                break
            if learned is not Status.UNKNOWN:
                reason = "" if letters.words else "the clauses are unsatisfiable"
                found = Answer(learned, letters.words, reason, letters.stats)
                return _sign(found, "letters")
        status = portfolio.run(task.deadline, 1, task.on_partial)
    return _sign(answer(portfolio, status), "backtrack")


def _sign(signed: Answer, name: str) -> Answer:
    return replace(signed, stats={"winner": name, **signed.stats})


def _learner(task: Task) -> str:
    """The backend that learns clauses: ``sat`` if one of its solvers or encodings is named."""
    return "sat" if {"solver", "encoding"} & task.options.keys() else "letters"


def _race(task: Task) -> Answer:
    from satcross.backends.race import LEAD_SECONDS, race

    coming = entrants(task.workers)
    if Portfolio.sweeps(task.candidates):
        coming = [(name, None) for name in islice(cycle(SWEPT_RACERS), task.workers)]
    learner = _learner(task)
    coming = [(learner if name == "letters" else name, narrowing) for name, narrowing in coming]
    answer, name = race(task, coming, LEAD_SECONDS)
    return _sign(answer, name) if name else answer
