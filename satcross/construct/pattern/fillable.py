"""Making grids: patterns as demanded, kept when the list fills them.

Patterns come from ``patterns``; each is filled by ``satcross.solve`` with its entries locked. One
that has no fill, or shows none in time, is forbidden, and the next is asked for with other random
weights and more words, which makes grids easier to fill.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from satcross.construct.pattern.model import (
    DeadSlot,
    Demands,
    ImpossibleError,
    Pattern,
    PatternModel,
    Symmetry,
)
from satcross.deadline import INTERRUPTED, TIME_LIMIT, Deadline, OnProgress, ignore_progress
from satcross.grid import Grid
from satcross.network.arc_consistency import arc_consistent
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.solving.solve import solve
from satcross.vocabulary import Vocabulary

_FILL_SECONDS = 4.0
"""What the first fills are given; later ones get more."""
_FILL_BACKEND = "backtrack"
_MOST_FILL_SECONDS = 20.0
_ADVICE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class MadeGrid:
    """A pattern with its entries; ``grid`` is without their letters, ``locks`` has their slots.

    ``outcome`` is the fill, or None when none was asked for.
    """

    pattern: Pattern
    grid: Grid
    locks: Mapping[str, str]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class GridResult:
    """What came of it.

    ``complete``: there are no further such grids, which is proved. ``reason`` says why there are
    fewer than asked for, and ``tried`` is how many patterns were filled or given up.
    ``patterns_exist``: when no grid can be made, whether that is for want of words only.
    """

    made: tuple[MadeGrid, ...]
    complete: bool
    reason: str
    tried: int
    patterns_exist: bool = True


def make_grids(
    demands: Demands,
    vocabulary: Vocabulary | None,
    *,
    number: int = 1,
    min_score: int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    on_progress: OnProgress = ignore_progress,
) -> GridResult:
    """Make so many different grids; with a vocabulary, such that it fills.

    ``time_limit`` is in seconds for all of it. An interruption gives what there is by then. The
    same seed gives the same grids, unless a time limit strikes.
    """
    deadline = Deadline.after(time_limit)
    made: list[MadeGrid] = []
    tried = given_up = 0
    complete, reason, exist = False, "", True
    try:
        words = None if vocabulary is None else _List(vocabulary, min_score)
        model = PatternModel(demands, words, balanced=True)
        seen: list[Pattern] = []
        random = Random(seed)
        fails = 0
        while len(made) < number:
            on_progress(f"pattern {tried + 1}, {len(made)} of {number} grids made")
            target = _target(demands, random, fails)
            try:
                pattern = model.find(random, target, deadline)
            except ImpossibleError:
                if not model.balanced:
                    raise
                # Entries at opposite places are a wish: before anything is proved, go without.
                model = PatternModel(demands, words)
                for pattern in seen:
                    model.forbid(pattern)
                continue
            if pattern is None:
                reason = TIME_LIMIT
                break
            tried += 1
            model.forbid(pattern)
            seen.append(pattern)
            on_progress(f"filling pattern {tried}")
            one, status = _fill(pattern, vocabulary, min_score, fails, deadline)
            if one is not None:
                made.append(one)
                fails = 0
            else:
                fails += 1
                given_up += status is Status.UNKNOWN
    except ImpossibleError:
        complete = not given_up
        reason = f"{given_up} patterns were given up" if given_up else ""
    except KeyboardInterrupt:
        reason = INTERRUPTED
    if complete and not made:
        exist = vocabulary is not None and _patterns_exist(demands)
    return GridResult(tuple(made), complete, reason, tried, exist)


def _target(demands: Demands, random: Random, fails: int) -> int:
    """The number of words to come near to: any in the range; after ``fails``, and where entries
    make it hard to fill what is around them, near its upper end."""
    fewest, most = demands.words
    if demands.entries:
        fewest = max(fewest, most - 2)
    return random.randint(min(most, fewest + (most - fewest) * fails // 4), most)


def locks_of(pattern: Pattern, grid: Grid) -> dict[str, str]:
    """The slots of the entries, by name."""
    slots = {(slot.direction, slot.cells): slot.name for slot in grid.slots}
    return {slots[place.direction, place.cells]: place.word for place in pattern.places}


class _List:
    """What patterns must know of a vocabulary."""

    def __init__(self, vocabulary: Vocabulary, min_score: int | None) -> None:
        self._vocabulary, self._min_score = vocabulary, min_score

    def count(self, letters: Sequence[str | None]) -> int:
        group = self._vocabulary.group(len(letters))
        words = group.everything if self._min_score is None else group.at_least(self._min_score)
        for position, letter in enumerate(letters):
            if letter is not None:
                words &= group.masks(position).get(letter, 0)
        return words.bit_count()

    def emptied(self, pattern: Pattern) -> list[DeadSlot]:
        """By arc consistency."""
        grid = Grid(pattern.rows)
        locks = locks_of(pattern, grid)
        puzzle = Puzzle(grid, self._vocabulary, locks, min_score=self._min_score)
        owner = {cell: place for place in pattern.places for cell in place.cells}
        dead = []
        for cells in (grid.slots[slot].cells for slot in arc_consistent(puzzle).wiped_out):
            places = dict.fromkeys(owner[cell] for cell in cells if cell in owner)
            dead.append(DeadSlot(cells, tuple(places)))
        return dead


def _fill(
    pattern: Pattern,
    vocabulary: Vocabulary | None,
    min_score: int | None,
    fails: int,
    deadline: Deadline,
) -> tuple[MadeGrid | None, Status]:
    grid = Grid(pattern.rows)
    locks = locks_of(pattern, grid)
    if vocabulary is None:
        return MadeGrid(pattern, grid, locks, None), Status.FILLED
    # Locks and not given letters: a word spelled by three entries must still be in the list.
    puzzle = Puzzle(grid, vocabulary, locks, min_score=min_score)
    seconds = min(_FILL_SECONDS * (1 + fails / 4), _MOST_FILL_SECONDS, max(0.1, deadline.left))
    outcome = solve(puzzle, _FILL_BACKEND, time_limit=seconds)
    if outcome.status is Status.UNKNOWN and outcome.reason == INTERRUPTED:
        raise KeyboardInterrupt
    if outcome.status is not Status.FILLED:
        return None, outcome.status
    return MadeGrid(pattern, grid, locks, outcome), outcome.status


def _patterns_exist(demands: Demands) -> bool:
    """Whether there are patterns for some list, as far as a short look tells."""
    try:
        PatternModel(demands).find(Random(0), demands.words[1], Deadline.after(_ADVICE_SECONDS))
    except ImpossibleError:
        return False
    return True


def advice(demands: Demands, on_progress: OnProgress = ignore_progress) -> list[str]:
    """Which demand, given up alone, would leave some pattern; for demands proved impossible."""
    found = []
    for what, easier in _relaxed(demands):
        on_progress(f"trying {what}")
        try:
            pattern = PatternModel(easier).find(
                Random(0), sum(easier.words) // 2, Deadline.after(_ADVICE_SECONDS)
            )
        except ImpossibleError:
            continue
        if pattern is not None:
            found.append(what)
    return found


def _relaxed(demands: Demands) -> Iterator[tuple[str, Demands]]:
    area = demands.height * demands.width
    fewest, most = demands.words
    yield "fewer words", replace(demands, words=(2, most))
    yield "more words", replace(demands, words=(fewest, area))
    if demands.longest is not None:
        yield "longer words", replace(demands, longest=None)
    if demands.shortest > 2:
        yield "shorter words", replace(demands, shortest=demands.shortest - 1)
    if demands.max_blocks is not None:
        yield "more blocks", replace(demands, max_blocks=None)
    if demands.symmetry is not Symmetry.NONE:
        yield "no symmetry", replace(demands, symmetry=Symmetry.NONE)
    for word in demands.entries:
        others = tuple(other for other in demands.entries if other != word)
        yield f"leaving out {word}", replace(demands, entries=others)
