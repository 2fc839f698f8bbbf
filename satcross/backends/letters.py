"""The letters backend: clause learning whose only variables are the letters of crossings.

It follows lazy clause generation (O. Ohrimenko, P. J. Stuckey and M. Codish, "Propagation via lazy
clause generation", Constraints 14, 2009), with the search of MiniSat and Glucose: the slots are
table constraints that explain what follows from them when a conflict asks for it, so that no clause
is written for any word (``letter_search``). Searches of the whole puzzle and of narrowed ones
(satcross.network.narrowing) take turns; with several workers, they race.

The search is compiled code. Where that is missing, and for the rules that it does not know (those
about pairs of words, and preferred words), ``sat`` answers instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from satcross.backends.base import Answer, Capabilities, Task
from satcross.backends.letter_search import LetterSearch
from satcross.backends.narrowed import Learner, may_be_narrowed, race_narrowings, solve_in_turns
from satcross.backends.registry import get_backend
from satcross.backends.search.portfolio import is_dense
from satcross.network.arc_consistency import Candidates
from satcross.network.narrowing import Narrowing, first_left_out

if TYPE_CHECKING:
    from satcross.network.belief_propagation import Marginals

_WHOLE_EVERY = 4
"""One turn in so many goes to the whole puzzle, which costs nothing to write."""


class Letters:
    """Clause learning on letters, in compiled code. Option: ``narrowing``."""

    name: ClassVar[str] = "letters"
    capabilities: ClassVar[Capabilities] = Capabilities()

    def solve(self, task: Task) -> Answer:
        narrowing = task.narrowing
        if LetterSearch.tables(task.candidates) is None:
            return get_backend("sat").solve(task)
        if not may_be_narrowed(task.candidates):
            narrowing = Narrowing.NONE
        elif task.can_race:
            return race_narrowings(task, self.name)
        elif narrowing is Narrowing.AHEAD and is_dense(task.candidates):
            narrowing = Narrowing.NONE  # most hard open rectangles have no fill
        return solve_in_turns(task, narrowing, _learner)


def _learner(task: Task) -> Learner:
    def begin(candidates: Candidates) -> LetterSearch | None:
        tables = LetterSearch.tables(candidates)
        return None if tables is None else LetterSearch(task, candidates, tables)

    def whole() -> LetterSearch:
        search = begin(task.candidates)
        assert search is not None
        return search

    def narrowed(candidates: Candidates, marginals: Marginals) -> LetterSearch | None:
        return begin(candidates)

    return Learner(
        whole,
        narrowed,
        first_left_out=lambda marginals, random: first_left_out(random),
        whole_every=_WHOLE_EVERY,
        stats={"solver": "satcross", "encoding": "letters"},
    )
