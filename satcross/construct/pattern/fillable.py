"""Make grids: patterns that meet the demands and that the vocabulary can fill.

``PatternModel`` proposes patterns; each is solved with its entries locked. A pattern that has no
fill, or none within its time limit, is forbidden; the next one gets other random weights and more
words, since shorter words make a grid easier to fill.
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

_FIRST_FILL_SECONDS = 4.0
"""Time limit for the first fill; it grows by a quarter with each failure."""
_MAX_FILL_SECONDS = 20.0
"""Maximum time limit for a fill."""
_FILL_BACKEND = "backtrack"
_RELAXATION_SECONDS = 2.0
"""Time limit for finding a pattern after one demand is relaxed."""


@dataclass(frozen=True, slots=True)
class MadeGrid:
    """A pattern, its grid without letters, its entries as locks, and its fill.

    ``outcome`` is None when no vocabulary was given.
    """

    pattern: Pattern
    grid: Grid
    locks: Mapping[str, str]
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class GridResult:
    """Result of ``make_grids``.

    ``complete`` means that it is proved that no other grid meets the demands. ``reason`` says why
    there may be more grids than the result has; it is "" if there are none or enough were found.
    ``tried`` counts the patterns made. ``patterns_exist`` is False if it is proved that no pattern
    meets the demands, whatever the vocabulary; it is checked only if there are no grids.
    """

    grids: tuple[MadeGrid, ...]
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
    """Make up to ``number`` different grids that meet the demands.

    With a vocabulary, each grid is filled with words that score ``min_score`` or more. The time
    limit is in seconds and covers all grids; at the limit, or on Ctrl-C, the result holds the grids
    made by then. The same seed gives the same grids unless a time limit is reached.
    """
    deadline = Deadline.after(time_limit)
    grids: list[MadeGrid] = []
    tried = given_up = 0
    complete, reason, patterns_exist = False, "", True
    try:
        words = None if vocabulary is None else VocabularyLookup(vocabulary, min_score)
        model = PatternModel(demands, words, balanced=True)
        seen: list[Pattern] = []
        random = Random(seed)
        failures = 0
        while len(grids) < number:
            on_progress(f"pattern {tried + 1}, {len(grids)} of {number} grids made")
            target = _target_word_count(demands, random, failures)
            try:
                pattern = model.find(random, target, deadline)
            except ImpossibleError:
                if not model.balanced:
                    raise
                # Entries in opposite slots are only preferred; a proof must hold without that
                # constraint.
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
            made, status = _fill(pattern, vocabulary, min_score, failures, deadline)
            if made is not None:
                grids.append(made)
                failures = 0
            else:
                failures += 1
                given_up += status is Status.UNKNOWN
    except ImpossibleError:
        complete = not given_up
        reason = f"{given_up} patterns were given up" if given_up else ""
    except KeyboardInterrupt:
        reason = INTERRUPTED
    if complete and not grids:
        patterns_exist = vocabulary is not None and _patterns_exist(demands)
    return GridResult(tuple(grids), complete, reason, tried, patterns_exist)


def _target_word_count(demands: Demands, random: Random, failures: int) -> int:
    """Draw the number of words to aim for.

    The range narrows towards its upper end after ``failures``, and starts there with entries,
    because both call for a grid that is easier to fill.
    """
    min_words, max_words = demands.words
    if demands.entries:
        min_words = max(min_words, max_words - 2)
    return random.randint(
        min(max_words, min_words + (max_words - min_words) * failures // 4), max_words
    )


def entry_locks(pattern: Pattern, grid: Grid) -> dict[str, str]:
    """Return slot name -> word for the entries of a pattern."""
    slots = {(slot.direction, slot.cells): slot.name for slot in grid.slots}
    return {slots[place.direction, place.cells]: place.word for place in pattern.placements}


class VocabularyLookup:
    """``WordLookup`` in a vocabulary, with a minimum score."""

    def __init__(self, vocabulary: Vocabulary, min_score: int | None) -> None:
        self._vocabulary, self._min_score = vocabulary, min_score

    def count(self, letters: Sequence[str | None]) -> int:
        group = self._vocabulary.group(len(letters))
        words = group.everything if self._min_score is None else group.at_least(self._min_score)
        for position, letter in enumerate(letters):
            if letter is not None:
                words &= group.masks(position).get(letter, 0)
        return words.bit_count()

    def dead_slots(self, pattern: Pattern) -> list[DeadSlot]:
        """Return the slots that arc consistency leaves without a word."""
        grid = Grid(pattern.rows)
        locks = entry_locks(pattern, grid)
        puzzle = Puzzle(grid, self._vocabulary, locks, min_score=self._min_score)
        owner = {cell: place for place in pattern.placements for cell in place.cells}
        dead = []
        for cells in (grid.slots[slot].cells for slot in arc_consistent(puzzle).wiped_out):
            placements = dict.fromkeys(owner[cell] for cell in cells if cell in owner)
            dead.append(DeadSlot(cells, tuple(placements)))
        return dead


def _fill(
    pattern: Pattern,
    vocabulary: Vocabulary | None,
    min_score: int | None,
    failures: int,
    deadline: Deadline,
) -> tuple[MadeGrid | None, Status]:
    grid = Grid(pattern.rows)
    locks = entry_locks(pattern, grid)
    if vocabulary is None:
        return MadeGrid(pattern, grid, locks, None), Status.FILLED
    # Entries are locks rather than given letters, because a slot full of given letters needs no
    # word of the vocabulary, but a word that crossing entries spell does.
    puzzle = Puzzle(grid, vocabulary, locks, min_score=min_score)
    seconds = min(
        _FIRST_FILL_SECONDS * (1 + failures / 4), _MAX_FILL_SECONDS, max(0.1, deadline.left)
    )
    outcome = solve(puzzle, _FILL_BACKEND, time_limit=seconds)
    if outcome.status is Status.UNKNOWN and outcome.reason == INTERRUPTED:
        raise KeyboardInterrupt
    if outcome.status is not Status.FILLED:
        return None, outcome.status
    return MadeGrid(pattern, grid, locks, outcome), outcome.status


def _patterns_exist(demands: Demands) -> bool:
    """Return False if it is proved within a short time that no pattern meets the demands."""
    try:
        PatternModel(demands).find(Random(0), demands.words[1], Deadline.after(_RELAXATION_SECONDS))
    except ImpossibleError:
        return False
    return True


def find_relaxations(demands: Demands, on_progress: OnProgress = ignore_progress) -> list[str]:
    """Return the single relaxations, as phrases, that make impossible demands possible."""
    found = []
    for phrase, relaxed in _single_relaxations(demands):
        on_progress(f"trying {phrase}")
        try:
            pattern = PatternModel(relaxed).find(
                Random(0), sum(relaxed.words) // 2, Deadline.after(_RELAXATION_SECONDS)
            )
        except ImpossibleError:
            continue
        if pattern is not None:
            found.append(phrase)
    return found


def _single_relaxations(demands: Demands) -> Iterator[tuple[str, Demands]]:
    area = demands.height * demands.width
    min_words, max_words = demands.words
    yield "fewer words", replace(demands, words=(2, max_words))
    yield "more words", replace(demands, words=(min_words, area))
    if demands.max_length is not None:
        yield "longer words", replace(demands, max_length=None)
    if demands.min_length > 2:
        yield "shorter words", replace(demands, min_length=demands.min_length - 1)
    if demands.max_blocks is not None:
        yield "more blocks", replace(demands, max_blocks=None)
    if demands.symmetry is not Symmetry.NONE:
        yield "no symmetry", replace(demands, symmetry=Symmetry.NONE)
    for word in demands.entries:
        others = tuple(other for other in demands.entries if other != word)
        yield f"leaving out {word}", replace(demands, entries=others)
