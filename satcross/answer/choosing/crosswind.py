"""Reimplementation of the algorithm of the course project CROSSWIND, for comparison.

Each source gives its 30 best words for a clue points by rank; the points are summed, and the 30
best words of the clue remain. A word is dropped if at two or more of its crossings no word of the
crossing slot has the same letter. Then a depth-first search over partial selections gives each slot
a word that agrees with the earlier ones, or none; the selection with the most points wins. Cells
that no word covers stay open.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from satcross.answer.choosing.belief_propagation import propagate
from satcross.answer.choosing.methods import INTERRUPTED, TIME_LIMIT, Answers, Clock
from satcross.answer.choosing.problem import PER_NAT, Problem
from satcross.answer.choosing.tables import Tables
from satcross.answer.clue import Candidate
from satcross.grid import Cell, Slot

MAX_WORDS = 30
VIOLATIONS = 2
"""Number of unsupported crossings at which a word is dropped."""
_MAX_SECONDS = 20.0
_MAX_NODES = 500_000
"""Number of selections after which the search returns the best one so far."""
_LOOK_EVERY = 1024

Proposal = list[tuple[str, float]]


def by_partial_selections(problem: Problem, clock: Clock) -> Answers:
    """Choose words by CROSSWIND's algorithm, best words first, within its limits."""
    beliefs = propagate(Tables.of(problem.costs), problem.costs.slots, PER_NAT)
    slots = problem.grid.slots
    choices = prune(slots, [_points(known) for known in problem.candidates])
    search = _Search(slots, choices, problem.locks, clock)
    stopped = search.run()
    words = tuple(word or "" for word in search.best)
    return Answers(
        method="crosswind",
        words=words,
        by_letters=(False,) * len(words),
        cost=None,
        bound=None,
        optimal=None,
        stopped=stopped,
        beliefs=beliefs,
        letters=tuple(tuple(line) for line in problem.grid.letters(search.best)),
        posterior=tuple(
            beliefs.word(slot, word) if word else 0.0 for slot, word in enumerate(words)
        ),
    )


def _points(candidates: Sequence[Candidate]) -> Proposal:
    """Return the 30 best words of a clue: a source's first word gets 1, each next 1/30 less."""
    by_source: defaultdict[str, list[tuple[float, str]]] = defaultdict(list)
    for one in candidates:
        for said in one.evidence:
            by_source[said.source].append((-said.score, one.word))
    points: defaultdict[str, float] = defaultdict(float)
    for ranked in by_source.values():
        for rank, (_, word) in enumerate(sorted(ranked)[:MAX_WORDS]):
            points[word] += 1 - rank / MAX_WORDS
    return sorted(points.items(), key=lambda one: (-one[1], one[0]))[:MAX_WORDS]


def prune(slots: Sequence[Slot], choices: Sequence[Proposal]) -> list[Proposal]:
    """Drop words with too many violated crossings until a fixed point is reached.

    A slot without words violates no crossing.
    """
    kept = [list(one) for one in choices]
    where: defaultdict[Cell, list[tuple[int, int]]] = defaultdict(list)
    for index, slot in enumerate(slots):
        for position, cell in enumerate(slot.cells):
            where[cell].append((index, position))
    while True:
        # The letters that each slot with words allows in each of its cells.
        letters = {
            cell: [
                (index, {word[at] for word, _ in kept[index]}) for index, at in here if kept[index]
            ]
            for cell, here in where.items()
        }
        fewer = [
            [
                (word, points)
                for word, points in kept[index]
                if _violations(index, zip(slot.cells, word, strict=True), letters) < VIOLATIONS
            ]
            for index, slot in enumerate(slots)
        ]
        if fewer == kept:
            return kept
        kept = fewer


def _violations(
    index: int,
    placed: Iterable[tuple[Cell, str]],
    letters: Mapping[Cell, Sequence[tuple[int, set[str]]]],
) -> int:
    return sum(
        letter not in known
        for cell, letter in placed
        for other, known in letters[cell]
        if other != index
    )


class _Search:
    """Depth-first branch and bound over partial selections."""

    def __init__(
        self,
        slots: Sequence[Slot],
        choices: Sequence[Proposal],
        locks: Mapping[str, str],
        clock: Clock,
    ) -> None:
        self._slots = slots
        self._locks = locks
        self._choices = choices
        self._clock = clock
        self.best: list[str | None] = [None] * len(slots)
        self._most = -1.0
        self._nodes = 0
        # The slots with the best words first.
        free = [index for index, slot in enumerate(slots) if slot.name not in locks]
        self._order = sorted(free, key=lambda slot: -self._top(slot))
        self._hope = [0.0] * (len(free) + 1)
        for number in range(len(free) - 1, -1, -1):
            self._hope[number] = self._hope[number + 1] + self._top(self._order[number])

    def run(self) -> str:
        """Run the search; return why it ended early, or ""."""
        until = time.monotonic() + min(_MAX_SECONDS, self._clock.left)
        chosen = [self._locks.get(slot.name) for slot in self._slots]
        board = {
            cell: letter
            for slot, word in zip(self._slots, chosen, strict=True)
            if word is not None
            for cell, letter in zip(slot.cells, word, strict=True)
        }
        try:
            self._extend(0, 0.0, board, chosen, until)
        except _LimitReachedError:
            return f"{TIME_LIMIT} after {self._nodes} selections"
        except KeyboardInterrupt:
            return INTERRUPTED
        return ""

    def _top(self, slot: int) -> float:
        return self._choices[slot][0][1] if self._choices[slot] else 0.0

    def _extend(
        self,
        number: int,
        points: float,
        board: dict[Cell, str],
        chosen: list[str | None],
        until: float,
    ) -> None:
        self._nodes += 1
        if self._nodes % _LOOK_EVERY == 0:
            self._clock.on_progress(f"crosswind: {self._nodes} selections, {self._most:.2f} points")
            if time.monotonic() > until:
                raise _LimitReachedError
        if self._nodes > _MAX_NODES:
            raise _LimitReachedError
        if points + self._hope[number] <= self._most:
            return
        if number == len(self._order):
            self._most, self.best = points, list(chosen)
            return
        slot = self._order[number]
        cells = self._slots[slot].cells
        for word, score in self._choices[slot]:
            if all(
                board.get(cell, letter) == letter for cell, letter in zip(cells, word, strict=True)
            ):
                chosen[slot] = word
                placed = dict(zip(cells, word, strict=True))
                self._extend(number + 1, points + score, {**board, **placed}, chosen, until)
        chosen[slot] = None
        self._extend(number + 1, points, board, chosen, until)


class _LimitReachedError(Exception):
    """The search has reached its limit of time or selections."""
