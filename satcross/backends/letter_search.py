"""Clause learning on the letters of crossings, in compiled code (``satcross.engine.letters``).

The slots are tables that explain lazily what follows from them, so that a puzzle is ready as soon
as its letter masks are, whatever the number of candidates, and a contradiction costs a tenth of
what it costs a solver that reads the support encoding.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING

from satcross import engine
from satcross.backends.base import Stats, Task
from satcross.network.arc_consistency import Candidates, bits
from satcross.outcome import Status
from satcross.support.frozen import frozen

if TYPE_CHECKING:
    from satcross.engine.puzzle import CompiledPuzzle

_WORK_A_CALL = 4_000_000
"""64-bit words visited between two checks of the deadline: some ten milliseconds."""

_MAX_PEERS = 3000
"""With more peers than this, a slot's word takes too long to be removed from all of them."""

_CONFLICTS_A_TURN = 5
"""Conflicts for each one that ``run`` is given, since a solver of formulas takes longer for one."""


@frozen
class LetterSettings:
    """Settings of a search on letters; the defaults were measured (docs/lab-notebook.md)."""

    restart_unit: int = 250
    """Conflicts before the first restart; the intervals are Luby's sequence times this."""
    reduce_every: int = 2000
    """Conflicts before half of the learned clauses are forgotten for the first time."""
    reduce_later: int = 300
    """By how many conflicts this interval grows each time."""
    decay: float = 0.92
    """Factor by which the activities of letters shrink at each conflict."""
    weight_decay: float = 0.999
    """Factor by which the weights of crossings shrink at each conflict."""


_DEFAULTS = LetterSettings()

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
        settings: LetterSettings = _DEFAULTS,
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

    @staticmethod
    def tables(candidates: Candidates) -> CompiledPuzzle | None:
        """Return the tables of the candidates.

        None without compiled code, or if the search does not cover their rules.
        """
        if not engine.available():
            return None
        rules, slots = candidates.network.word_rules, len(candidates.root.sizes)
        if rules.clashes or candidates.network.preferred_words or not candidates.root.letters:
            return None
        if slots > _MAX_PEERS and max(map(len, candidates.network.peers)) > _MAX_PEERS:
            return None
        from satcross.network.compiled import compiled

        return compiled(candidates.network, candidates.root)

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


def first_activities(task: Task, candidates: Candidates) -> list[float]:
    """Return a small random number for each possible letter of each crossing."""
    random = Random(task.seed)
    return [random.random() * 1e-3 for here in candidates.root.letters for _ in here]


def crossings_of(candidates: Candidates, slots: Iterable[int]) -> list[int]:
    """Return the crossings of these slots, in order."""
    links = candidates.network.links
    return sorted({link[0] for slot in slots for link in links[slot]})


class WordChoice:
    """A word of each slot's domain, all different where they must be: a bipartite matching.

    Almost all slots have one word, which no other slot has.
    """

    def __init__(self, candidates: Candidates, domains: list[int]) -> None:
        self._network, self._domains = candidates.network, domains
        self._chosen: dict[int, str] = {}
        self._holder: dict[str, int] = {}

    def make(self) -> set[int]:
        """Choose; return no slots, or some that have too few words between them."""
        for slot in sorted(
            range(len(self._domains)), key=lambda number: self._domains[number].bit_count()
        ):
            if not self._network.peers[slot]:
                self._chosen[slot] = next(self._words(slot))
            elif too_few := self._choose(slot):
                return too_few
        return set()

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self._chosen[slot] for slot in range(len(self._domains)))

    def _words(self, slot: int) -> Iterator[str]:
        words = self._network.lexicons[slot].words
        return (words[index] for index in bits(self._domains[slot]))

    def _choose(self, first: int) -> set[int]:
        """Find an augmenting path from a slot; if there is none, return the slots reached."""
        taker: dict[str, int] = {}  # word -> the slot that would take it
        queue = [first]
        for slot in queue:
            for word in self._words(slot):
                if word in taker:
                    continue
                taker[word] = slot
                if word not in self._holder:
                    self._take(word, taker)
                    return set()
                queue.append(self._holder[word])
        return set(queue)

    def _take(self, word: str, taker: Mapping[str, int]) -> None:
        """Give a word to its taker, the taker's former word to that word's taker, and so on."""
        now: str | None = word
        while now is not None:
            slot = taker[now]
            before = self._chosen.get(slot)
            self._chosen[slot], self._holder[now] = now, slot
            now = before
