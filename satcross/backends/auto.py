"""The ``auto`` backend: a short search, then a race of complementary backends.

A short search in this process answers most puzzles. For the others, several backends race, each in
a process of its own, and one of them has a head start. The first definite answer wins, and the
other processes are ended. With one worker there is no race: a long search is followed by the
backend ``letters``, so that the same seed gives the same answer.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, islice
from typing import ClassVar

from satcross.backends.base import (
    Answer,
    Capabilities,
    Listing,
    Optimum,
    Tally,
    Task,
)
from satcross.backends.race import LEAD_SECONDS, race
from satcross.backends.racers import can_race
from satcross.backends.registry import get_backend, get_counting_backend
from satcross.backends.search.backend import Backtrack, FillEnumerator, answer
from satcross.backends.search.cell_sweep import CellSweep
from satcross.backends.search.portfolio import Portfolio
from satcross.network.narrowing import Narrowing
from satcross.network.weights import Weights
from satcross.outcome import Status
from satcross.run_settings import INTERRUPTED

FIRST_NODES_PER_SLOT = 1.3
"""Nodes per slot of the first search before the racers begin. Of 252
fills that the first search found in 31 grids with four lists and four seeds, 210 took no more; the
rest of it, which is in vain for five puzzles of six, costs as much as an estimate."""

FIRST_NODES = 240
"""The same at least: three per slot in a 15x15, where nodes are cheap."""

FIRST_SWEPT_TURNS = 2
"""Turns of the first search where the grid is swept: about a second."""

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
        racing = task.workers > 1 and can_race()
        portfolio = Portfolio(task.candidates, seed=task.seed)
        if racing:
            status = _search_first(portfolio, task)
        else:
            status = portfolio.run(task.deadline, ALONE_TURNS, task.on_partial)
        if status is not Status.UNKNOWN or task.deadline.passed:
            return _sign(answer(portfolio, status), "backtrack")
        if not racing:
            name = _learner(task)
            return _sign(get_backend(name).solve(task), name)
        return _race(task)

    def count(self, task: Task, enough: int | None = None) -> Tally:
        # The other backends can only list fills one by one.
        return Backtrack().count(task, enough)

    def several(self, task: Task, number: int) -> Listing:
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


def _search_first(portfolio: Portfolio, task: Task) -> Status:
    """Search for a short time."""
    if CellSweep.suits(task.candidates):
        return portfolio.run(task.deadline, FIRST_SWEPT_TURNS, task.on_partial)
    nodes = max(FIRST_NODES, int(FIRST_NODES_PER_SLOT * len(task.candidates.root.sizes)))
    return portfolio.start(task.deadline, nodes, task.on_partial)


def _sign(signed: Answer, name: str) -> Answer:
    return replace(signed, stats={"winner": name, **signed.stats})


def _learner(task: Task) -> str:
    """The backend that learns clauses: ``sat`` if one of its solvers or encodings is named."""
    return "sat" if {"solver", "encoding"} & task.options.keys() else "letters"


def _race(task: Task) -> Answer:
    coming = entrants(task.workers)
    if CellSweep.suits(task.candidates):
        coming = [(name, None) for name in islice(cycle(SWEPT_RACERS), task.workers)]
    learner = _learner(task)
    coming = [(learner if name == "letters" else name, narrowing) for name, narrowing in coming]
    answer, name = race(task, coming, LEAD_SECONDS)
    return _sign(answer, name) if name else answer
