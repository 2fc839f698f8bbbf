"""The built-in backend: ``Portfolio`` finds a fill, ``CountPortfolio`` counts them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from satcross.backends.base import Answer, Capabilities, Listing, Optimum, Tally, Task
from satcross.backends.search.portfolio import SEARCH_TURN, Portfolio
from satcross.backends.search.search import Search
from satcross.network.arc_consistency import Candidates
from satcross.outcome import Status
from satcross.run_settings import INTERRUPTED, TIME_LIMIT, Deadline

if TYPE_CHECKING:
    from satcross.network.weights import Weights

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


class Backtrack:
    """Search that maintains arc consistency, sweeps of dense grids, component caching.

    Option: ``narrowing``, a value of ``Narrowing``.
    """

    name: ClassVar[str] = "backtrack"
    capabilities: ClassVar[Capabilities] = Capabilities(count=True, best=True)

    def solve(self, task: Task) -> Answer:
        portfolio = Portfolio(task.candidates, seed=task.seed, narrowing=task.narrowing)
        while True:
            status = portfolio.run(task.deadline, 1, task.on_partial)
            if status is not Status.UNKNOWN or task.deadline.passed:
                return answer(portfolio, status)
            task.on_progress(f"backtrack: {portfolio.nodes:,} nodes")

    def best(self, task: Task, weights: Weights) -> Optimum:
        from satcross.backends.search.branch_and_bound import maximise
        from satcross.backends.search.large_neighbourhood import optimise

        return optimise(task, weights, self, maximise)

    def count(self, task: Task, enough: int | None = None) -> Tally:
        counts = CountPortfolio(task.candidates, seed=task.seed)
        try:
            while True:
                if counts.run(task.deadline, enough):
                    return Tally(counts.best, True, "", counts.stats)
                if enough is not None and counts.best >= enough:
                    return Tally(counts.best, False, "", counts.stats)
                if task.deadline.passed:
                    return Tally(counts.best, False, TIME_LIMIT, counts.stats)
                task.on_progress(f"backtrack: at least {counts.best:,} fills")
        except KeyboardInterrupt:
            return Tally(counts.best, False, INTERRUPTED, counts.stats)

    def several(self, task: Task, number: int) -> Listing:
        listed = FillEnumerator(task.candidates, seed=task.seed)
        try:
            while not listed.complete and len(listed.fills) < number:
                if task.deadline.passed:
                    return Listing(tuple(listed.fills), False, TIME_LIMIT)
                listed.run(task.deadline, SEARCH_TURN, number)
                task.on_progress(f"backtrack: {len(listed.fills):,} fills")
        except KeyboardInterrupt:
            return Listing(tuple(listed.fills), False, INTERRUPTED)
        return Listing(tuple(listed.fills), listed.complete)


def answer(portfolio: Portfolio, status: Status) -> Answer:
    """Convert the state of a portfolio into a backend's answer."""
    reasons = {
        Status.FILLED: "",
        Status.UNFILLABLE: "the search space is exhausted",
        Status.UNKNOWN: TIME_LIMIT,
    }
    return Answer(status, portfolio.words, reasons[status], portfolio.stats)
