"""Make a puzzle of a series: what a worker does, and how hard the puzzle is."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from satcross.errors import InputError
from satcross.formats.words import default_written
from satcross.grid import STRIDE, Grid
from satcross.make.pattern.demands import Demands
from satcross.make.pattern.fillable import make_grids
from satcross.make.series.ledger import lowered
from satcross.outcome import Outcome
from satcross.puzzle import Puzzle
from satcross.run_settings import RunSettings
from satcross.solving.refill import refill
from satcross.solving.repeats import entries_that_repeat
from satcross.solving.solve import solve
from satcross.vocabulary import Vocabulary

_CHOICES = 3
"""Puzzles that are made where a difficulty is aimed at."""
_WEIGHTS = {"unfamiliar": 40, "unchecked": 25, "open": 20, "fresh": 15}
_FAMILIAR, _UNKNOWN = 80, 20
"""Scores from which on a word counts as familiar to all, and up to which to nobody."""
_SHORT_WORDS, _LONG_WORDS = 4.0, 7.0
"""Mean lengths of words of a grid that counts as closed, and as open."""


@dataclass(frozen=True, slots=True)
class Job:
    """A puzzle to make: on a grid, or by demands; ``letters`` has a fill that is to be mended.

    ``banned`` words may not be used; words used not long ago (``recent``) are used less gladly.
    """

    number: int
    demands: Demands
    grid: Grid | None
    theme: Mapping[str, str]
    min_score: int | None
    target: tuple[float, float] | None
    banned: frozenset[str]
    recent: frozenset[str]
    seed: int
    seconds: float
    letters: tuple[tuple[str | None, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Made:
    """What came of a job: a grid and its fill, or the reason why there is none."""

    grid: Grid | None
    fill: Mapping[str, str]
    reason: str = ""
    loosened: tuple[str, ...] = ()
    cpu: float = 0.0


class Difficulty(NamedTuple):
    """How hard a puzzle is, from 0 to 100, and the four parts of that, from 0 to 1.

    ``unfamiliar`` is what its words lack to a score of 80, ``unchecked`` the share of letters that
    are in one word only, ``open`` how long its words are, and ``fresh`` the share of words that
    were not used not long ago.
    """

    value: int
    unfamiliar: float
    unchecked: float
    open: float
    fresh: float


def difficulty(
    grid: Grid, words: Collection[str], vocabulary: Vocabulary, recent: Collection[str]
) -> Difficulty:
    """Return how hard a puzzle is."""
    number = max(1, len(words))
    checked = sum(crossing.cell[1] < STRIDE for crossing in grid.crossings)
    cells = {cell for slot in grid.slots for cell in slot.cells}
    scale = _FAMILIAR - _UNKNOWN
    lacking = sum(_within((_FAMILIAR - vocabulary.score(word)) / scale) for word in words)
    parts = {
        "unfamiliar": lacking / number,
        "unchecked": 1 - checked / max(1, len(cells)),
        "open": _within(
            (sum(map(len, words)) / number - _SHORT_WORDS) / (_LONG_WORDS - _SHORT_WORDS)
        ),
        "fresh": sum(word not in recent for word in words) / number,
    }
    value = round(sum(weight * parts[name] for name, weight in _WEIGHTS.items()))
    return Difficulty(value, **{name: round(part, 3) for name, part in parts.items()})


def _within(value: float) -> float:
    return min(1.0, max(0.0, value))


def distance(value: float, target: tuple[float, float]) -> float:
    """Return how far a difficulty is from the range that is aimed at."""
    return max(target[0] - value, value - target[1], 0.0)


def make(job: Job, vocabulary: Vocabulary) -> Made:
    """Make a puzzle; where a difficulty is aimed at, the nearest of a few."""
    started = time.process_time()
    words = _usable(job, vocabulary)
    best: tuple[float, Made] | None = None
    for choice in range(1 if job.target is None or job.letters else _CHOICES):
        seed = job.seed + 7919 * choice
        made = _make_one(replace(job, seed=seed), words)
        off = 0.0
        if job.target is not None and made.grid is not None:
            shown = list(made.fill.values())
            hard = difficulty(made.grid, shown, vocabulary, job.recent)
            off = distance(hard.value, job.target)
        if best is None or best[1].grid is None or (made.grid is not None and off < best[0]):
            best = off, made
    assert best is not None
    return replace(best[1], cpu=time.process_time() - started)


def _usable(job: Job, vocabulary: Vocabulary) -> Vocabulary:
    scores: dict[str, int | None] = {
        word: lowered(vocabulary.score(word)) for word in job.recent if word in vocabulary
    }
    scores |= {word: None for word in job.banned if word in vocabulary}
    return vocabulary.changed(scores)


def _make_one(job: Job, vocabulary: Vocabulary) -> Made:
    settings = RunSettings(time_limit=job.seconds, seed=job.seed, workers=1)
    try:
        if job.grid is None:
            return _make_grid(job, vocabulary, settings)
        repeated = _repeated(job, vocabulary)
        theme = frozenset(job.theme)
        puzzle = Puzzle(
            job.grid, vocabulary, theme=theme, min_score=job.min_score, excluded=repeated
        )
        if job.letters is not None:
            outcome = refill(puzzle, job.letters, settings=settings)
        else:
            outcome = solve(puzzle, settings=settings)
    except InputError as error:
        return Made(None, {}, str(error))
    return _made(job.grid, outcome)


def _repeated(job: Job, vocabulary: Vocabulary) -> frozenset[str]:
    if not job.theme:
        return frozenset()
    written = {**default_written(), **job.theme}
    return entries_that_repeat([written[word] for word in job.theme], vocabulary) - set(job.theme)


def _make_grid(job: Job, vocabulary: Vocabulary, settings: RunSettings) -> Made:
    demands = replace(job.demands, entries=tuple(job.theme), written=job.theme)
    result = make_grids(demands, vocabulary, settings, min_score=job.min_score)
    if not result.grids:
        return Made(None, {}, result.reason or "there is no such grid")
    grid = result.grids[0]
    assert grid.outcome is not None
    return replace(_made(grid.grid, grid.outcome), loosened=grid.loosened)


def _made(grid: Grid, outcome: Outcome) -> Made:
    if outcome.fill is None:
        return Made(None, {}, outcome.reason or str(outcome.status))
    return Made(grid, dict(outcome.fill))
