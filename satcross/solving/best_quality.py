"""The fill of the best quality: no bad words, then few weak ones, then the highest total.

The goals, in this order: the highest floor that all words reach (the floors of ``good_words``); as
many publishable words as possible (50 or more, on the default list's scale); as many solid words
(60 or more); the highest total. The setter's own words count as solid. The search goes on from the
fill that ``solve`` finds, so that it is never below the floor of that one, and looks only at fills
that break the editors' preferences no more often.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from satcross.backends.base import OptimisingBackend, Task, accept_any
from satcross.grid import Cell
from satcross.network.arc_consistency import Candidates
from satcross.network.weights import Weights
from satcross.outcome import Goal, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, OnPartial, TimeUp, ignore_progress
from satcross.solving.goals import (
    FLOOR,
    PUBLISHABLE,
    SOLID,
    Lexicographic,
    PerWord,
    Result,
    total_name,
)
from satcross.solving.good_words import FLOORS, fill_with_good_words, floors_of
from satcross.solving.polish import Polish
from satcross.solving.quality import Editor
from satcross.vocabulary import WordGroup

_PUBLISHABLE, _SOLID = 50, 60

_FLOOR_SHARE, _FLOOR_SECONDS = 0.1, 5.0
"""Share of the time left that looking for a higher floor may take, and its most seconds."""

_HIGH = 1 << 40
"""Score of the setter's words, which no floor excludes."""


class Scale:
    """What the scores of a puzzle's list mean.

    ``floors`` has the minimum scores that ``solve`` tries, and the lowest score of the list, in
    ascending order. On a list with another scale than the default list's, its quartiles take the
    place of 50 and 60.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        unlimited = replace(puzzle, min_score=None, min_scores={}, slot_min_scores={})
        floors = floors_of(unlimited)
        runs = [
            run for slot in puzzle.grid.slots for run in puzzle.vocabulary.group(slot.length).runs
        ]
        lowest = min((score for score, _ in runs), default=0)
        self.floors = sorted({lowest, *floors})
        usual = not floors or any(floor in FLOORS for floor in floors)
        self.publishable = _PUBLISHABLE if usual else floors[len(floors) // 2]
        self.solid = _SOLID if usual else floors[0]
        self._puzzle = puzzle
        self._own = puzzle.exempt_words | set(puzzle.extra_words.values())

    def score(self, word: str) -> int:
        """The word's score; above all floors for one of the setter's."""
        return _HIGH if word in self._own else self._puzzle.vocabulary.score(word)

    def scores(self, lexicon: WordGroup) -> tuple[int, ...]:
        """``score`` of all words of a lexicon."""
        if not any(map(lexicon.bit_of, self._own)):
            return tuple(lexicon.scores)
        return tuple(map(self.score, lexicon.words))

    def values(self, words: tuple[str, ...]) -> tuple[int, int, int, int]:
        """Return the values of the four goals for a fill."""
        scores = [self.score(word) for word in words]
        reached = [floor for floor in self.floors if floor <= min(scores, default=_HIGH)]
        return (
            max(reached, default=self.floors[0]),
            sum(score >= self.publishable for score in scores),
            sum(score >= self.solid for score in scores),
            sum(map(self._puzzle.worth, words)),
        )


def best_quality(solver: OptimisingBackend, task: Task, editor: Editor | None = None) -> Result:
    """Maximise the four goals in order, by fills that the ``editor`` objects to as little."""
    puzzle = task.candidates.network.puzzle
    scale, names = Scale(puzzle), goal_names(puzzle)
    first = fill_with_good_words(solver, task, editor)
    if first.words is None:
        top = None if first.status is Status.UNFILLABLE else scale.floors[-1]
        none = [Goal(name, None, None) for name in names[1:]]
        return Result(first, (Goal(FLOOR, None, top), *none))
    words, reason = first.words, first.reason
    floor, bound = scale.values(words)[0], scale.floors[-1]
    limits: tuple[int | None, ...] = (None, None, None)
    stats = first.stats
    try:
        if reason:
            raise KeyboardInterrupt
        words, bound = _raise_floor(solver, task, scale, words, editor)
        floor = scale.values(words)[0]
        state = _scores(task, scale).reaching(task.candidates.root, floor)
        assert state is not None  # it contains the fill ``words``
        candidates = task.candidates.narrowed(state)
        levels = _levels(scale, candidates)
        found = solver.best(
            replace(
                task,
                candidates=candidates,
                start=words,
                accepts=_at_most_as_broken(words, editor),
                on_progress=ignore_progress,
                on_partial=_reporting(task, scale),
            ),
            levels.weights,
        )
        stats = {**stats, **found.answer.stats}
        reason = found.answer.reason
        words = found.answer.words or words
        limits = levels.limits(found.bound, scale.values(words)[1:])
    except KeyboardInterrupt:
        reason = INTERRUPTED
    except TimeUp:
        pass
    values = scale.values(words)
    bounds: tuple[int | None, ...] = (bound, *limits)
    if values[0] != bound:
        bounds = (bound, None, None, None)
    levels_of = (None, scale.publishable, scale.solid, None)
    goals = tuple(map(Goal, names, values, bounds, levels_of))
    if all(goal.reached for goal in goals):
        reason = ""
    return Result(replace(first, words=words, reason=reason, stats=stats), goals)


def _levels(scale: Scale, candidates: Candidates) -> Lexicographic:
    """The goals after the floor."""
    puzzle, scores = candidates.network.puzzle, PerWord(scale.score, scale.scores)
    total = PerWord.each(puzzle.worth)
    if not puzzle.preferred:
        total = PerWord(puzzle.worth, lambda lexicon: lexicon.scores)
    levels = (scale.publishable, scale.solid)
    return Lexicographic(candidates, [scores.at_least(level) for level in levels], total)


def _at_most_as_broken(
    words: tuple[str, ...], editor: Editor | None
) -> Callable[[tuple[str, ...]], bool]:
    """Return whether a fill breaks the preferences no more often than ``words`` do."""
    if editor is None:
        return accept_any
    allowed, breaks = editor.breaks(words), editor.breaks
    return lambda fill: breaks(fill) <= allowed


def goal_names(puzzle: Puzzle) -> tuple[str, ...]:
    """Return the names of the four goals."""
    return (FLOOR, PUBLISHABLE, SOLID, total_name(puzzle))


def _scores(task: Task, scale: Scale) -> Weights:
    return Weights(task.candidates.network, scale.score, scale.scores)


def _raise_floor(
    solver: OptimisingBackend,
    task: Task,
    scale: Scale,
    words: tuple[str, ...],
    editor: Editor | None,
) -> tuple[tuple[str, ...], int]:
    """Look for a fill above the floor of ``words``, the highest floor first.

    Returns the better of the fills, as the ``editor`` would have it, and the highest floor that is
    not refuted.
    """
    scores = _scores(task, scale)
    floor = bound = scale.values(words)[0]
    higher = [item for item in scale.floors if item > floor]
    for number, wanted in enumerate(reversed(higher)):
        state = scores.reaching(task.candidates.root, wanted)
        if state is None:
            continue
        bound = max(bound, wanted)
        task.on_progress(f"lowest score {floor}, at most {bound}; trying {wanted}")
        share = min(_FLOOR_SECONDS, _FLOOR_SHARE * task.deadline.left) / (len(higher) - number)
        candidates = task.candidates.narrowed(state)
        answer = solver.solve(
            replace(
                task,
                candidates=candidates,
                deadline=task.deadline.within(share),
                on_progress=ignore_progress,
                workers=1,
            )
        )
        if answer.words is not None:
            raised = answer.words
            if editor is not None:
                raised = Polish(candidates, editor, raised, task.seed).run(task.deadline)
                if editor.cost(raised) > editor.cost(words):
                    continue
            return raised, max(bound, scale.values(raised)[0])
        if answer.status is Status.UNFILLABLE and bound == wanted:
            bound = floor
    return words, bound


def _reporting(task: Task, scale: Scale) -> OnPartial:
    """A callback for better fills, which says what they are worth and passes the letters on."""
    slots = task.candidates.network.puzzle.grid.slots

    def report(letters: Mapping[Cell, str]) -> None:
        words = tuple("".join(letters[cell] for cell in slot.cells) for slot in slots)
        floor, publishable, solid, total = scale.values(words)
        counts = ((publishable, scale.publishable), (solid, scale.solid))
        missing = [(len(words) - number, score) for number, score in counts]
        weak = "".join(f"{number} below {score}, " for number, score in missing if number)
        task.on_progress(f"best: all words {floor} or more, {weak}total {total:,}")
        task.on_partial(letters)

    return report
