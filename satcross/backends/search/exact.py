"""The interface between the search for the best fill and a backend's exact solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from satcross.backends.base import Stats, Words, accept_any
from satcross.network.arc_consistency import Candidates, State
from satcross.network.weights import Weights
from satcross.run_settings import Deadline


@dataclass(frozen=True, slots=True)
class ExactProblem:
    """Which fill from ``state``'s candidates is worth the most, and at least ``min_value``?

    ``state`` is arc consistent, and narrowed to what may be worth ``min_value``.
    ``work`` is about seconds. ``hint``: a fill that is known, perhaps not worth as much. Only
    branch and bound looks at ``accepts``, as ``Task`` has it.
    """

    candidates: Candidates
    state: State
    weights: Weights
    min_value: int
    deadline: Deadline
    work: float
    seed: int = 0
    workers: int = 1
    hint: Words | None = None
    accepts: Callable[[Words], bool] = field(default=accept_any)

    def listed(self) -> tuple[tuple[Words, ...], tuple[tuple[int, ...], ...]]:
        """Every slot's candidates, heaviest first, and their weights."""
        both = [
            self.weights.candidates(slot, domain) for slot, domain in enumerate(self.state.domains)
        ]
        return tuple(words for words, _ in both), tuple(weights for _, weights in both)


@dataclass(frozen=True, slots=True)
class ExactResult:
    """The best fill found (None: none worth ``min_value``), and what none can be worth more than.

    ``bound`` speaks of the question's candidates, and is at least ``min_value - 1``. ``stats`` has
    ``work`` that was done. ``complete``: no better fill would have been accepted.
    """

    words: Words | None
    bound: int
    stats: Stats = field(default_factory=dict)
    complete: bool = False


class Exact(Protocol):
    """A solver of exact problems that stops at its limits of work and time."""

    def __call__(self, question: ExactProblem, /) -> ExactResult: ...
