"""Searches of narrowed puzzles and of the whole one: in turns, or in a race.

A narrowed puzzle without a fill proves nothing, and the next one has more words. Only a search of
the whole puzzle can prove that there is no fill.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import cycle, islice
from math import inf
from random import Random
from typing import TYPE_CHECKING, Protocol

from satcross.backends.base import Answer, Stats, Task, Words
from satcross.network.arc_consistency import Candidates
from satcross.network.narrowing import LEFT_OUT, Narrowing, Schedule, Widening
from satcross.outcome import Status
from satcross.run_settings import TIME_LIMIT, Deadline, TimeUp

if TYPE_CHECKING:
    from satcross.network.belief_propagation import Marginals

MAX_NARROWED_CANDIDATES = 300_000
"""A narrowed puzzle with more candidates than this is not written out."""

_RACERS = (Narrowing.ONLY, Narrowing.AHEAD, Narrowing.TURNS)
"""How the racers of one backend narrow the puzzle, in turn."""

_PART_CONFLICTS = 1000
"""Conflicts of the first turn of each arrangement of theme words; they double every turn."""

_TURN_CONFLICTS = 400
"""Conflicts of a turn: half a second or so of a solver of formulas."""

_FIRST_CONFLICTS = 100
"""Conflicts of the first turn of a learner that begins with the whole puzzle."""

_WHOLE_TURNS = 2
"""Turns of the whole puzzle for each narrowed one that is refuted: where narrowing fails, writing
its formulas takes longer than to fill or refute the whole puzzle (docs/lab-notebook.md)."""


def race_narrowings(task: Task, name: str) -> Answer:
    """Race a backend against itself, with other seeds and other ways of narrowing the puzzle."""
    from satcross.backends.race import race

    entrants = [(name, narrowing) for narrowing in islice(cycle(_RACERS), task.workers)]
    return race(task, entrants)[0]


class PausedSearch(Protocol):
    """A search that can be paused and resumed; ``words`` is the fill that it has found."""

    @property
    def words(self) -> Words | None: ...
    @property
    def stats(self) -> Stats: ...
    @property
    def encode_seconds(self) -> float: ...
    def run(self, max_conflicts: float, /) -> Status: ...
    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Learner:
    """How a backend begins the searches that take turns.

    ``whole`` begins the search of the task's candidates, and ``narrowed`` that of a narrowed
    puzzle, given the estimate by which it was narrowed; None if the puzzle is too large.
    ``first_left_out`` is the share of each slot that the first narrowed puzzle leaves out. With
    ``whole_every``, the whole puzzle has the first turn and then one in so many; otherwise it has
    some turns for each narrowed puzzle that was refuted. ``stats`` are those of no search.
    """

    whole: Callable[[], PausedSearch]
    narrowed: Callable[[Candidates, Marginals], PausedSearch | None]
    first_left_out: Callable[[Marginals, Random], float]
    whole_every: int
    stats: Stats


def parts_of(task: Task) -> list[Task]:
    """Return the task of each arrangement of the theme words; the task alone without any."""
    if not task.candidates.network.word_rules.min_theme_words:
        return [task]
    from satcross.network.theme_splits import split_by_theme_slots

    return [replace(task, candidates=part) for part in split_by_theme_slots(task.candidates)]


def solve_in_turns(task: Task, narrowing: Narrowing, begin: Callable[[Task], Learner]) -> Answer:
    """Answer by a learner for each arrangement of the theme words: usually one, if there are any.

    The arrangements take turns, each with twice as many conflicts as before.
    """
    parts = parts_of(task)
    answer = Answer(Status.UNFILLABLE, None, "the theme words find no places")
    conflicts, encode_seconds = _PART_CONFLICTS, 0.0
    while parts:
        open_parts = []
        for part in parts:
            with _Turns(part, narrowing, begin(part)) as turns:
                answer = turns.run(inf if len(parts) == 1 else conflicts)
            encode_seconds += answer.encode_seconds
            out_of_time = answer.reason == TIME_LIMIT or task.deadline.passed
            if answer.status is Status.FILLED or out_of_time:
                return replace(answer, encode_seconds=encode_seconds)
            if answer.status is Status.UNKNOWN:
                open_parts.append(part)
        parts = open_parts
        conflicts *= 2
    return replace(answer, encode_seconds=encode_seconds)


class _NarrowedSearches:
    """Searches of one narrowed puzzle after another; what is refuted is narrowed less.

    Raises TimeUp when the deadline passes, here or in ``run``.
    """

    def __init__(self, task: Task, number: int, rounds: int, learner: Learner) -> None:
        from satcross.network.belief_propagation import Marginals

        self._task, self._learner = task, learner
        self._marginals = Marginals(task.candidates, task.deadline, rounds=rounds)
        left_out = learner.first_left_out(self._marginals, Random(f"{task.seed} {number}"))
        self._widening = Widening(self._marginals, left_out)
        self._search: PausedSearch | None = None
        self.words: Words | None = None
        self.refuted = self.failed = 0
        self.encode_seconds = 0.0
        self.stats: Stats = {}
        self._widen()

    @property
    def over(self) -> bool:
        """Whether every narrowed puzzle has been refuted, or the next one is too large."""
        return self._search is None

    def give_up(self) -> None:
        """End the search and free its solver."""
        if self._search is not None:
            self._search.close()
        self._search = None

    close = give_up

    def run(self, max_conflicts: float) -> Status:
        """Solve for about so many conflicts: FILLED or UNKNOWN, since words are left out."""
        if self._search is None:
            return Status.UNKNOWN
        status = self._search.run(max_conflicts)
        self.stats = self._search.stats
        if status is Status.UNFILLABLE:
            self.refuted += 1
            # A puzzle of few words says little about the whole one.
            self.failed += self._widening.left_out <= LEFT_OUT
            self._widen()
            return Status.UNKNOWN
        self.words = self._search.words
        return status

    def _widen(self) -> None:
        self.give_up()
        narrowed = self._widening.next(self._task.deadline)
        self._task.deadline.check()
        if narrowed is not None:
            self._search = self._learner.narrowed(narrowed, self._marginals)
        if self._search is not None:
            self.encode_seconds += self._search.encode_seconds


class _Turns:
    """Searches of narrowed puzzles and of the whole one, in turns. Use it in a ``with`` block."""

    def __init__(self, task: Task, narrowing: Narrowing, learner: Learner) -> None:
        self._task, self._learner = task, learner
        self._schedule = Schedule(narrowing, self._narrow)
        self._takes_turns = narrowing is Narrowing.TURNS
        self._turns = self._whole_turns = 0
        self._whole: PausedSearch | None = None
        self._last: PausedSearch | _NarrowedSearches | None = None
        self._stack = ExitStack()

    def __enter__(self) -> _Turns:
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
                is_first = self._turns == 1 and search is self._whole
                status = search.run(_FIRST_CONFLICTS if is_first else _TURN_CONFLICTS)
                if status is Status.FILLED:
                    return self._answer(status, search.words)
                if status is Status.UNFILLABLE:
                    return self._answer(status, None, "the clauses are unsatisfiable")
                spent += _TURN_CONFLICTS
        except TimeUp:
            reason = TIME_LIMIT
        return self._answer(Status.UNKNOWN, None, reason)

    def _next(self) -> PausedSearch | _NarrowedSearches:
        """Return the search whose turn it is."""
        self._turns += 1
        narrowed = None if self._is_turn_of_whole() else self._schedule.next(self._task.deadline)
        if narrowed:
            return narrowed
        self._whole_turns += 1
        if self._whole is None:
            self._whole = self._learner.whole()
            self._stack.callback(self._whole.close)
        return self._whole

    def _is_turn_of_whole(self) -> bool:
        if self._learner.whole_every:
            due = self._takes_turns and self._turns % self._learner.whole_every == 0
            return due or self._turns == 1
        failed = sum(search.failed for search in self._schedule.searches)
        return self._takes_turns and self._whole_turns < _WHOLE_TURNS * failed

    def _narrow(self, number: int, rounds: int, deadline: Deadline) -> _NarrowedSearches:
        narrowed = _NarrowedSearches(self._task, number, rounds, self._learner)
        self._stack.callback(narrowed.close)
        return narrowed

    def _answer(self, status: Status, words: Words | None, reason: str = "") -> Answer:
        narrowed = self._schedule.searches
        encode_seconds = sum(search.encode_seconds for search in narrowed)
        encode_seconds += self._whole.encode_seconds if self._whole else 0.0
        refuted = sum(search.refuted for search in narrowed)
        return Answer(
            status,
            words,
            reason,
            {
                **self._learner.stats,
                **(self._last.stats if self._last else {}),
                **({"narrowed_refuted": refuted} if narrowed else {}),
            },
            encode_seconds,
        )
