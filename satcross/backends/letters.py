"""The letters backend: clause learning whose only variables are the letters of crossings.

It follows lazy clause generation (O. Ohrimenko, P. J. Stuckey and M. Codish, "Propagation via lazy
clause generation", Constraints 14, 2009), with the search of MiniSat and Glucose: the slots are
table constraints that explain what follows from them when a conflict asks for it, so that no clause
is written for any word (``letter_tables``). Searches of the whole puzzle and of narrowed ones
(satcross.network.narrowing) take turns; with several workers, they race.

The search is compiled code. Where that is missing, and for the rules that it does not know (those
about pairs of words, and preferred words), ``sat`` answers instead.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from satcross.backends.base import Answer, Capabilities, Stats, Task
from satcross.backends.letter_tables import (
    DEFAULTS,
    LetterSettings,
    WordChoice,
    crossings_of,
    first_activities,
    letter_tables,
)
from satcross.backends.narrowed import Learner, race_narrowings, solve_in_turns
from satcross.backends.registry import get_backend
from satcross.backends.search.portfolio import is_dense
from satcross.network.arc_consistency import Candidates
from satcross.network.narrowing import Narrowing, first_left_out, may_be_narrowed
from satcross.outcome import Status

if TYPE_CHECKING:
    from satcross.engine.puzzle import CompiledPuzzle

_WORK_A_CALL = 4_000_000
"""64-bit words visited between two checks of the deadline: some ten milliseconds."""

_CONFLICTS_A_TURN = 5
"""Conflicts for each one that ``run`` is given, since a solver of formulas takes longer for one."""

_WHOLE_EVERY = 4
"""One turn in so many goes to the whole puzzle, which costs nothing to write."""


LearnedClause = list[tuple[int, str, bool]]
"""That crossings have a letter, or, with False, that they do not have it."""

_FILLED, _EXHAUSTED = 1, 2
"""What ``LetterLearning.run`` returns if it is not 0."""


class LetterSearch:
    """A search that can be paused and resumed.

    With ``is_logged``, ``learned`` returns every clause that it has learned. ``excluded`` says
    whether letters had to be excluded that the tables allow.
    """

    def __init__(
        self,
        task: Task,
        candidates: Candidates,
        puzzle: CompiledPuzzle,
        settings: LetterSettings = DEFAULTS,
        *,
        is_logged: bool = False,
    ) -> None:
        from satcross.engine.letters import LetterLearning

        started = time.perf_counter()
        self._task, self._candidates = task, candidates
        self.words: tuple[str, ...] | None = None
        self.excluded = False
        activities = first_activities(task, candidates)
        distinct = not candidates.network.puzzle.allow_repeats
        self._learning = LetterLearning(
            puzzle, candidates.root, distinct, settings, activities, is_logged
        )
        self.encode_seconds = time.perf_counter() - started

    @classmethod
    def begin(
        cls,
        task: Task,
        candidates: Candidates,
        settings: LetterSettings = DEFAULTS,
        *,
        is_logged: bool = False,
    ) -> LetterSearch | None:
        """Begin a search of some of the task's candidates; None if there are no tables of them."""
        tables = letter_tables(candidates)
        if tables is None:
            return None
        return cls(task, candidates, tables, settings, is_logged=is_logged)

    def close(self) -> None:
        """Do nothing: the memory is freed with the search."""

    @property
    def stats(self) -> Stats:
        return {
            "solver": "satcross",
            "encoding": "letters",
            "variables": sum(map(len, self._candidates.root.letters)),
            "clauses": self._learning.clauses,
            "conflicts": self._learning.conflicts,
        }

    def run(self, max_conflicts: float) -> Status:
        """Search until there is an answer, or for about ``max_conflicts`` conflicts of a formula.

        Raises TimeUp when the deadline passes.
        """
        learning = self._learning
        last = learning.conflicts + _CONFLICTS_A_TURN * max_conflicts
        while learning.conflicts < last:
            self._task.deadline.check()
            result = learning.run(_WORK_A_CALL)
            if result == _EXHAUSTED or (result == _FILLED and not self._found()):
                return Status.UNFILLABLE
            if self.words is not None:
                return Status.FILLED
            self._task.on_progress(f"letters: {learning.conflicts} conflicts")
        return Status.UNKNOWN

    def exclude(self, slots: Iterable[int] | None = None) -> bool:
        """Exclude the letters that crossings have in the state of FILLED; False if nothing is left.

        With ``slots``, only the combination of letters of these slots is excluded.
        """
        every = range(len(self._candidates.root.sizes))
        crossings = crossings_of(self._candidates, every if slots is None else slots)
        self._learning.exclude(crossings)
        self.words, self.excluded = None, True
        return bool(crossings)

    def learned(self) -> list[LearnedClause]:
        """Return what was learned, in order.

        Unless letters were ``excluded``, each clause follows by reverse unit propagation from the
        support encoding and the clauses before it: what a table explains, unit propagation finds.
        """
        return self._learning.log()

    def _found(self) -> bool:
        """Set ``words``; or exclude letters that leave too few words, False if nothing is left."""
        choice = WordChoice(self._candidates, self._learning.domains())
        if slots := choice.make():
            return self.exclude(slots)
        self.words = choice.words
        return True


class Letters:
    """Clause learning on letters, in compiled code. Option: ``narrowing``."""

    name: ClassVar[str] = "letters"
    capabilities: ClassVar[Capabilities] = Capabilities()

    def solve(self, task: Task) -> Answer:
        narrowing = task.narrowing
        if letter_tables(task.candidates) is None:
            return get_backend("sat").solve(task)
        if not may_be_narrowed(task.candidates):
            narrowing = Narrowing.NONE
        elif task.can_race:
            return race_narrowings(task, self.name)
        elif narrowing is Narrowing.AHEAD and is_dense(task.candidates):
            narrowing = Narrowing.NONE  # most hard open rectangles have no fill
        return solve_in_turns(task, narrowing, _learner)


def _learner(task: Task) -> Learner:
    def whole() -> LetterSearch:
        search = LetterSearch.begin(task, task.candidates)
        assert search is not None
        return search

    return Learner(
        whole,
        lambda candidates, _: LetterSearch.begin(task, candidates),
        first_left_out=lambda _, random: first_left_out(random),
        whole_every=_WHOLE_EVERY,
        stats={"solver": "satcross", "encoding": "letters"},
    )
