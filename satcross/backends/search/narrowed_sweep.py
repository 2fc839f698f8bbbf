"""Sweeps of a dense grid narrowed to the words that, by an estimate, most fills consist of.

A sweep has no heuristics for words, so that fills are as rare along its way as they are anywhere.
Among the words that make up, say, half of each slot's share, they are far less rare: an open 7x7
grid with 42,562 words took 550 to more than 3,000 million letters before, and 74 to 236 million
after the estimate had left out 45 % of each share. The estimate of the number of fills says how
much can be left out so that some remain, and whether it is worth trying at all.
"""

from __future__ import annotations

from bisect import bisect_left

from satcross.backends.search.cell_sweep import CellSweep
from satcross.network.arc_consistency import Candidates
from satcross.network.belief_propagation import Marginals
from satcross.outcome import Status
from satcross.run_settings import Deadline

WANTED = 1.0
"""The first narrowed puzzle is about the smallest with e to this power fills, by the estimate."""

_STEP = 2.0
"""How much more is wanted of the next one, if a narrowed puzzle has no fill after all."""

_LEFT_OUT = tuple(step / 20 for step in range(16, 0, -1))
"""The shares that may be left out of each slot."""


class NarrowedSweep:
    """Sweeps of narrowed puzzles, from the smallest on; ``run`` may be called again to continue."""

    def __init__(self, candidates: Candidates, seed: int, deadline: Deadline) -> None:
        self._seed = seed
        self._marginals = Marginals(candidates, may_go_on=lambda: not deadline.passed)
        self._whole = self._marginals.log_fills()
        self._wanted, self._first = WANTED, 0
        self._before = 0  # letters of sweeps that have ended
        self._sweep: CellSweep | None = None
        self.words: tuple[str, ...] | None = None
        self._widen(deadline)

    @property
    def over(self) -> bool:
        """Whether no fill is likely, nothing is left to narrow, or narrowing took too long."""
        return self._sweep is None

    @property
    def nodes(self) -> int:
        """Number of letters tried."""
        return self._before + (0 if self._sweep is None else self._sweep.nodes)

    def run(self, deadline: Deadline, max_nodes: int) -> Status:
        """Try up to ``max_nodes`` letters. Never UNFILLABLE: words left out may give a fill."""
        last = self.nodes + max_nodes
        while self._sweep is not None and self.nodes < last and not deadline.passed:
            status = self._sweep.run(deadline, last - self.nodes)
            if status is Status.FILLED:
                self.words = self._sweep.words
                return status
            if status is Status.UNFILLABLE:
                self._before += self._sweep.nodes
                self._widen(deadline)
        return Status.UNKNOWN

    def _widen(self, deadline: Deadline) -> None:
        self._sweep = None
        if self._whole < self._wanted or deadline.passed:
            return
        narrowed: dict[float, Candidates | None] = {}

        def has_enough(left_out: float) -> bool:
            if deadline.passed:
                return False
            narrowed[left_out] = found = self._marginals.narrowed(left_out)
            if found is None or deadline.passed:
                return False
            own = Marginals(found, may_go_on=lambda: not deadline.passed)
            return own.log_fills() >= self._wanted

        place = bisect_left(_LEFT_OUT, True, lo=self._first, key=has_enough)
        if place == len(_LEFT_OUT) or deadline.passed:
            return
        self._wanted, self._first = self._wanted + _STEP, place + 1
        chosen = narrowed[_LEFT_OUT[place]]
        assert chosen is not None
        self._sweep = CellSweep(chosen, self._seed)
