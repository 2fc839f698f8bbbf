"""What a method of choosing returns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from satcross.answer.choosing.belief_propagation import Beliefs
from satcross.answer.choosing.tables import PER_NAT
from satcross.grid import Grid

INTERRUPTED = "interrupted"
TIME_LIMIT = "time limit reached"


@dataclass(frozen=True)
class Answers:
    """Result of a method: a word for every slot, in the grid's order; "" for an open slot.

    ``by_letters`` marks the words that are spelled letter by letter. ``beliefs`` are the posterior
    probabilities of letters and words. ``cost`` is the total in units of ``PER_NAT`` and ``bound``
    a proven lower bound on the cost of any answer; both are None for methods without costs.
    ``optimal`` says whether the answer is proved cheapest; None for methods that don't optimise.
    ``stopped`` says why the method ended early, "" if it did not.
    """

    method: str
    grid: Grid
    words: tuple[str, ...]
    by_letters: tuple[bool, ...]
    beliefs: Beliefs
    cost: int | None = None
    bound: int | None = None
    optimal: bool | None = None
    stopped: str = ""

    @cached_property
    def letters(self) -> tuple[tuple[str | None, ...], ...]:
        """The proposed grid, one tuple per row; None where the cell is blocked or open."""
        return tuple(map(tuple, self.grid.letters([word or None for word in self.words])))

    @property
    def log_probability(self) -> float | None:
        """Unnormalised log-probability of the whole answer; None without a cost."""
        return None if self.cost is None else -self.cost / PER_NAT
