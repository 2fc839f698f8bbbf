"""``best``: find the best fill of a puzzle and prove that no fill is better."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Unpack

from satcross.backends.base import Answer, OptimisingBackend, Task
from satcross.backends.registry import get_optimising_backend
from satcross.errors import InternalError, UnavailableError
from satcross.network.weights import Weights
from satcross.outcome import TOTAL, FillQuality, Goal, Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, Deadline, RunOptions, RunSettings, ignore_progress
from satcross.solving.best_quality import Scale, best_quality, goal_names
from satcross.solving.bug_report import write_report
from satcross.solving.goals import (
    FRESH,
    LOWEST,
    WORTH,
    Lexicographic,
    PerWord,
    Result,
    total_name,
)
from satcross.solving.quality import Editor, judge
from satcross.solving.run import run
from satcross.solving.solve import as_outcome, check


class Measure(StrEnum):
    """A measure of the quality of fills.

    ``QUALITY``: the highest floor that all words reach, then the most words of 50 or more, then of
    60 or more, then the total, by fills that break the editors' preferences no more often than the
    fill of ``solve`` (``best_quality``). ``TOTAL``: the sum of the words' scores.
    ``MEAN``: their mean, which orders the fills of a grid as the total does. ``MIN``: the lowest
    score of a word, then the total. ``FRESHNESS``: the number of words that have not been used
    before, then the total.
    """

    QUALITY = "quality"
    TOTAL = "total"
    MEAN = "mean"
    MIN = "min"
    FRESHNESS = "freshness"


@dataclass(frozen=True, slots=True)
class Objective:
    """A measure, and for freshness the words that are no longer fresh."""

    measure: Measure = Measure.QUALITY
    used: frozenset[str] = frozenset()

    @classmethod
    def of(cls, measure: str) -> Objective:
        """Return the objective for a measure's name. Raises UnavailableError if it is unknown."""
        if measure not in tuple(Measure):
            raise UnavailableError(
                f"there is no measure {measure!r}; choose from {', '.join(Measure)}"
            )
        return cls(Measure(measure))


def best(
    puzzle: Puzzle,
    objective: Objective | str = Measure.QUALITY,
    backend: str = "auto",
    settings: RunSettings | None = None,
    **changes: Unpack[RunOptions],
) -> Outcome:
    """Find the best fill by the objective, which may be the name of a measure.

    ``Outcome.optimal`` says whether the fill is proved to be best; ``Outcome.goals`` has its values
    and proved upper bounds. At the time limit or an interruption, the best fill so far is returned,
    if there is one. The score of every word, also of locked words and theme words, is
    ``puzzle.vocabulary.score``; totals use ``puzzle.worth`` instead if words are preferred. The
    other arguments and the errors are those of ``solve``; also raises UnavailableError for an
    unknown measure and for a backend that can't optimise.
    """
    settings = RunSettings.of(settings, changes)
    if not isinstance(objective, Objective):
        objective = Objective.of(objective)
    timed = run(
        puzzle,
        settings,
        lambda: get_optimising_backend(backend),
        lambda solver, task: _pursue(objective, solver, task, settings),
        lambda status, reason: (
            Result(Answer(status, ()), _no_words(objective, puzzle))
            if status is Status.FILLED
            else Result(Answer(status, None, reason), ())
        ),
    )
    result = timed.result
    outcome = replace(
        as_outcome(puzzle, backend, result.answer, settings.seed),
        quality=_quality(puzzle, objective, result.answer, settings.allow),
        seconds=timed.stages("solve", result.answer.encode_seconds),
        objective=str(objective.measure),
        goals=result.goals,
        optimal=None if result.answer.words is None else all(g.reached for g in result.goals),
    )
    check(puzzle, outcome, settings)
    _check_goals(puzzle, objective, outcome, settings)
    return outcome


def _quality(
    puzzle: Puzzle, objective: Objective, answer: Answer, allow: frozenset[str]
) -> FillQuality | None:
    """Return the quality of the fill if the search was for quality in a list with scores."""
    words, slots = answer.words, puzzle.grid.slots
    scored = puzzle.vocabulary.is_scored({slot.length for slot in slots})
    if words is None or not scored or objective.measure is not Measure.QUALITY:
        return None
    fill = {slot.name: word for slot, word in zip(slots, words, strict=True)}
    return judge(puzzle, fill, allow)


def _no_words(objective: Objective, puzzle: Puzzle) -> tuple[Goal, ...]:
    """The goals of the fill of a grid without slots."""
    names = _goals(objective, puzzle)
    if objective.measure is not Measure.QUALITY:
        return tuple(Goal(name, 0, 0) for name in names)
    return tuple(Goal(*item) for item in zip(names, *[Scale(puzzle).values(())] * 2, strict=True))


def _pursue(
    objective: Objective, solver: OptimisingBackend, task: Task, settings: RunSettings
) -> Result:
    puzzle = task.candidates.network.puzzle
    if objective.measure is Measure.QUALITY:
        return best_quality(solver, task, Editor.of(puzzle, settings))
    if objective.measure is Measure.MIN:
        return _best_lowest(solver, task)
    return _highest(objective, solver, task)


def _goals(objective: Objective, puzzle: Puzzle) -> list[str]:
    """Return the names of the goals, the most important one first."""
    if objective.measure is Measure.QUALITY:
        return list(goal_names(puzzle))
    first = {Measure.MIN: [LOWEST], Measure.FRESHNESS: [FRESH]}.get(objective.measure, [])
    return [*first, total_name(puzzle)]


def _highest(objective: Objective, solver: OptimisingBackend, task: Task) -> Result:
    """Maximise the number of fresh words, where these are the measure, then the total."""
    puzzle, counts = task.candidates.network.puzzle, list[PerWord]()
    if objective.measure is Measure.FRESHNESS:
        counts.append(PerWord.each(lambda word: word not in objective.used))
    total = PerWord.each(puzzle.worth)
    both = Lexicographic(task.candidates, counts, total)
    found = solver.best(task, both.weights)
    words = found.answer.words
    values = [None if words is None else sum(map(item.of, words)) for item in (*counts, total)]
    goals = map(Goal, _goals(objective, puzzle), values, both.limits(found.bound, values))
    return Result(found.answer, tuple(goals))


def _best_lowest(solver: OptimisingBackend, task: Task) -> Result:
    """Maximise the lowest score; then, in the remaining time, the total at that lowest score."""
    candidates, puzzle = task.candidates, task.candidates.network.puzzle
    scores = Weights(candidates.network, puzzle.vocabulary.score)
    weights = Weights(candidates.network, puzzle.worth)
    second = _goals(Objective(Measure.MIN), puzzle)[1]
    levels = _Levels(solver, task, scores)
    first = solver.solve(task)
    if first.words is None:
        bound = None if first.status is Status.UNFILLABLE else levels.bound
        return Result(first, (Goal(LOWEST, None, bound), Goal(second, None, None)))
    levels.take(first.words)
    reason, max_total = "", None
    words = levels.words
    try:
        levels.search()
        words = levels.words
        state = scores.reaching(candidates.root, levels.lowest)
        assert state is not None  # it contains the fill ``words``
        narrower = replace(task, candidates=candidates.narrowed(state))
        found = solver.best(narrower, weights)
        reason = found.answer.reason
        if found.answer.words is not None:
            words = max(words, found.answer.words, key=weights.of)
        if levels.lowest == levels.bound:
            max_total = found.bound
    except KeyboardInterrupt:
        words, reason = levels.words, INTERRUPTED
    total, lowest = weights.of(words), min(map(scores.weight, words))
    if total == max_total:
        reason = ""
    answer = Answer(Status.FILLED, words, reason)
    return Result(answer, (Goal(LOWEST, lowest, levels.bound), Goal(second, total, max_total)))


class _Levels:
    """Search for the highest score for which a fill of words with at least that score exists.

    Each score is tried with a growing time limit, because some scores take far too long.
    """

    _FIRST_SECONDS = 1.0

    def __init__(self, solver: OptimisingBackend, task: Task, weights: Weights) -> None:
        self._solver = solver
        self._task = task
        self._weights = weights
        domains = task.candidates.root.domains
        self.words: tuple[str, ...] = ()
        self.bound = min(weights.best(slot, domain) for slot, domain in enumerate(domains))
        self._scores = sorted(
            {
                score
                for slot, domain in enumerate(domains)
                for score in weights.values(slot, domain)
                if score <= self.bound
            }
        )
        self.lowest = self._scores[0]

    def take(self, words: tuple[str, ...]) -> None:
        """Store the words of the best fill found so far."""
        self.words = words
        self.lowest = min(map(self._weights.weight, words))

    @property
    def _open(self) -> list[int]:
        return [score for score in self._scores if self.lowest < score <= self.bound]

    def search(self) -> None:
        """Search until the lowest score is proved best, for at most half the remaining time.

        The other half is for the total.
        """
        deadline = self._task.deadline
        limit = deadline.within(None if deadline.at is None else deadline.left / 2)
        self._lower_at_sight()
        patience = self._FIRST_SECONDS
        while self._open and not limit.passed:
            # Bisect between the lowest score found and the bound; then lower the bound step by
            # step as long as each step is answered in time.
            low, high = self.lowest, self.bound
            while wanted := [score for score in self._open if low < score <= high]:
                middle = wanted[(len(wanted) - 1) // 2]
                if self._ask(middle, patience, limit) is Status.FILLED:
                    low = self.lowest
                else:
                    high = wanted[0] - 1 if middle == wanted[0] else middle - 1
                if limit.passed:
                    return
            while self._open and self._ask(self._open[-1], patience, limit) is not Status.UNKNOWN:
                pass
            patience *= 2

    def _lower_at_sight(self) -> None:
        """Lower the bound to the highest score that is arc consistent, by bisection."""
        root = self._task.candidates.root
        found = bisect_left(
            self._scores, True, lo=1, key=lambda score: self._weights.reaching(root, score) is None
        )
        self.bound = max(self.lowest, self._scores[found - 1])

    def _ask(self, wanted: int, seconds: float, limit: Deadline) -> Status:
        task = self._task
        task.on_progress(f"lowest score {self.lowest}, at most {self.bound}; trying {wanted}")
        state = self._weights.reaching(task.candidates.root, wanted)
        status = Status.UNFILLABLE
        if state is not None:
            answer = self._solver.solve(
                replace(
                    task,
                    candidates=task.candidates.narrowed(state),
                    deadline=limit.within(seconds),
                    on_progress=ignore_progress,
                )
            )
            status = answer.status
            if answer.words is not None:
                self.take(answer.words)
        if status is Status.UNFILLABLE:
            self.bound = max(score for score in self._scores if score < wanted)
        return status


def _check_goals(
    puzzle: Puzzle, objective: Objective, outcome: Outcome, settings: RunSettings
) -> None:
    """Recompute the values of the goals from the words, and check that no bound is exceeded.

    Raises InternalError for a wrong value or bound.
    """
    if outcome.fill is None:
        return
    words = list(outcome.fill.values())
    scores = [puzzle.vocabulary.score(word) for word in words]
    truth = {
        TOTAL: sum(scores),
        WORTH: sum(map(puzzle.worth, words)),
        LOWEST: min(scores, default=0),
        FRESH: sum(word not in objective.used for word in words),
    }
    if objective.measure is Measure.QUALITY:
        truth |= zip(goal_names(puzzle), Scale(puzzle).values(tuple(words)), strict=True)
    for goal in outcome.goals:
        if goal.value != truth[goal.name] or (goal.bound is not None and goal.bound < goal.value):
            raise InternalError(
                f"backend {outcome.backend} reports {goal.name} {goal.value} with the bound "
                f"{goal.bound}, but the words give {truth[goal.name]} (seed {outcome.seed})",
                write_report(puzzle, [outcome], settings.to_data()),
            )
