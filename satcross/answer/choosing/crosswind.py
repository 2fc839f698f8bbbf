"""The algorithm of the course project CROSSWIND, for comparison.

Each source gives its 30 best words for a clue points by rank; the points are summed, and the 30
best words of the clue remain. A word is dropped if at two or more of its crossings no word of the
crossing slot has the same letter. Then a depth-first search over partial selections gives each slot
a word that agrees with the earlier ones, or none; the selection with the most points wins. Cells
that no word covers stay open.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from satcross.answer.choosing.answers import INTERRUPTED, TIME_LIMIT, Answers
from satcross.answer.choosing.belief_propagation import propagate
from satcross.answer.choosing.problem import Problem
from satcross.answer.choosing.tables import LetterTables
from satcross.answer.clue import Candidate
from satcross.grid import Cell, Slot
from satcross.run_settings import Deadline, OnProgress

MAX_WORDS = 30
MIN_VIOLATIONS = 2
"""Number of unsupported crossings at which a word is dropped."""
_MAX_SECONDS = 20.0
_MAX_NODES = 500_000
"""Number of selections after which the search returns the best so far."""
_LOOK_EVERY = 1024

ScoredWords = list[tuple[str, float]]


def by_partial_selections(problem: Problem, deadline: Deadline, on_progress: OnProgress) -> Answers:
    """Choose words by CROSSWIND's algorithm, best words first, within its limits."""
    beliefs = propagate(LetterTables.of(problem.costs))
    slots = problem.grid.slots
    choices = prune(slots, [_points(known) for known in problem.candidates])
    search = _Search(slots, choices, deadline.within(_MAX_SECONDS), on_progress)
    stopped = search.run(problem.locks)
    words = tuple(word or "" for word in search.best)
    spelled = (False,) * len(words)
    return Answers("crosswind", problem.grid, words, spelled, beliefs, stopped=stopped)


def _points(candidates: Sequence[Candidate]) -> ScoredWords:
    """Return the 30 best words of a clue: a source's first word gets 1, each next 1/30 less."""
    by_source: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for candidate in candidates:
        for proposal in candidate.evidence:
            by_source[proposal.source].append((-proposal.score, candidate.word))
    points: defaultdict[str, float] = defaultdict(float)
    for ranked in by_source.values():
        for rank, (_, word) in enumerate(sorted(ranked)[:MAX_WORDS]):
            points[word] += 1 - rank / MAX_WORDS
    return sorted(points.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_WORDS]


def prune(slots: Sequence[Slot], choices: Sequence[ScoredWords]) -> list[ScoredWords]:
    """Drop words with too many violated crossings until none is left to drop.

    A slot without words violates no crossing.
    """
    kept = [list(words) for words in choices]
    while True:
        letters: defaultdict[Cell, list[set[str]]] = defaultdict(list)
        for slot, words in zip(slots, kept, strict=True):
            for position, cell in enumerate(slot.cells if words else ()):
                letters[cell].append({word[position] for word, _ in words})
        fewer = [
            [choice for choice in words if _violations(slot, choice[0], letters) < MIN_VIOLATIONS]
            for slot, words in zip(slots, kept, strict=True)
        ]
        if fewer == kept:
            return kept
        kept = fewer


def _violations(slot: Slot, word: str, letters: Mapping[Cell, Sequence[set[str]]]) -> int:
    """Return the number of crossings of whose words none has the word's letter.

    The words of the slot itself always have it.
    """
    pairs = zip(slot.cells, word, strict=True)
    return sum(letter not in known for cell, letter in pairs for known in letters[cell])


class _LimitReachedError(Exception):
    """The search has reached its limit of time or selections."""


@dataclass(slots=True)
class _Search:
    """Depth-first branch and bound over partial selections, of which ``best`` is kept."""

    slots: Sequence[Slot]
    choices: Sequence[ScoredWords]
    deadline: Deadline
    on_progress: OnProgress
    best: list[str | None] = field(default_factory=list)
    _best_points: float = -1.0
    _nodes: int = 0

    def run(self, locks: Mapping[str, str]) -> str:
        """Run the search; return why it ended early, or ""."""
        chosen = [locks.get(slot.name) for slot in self.slots]
        self.best = list(chosen)
        board = {
            cell: letter
            for slot, word in zip(self.slots, chosen, strict=True)
            for cell, letter in zip(slot.cells, word or "", strict=False)
        }
        free = [index for index, word in enumerate(chosen) if word is None]
        try:
            self._extend(sorted(free, key=self._top, reverse=True), 0.0, board, chosen)
        except _LimitReachedError:
            return f"{TIME_LIMIT} after {self._nodes} selections"
        except KeyboardInterrupt:
            return INTERRUPTED
        return ""

    def _top(self, slot: int) -> float:
        return self.choices[slot][0][1] if self.choices[slot] else 0.0

    def _extend(
        self, order: Sequence[int], points: float, board: dict[Cell, str], chosen: list[str | None]
    ) -> None:
        """Search on. Raises _LimitReachedError above a limit."""
        self._nodes += 1
        if self._nodes % _LOOK_EVERY == 0:
            found = f"{self._nodes} selections, {self._best_points:.2f} points"
            self.on_progress(f"crosswind: {found}")
            if self.deadline.passed:
                raise _LimitReachedError
        if self._nodes > _MAX_NODES:
            raise _LimitReachedError
        if points + sum(map(self._top, order)) <= self._best_points:
            return
        if not order:
            self._best_points, self.best = points, list(chosen)
            return
        slot, *rest = order
        for word, score in self.choices[slot]:
            placed = dict(zip(self.slots[slot].cells, word, strict=True))
            if all(board.get(cell, letter) == letter for cell, letter in placed.items()):
                chosen[slot] = word
                self._extend(rest, points + score, {**board, **placed}, chosen)
        chosen[slot] = None
        self._extend(rest, points, board, chosen)
