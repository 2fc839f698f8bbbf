"""Registry and common interface of the methods that choose a word for every slot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from satcross.answer.choosing.belief_propagation import Beliefs
from satcross.answer.choosing.problem import Problem
from satcross.answer.choosing.tables import PER_NAT
from satcross.errors import UnavailableError
from satcross.run_settings import NEVER, Deadline, OnProgress, ignore_progress

INTERRUPTED = "interrupted"
TIME_LIMIT = "time limit reached"

METHODS = {
    "cpsat": "satcross.answer.choosing.exact:by_cpsat",
    "bp": "satcross.answer.choosing.exact:by_belief",
    "crosswind": "satcross.answer.choosing.crosswind:by_partial_selections",
}
"""Method -> its function. ``cpsat`` finds the most likely answer to the whole puzzle, ``bp`` the
most likely letter of every cell; ``crosswind`` is the algorithm of CROSSWIND."""

DEFAULT_METHOD = "auto"
"""``cpsat`` for puzzles of at most ``_SMALL`` slots, ``bp`` for larger ones."""
_SMALL = 30
"""``cpsat`` proves its answers to minis; on 15x15s it proves little and is no better."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Result of a method: a word for every slot, in the grid's order; "" for an open slot.

    ``by_letters`` marks the words that are spelled letter by letter. ``cost`` is the total in units
    of ``PER_NAT`` and ``bound`` a proven lower bound on the cost of any answer; both are None for
    methods without costs. ``optimal`` says whether the answer is proved cheapest; None for methods
    that don't optimise. ``stopped`` says why the method ended early, "" if it did not. ``beliefs``
    are the posterior probabilities of letters and words.
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
    """The proposed grid, one tuple per row; None where the cell is blocked or open."""

    @property
    def log_probability(self) -> float | None:
        """Unnormalised log-probability of the whole answer; None without a cost."""
        return None if self.cost is None else -self.cost / PER_NAT


def answer(
    problem: Problem,
    method: str = DEFAULT_METHOD,
    deadline: Deadline = NEVER,
    on_progress: OnProgress = ignore_progress,
) -> Answers:
    """Choose a word for every slot. Raises UnavailableError for an unknown method."""
    check_method(method)
    if method == DEFAULT_METHOD:
        method = "cpsat" if len(problem.costs.slots) <= _SMALL else "bp"
    module, _, name = METHODS[method].partition(":")
    run: Callable[[Problem, Deadline, OnProgress], Answers] = getattr(import_module(module), name)
    return run(problem, deadline, on_progress)


def check_method(method: str) -> None:
    """Raise UnavailableError for an unknown method."""
    names = (DEFAULT_METHOD, *METHODS)
    if method not in names:
        raise UnavailableError(f"there is no method {method!r}; choose from {', '.join(names)}")
