"""Slots as tables in compiled code (``satcross.engine.letters``), for clause learning on letters.

The only variables are the letters of crossings. The tables explain lazily what follows from them:
a puzzle is ready as soon as its letter masks are, whatever the number of candidates, and a
contradiction costs a tenth of what it costs a solver that reads the support encoding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import TYPE_CHECKING

from satcross import engine
from satcross.backends.base import Task
from satcross.network.arc_consistency import Candidates, bits
from satcross.support.frozen import frozen

if TYPE_CHECKING:
    from satcross.engine.puzzle import CompiledPuzzle

_MAX_PEERS = 3000
"""With more peers than this, a slot's word takes too long to be removed from all of them."""


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


DEFAULTS = LetterSettings()


def letter_tables(candidates: Candidates) -> CompiledPuzzle | None:
    """Return the tables of the candidates.

    None without compiled code, or if clause learning on letters does not cover their rules.
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
