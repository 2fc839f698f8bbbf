"""Make grids: patterns that meet the demands and that the vocabulary can fill.

American patterns with entries are first sought around arrangements of these (``around_entries``).
Otherwise, or when that fails, ``PatternModel`` proposes patterns; each is solved with its entries
locked. A pattern that has no fill, or none within its time limit, is forbidden; the next one gets
other random weights and more words, since shorter words make a grid easier to fill.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Unpack

from satcross.formats.words import default_written
from satcross.grid import OPEN, Grid
from satcross.grid.styles import MIN_WORD_LENGTH, Style
from satcross.make.pattern.barred import BarredModel
from satcross.make.pattern.entry_words import repeated_words
from satcross.make.pattern.model import (
    DeadSlot,
    Demands,
    ImpossibleError,
    Pattern,
    PatternModel,
    Symmetry,
    WordLookup,
)
from satcross.network.arc_consistency import arc_consistent
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import (
    INTERRUPTED,
    TIME_LIMIT,
    Deadline,
    OnProgress,
    RunOptions,
    RunSettings,
    ignore_progress,
)
from satcross.solving.quality import WEAK_BELOW
from satcross.solving.solve import solve
from satcross.vocabulary import Vocabulary

_FIRST_FILL_SECONDS = 4.0
"""Time limit for the first fill; it grows by a quarter with each failure."""
_MAX_FILL_SECONDS = 20.0
"""Maximum time limit for a fill, and the limit for one of good words."""
_FIRST_BACKEND = "backtrack"
"""Says quickly whether a pattern can be filled; filling it well comes after."""
_RELAXATION_SECONDS = 2.0
"""Time limit for finding a pattern after one demand is relaxed."""


_AROUND_ENTRIES_SHARE = 0.8
"""Share of the time limit for the search that arranges entries before choosing blocks."""


@dataclass(frozen=True, slots=True)
class MadeGrid:
    """A pattern, its grid without letters, its entries as locks, and its fill.

    ``outcome`` is None when no vocabulary was given.
    """

    pattern: Pattern
    grid: Grid
    locks: Mapping[str, str]
    outcome: Outcome | None

    def __str__(self) -> str:
        return str(self.grid if self.outcome is None else self.outcome)


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

    def __str__(self) -> str:
        parts = [*map(str, self.grids), self.reason and f"search ended: {self.reason}"]
        return "\n\n".join(filter(None, parts))


def make_grids(
    demands: Demands,
    vocabulary: Vocabulary | None,
    settings: RunSettings | None = None,
    *,
    number: int = 1,
    min_score: int | None = None,
    **changes: Unpack[RunOptions],
) -> GridResult:
    """Make up to ``number`` different grids that meet the demands.

    With a vocabulary, each grid is filled with words that score ``min_score`` or more. The time
    limit covers all grids; at the limit, or on Ctrl-C, the result holds the grids made by then. The
    same seed gives the same grids unless a time limit is reached.
    """
    settings = RunSettings.of(settings, changes)
    deadline = settings.deadline()
    making = _Making(demands, vocabulary, min_score, number, settings, deadline)
    complete, reason, patterns_exist = False, "", True
    try:
        making.around_entries()
        reason = making.by_model()
    except ImpossibleError:
        given_up = making.given_up
        complete = not given_up
        reason = f"{given_up} patterns were given up" if given_up else ""
    except KeyboardInterrupt:
        reason = INTERRUPTED
    if complete and not making.grids:
        patterns_exist = vocabulary is not None and _patterns_exist(demands)
    return GridResult(tuple(making.grids), complete, reason, making.tried, patterns_exist)


@dataclass(slots=True)
class _Making:
    """The making of grids; ``grids`` are those made by now."""

    demands: Demands
    vocabulary: Vocabulary | None
    min_score: int | None
    number: int
    settings: RunSettings
    deadline: Deadline
    grids: list[MadeGrid] = field(default_factory=list)
    tried: int = 0
    given_up: int = 0

    def around_entries(self) -> None:
        """Make grids around arrangements of the entries.

        Without a minimum score, this search uses publishable words if the list is scored.
        """
        demands, vocabulary, floor = self.demands, self.vocabulary, self.min_score
        if vocabulary is None or not demands.entries or demands.style is not Style.AMERICAN:
            return
        # Imports numpy, which takes long.
        from satcross.make.pattern.around_entries import AroundEntries, Theme

        lengths = range(demands.min_length, max(demands.height, demands.width) + 1)
        if floor is None and vocabulary.is_scored(lengths):
            floor = WEAK_BELOW
        any_grid = Grid((OPEN * MIN_WORD_LENGTH,) * MIN_WORD_LENGTH)
        theme = Theme(
            demands,
            Puzzle(any_grid, vocabulary, min_score=floor, excluded=self._repeated_words()),
            VocabularyLookup(vocabulary, floor),
        )
        left = self.deadline.left * _AROUND_ENTRIES_SHARE
        deadline = self.deadline.within(None if self.deadline.at is None else left)
        search = AroundEntries(theme, self.settings.seed, deadline)
        for pattern, outcome in search.grids():
            self._add(pattern, outcome)
            if len(self.grids) == self.number:
                break
            self.settings.on_progress(self._progress)
        self.tried = search.tried

    def by_model(self) -> str:
        """Make grids from patterns that ``PatternModel`` proposes; return why it ended early.

        Raises ImpossibleError when there are no more patterns.
        """
        if len(self.grids) == self.number:
            return ""
        demands, random = self.demands, Random(self.settings.seed)
        words = None
        if self.vocabulary is not None:
            words = VocabularyLookup(self.vocabulary, self.min_score)
        model = pattern_model(demands, words, balanced=True)
        seen = [one.pattern for one in self.grids]
        for pattern in seen:
            model.forbid(pattern)
        failures = 0
        while len(self.grids) < self.number:
            self.settings.on_progress(f"pattern {self.tried + 1}, {self._progress}")
            target = _target_word_count(demands, random, failures)
            try:
                found = model.find(random, target, self.deadline)
            except ImpossibleError:
                if not model.balanced:
                    raise
                # Entries in opposite slots are only preferred; a proof must hold without that
                # constraint.
                model = pattern_model(demands, words)
                for pattern in seen:
                    model.forbid(pattern)
                continue
            if found is None:
                return TIME_LIMIT
            self.tried += 1
            model.forbid(found)
            seen.append(found)
            self.settings.on_progress(f"filling pattern {self.tried}")
            failures = 0 if self._fill(found, failures) else failures + 1
        return ""

    def _repeated_words(self) -> frozenset[str]:
        """Return the words that would repeat a word of an entry, but for the entries."""
        entries = self.demands.entries
        if self.vocabulary is None or not entries:
            return frozenset()
        written = {**default_written(), **self.demands.written}
        forms = [written.get(entry, entry) for entry in entries]
        return repeated_words(forms, self.vocabulary) - set(entries)

    @property
    def _progress(self) -> str:
        return f"{len(self.grids)} of {self.number} grids made"

    def _add(self, pattern: Pattern, outcome: Outcome | None) -> None:
        grid = pattern.grid()
        self.grids.append(MadeGrid(pattern, grid, pattern.locks(grid), outcome))

    def _fill(self, pattern: Pattern, failures: int) -> bool:
        """Fill a pattern and add it to the grids; False if it has no fill, or none was found."""
        if self.vocabulary is None:
            self._add(pattern, None)
            return True
        grid = pattern.grid()
        # Entries are locks rather than given letters, because a slot full of given letters needs no
        # word of the vocabulary, but a word that crossing entries spell does.
        puzzle = Puzzle(grid, self.vocabulary, pattern.locks(grid), min_score=self.min_score)
        seconds = min(_FIRST_FILL_SECONDS * (1 + failures / 4), _MAX_FILL_SECONDS)
        outcome = solve(
            puzzle, _FIRST_BACKEND, time_limit=min(seconds, max(0.1, self.deadline.left))
        )
        if outcome.status is Status.UNKNOWN and outcome.reason == INTERRUPTED:
            raise KeyboardInterrupt
        if outcome.status is Status.FILLED:
            better = replace(puzzle, excluded=self._repeated_words())
            well = solve(better, time_limit=max(0.1, min(_MAX_FILL_SECONDS, self.deadline.left)))
            self._add(pattern, well if well.status is Status.FILLED else outcome)
            if well.reason == INTERRUPTED:
                raise KeyboardInterrupt
            return True
        self.given_up += outcome.status is Status.UNKNOWN
        return False


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
        grid = pattern.grid()
        locks = pattern.locks(grid)
        puzzle = Puzzle(grid, self._vocabulary, locks, min_score=self._min_score)
        owner = {cell: place for place in pattern.placements for cell in place.cells}
        dead = []
        for cells in (grid.slots[slot].cells for slot in arc_consistent(puzzle).wiped_out):
            placements = dict.fromkeys(owner[cell] for cell in cells if cell in owner)
            dead.append(DeadSlot(cells, tuple(placements)))
        return dead


def pattern_model(
    demands: Demands, words: WordLookup | None = None, *, balanced: bool = False
) -> PatternModel | BarredModel:
    """Return the model of patterns in the demanded style."""
    if demands.style is Style.BARRED:
        return BarredModel(demands)
    return PatternModel(demands, words, balanced=balanced)


def _patterns_exist(demands: Demands) -> bool:
    """Return False if it is proved within a short time that no pattern meets the demands."""
    try:
        pattern_model(demands).find(
            Random(0), demands.words[1], Deadline.after(_RELAXATION_SECONDS)
        )
    except ImpossibleError:
        return False
    return True


def find_relaxations(demands: Demands, on_progress: OnProgress = ignore_progress) -> list[str]:
    """Return the single relaxations, as phrases, that make impossible demands possible."""
    found = []
    for phrase, relaxed in _single_relaxations(demands):
        on_progress(f"trying {phrase}")
        try:
            pattern = pattern_model(relaxed).find(
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
        places = {key: place for key, place in demands.places.items() if key != word}
        if word in demands.places:
            yield f"another place for {word}", replace(demands, places=places)
        yield f"leaving out {word}", replace(demands, entries=others, places=places)
