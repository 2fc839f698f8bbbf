"""What a method of reconciling is asked and answers, and the names of the methods."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module

from satcross.clues.choosing.belief_propagation import Beliefs
from satcross.clues.choosing.problem import PER_NAT, Problem
from satcross.deadline import Deadline
from satcross.errors import UnavailableError

INTERRUPTED = "interrupted"
TIME_LIMIT = "time limit reached"

METHODS = {
    "cpsat": "satcross.clues.choosing.exact:by_cpsat",
    "rc2": "satcross.clues.choosing.exact:by_rc2",
    "bp": "satcross.clues.choosing.exact:by_belief",
    "crosswind": "satcross.clues.choosing.crosswind:by_partial_selections",
}
"""How candidates may be reconciled. ``cpsat`` and ``rc2`` find the likeliest answer to the whole
puzzle, ``bp`` the likeliest letter of every cell, ``crosswind`` what CROSSWIND did."""

DEFAULT_METHOD = "cpsat"


@dataclass(slots=True)
class Clock:
    """The time there is; ``on_progress`` hears now and then what is being done."""

    seconds: float | None = None
    on_progress: Callable[[str], None] = lambda line: None
    started: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """Seconds, or infinity."""
        if self.seconds is None:
            return float("inf")
        return max(0.0, self.started + self.seconds - time.monotonic())

    @property
    def deadline(self) -> Deadline:
        """The moment at which no time is left."""
        return Deadline(None if self.seconds is None else self.started + self.seconds)


@dataclass(frozen=True, slots=True)
class Answers:
    """A word for every slot, in the order of the grid's; "" where the method left it open.

    ``by_letters`` are those put together from letters. ``cost`` is the total in ``PER_NAT`` units
    and ``bound`` what no answer is below, both None where a method does not count so. ``optimal``:
    whether nothing costs less; None for methods that don't seek it. ``stopped`` says why a method
    gave up early, "" when it did not. ``beliefs`` say how sure each letter is.
    """

    method: str
    words: tuple[str, ...]
    by_letters: tuple[bool, ...]
    cost: int | None
    bound: int | None
    optimal: bool | None
    stopped: str
    beliefs: Beliefs
    letters: tuple[tuple[str | None, ...], ...]
    """The proposed grid: a row of letters a row, None where the cell is blocked or left open."""
    posterior: tuple[float, ...]
    """How probable each slot's word is, all crossings considered (by belief propagation)."""

    @property
    def log_probability(self) -> float | None:
        """Of the whole answer, by the candidates' scores; not normalised."""
        return None if self.cost is None else -self.cost / PER_NAT


def answer(question: Problem, method: str = DEFAULT_METHOD, clock: Clock | None = None) -> Answers:
    """Choose words for all slots. Raises UnavailableError for a method there is not."""
    if method not in METHODS:
        raise UnavailableError(f"there is no method {method!r}; choose from {', '.join(METHODS)}")
    module, _, name = METHODS[method].partition(":")
    run: Callable[[Problem, Clock], Answers] = getattr(import_module(module), name)
    return run(question, clock or Clock())
