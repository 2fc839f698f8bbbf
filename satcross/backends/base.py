"""The contract between satcross and its backends: what they are given, and what they return.

To add a backend, write a module with a class that has ``Backend``'s two class variables and its
method, and add a line to ``satcross.backends.registry.BACKENDS`` (CONTRIBUTING.md has both). The
command line, the web page, the comparison tool and the tests read the registry.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar, Protocol

from satcross import engine
from satcross.errors import UnavailableError
from satcross.network.arc_consistency import Candidates
from satcross.network.narrowing import Narrowing
from satcross.outcome import Status
from satcross.run_settings import Deadline, OnPartial, OnProgress, ignore_partial, ignore_progress
from satcross.support.frozen import frozen

if TYPE_CHECKING:
    from satcross.network.weights import Weights

Stats = Mapping[str, int | float | str]
Words = tuple[str, ...]
"""One word per slot, in the order of ``Grid.slots``."""


def accept_any(words: Words) -> bool:
    """Accept every fill; the default for ``Task.accepts``."""
    return True


@frozen
class Capabilities:
    """What a backend can do: declared, never discovered by an exception.

    ``complete``: given time, it fills the puzzle or proves that there is no fill; a backend that is
    not complete may answer UNKNOWN to any puzzle, and need not prove anything.
    ``prefers``: it tries the preferred words first.
    ``seed``: with one worker, the same seed gives the same answer, unless the time limit ends the
    search. ``interrupt``: the backend notices the deadline and Ctrl-C within about half a second.
    ``alone``: it has one worker unless the user sets more.
    ``count``: it is a ``CountingBackend``.
    ``best``: it is an ``OptimisingBackend``; here the same seed gives a fill of the same weight,
    not always the same fill.
    """

    complete: bool = True
    prefers: bool = True
    seed: bool = True
    interrupt: bool = True
    alone: bool = False
    count: bool = False
    best: bool = False


@frozen
class Task:
    """A puzzle to answer, and the limits.

    ``candidates`` are arc consistent, and every slot has at least one. They carry the puzzle
    (``candidates.network.puzzle``) and its rules (``candidates.network.word_rules``); a fill must
    take a candidate in every slot and obey the rules. ``workers`` is the largest number of
    threads to use. ``options`` are those of ``registry.OPTIONS`` that the caller has
    set; a backend ignores those of others. ``on_progress`` takes one line, as often as the backend
    likes; ``on_partial`` the letters in the grid at one moment of the search, or those of the best
    fill so far. ``OptimisingBackend.best`` goes on from ``start``, a fill that is known, and offers
    only better fills that ``accepts`` returns True for; bounds are those of all fills.
    """

    candidates: Candidates
    deadline: Deadline = field(default_factory=Deadline)
    seed: int = 0
    workers: int = 1
    options: Mapping[str, str] = field(default_factory=dict)
    on_progress: OnProgress = field(default=ignore_progress)
    on_partial: OnPartial = field(default=ignore_partial)
    start: Words | None = None
    accepts: Callable[[Words], bool] = field(default=accept_any)

    @property
    def can_race(self) -> bool:
        """Whether several backends may work on the task at the same time."""
        return self.workers > 1 and engine.available()

    @property
    def narrowing(self) -> Narrowing:
        """The option ``narrowing``. Raises UnavailableError for an unknown value."""
        name = self.options.get("narrowing", Narrowing.TURNS)
        if name not in tuple(Narrowing):
            raise UnavailableError(
                f"there is no narrowing {name!r}; choose from {', '.join(Narrowing)}"
            )
        return Narrowing(name)


@frozen
class Answer:
    """The answer to a puzzle.

    ``words`` has one word per slot, in the order of ``Grid.slots``, when the status is FILLED, and
    is None otherwise. ``reason`` says why there is no fill; for UNKNOWN it is ``TIME_LIMIT`` where
    the deadline ended the search. ``stats`` are for records and tables; the names are the
    backend's own. ``encode_seconds`` is the part of the time spent on writing clauses or
    constraints.
    """

    status: Status
    words: tuple[str, ...] | None = None
    reason: str = ""
    stats: Stats = field(default_factory=dict)
    encode_seconds: float = 0.0


@frozen
class Tally:
    """The number of fills: exactly ``count``, or at least ``count`` when it is not ``exact``.

    ``reason`` says what ended a count that is not exact; it is "" when enough fills were found.
    """

    count: int
    exact: bool
    reason: str = ""
    stats: Stats = field(default_factory=dict)
    encode_seconds: float = 0.0


@frozen
class Listing:
    """Different fills, each with one word per slot; ``complete`` when there are no others.

    ``reason`` says why there are fewer than requested when it is not complete.
    """

    fills: tuple[tuple[str, ...], ...]
    complete: bool
    reason: str = ""


@frozen
class Optimum:
    """The best fill found, and ``bound``, the proved upper bound on the weight of any fill.

    The fill is proved to be the best when its weight is ``bound``; otherwise ``answer.reason`` says
    what ended the search. ``bound`` is None when there is none, as for an unfillable puzzle.
    """

    answer: Answer
    bound: int | None


class Backend(Protocol):
    """A way to fill a puzzle. Instances are made without arguments and keep no state."""

    name: ClassVar[str]
    """The name in the registry, as in ``--backend NAME``."""

    capabilities: ClassVar[Capabilities]

    def solve(self, task: Task) -> Answer:
        """Fill the puzzle, or prove that it can't be filled.

        Answer FILLED with words that obey all rules (the caller verifies them, and reports an
        internal error when they don't), UNFILLABLE only when that is proved for all candidates, and
        UNKNOWN otherwise, at the latest soon after ``task.deadline`` has passed. Let
        KeyboardInterrupt through. Raise UnavailableError for an option that the backend can't
        serve.
        """
        ...


class CountingBackend(Backend, Protocol):
    """A backend whose capabilities declare ``count``.

    At the deadline, and on KeyboardInterrupt, both methods return what they have found so far.
    """

    def count(self, task: Task, enough: int | None = None) -> Tally:
        """Count the fills; the count may stop when it has reached ``enough``."""
        ...

    def several(self, task: Task, number: int) -> Listing:
        """Find ``number`` different fills, or all of them when there are fewer."""
        ...


class OptimisingBackend(Backend, Protocol):
    """A backend whose capabilities declare ``best``."""

    def best(self, task: Task, weights: Weights) -> Optimum:
        """Find the fill of the highest total weight, and prove that no other has a higher one.

        At the deadline, and on KeyboardInterrupt, return the best fill found so far.
        """
        ...
