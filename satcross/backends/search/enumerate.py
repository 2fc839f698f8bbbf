"""Counting and listing all fills by search."""

from __future__ import annotations

from satcross.backends.search.portfolio import SEARCH_TURN, Portfolio
from satcross.backends.search.search import Search
from satcross.network.arc_consistency import Candidates
from satcross.outcome import Status
from satcross.run_settings import Deadline

# Nodes per turn. If a grid is swept, the other methods get only short turns.
_FIRST_COUNT_TURN = 300
# Letters per turn (1 s).
_SWEEP_COUNT_TURN = 40_000_000


class FillEnumerator:
    """List fills one after the other by search; ``run`` may be called again to continue.

    ``found`` is the number of fills; ``fills`` has the fills themselves if ``kept``.
    """

    def __init__(self, candidates: Candidates, *, seed: int = 0, kept: bool = True) -> None:
        self._search = Search(candidates, seed=seed)
        self._kept = kept
        self.fills: list[tuple[str, ...]] = []
        self.found = 0
        self.complete = False

    @property
    def nodes(self) -> int:
        return self._search.nodes

    def run(self, deadline: Deadline, max_nodes: int, max_found: int | None = None) -> None:
        """Find more fills, up to ``max_found`` in all; ``complete``: there are no others."""
        last = self.nodes + max_nodes
        while not self.complete and (max_found is None or self.found < max_found):
            status = self._search.run(deadline, max(1, last - self.nodes))
            if status is Status.FILLED:
                assert self._search.words is not None
                self.found += 1
                if self._kept:
                    self.fills.append(self._search.words)
                self.complete = not self._search.leave()
            elif status is Status.UNFILLABLE:
                self.complete = True
            if status is Status.UNKNOWN or self.nodes >= last or deadline.passed:
                return


class CountPortfolio:
    """Three ways to count, in turns of growing length; the first to finish has the answer.

    The sweep, if the grid suits it; the search, which lists fills and is fast if there are few or
    only some are requested; and component caching, which starts over in each turn but keeps the
    counts of parts. Component caching is left out for compacted candidates, and if there are rules
    about pairs of words other than all-different, because then no parts of the grid are
    independent. ``best`` is the largest number of fills found so far.
    """

    def __init__(self, candidates: Candidates, *, seed: int = 0) -> None:
        from satcross.backends.search.cell_sweep import CellSweep
        from satcross.backends.search.component_count import ComponentCount

        self._candidates = candidates
        self._sweep = CellSweep(candidates) if Portfolio.sweeps(candidates) else None
        suits = candidates.network.word_rules.plain and candidates.network.shared_lexicons
        self._parts = ComponentCount(candidates) if suits else None
        self._listed = FillEnumerator(candidates, seed=seed, kept=False)
        self._turn = _FIRST_COUNT_TURN
        self.best = 0

    def run(self, deadline: Deadline, enough: int | None) -> bool:
        """Take one turn; return whether ``best`` is now the exact number of fills."""
        try:
            return self._run(deadline, enough)
        finally:
            swept = 0 if self._sweep is None else self._sweep.count
            floor = 0 if self._parts is None else self._parts.floor
            self.best = max(self.best, swept, self._listed.found, floor)

    def _run(self, deadline: Deadline, enough: int | None) -> bool:
        if self._parts is not None:
            exact = self._parts.run(deadline, self._turn, enough)
            if exact is not None:
                self.best = exact
                return True
            if enough is not None and self._parts.floor >= enough:
                return False
        # A node of the search takes about five times as long as trying a letter.
        self._listed.run(deadline, max(SEARCH_TURN, self._turn // 8), enough)
        if self._listed.complete:
            self.best = self._listed.found
            return True
        if self._sweep is None:
            self._turn *= 2
        elif self._sweep.count_on(deadline, _SWEEP_COUNT_TURN, enough):
            self.best = self._sweep.count
            return True
        return False

    @property
    def stats(self) -> dict[str, int | float | str]:
        swept = {} if self._sweep is None else {"sweep_letters": self._sweep.nodes}
        parts = (
            {"nodes": self._listed.nodes}
            if self._parts is None
            else {"nodes": self._parts.nodes, "kept": self._parts.hits}
        )
        return {**parts, "listed": self._listed.found, **swept}
