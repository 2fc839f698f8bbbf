"""The search of narrowed puzzles: as few words as have a fill by an estimate, then more."""

from __future__ import annotations

from random import Random
from typing import Any

from satcross.backends.search.search import Search
from satcross.grid import Cell
from satcross.network.belief_propagation import Marginals
from satcross.network.narrowing import Widening
from satcross.outcome import Status
from satcross.run_settings import NEVER, Deadline

_EASY_NODES_PER_SLOT = 2
"""A narrowed puzzle that is exhausted within so many nodes was narrowed far too much."""
_OWN_ROUNDS = 8
"""Rounds of the estimate for a narrowed puzzle, which begins with that of the whole one. With 15,
searches of 15x15 and 21x21 grids took as many decisions."""


class NarrowedSearch:
    """Searches of one narrowed puzzle after the other; ``run`` may be called again to continue.

    One that is exhausted without a fill is followed by one of more words.
    """

    _search: Any = None
    _before = 0  # nodes of searches that have ended
    words: tuple[str, ...] | None = None

    @property
    def over(self) -> bool:
        """Whether no narrowed puzzle is left that is worth a search, or narrowing took too long."""
        return self._search is None

    @property
    def nodes(self) -> int:
        return self._before + (0 if self._search is None else self._search.nodes)

    def run(self, deadline: Deadline, max_nodes: int) -> Status:
        """Search up to ``max_nodes`` nodes. Never UNFILLABLE: words left out may give a fill."""
        last = self.nodes + max_nodes
        while self._search is not None and self.nodes < last and not deadline.passed:
            status = self._search.run(deadline, last - self.nodes)
            if status is Status.FILLED:
                self.words = self._search.words
                return Status.FILLED
            if status is Status.UNFILLABLE:
                self._widen(deadline)
        return Status.UNKNOWN

    def _widen(self, deadline: Deadline) -> None:
        """Begin the next search; there may be none, and then it is over."""
        self._before, self._search = self.nodes, None


class Narrowed(NarrowedSearch):
    """Search the puzzle narrowed to the words that, by an estimate, most fills consist of."""

    _search: Search | None = None

    def __init__(
        self,
        marginals: Marginals,
        left_out: float,
        seed: int,
        deadline: Deadline,
        variety: Random | None = None,
    ) -> None:
        self._widening, self._seed = Widening(marginals, left_out, variety), seed
        self.candidates = marginals.candidates
        """The narrowed candidates that were searched last."""
        self._widen(deadline)

    @property
    def current_letters(self) -> dict[Cell, str]:
        """The letters of the current partial fill; those of the root when the search is over."""
        whole = self._widening.marginals.candidates
        if self._search is None:
            return whole.network.letters(whole.root)
        return self._search.current_letters

    def again(self) -> None:
        """Search what was searched last once more, with other random numbers."""
        self.words = None
        if self._search is not None:
            self._search.again(self.candidates.root.domains)

    def give_up(self) -> None:
        super()._widen(NEVER)

    def _widen(self, deadline: Deadline) -> None:
        like = self._widening.marginals
        if self._search is not None:
            few = _EASY_NODES_PER_SLOT * len(like.candidates.root.sizes)
            self._widening.is_easy = self._search.nodes < few
        super()._widen(deadline)
        narrowed = self._widening.next(deadline)
        if narrowed is not None:
            self.candidates = narrowed
            own = Marginals(narrowed, deadline, rounds=_OWN_ROUNDS, like=like)
            self._search = Search(narrowed, seed=self._seed, marginals=own)
