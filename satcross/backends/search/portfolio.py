"""Run several kinds of search in turns, since none is the fastest on all puzzles."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from satcross import engine
from satcross.backends.search.search import Search
from satcross.grid import ACROSS, open_cells
from satcross.network.arc_consistency import Candidates
from satcross.network.narrowing import Narrowing, Schedule, first_left_out
from satcross.outcome import Status
from satcross.run_settings import Deadline, OnPartial, ignore_partial

if TYPE_CHECKING:
    from satcross.backends.search.cell_sweep import CellSweep, NarrowedSweep
    from satcross.backends.search.narrowed import Narrowed
    from satcross.network.belief_propagation import Marginals

SEARCH_TURN = 300
"""Nodes of a turn, about 0.15 s."""

_SWEEP_TURN = 20_000_000
"""Letters of a turn, about 0.5 s."""
_WHOLE_SWEEP_EVERY = 4
FIRST_NODES_PER_SLOT = 6
"""Nodes per slot before the first estimate: easy puzzles need one or two nodes per slot."""
_MOST_FIRST_NODES = 1500
"""The same at most, unless there are so many slots that even an easy fill takes more."""
# Nodes between two calls of ``on_partial``.
_SHOWN_NODES = 30

_MAX_LETTERS = 64
_MOST_STEPS = 16
"""Largest number of slots in the sweeping direction for which a sweep is worth trying."""


def is_dense(candidates: Candidates) -> bool:
    """Return whether the grid is dense and small enough for a sweep to be worth trying.

    Never with rebus cells: there two slots cross in several letters, of which each restricts the
    next, while a step looks at the letters before it only.
    """
    grid = candidates.network.puzzle.grid
    if grid.rebus:
        return False
    across = sum(slot.direction == ACROSS for slot in grid.slots)
    checked = len(grid.crossings) == len(open_cells(grid.rows))
    return checked and min(across, len(grid.slots) - across) <= _MOST_STEPS


class Portfolio:
    """``Search`` in turns with other methods that suit the puzzle.

    If the grid suits it, that is ``CellSweep``. Otherwise an estimate guides the search, and
    ``Narrowed`` searches take turns with it. ``run`` may be called again to continue. Turns are
    counted in nodes, not in seconds, so that the same seed gives the same answer.
    """

    def __init__(
        self,
        candidates: Candidates,
        *,
        seed: int = 0,
        narrowing: Narrowing = Narrowing.TURNS,
    ) -> None:
        self._candidates, self._narrowing = candidates, narrowing
        self._is_swept = self.sweeps(candidates)
        self._cell_sweep: CellSweep | None = None
        self._narrowed_sweep: NarrowedSweep | None = None
        self._sweeps = 0
        self._seed, self._random = seed, Random(seed)
        self.search = Search(candidates, seed=seed)
        self._schedule = Schedule(narrowing, self._narrow)
        self._guide: Marginals | None = None  # for the search of the whole puzzle, once it goes on
        self._turns = 0
        self.words: tuple[str, ...] | None = None

    @staticmethod
    def sweeps(candidates: Candidates) -> bool:
        """Return whether a sweep is worth trying, and there is compiled code that can do it."""
        letters = {letter for here in candidates.root.letters for letter in here}
        return (
            engine.available()
            and is_dense(candidates)
            and candidates.network.word_rules.plain
            and len(letters) <= _MAX_LETTERS
        )

    def run(self, deadline: Deadline, turns: int, on_partial: OnPartial = ignore_partial) -> Status:
        """Take up to ``turns`` turns; set ``words`` when FILLED."""
        for _ in range(turns):
            status = self._turn(deadline, on_partial)
            if status is not Status.UNKNOWN or deadline.passed:
                return status
        return Status.UNKNOWN

    def start(
        self, deadline: Deadline, nodes: int, on_partial: OnPartial = ignore_partial
    ) -> Status:
        """Take the first ``nodes`` nodes of the first turn."""
        return self._search(self.search, nodes, deadline, on_partial)

    def _turn(self, deadline: Deadline, on_partial: OnPartial) -> Status:
        self._turns += 1
        first = self._turns == 1
        if first and (self._narrowing is not Narrowing.ONLY or self._is_swept):
            slots = len(self._candidates.root.sizes)
            limit = max(_MOST_FIRST_NODES, 2 * slots)
            nodes = max(SEARCH_TURN, min(limit, FIRST_NODES_PER_SLOT * slots))
            return self._search(self.search, nodes - self.search.nodes, deadline, on_partial)
        if self._is_swept:
            if self._turns % 2:
                return self._search(self.search, SEARCH_TURN, deadline, on_partial)
            return self._sweep(deadline)
        narrowed = self._schedule.next(deadline)
        if narrowed is None and self._guide is not None:
            self.search.guide(self._guide)
            self._guide = None
        if narrowed is None and self._schedule.running:
            on_partial = ignore_partial  # partial fills of two searches in turn would be unreadable
        return self._search(narrowed or self.search, SEARCH_TURN, deadline, on_partial)

    def _sweep(self, deadline: Deadline) -> Status:
        if self._cell_sweep is None:
            from satcross.backends.search.cell_sweep import CellSweep

            self._cell_sweep = CellSweep(self._candidates, self._seed)
        sweep = self._next_sweep(self._cell_sweep, deadline)
        status = sweep.run(deadline, _SWEEP_TURN)
        self.words = sweep.words
        return status

    def _next_sweep(self, whole: CellSweep, deadline: Deadline) -> CellSweep | NarrowedSweep:
        """Return the sweep whose turn it is: the whole puzzle has the first and each fourth one."""
        self._sweeps += 1
        if self._sweeps % _WHOLE_SWEEP_EVERY == 1 or self._narrowing is Narrowing.NONE:
            return whole
        if self._narrowed_sweep is None:
            from satcross.backends.search.cell_sweep import NarrowedSweep

            self._narrowed_sweep = NarrowedSweep(self._candidates, self._seed, deadline)
        return whole if self._narrowed_sweep.over else self._narrowed_sweep

    def _narrow(self, number: int, rounds: int, deadline: Deadline) -> Narrowed:
        """Make an estimate and narrow the puzzle by it; the first one also guides the search."""
        from satcross.backends.search.narrowed import Narrowed
        from satcross.network.belief_propagation import Marginals

        marginals = Marginals(self._candidates, deadline, rounds=rounds)
        if not number:
            self._guide = marginals
        left_out = first_left_out(self._random)
        return Narrowed(marginals, left_out, self._seed + number, deadline)

    def _search(
        self, search: Search | Narrowed, nodes: int, deadline: Deadline, on_partial: OnPartial
    ) -> Status:
        """Run one slice of a search, reporting partial fills to the callback.

        The search takes the same decisions with and without a callback.
        """
        status = Status.UNKNOWN
        step = max(1, nodes) if on_partial is ignore_partial else _SHOWN_NODES
        for done in range(0, nodes, step):
            status = search.run(deadline, min(step, nodes - done))
            if on_partial is not ignore_partial:
                on_partial(search.current_letters)
            if status is not Status.UNKNOWN or deadline.passed:
                break
        self.words = search.words
        return status

    @property
    def nodes(self) -> int:
        """Decisions of all searches, without the sweeps."""
        return self.search.nodes + sum(narrowed.nodes for narrowed in self._schedule.searches)

    @property
    def stats(self) -> dict[str, int | float | str]:
        swept = {}
        if self._cell_sweep is not None:
            swept["sweep_letters"] = self._cell_sweep.nodes
        if self._narrowed_sweep is not None:
            swept["narrowed_sweep_letters"] = self._narrowed_sweep.nodes
        begun = bool(self._schedule.searches)
        narrowed = {"narrowed_nodes": self.nodes - self.search.nodes} if begun else {}
        return {**self.search.stats, **swept, **narrowed}
