"""What every backend is given and gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from satcross.deadline import Deadline, OnProgress, ignore_progress
from satcross.network.arc_consistency import Candidates
from satcross.network.weights import Weights
from satcross.outcome import Status
from satcross.run_settings import OnPartial, ignore_partial

Stats = Mapping[str, int | float | str]


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a backend can do; declared, never discovered by an exception.

    ``seed``: the same seed gives the same answer, with one worker and no time limit that strikes.
    ``interrupt``: notices the deadline and Ctrl-C within about half a second, or as soon as the
    clauses or constraints being made are made.
    ``count``: counts fills and lists several (``CountingBackend``).
    ``best``: finds the fill that is worth the most, and proves it (``OptimisingBackend``); the
    same seed then gives a fill that is worth the same, not always the same one.
    """

    seed: bool = True
    interrupt: bool = True
    count: bool = False
    best: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A puzzle whose candidates are arc consistent (never wiped out), and the limits."""

    candidates: Candidates
    deadline: Deadline = field(default_factory=Deadline)
    seed: int = 0
    workers: int = 1
    options: Mapping[str, str] = field(default_factory=dict)
    on_progress: OnProgress = field(default=ignore_progress)
    on_partial: OnPartial = field(default=ignore_partial)


@dataclass(frozen=True, slots=True)
class Answer:
    """``words`` has one word a slot, in the order of ``Grid.slots``, when FILLED.

    ``encode_seconds`` is the part of the time that went into writing clauses or constraints.
    """

    status: Status
    words: tuple[str, ...] | None = None
    reason: str = ""
    stats: Stats = field(default_factory=dict)
    encode_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """How many fills there are: ``count``, or at least so many when it is not ``exact``.

    ``reason`` says why the count stopped when it is not exact; "" when enough were found.
    """

    count: int
    exact: bool
    reason: str = ""
    stats: Stats = field(default_factory=dict)
    encode_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Listing:
    """Different fills, each with one word a slot; ``complete`` when there are no others.

    ``reason`` says why there are fewer than asked for when it is not complete.
    """

    fills: tuple[tuple[str, ...], ...]
    complete: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best fill found, and what no fill can be worth more than.

    It is proved to be the best when it is worth ``bound``; otherwise ``answer.reason`` says what
    ended the search. ``bound`` is None when nothing is known, as of an unfillable puzzle.
    """

    answer: Answer
    bound: int | None


class Backend(Protocol):
    """Answers a puzzle. UNFILLABLE may only be answered when it is proved."""

    name: ClassVar[str]
    capabilities: ClassVar[Capabilities]

    def solve(self, task: Task) -> Answer: ...


class CountingBackend(Backend, Protocol):
    """A backend whose capabilities declare ``count``.

    Both end at the deadline or at Ctrl-C with what they have found so far.
    """

    def count(self, task: Task, enough: int | None = None) -> Tally:
        """Count the fills; ``enough``: it may stop when it has found so many."""
        ...

    def several(self, task: Task, number: int) -> Listing:
        """Find so many different fills, or all when there are fewer."""
        ...


class OptimisingBackend(Backend, Protocol):
    """A backend whose capabilities declare ``best``."""

    def best(self, task: Task, weights: Weights) -> Optimum:
        """Find the fill whose words weigh the most; at the deadline or Ctrl-C the best so far."""
        ...
