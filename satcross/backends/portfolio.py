"""Searches that take turns: which of them has the answer soonest is seen by trying."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from satcross.backends.base import Deadline, Show, unseen
from satcross.backends.search import Search
from satcross.backends.sweep import Sweep
from satcross.candidates import Candidates
from satcross.outcome import Status

if TYPE_CHECKING:
    from satcross.marginals import Marginals  # needs numpy, which takes long to import

SEARCH_TURN = 300
"""Nodes of a turn, about 0.1 s."""

# About 1 s: where a sweep is possible it nearly always comes first.
_SWEEP_TURN = 400_000
# Up to here nothing is estimated: easy puzzles take a node or two a slot, middling ones some more.
_FIRST_NODES_A_SLOT = 10
_MOST_FIRST_NODES = 3000
# Nodes between two times that the search is shown to somebody who looks on.
_SHOWN_NODES = 30


@dataclass(frozen=True, slots=True)
class Narrowing:
    """How one narrowed search is made: the estimate and what share of each slot is left out."""

    rounds: int
    left_out: float


NARROWINGS = (Narrowing(10, 0.03), Narrowing(15, 0.1))
"""The narrowed searches there are, measured: docs/performance.md. The first one's estimate guides
the search of the whole puzzle too."""

_WIDENING = 2.0
"""What is left out is divided by this when such a search is exhausted."""

_LEAST_LEFT_OUT = 1e-4


class Narrowed:
    """Searches of the puzzle narrowed to the words that most fills are thought to be made of.

    What is exhausted without a fill is narrowed less and searched again.
    """

    def __init__(
        self, marginals: Marginals, left_out: float, seed: int, deadline: Deadline
    ) -> None:
        self._marginals, self._left_out, self._seed = marginals, left_out, seed
        self._before = 0  # nodes of searches that are over
        self._search: Search | None = None
        self.words: tuple[str, ...] | None = None
        self._widen(deadline)

    @property
    def over(self) -> bool:
        """Whether hardly anything was left out in the end, and there was no fill."""
        return self._search is None

    @property
    def nodes(self) -> int:
        return self._before + (0 if self._search is None else self._search.nodes)

    def run(self, deadline: Deadline, max_nodes: int) -> Status:
        """Take so many nodes. FILLED or UNKNOWN: what is left out here may have a fill."""
        last = self.nodes + max_nodes
        while self._search is not None and self.nodes < last and not deadline.passed:
            status = self._search.run(deadline, last - self.nodes)
            if status is Status.FILLED:
                self.words = self._search.words
                return status
            if status is Status.UNFILLABLE:
                self._before += self._search.nodes
                self._widen(deadline)
        return Status.UNKNOWN

    def _widen(self, deadline: Deadline) -> None:
        from satcross.marginals import Marginals

        self._search = None
        while self._search is None and self._left_out >= _LEAST_LEFT_OUT:
            if deadline.passed:
                return
            narrowed = self._marginals.narrowed(self._left_out)
            self._left_out /= _WIDENING
            if narrowed is not None:
                own = Marginals(narrowed, may_go_on=lambda: not deadline.passed)
                self._search = Search(narrowed, seed=self._seed, marginals=own)


class Portfolio:
    """What the backend does: ``Search``, with what else suits the puzzle in turns with it.

    That is ``Sweep`` where the grid suits, and elsewhere, when a first short search comes to
    nothing, one ``Narrowed`` after the other, unless the puzzle is to stay ``whole`` or nothing is
    to be estimated at all. ``run`` may be called again to go on. Turns are counted in nodes, never
    in seconds, so that the same seed gives the same answer.
    """

    def __init__(
        self,
        candidates: Candidates,
        *,
        seed: int = 0,
        whole: bool = False,
        estimating: bool = True,
    ) -> None:
        self._candidates, self._whole = candidates, whole
        self._seed, self._random = seed, Random(seed)
        self.search = Search(candidates, seed=seed)
        self.sweep = Sweep(candidates) if Sweep.suits(candidates) else None
        self._coming = list(NARROWINGS[:1] if whole else NARROWINGS) if estimating else []
        self._narrowed: list[Narrowed] = []
        self._turns = 0
        self.words: tuple[str, ...] | None = None

    def run(self, deadline: Deadline, turns: int, show: Show = unseen) -> Status:
        """Take so many turns; sets ``words`` when FILLED."""
        for _ in range(turns):
            status = self._turn(deadline, show)
            if status is not Status.UNKNOWN or deadline.passed:
                return status
        return Status.UNKNOWN

    def _turn(self, deadline: Deadline, show: Show) -> Status:
        self._turns += 1
        nodes = SEARCH_TURN
        if self._turns == 1:
            slots = len(self._candidates.root.sizes)
            nodes = max(nodes, min(_MOST_FIRST_NODES, _FIRST_NODES_A_SLOT * slots))
        status = self._search(deadline, nodes, show)
        if status is not Status.UNKNOWN or deadline.passed:
            return status
        if self.sweep is not None:
            status = self.sweep.run(deadline, _SWEEP_TURN)
            self.words = self.sweep.words
            return status
        if self._coming:
            self._narrow(self._coming.pop(0), deadline)
            turn = len(self._narrowed) - 1
        else:
            turn = self._turns
        running = [narrowed for narrowed in self._narrowed if not narrowed.over]
        if running:
            narrowed = running[turn % len(running)]
            status = narrowed.run(deadline, SEARCH_TURN)
            self.words = narrowed.words
        return status

    def _narrow(self, narrowing: Narrowing, deadline: Deadline) -> None:
        """Make an estimate, which guides the search if it is the first, and narrow by it."""
        from satcross.marginals import Marginals

        marginals = Marginals(
            self._candidates, rounds=narrowing.rounds, may_go_on=lambda: not deadline.passed
        )
        if not self._narrowed:
            self.search.guide(marginals)
        if not self._whole:
            # A little luck, so that a search with another seed tries another puzzle.
            share = narrowing.left_out * 2 ** self._random.uniform(-0.5, 0.5)
            self._narrowed.append(Narrowed(marginals, share, self._seed, deadline))

    def _search(self, deadline: Deadline, nodes: int, show: Show) -> Status:
        """The search, shown every few nodes to who looks on, and just the same to nobody."""
        status = Status.UNKNOWN
        step = nodes if show is unseen else _SHOWN_NODES
        for done in range(0, nodes, step):
            status = self.search.run(deadline, min(step, nodes - done))
            if show is not unseen:
                show(self.search.standing)
            if status is not Status.UNKNOWN or deadline.passed:
                break
        self.words = self.search.words
        return status

    @property
    def stats(self) -> dict[str, int | float | str]:
        swept = {} if self.sweep is None else {"sweep_nodes": self.sweep.nodes}
        if not self._narrowed:
            return {**self.search.stats, **swept}
        nodes = sum(narrowed.nodes for narrowed in self._narrowed)
        return {**self.search.stats, **swept, "narrowed_nodes": nodes}
