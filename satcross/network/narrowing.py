"""Narrowed puzzles: each slot keeps only the words that make up most of its estimated share.

A narrowed puzzle that has a fill answers the whole puzzle. One without a fill proves nothing, and
the next one keeps more words. The searches of ``backtrack``, and the formulas and models of ``sat``
and ``cpsat``, begin with the same narrowed puzzles.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from math import exp
from random import Random
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from satcross.network.arc_consistency import Candidates
from satcross.run_settings import Deadline

if TYPE_CHECKING:
    from satcross.network.belief_propagation import Marginals

LEFT_OUT = 0.2
"""The share of each slot that the first narrowed puzzle leaves out."""

_SPARE = 0.3
"""Estimated logarithm of the number of fills, per slot, that the first formula or model has left.

At 0.1 to 0.2, two of three narrowed puzzles of five newspaper grids had no fill; at 0.4, all but
one had, and were solved after some hundred conflicts."""

ROUNDS = (15, 10, 6)
"""Rounds of messages of the estimates by which puzzles are narrowed. The first estimate leads
to a fill of most puzzles; the later ones serve the rest. Measured: docs/lab-notebook.md."""

MIN_LEFT_OUT = 1e-4
"""A puzzle is not narrowed to leave out a smaller share of each slot."""

FIRST_SPAN = 10
"""Turns of the first narrowed search before the second one begins. They then relieve each other
after spans four times as long each: a search may have to exhaust several narrowed puzzles before
one has a fill, which takes longest when every other turn is the other search's."""

AHEAD = 50
"""Turns of narrowed searches before the whole puzzle is searched in turns with them."""

WHOLE_EVERY = 3
"""After that, one turn of so many goes to the whole puzzle."""

_WIDENING = 2.0
"""The share left out is divided by this from one narrowed puzzle to the next."""

MAX_FIRST_BATCH = 1000
"""The most candidates of a slot in its first batch."""
_FIRST_WORDS = 250_000
_LEAST_BATCH = 100

_MAX_HALVED, _KEPT_POWER = 0.4, 0.7
"""A larger share than the first is not halved, but the share kept is raised to this power, so that
the next puzzle has some twice as many candidates, not four times."""

_FAST_WIDENING = 4.0
"""The same after a puzzle that was refuted so easily that the next one hardly has a fill."""


class Narrowing(StrEnum):
    """How the searches of narrowed puzzles and of the whole puzzle share the time.

    ``turns``: narrowed puzzles go ahead, then they and the whole puzzle take turns.
    ``only``: narrowed puzzles by all other estimates; the whole puzzle when they have failed.
    ``ahead``: narrowed puzzles by the second estimate go ahead, then only the whole puzzle.
    ``none``: only the whole puzzle.
    """

    TURNS = "turns"
    AHEAD = "ahead"
    ONLY = "only"
    NONE = "none"


def first_batch(slots: int) -> int:
    """Return the number of words per slot in the first model of a grid with ``slots`` slots.

    A thousand was best on newspaper grids (docs/lab-notebook.md). In grids of hundreds of slots,
    fewer words save gigabytes of memory.
    """
    return min(MAX_FIRST_BATCH, max(_LEAST_BATCH, _FIRST_WORDS // max(1, slots)))


def may_be_narrowed(candidates: Candidates) -> bool:
    """Return whether some slot has more candidates than a first batch, encoded at once."""
    return max(candidates.root.sizes) > first_batch(len(candidates.root.sizes))


def first_left_out(random: Random) -> float:
    """Return ``LEFT_OUT``, varied a little, so that another seed narrows the puzzle differently."""
    return LEFT_OUT * float(2 ** random.uniform(-0.5, 0.5))


def estimated_left_out(marginals: Marginals, random: Random) -> float:
    """Leave out as much as leaves a fill by the estimate, if that is more than by default.

    Leaving out the share p of each slot leaves 1 - p of the fills for each slot.
    """
    slots = len(marginals.candidates.root.sizes)
    spare = marginals.log_fills() / slots - _SPARE * random.uniform(0.9, 1.1)
    return max(first_left_out(random), 1 - exp(-spare))


class Widening:
    """The narrowed puzzles of one estimate, each of which leaves out half as much as the last.

    ``left_out`` is the share of each slot that the last one leaves out, at first the next one.

    Set ``is_easy`` when the last one had no fill and that was soon found: the next one then leaves
    out a quarter.
    """

    def __init__(
        self, marginals: Marginals, left_out: float, variety: Random | None = None
    ) -> None:
        self.marginals, self._variety = marginals, variety
        self.is_easy = False
        self.left_out = left_out
        self._tried = False

    def next(self, deadline: Deadline) -> Candidates | None:
        """Return the next narrowed puzzle; None when there is none or the deadline has passed."""
        if self._tried:
            self._widen(_FAST_WIDENING if self.is_easy else _WIDENING)
        while self.left_out >= MIN_LEFT_OUT and not deadline.passed:
            self._tried, self.is_easy = True, False
            narrowed = self.marginals.narrowed(self.left_out, self._variety)
            varied, self._variety = self._variety is not None, None
            if narrowed is not None:
                return narrowed
            if not varied:
                self._widen(_WIDENING)
        return None

    def _widen(self, divisor: float) -> None:
        if self.left_out > _MAX_HALVED:
            self.left_out = 1 - (1 - self.left_out) ** _KEPT_POWER
        else:
            self.left_out /= divisor


def estimate_rounds(narrowing: Narrowing) -> tuple[int, ...]:
    """Return the rounds of messages of each estimate by which a puzzle is narrowed."""
    # In a race, each estimate has one racer; the second has the one that soon leaves narrowing.
    chosen = {
        Narrowing.ONLY: (ROUNDS[0], *ROUNDS[2:]),
        Narrowing.AHEAD: ROUNDS[1:2],
        Narrowing.NONE: (),
    }
    return chosen.get(narrowing, ROUNDS)


class NarrowedSearch(Protocol):
    """A search of the narrowed puzzles of one estimate, which can be paused and resumed."""

    @property
    def over(self) -> bool:
        """Whether every narrowed puzzle has been searched without a fill."""
        ...

    def give_up(self) -> None:
        """End the search, so that it is over."""
        ...


SearchT = TypeVar("SearchT", bound=NarrowedSearch)


class Schedule(Generic[SearchT]):
    """Which search has the next turn: a narrowed one, or that of the whole puzzle.

    ``begin`` starts a narrowed search, given its number, the rounds of messages of its estimate
    and the deadline.
    """

    def __init__(
        self, narrowing: Narrowing, begin: Callable[[int, int, Deadline], SearchT]
    ) -> None:
        self._narrowing, self._begin = narrowing, begin
        self._rounds = estimate_rounds(narrowing)
        self._turns = self._narrowed_turns = 0
        self.searches: list[SearchT] = []

    @property
    def running(self) -> bool:
        """Whether a narrowed search that has begun is not over."""
        return not all(search.over for search in self.searches)

    def next(self, deadline: Deadline) -> SearchT | None:
        """Return the narrowed search whose turn it is, or None for a turn of the whole puzzle."""
        self._turns += 1
        if self._narrowing is Narrowing.AHEAD and self._narrowed_turns >= AHEAD:
            for search in self.searches:
                search.give_up()
            return None
        begun = len(self.searches)
        if begun < len(self._rounds) and (not self.running or self._span >= begun):
            self.searches.append(self._begin(begun, self._rounds[begun], deadline))
        running = [search for search in self.searches if not search.over]
        shared = self._narrowing is Narrowing.TURNS and self._narrowed_turns >= AHEAD
        if not running or (shared and self._turns % WHOLE_EVERY == 0):
            return None
        self._narrowed_turns += 1
        return running[self._span % len(running)]

    @property
    def _span(self) -> int:
        """The number of times that one narrowed search has given way to another."""
        span, length, left = 0, FIRST_SPAN, self._narrowed_turns
        while left >= length:
            span, length, left = span + 1, length * 4, left - length
        return span
