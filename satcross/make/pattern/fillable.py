"""Make grids: patterns that meet the demands and that the vocabulary can fill.

American patterns are sought by annealing (``american``), others by CP-SAT (``model``, ``barred``),
as are American ones too small for annealing to find all of them. Each pattern is solved with its
entries locked. A pattern of CP-SAT that has no fill, or none within its time limit, is forbidden;
the next one gets other random weights and more words, since shorter words make a grid easier to
fill.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import TYPE_CHECKING, Unpack

from satcross.formats.written import WithDefault
from satcross.grid import Grid
from satcross.grid.styles import Style
from satcross.make.pattern.barred import BarredModel
from satcross.make.pattern.demands import (
    CountWords,
    Demands,
    Pattern,
    Symmetry,
    count_any,
    counter_of,
)
from satcross.make.pattern.model import ImpossibleError, PatternModel
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import (
    INTERRUPTED,
    Deadline,
    OnProgress,
    RunOptions,
    RunSettings,
    ignore_progress,
)
from satcross.solving.repeats import entries_that_repeat
from satcross.solving.solve import solve
from satcross.vocabulary import Vocabulary

if TYPE_CHECKING:
    from satcross.make.pattern.american import Found

_FIRST_FILL_SECONDS = 4.0
"""Time limit for the first fill; it grows by a quarter with each failure."""
_MAX_FILL_SECONDS = 20.0
"""Maximum time limit for a fill, and the limit for one of good words."""
_FIRST_BACKEND = "backtrack"
"""Says quickly whether a pattern can be filled; filling it well comes after."""
_LOOKED_AT = 8
"""American grids around entries that are made for each that is wanted; the best are kept."""
_RELAXATION_SECONDS = 2.0
"""Time limit for finding a pattern after one demand is relaxed."""
_ANNEALED_AREAS = range(82, 626)
"""Areas, in cells, of American grids of which only patterns made by annealing are filled, since
others are none that one would print. Of smaller ones all are tried; of larger ones, annealing
finds none."""


class ProcessorTime(Deadline):
    """A deadline by the processor time of this process, in seconds.

    A search gets as far on a busy machine as on an idle one.
    """

    @staticmethod
    def now() -> float:
        return time.process_time()


@dataclass(frozen=True, slots=True)
class MadeGrid:
    """A pattern, its grid without letters, its entries as locks, and its fill.

    ``outcome`` is None when no vocabulary was given. ``loosened`` says what was accepted because
    no grid was found without it.
    """

    pattern: Pattern
    grid: Grid
    locks: Mapping[str, str]
    outcome: Outcome | None
    loosened: tuple[str, ...] = ()

    def __str__(self) -> str:
        return str(self.grid if self.outcome is None else self.outcome)


@dataclass(frozen=True, slots=True)
class GridResult:
    """Result of ``make_grids``.

    ``complete`` means that it is proved that no other grid meets the demands. ``reason`` says why
    there may be more grids than the result has; it is "" if there are none or enough were found.
    ``tried`` counts the patterns made, and ``loosened`` has what was accepted in the end.
    ``patterns_exist`` is False if it is proved that no pattern meets the demands, whatever the
    vocabulary; it is checked only if there are no grids.
    """

    grids: tuple[MadeGrid, ...]
    complete: bool
    reason: str
    tried: int
    patterns_exist: bool = True
    loosened: tuple[str, ...] = ()

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
    limit is of processor time and covers all grids; at the limit, or on Ctrl-C, the result holds
    the grids made by then. The same seed gives the same grids unless a time limit is reached.
    """
    settings = RunSettings.of(settings, changes)
    deadline = ProcessorTime.after(settings.time_limit, settings.should_stop)
    making = _Making(demands, vocabulary, min_score, number, settings, deadline)
    complete, reason, patterns_exist = False, "", True
    try:
        reason = making.run()
    except ImpossibleError:
        given_up = making.given_up
        complete = not given_up
        reason = f"{given_up} patterns were given up" if given_up else ""
    except KeyboardInterrupt:
        reason = INTERRUPTED
    if complete and not making.grids:
        patterns_exist = vocabulary is not None and _patterns_exist(demands)
    return GridResult(
        tuple(making.grids), complete, reason, making.tried, patterns_exist, making.loosened
    )


def fill_patterns(
    patterns: Iterable[tuple[str, ...]],
    vocabulary: Vocabulary | None,
    settings: RunSettings | None = None,
    *,
    number: int = 1,
    min_score: int | None = None,
    **changes: Unpack[RunOptions],
) -> GridResult:
    """Fill up to ``number`` of these patterns, rows of ``#`` and ``_``, as ``make_grids`` does."""
    settings = RunSettings.of(settings, changes)
    deadline = ProcessorTime.after(settings.time_limit, settings.should_stop)
    grids: list[MadeGrid] = []
    tried, reason = 0, ""
    for rows in patterns:
        if len(grids) == number:
            break
        tried += 1
        settings.on_progress(f"filling grid {tried}")
        grid, outcome = Grid(rows), None
        if vocabulary is not None:
            puzzle = Puzzle(grid, vocabulary, min_score=min_score)
            outcome = _solve(puzzle, deadline, "auto", settings)
        if outcome is None or outcome.status is Status.FILLED:
            grids.append(MadeGrid(Pattern(rows, ()), grid, {}, outcome))
        elif outcome.status is Status.UNKNOWN:
            reason = INTERRUPTED if outcome.reason == INTERRUPTED else deadline.reason
            if deadline.passed or reason == INTERRUPTED:
                break
    return GridResult(tuple(grids), not reason, reason, tried)


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
    loosened: tuple[str, ...] = ()

    def run(self) -> str:
        """Make the grids; return why it ended early. Raises ImpossibleError if none are left."""
        demands = self.demands
        if demands.style is Style.AMERICAN:
            area = demands.height * demands.width
            if area <= _ANNEALED_AREAS[-1]:
                self._anneal()
            if len(self.grids) == self.number:
                return ""
            if self.vocabulary is not None and area in _ANNEALED_AREAS:
                if not self.grids and not _patterns_exist(demands):
                    raise ImpossibleError
                return self.deadline.reason
        return self._by_model()

    def _anneal(self) -> None:
        """Make American grids, loosening what they are asked for step by step."""
        # Imports numpy, which takes long.
        from satcross.make.pattern.american import PatternSearch, shares, steps

        excluded = self._repeated_words()
        every = steps(self.demands, self.vocabulary, self.min_score)
        for step, share in zip(every, shares(len(every)), strict=True):
            deadline = self.deadline.share(share)
            self.loosened = step.loosened
            if step.loosened:
                self.settings.on_progress(f"accepting {', '.join(step.loosened)}")
            seed = self.settings.seed
            search = PatternSearch(step, self.vocabulary, excluded, seed, deadline)
            self._choose(search.grids())
            self.tried += search.tried
            if len(self.grids) == self.number:
                return

    def _choose(self, found: Iterable[Found]) -> None:
        """Add the best of some grids of a step; at an interruption, the best by then."""
        seen = {grid.pattern.rows for grid in self.grids}
        before, missing = list(self.grids), self.number - len(self.grids)
        judged = self.demands.entries and self.vocabulary is not None
        looked_at = missing * (_LOOKED_AT if judged else 1)
        kept: list[tuple[int, MadeGrid]] = []
        for pattern, outcome, cost in found:
            if pattern.rows in seen:
                continue
            seen.add(pattern.rows)
            kept.append((cost, self._made(pattern, outcome)))
            looked_at -= 1
            kept = sorted(kept, key=lambda item: item[0])[:missing]
            self.grids = [*before, *(grid for _, grid in kept)]
            if not looked_at or (len(kept) == missing and not kept[-1][0]):
                break
            self.settings.on_progress(self._progress)

    def _by_model(self) -> str:
        """Make grids from patterns that CP-SAT proposes; return why it ended early.

        Raises ImpossibleError when there are no more patterns.
        """
        demands, random = self.demands, Random(self.settings.seed)
        words: CountWords = count_any
        if self.vocabulary is not None:
            words = counter_of(self.vocabulary, self.min_score)
        model = pattern_model(demands, words)
        for grid in self.grids:
            model.forbid(grid.pattern)
        failures = 0
        while len(self.grids) < self.number:
            self.settings.on_progress(f"pattern {self.tried + 1}, {self._progress}")
            target = _target_word_count(demands, random, failures)
            found = model.find(random, target, self.deadline)
            if found is None:
                return self.deadline.reason
            self.tried += 1
            model.forbid(found)
            self.settings.on_progress(f"filling pattern {self.tried}")
            failures = 0 if self._fill(found, failures) else failures + 1
        return ""

    def _repeated_words(self) -> frozenset[str]:
        """Return the words that would repeat a word of an entry, but for the entries."""
        entries = self.demands.entries
        if self.vocabulary is None:
            return frozenset()
        written = WithDefault(self.demands.written)
        forms = [written.get(entry, entry) for entry in entries]
        return entries_that_repeat(forms, self.vocabulary) - set(entries)

    @property
    def _progress(self) -> str:
        return f"{len(self.grids)} of {self.number} grids made"

    def _made(self, pattern: Pattern, outcome: Outcome | None) -> MadeGrid:
        grid = pattern.grid()
        return MadeGrid(pattern, grid, pattern.locks(grid), outcome, self.loosened)

    def _fill(self, pattern: Pattern, failures: int) -> bool:
        """Fill a pattern and add it to the grids; False if it has no fill, or none was found."""
        if self.vocabulary is None:
            self.grids.append(self._made(pattern, None))
            return True
        grid = pattern.grid()
        # Entries are locks rather than given letters, because a slot full of given letters needs no
        # word of the vocabulary, but a word that crossing entries spell does.
        puzzle = Puzzle(grid, self.vocabulary, pattern.locks(grid), min_score=self.min_score)
        seconds = min(_FIRST_FILL_SECONDS * (1 + failures / 4), _MAX_FILL_SECONDS)
        outcome = _solve(puzzle, self.deadline.within(seconds), _FIRST_BACKEND)
        if outcome.status is Status.UNKNOWN and outcome.reason == INTERRUPTED:
            raise KeyboardInterrupt
        if outcome.status is Status.FILLED:
            better = replace(puzzle, excluded=self._repeated_words())
            well = _solve(better, self.deadline.within(_MAX_FILL_SECONDS))
            best = well if well.status is Status.FILLED else outcome
            self.grids.append(self._made(pattern, best))
            if well.reason == INTERRUPTED:
                raise KeyboardInterrupt
            return True
        self.given_up += outcome.status is Status.UNKNOWN
        return False


def _solve(
    puzzle: Puzzle, limit: Deadline, backend: str = "auto", settings: RunSettings | None = None
) -> Outcome:
    """Solve until a deadline of processor time, which ``solve`` itself does not know."""
    settings = replace(settings or RunSettings(), time_limit=None, should_stop=lambda: limit.passed)
    return solve(puzzle, backend, settings)


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


def pattern_model(demands: Demands, words: CountWords | None = None) -> PatternModel | BarredModel:
    """Return the model of patterns in the demanded style."""
    if demands.style is Style.BARRED:
        return BarredModel(demands)
    return PatternModel(demands, words or count_any)


def _patterns_exist(demands: Demands) -> bool:
    """Return False if it is proved within a short time that no pattern meets the demands."""
    try:
        _find_soon(demands, demands.words[1])
    except ImpossibleError:
        return False
    return True


def _find_soon(demands: Demands, words: int) -> Pattern | None:
    limit = Deadline.after(_RELAXATION_SECONDS)
    return pattern_model(demands).find(Random(0), words, limit)


def find_relaxations(demands: Demands, on_progress: OnProgress = ignore_progress) -> list[str]:
    """Return the single relaxations, as phrases, that make impossible demands possible."""
    found = []
    for phrase, relaxed in _single_relaxations(demands):
        on_progress(f"trying {phrase}")
        with suppress(ImpossibleError):
            if _find_soon(relaxed, sum(relaxed.words) // 2) is not None:
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
