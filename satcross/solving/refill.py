"""Filling the holes of an existing fill while changing as few of its good words as needed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import cycle, islice
from math import inf
from typing import Unpack

from satcross.backends.base import Answer
from satcross.grid import OPEN, Cell
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, Deadline, RunOptions, RunSettings
from satcross.solving.good_words import floors_of
from satcross.solving.polish import Polish
from satcross.solving.quality import Editor, Words, judge
from satcross.solving.solve import as_outcome, solve, verified
from satcross.vocabulary import WordGroup

KEPT_WORDS = "kept_words"
"""Name of the statistic: how many words of the existing fill are in the new one."""

_SHARE, _MAX_SECONDS = 0.25, 5.0
"""Share of the time limit, and seconds, after which no fill near the existing one is expected."""
_MAX_HOLES = 20
"""Slots without a word above which ``solve`` fills them, if the other words can stay."""
_ROUNDS, _NODES = 28, 150
"""Regions that are grown, and decisions in each."""
_MAX_GROWTH = 25
_CHANGE = 3
"""What another word in the place of a good one costs: little less than a weak word."""


def refill(
    puzzle: Puzzle,
    words: Mapping[str, str],
    backend: str = "auto",
    settings: RunSettings | None = None,
    **changes: Unpack[RunOptions],
) -> Outcome:
    """Fill the slots without a word, and change other words where good ones need that.

    ``words`` maps slot names to the words of the existing fill. A word that the puzzle does not
    allow, or that contradicts it or a word before it, goes. Where no fill near the existing one is
    found, ``backend`` fills the puzzle, so UNFILLABLE is an answer about all its fills. Settings
    and exceptions are those of ``solve``.
    """
    settings = RunSettings.of(settings, changes)
    deadline = settings.deadline()
    limit = min(_MAX_SECONDS, deadline.left * _SHARE)
    try:
        outcome = _near(puzzle, words, backend, replace(settings, time_limit=limit))
    except KeyboardInterrupt:
        return as_outcome(puzzle, backend, Answer(Status.UNKNOWN, None, INTERRUPTED), settings.seed)
    if outcome is None:
        rest = None if deadline.at is None else deadline.left
        outcome = solve(puzzle, backend, replace(settings, time_limit=rest))
    kept = sum(words.get(name) == word for name, word in (outcome.fill or {}).items())
    return replace(outcome, stats={**outcome.stats, KEPT_WORDS: kept})


def _near(
    puzzle: Puzzle, words: Mapping[str, str], backend: str, settings: RunSettings
) -> Outcome | None:
    """Return a fill near the existing one; None if none is found."""
    started = time.perf_counter()
    candidates = arc_consistent(puzzle)
    if candidates.infeasible:
        return None
    standing, letters = _standing(candidates, words)
    slots = puzzle.grid.slots
    holes = frozenset(range(len(slots))) - standing.keys()
    contradict = any(letters.keys() >= set(slots[index].cells) for index in holes)
    if len(holes) > _MAX_HOLES and not contradict:
        kept = replace(puzzle, grid=puzzle.grid.with_cells(letters))
        outcome = solve(kept, backend, settings)
        if outcome.status is Status.FILLED or outcome.reason == INTERRUPTED:
            return replace(outcome, grid=puzzle.grid)
    pieces = ["".join(letters.get(cell, OPEN) for cell in slot.cells) for slot in slots]
    network = candidates.network
    existing = tuple(map(WordGroup.bit_of, network.lexicons, pieces))
    candidates = replace(candidates, network=replace(network, preferred=existing))
    editor = Editor(puzzle, settings.allow)
    repair = _Repair(candidates, editor, tuple(pieces), settings.seed)
    found = repair.mend(holes, settings.deadline())
    if found is None:
        return None
    seconds = {"encode": 0.0, "solve": time.perf_counter() - started}
    outcome = verified(puzzle, found, "backtrack", settings.seed, seconds)
    return replace(outcome, quality=judge(puzzle, outcome.fill or {}, settings.allow))


def _standing(
    candidates: Candidates, words: Mapping[str, str]
) -> tuple[dict[int, str], dict[Cell, str]]:
    """Return the words that can stay, by slot, and the letters of these and of the puzzle."""
    network = candidates.network
    puzzle, rules = network.puzzle, network.word_rules
    standing, letters = dict(puzzle.fixed_words), dict(puzzle.fixed_letters)
    for index, slot in enumerate(puzzle.grid.slots):
        word = words.get(slot.name, "")
        if not network.lexicons[index].bit_of(word) & candidates.root.domains[index]:
            continue
        placed = dict(zip(slot.cells, word, strict=True))
        if any(letters.get(cell, letter) != letter for cell, letter in placed.items()):
            continue
        others = [other for at, other in standing.items() if at != index]
        repeated = word in others and not rules.repeats
        if not repeated and not any(rules.clash(word, other) for other in others):
            standing[index] = word
            letters |= placed
    return standing, letters


class _Repair(Polish):
    """An existing fill with holes, which is mended in regions that grow from the holes."""

    def mend(self, holes: frozenset[int], deadline: Deadline) -> Words | None:
        """Return the best of some fills that differ from the existing one in a region."""
        old, best, value = self.words, None, inf
        floors = cycle([*floors_of(self._network.puzzle), None])
        for floor in islice(floors, _ROUNDS):
            words = self._fill_around(holes, floor, deadline)
            if words is not None:
                changed = sum(map(str.__ne__, words, old)) - len(holes)
                cost = self._editor.cost(words) + _CHANGE * changed
                if cost < value:
                    best, value = words, cost
            if deadline.passed:
                break
        return best

    def _fill_around(
        self, holes: frozenset[int], floor: int | None, deadline: Deadline
    ) -> Words | None:
        """Fill the holes with words of a floor, and slots that cross them as long as none fits."""
        region, domains = set(holes), self._kept[:]
        while len(region) <= len(holes) + _MAX_GROWTH and not deadline.passed:
            for slot in region:
                domains[slot] = self._root.domains[slot]
                if floor is not None:
                    domains[slot] &= self._network.lexicons[slot].at_least(floor)
            failed = self._search.again(domains)
            if not failed and self._search.run(deadline, _NODES) is Status.FILLED:
                return self._search.words
            beside = self._beside(failed, region) or self._beside(sorted(region), region)
            if not beside:
                return None
            region.add(self._random.choice(beside))
        return None

    def _beside(self, slots: Iterable[int], region: set[int]) -> list[int]:
        """Return the slots that cross some of a region and may join it."""
        fixed = self._network.puzzle.fixed_words
        crossing = (near for slot in slots if slot in region for near in self._near[slot])
        return [slot for slot in crossing if slot not in region and slot not in fixed]
