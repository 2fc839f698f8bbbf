"""Depth-first search that maintains arc consistency, on bitset candidates.

- Branching is two-way, slot = word against slot != word (Sabin and Freuder 1994's MAC). After every
  second restart, slots that have many words left are only given the letter that the chosen word has
  at one crossing, against all other letters there: where slots are dense, a letter says enough.
- The slot is chosen by domain size over weighted degree, dom/wdeg (Boussemart, Hemery, Lecoutre
  and Sais 2004), with the weights aged: later contradictions count for more.
- The word is the one that leaves the crossing slots the most candidates (the largest product),
  among all words of a small slot or a random sample of a large one; with ``guide``, candidates
  count by the share of fills they are thought to have. First of all, though, comes the word that
  the slot had when, before the last restart, the most slots had one: the "target phases" of SAT
  solvers (Biere and Fleury 2020), which carry over what a restart would lose.
- Theme words that must stand somewhere come before everything else, the one with the fewest places
  first. Preferred words are the only ones looked at, where there are some, up to some restarts.
- The search restarts at growing intervals (Gomes, Selman and Kautz 1998; geometric, Walsh 1999),
  and what was refuted at the root stays refuted. The intervals grow without bound, so that the
  search is complete: it proves UNFILLABLE when it exhausts the root.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import TYPE_CHECKING

from satcross import engine
from satcross.backends.search import SearchSettings
from satcross.grid import Cell
from satcross.network.arc_consistency import Candidates, State
from satcross.outcome import Status
from satcross.run_settings import Deadline

if TYPE_CHECKING:
    from satcross.backends.search.in_python import PythonSearch
    from satcross.engine.search import CompiledSearch
    from satcross.network.belief_propagation import Marginals

COMPILED_NODES = 64
"""Decisions of compiled code between two checks of the deadline: a few milliseconds at most."""

_STATUSES = (Status.UNKNOWN, Status.FILLED, Status.UNFILLABLE)


class Search:
    """A search over a puzzle's candidates; ``run`` may be called again to continue.

    To search under a budget from any arc consistent candidates (a narrowed puzzle, a region of a
    fill), make a ``Search`` and call ``run`` once; ``words`` has the fill. The search runs in
    compiled code where there is any that covers the puzzle, unless ``compiled`` is false, and takes
    the same decisions there. ``root`` has the candidates before any decision.
    """

    def __init__(
        self,
        candidates: Candidates,
        *,
        seed: int = 0,
        settings: SearchSettings | None = None,
        marginals: Marginals | None = None,
        compiled: bool = True,
    ) -> None:
        self.settings = settings or SearchSettings()
        self.network, self.root = candidates.network, candidates.root
        self.random = Random(seed)
        self.nodes = self.failures = self.restarts = 0
        self.words: tuple[str, ...] | None = None
        self.is_compiled = compiled and engine.available()
        self._code = self._begin()
        if marginals is not None:
            self.guide(marginals)

    def _begin(self) -> CompiledSearch | PythonSearch:
        if self.is_compiled:
            from satcross.engine.search import CompiledSearch
            from satcross.network.compiled import compiled

            puzzle = compiled(self.network, self.root)
            if puzzle is not None:
                return CompiledSearch(puzzle, self)
            self.is_compiled = False
        from satcross.backends.search.in_python import PythonSearch

        return PythonSearch(self.network, self.root, self.settings, self.random)

    def again(self, domains: list[int], opened: Collection[int] | None = None) -> Sequence[int]:
        """Begin again with some of the root's candidates, which takes less than another search.

        ``opened`` names the slots to fill where all others have the words of one fill, whose
        crossings need not be looked at again. Returns no slots, or those of a contradiction: then
        there is no fill of these candidates.
        """
        return self._code.again(domains, opened)

    def guide(self, marginals: Marginals) -> None:
        """From now on, also value words by the estimated share of fills that they leave."""
        self._code.guide(marginals.corrections())

    def run(self, deadline: Deadline, max_nodes: int | None = None) -> Status:
        """Search until an answer, the deadline, or ``max_nodes`` more decisions.

        Sets ``words`` when FILLED.
        """
        last = None if max_nodes is None else self.nodes + max_nodes
        step = COMPILED_NODES if self.is_compiled else 1
        while True:
            left = step if last is None else min(step, last - self.nodes)
            if left <= 0 or deadline.passed:
                return Status.UNKNOWN
            result = _STATUSES[self._code.advance(left)]
            self.nodes, self.failures, self.restarts = self._code.counts
            if result is Status.FILLED:
                self.words = self._code.words()
            if result is not Status.UNKNOWN:
                return result

    def leave(self) -> bool:
        """After FILLED, leave this fill, so that ``run`` finds another; False if there is none.

        From the first fill on the search does not restart. What lies behind it has been searched,
        so that no fill is found twice, and UNFILLABLE means that there are no more.
        """
        return self._code.leave()

    @property
    def current(self) -> State:
        """The current candidates."""
        return State(*self._code.state())

    @property
    def current_letters(self) -> dict[Cell, str]:
        """The letters of the current partial fill."""
        return self.network.letters(self.current)

    @property
    def stats(self) -> dict[str, int | float | str]:
        return {"nodes": self.nodes, "failures": self.failures, "restarts": self.restarts}
