"""The built-in backend: ``Portfolio`` finds a fill, ``enumerate`` counts and lists them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from satcross.backends.base import Answer, Capabilities, Listing, Optimum, Tally, Task
from satcross.backends.search.portfolio import SEARCH_TURN, Portfolio
from satcross.outcome import Status
from satcross.run_settings import INTERRUPTED, TIME_LIMIT

if TYPE_CHECKING:
    from satcross.network.weights import Weights


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
        from satcross.backends.search.enumerate import CountPortfolio

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
        from satcross.backends.search.enumerate import FillEnumerator

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
