"""The best fill: answers of backends against brute force, bounds, limits."""

from __future__ import annotations

from dataclasses import replace
from unittest.mock import patch

import pytest
from helpers import DATA, load_grid
from hypothesis import event, given, settings
from hypothesis import strategies as st
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Status, Vocabulary
from satcross.backends import group_bound
from satcross.backends.base import Answer, Optimum, Task
from satcross.backends.registry import backends_that, get_optimising_backend
from satcross.errors import InternalError, UnavailableError
from satcross.network.arc_consistency import arc_consistent
from satcross.network.weights import Weights
from satcross.outcome import NO_BETTER, TOTAL
from satcross.run_settings import PREFERENCE_NAMES, Deadline
from satcross.solving.best import Measure, Objective, best
from satcross.solving.cross_check import cross_check
from satcross.solving.goals import FLOOR, FRESH, LOWEST, PUBLISHABLE, SOLID, WORTH
from satcross.solving.good_words import floors_of
from satcross.solving.quality import Editor

ALL = frozenset(PREFERENCE_NAMES)
ABLE = tuple(name for name in backends_that("best") if name != "auto")


@st.composite
def scored_puzzles(draw: st.DrawFn) -> SmallPuzzle:
    """Small puzzles with positive and negative scores, and ties."""
    small = draw(small_puzzles())
    puzzle = small.puzzle
    if puzzle.min_score is not None or puzzle.min_scores or puzzle.slot_min_scores:
        return small
    step = draw(st.sampled_from([10, 15]))
    scores = {word: draw(st.integers(-1, 6)) * step for word in sorted(small.puzzle.vocabulary)}
    return replace(small, puzzle=replace(small.puzzle, vocabulary=Vocabulary(scores)))


def values(puzzle: Puzzle, fill: dict[str, str], used: frozenset[str]) -> dict[str, int]:
    scores = [puzzle.vocabulary.score(word) for word in fill.values()]
    own = {*puzzle.exempt_words, *puzzle.extra_words.values()}
    judged = [puzzle.vocabulary.score(word) for word in fill.values() if word not in own]
    floors, publishable, solid = scale(puzzle)
    return {
        FLOOR: max([one for one in floors if one <= min(judged, default=999)], default=floors[0]),
        PUBLISHABLE: len(fill) - sum(score < publishable for score in judged),
        SOLID: len(fill) - sum(score < solid for score in judged),
        TOTAL: sum(scores),
        WORTH: sum(map(puzzle.worth, fill.values())),
        LOWEST: min(scores),
        FRESH: sum(word not in used for word in fill.values()),
    }


def scale(puzzle: Puzzle) -> tuple[list[int], int, int]:
    """The floors, lowest first, and the scores of publishable and of solid words."""
    lengths = {slot.length for slot in puzzle.grid.slots}
    floors = floors_of(replace(puzzle, min_score=None, min_scores={}, slot_min_scores={}))
    lowest = min(min(puzzle.vocabulary.group(length).scores, default=50) for length in lengths)
    usual = not floors or bool({60, 55, 50, 45, 40, 30}.intersection(floors))
    levels = (50, 60) if usual else (floors[len(floors) // 2], floors[0])
    return sorted({lowest, *floors}), *levels


def goals(measure: Measure, puzzle: Puzzle) -> list[str]:
    if measure is Measure.QUALITY:
        return [FLOOR, PUBLISHABLE, SOLID, WORTH if puzzle.preferred else TOTAL]
    first = {Measure.MIN: [LOWEST], Measure.FRESHNESS: [FRESH]}.get(measure, [])
    return [*first, WORTH if puzzle.preferred else TOTAL]


@pytest.mark.parametrize("measure", Measure)
@settings(max_examples=48)
@given(small=scored_puzzles(), data=st.data())
def test_the_optimum_is_that_of_brute_force(
    measure: Measure, small: SmallPuzzle, data: st.DataObject
) -> None:
    """Every backend proves the optimum that brute force finds."""
    used: frozenset[str] = frozenset()
    if measure is Measure.FRESHNESS:
        used = frozenset(data.draw(st.sets(st.sampled_from(sorted(small.puzzle.vocabulary)))))
    all_values = [values(small.puzzle, fill, used) for fill in small.fills()]
    names = goals(measure, small.puzzle)
    truth = max(([one[name] for name in names] for one in all_values), default=None)
    event(f"{len(all_values) > 1=}")
    for backend in ABLE:
        outcome = best(small.puzzle, Objective(measure, used), backend, workers=1, allow=ALL)
        assert outcome.status is (Status.UNFILLABLE if truth is None else Status.FILLED)
        assert outcome.optimal is (None if truth is None else True)
        if truth is not None:
            assert [goal.value for goal in outcome.goals] == truth
            assert all(goal.reached for goal in outcome.goals)
            assert [goal.name for goal in outcome.goals] == names


# Across: CAT and CATS score more than the other pairs, and are forms of one word.
_FORMS = {"CAT": 90, "CATS": 90, "DOG": 70, "OWLS": 70, "COD": 80, "EEL": 10}


@pytest.mark.parametrize("backend", ABLE)
def test_the_best_fill_keeps_what_editors_prefer(backend: str) -> None:
    grid = Grid.from_rows(["___#", "####", "____"])
    free = best(Puzzle(grid, Vocabulary(_FORMS)), "quality", backend, allow=ALL)
    assert set((free.fill or {}).values()) == {"CAT", "CATS"}
    kept = best(Puzzle(grid, Vocabulary(_FORMS)), "quality", backend)
    assert set((kept.fill or {}).values()) == {"COD", "CATS"}
    assert kept.optimal is False
    assert kept.reason == NO_BETTER
    assert (kept.score, kept.bound, free.score) == (170, 180, 180)
    assert kept.quality is not None
    assert not any(one.excess for one in kept.quality.expectations)


@settings(max_examples=60)
@given(small=scored_puzzles())
def test_the_best_fill_of_those_that_editors_like_as_well(small: SmallPuzzle) -> None:
    editor = Editor(small.puzzle)
    outcome = best(small.puzzle, "quality", "backtrack", workers=1)
    if outcome.fill is None:
        return
    most = editor.breaks(tuple(outcome.fill.values()))
    names = goals(Measure.QUALITY, small.puzzle)
    fills = [dict(fill) for fill in small.fills()]
    liked = [fill for fill in fills if editor.breaks(tuple(fill.values())) <= most]
    event(f"{len(liked) < len(fills)=}")
    every = [values(small.puzzle, fill, frozenset()) for fill in liked]
    truth = max([one[name] for name in names] for one in every)
    assert [goal.value for goal in outcome.goals] == truth


@settings(max_examples=100)
@given(small=scored_puzzles(), work=st.sampled_from([0.0005, 0.005, 1000.0]))
def test_exact_solvers_by_themselves(small: SmallPuzzle, work: float) -> None:
    """RC2, CP-SAT and branch and bound alone give the optimum, or a valid bound at the limit."""
    from satcross.backends import cpsat
    from satcross.backends.sat import rc2
    from satcross.backends.search import branch_and_bound
    from satcross.backends.search.branch_and_bound import ExactProblem

    totals = [values(small.puzzle, fill, frozenset())[WORTH] for fill in small.fills()]
    candidates = arc_consistent(small.puzzle)
    if candidates.infeasible:
        return
    weights = Weights(candidates.network, small.puzzle.worth)
    lowest = sum(weights.worst(slot, domain) for slot, domain in enumerate(candidates.root.domains))
    for exact in (branch_and_bound.maximise, cpsat.maximise, rc2.maximise):
        question = ExactProblem(
            candidates, candidates.root.copy(), weights, lowest, Deadline(), work
        )
        found = exact(question)
        assert all(total <= found.bound for total in totals)
        if found.words is not None:
            assert weights.of(found.words) <= found.bound
        if work > 1:
            assert found.bound == max(totals, default=lowest - 1)
            assert (found.words is None) == (not totals)
            assert found.words is None or weights.of(found.words) == found.bound


@pytest.fixture(scope="module")
def nine(default_vocabulary: Vocabulary) -> Puzzle:
    return Puzzle(load_grid(DATA / "grids" / "9x9-a.txt"), default_vocabulary)


@pytest.mark.parametrize("backend", [*ABLE, "auto"])
def test_at_the_limit_the_best_so_far_with_a_bound(backend: str, nine: Puzzle) -> None:
    for limit in (0.5, 1, 2, 4, 16, 64):  # a busy machine may need longer for the first fill
        plain = best(nine, "total", backend, time_limit=limit, workers=1)
        if plain.status is Status.FILLED:
            break
    assert plain.status is Status.FILLED
    assert plain.optimal is False
    assert plain.reason == "time limit"
    assert plain.score is not None
    assert plain.bound is not None
    assert 0 < plain.score < plain.bound <= 3000


@pytest.mark.parametrize("backend", ABLE)
def test_it_only_ever_gets_better_and_an_interruption_leaves_the_best_so_far(
    backend: str, nine: Puzzle
) -> None:
    """Reports such as "best 2,500 at most 3,000" only ever improve."""
    seen: list[tuple[int, int]] = []

    def report(line: str) -> None:
        if line.startswith("best "):
            value, bound = line.removeprefix("best ").replace(",", "").split(" at most ")
            seen.append((int(value), int(bound)))
            if len(seen) == 3:
                raise KeyboardInterrupt

    outcome = best(nine, "total", backend, on_progress=report, workers=1)
    assert [value for value, _ in seen] == sorted(value for value, _ in seen)
    assert [bound for _, bound in seen] == sorted((bound for _, bound in seen), reverse=True)
    assert outcome.goals[0].value == seen[-1][0]
    assert (outcome.status, outcome.optimal) == (Status.FILLED, False)
    assert outcome.reason == "interrupted"


def test_a_floor_that_all_words_miss_is_tried_and_reported() -> None:
    grid = Grid.from_rows(["___", "###", "___", "###", "___"])
    lines: list[str] = []
    words = Vocabulary({"CAT": 60, "DOG": 60, "BED": 50})
    outcome = best(Puzzle(grid, words), backend="backtrack", on_progress=lines.append)
    assert "lowest score 50, at most 60; trying 60" in lines
    assert [goal.bound for goal in outcome.goals] == [50, 3, 2, 170]


def test_a_grid_without_slots() -> None:
    for measure in Measure:
        outcome = best(Puzzle(Grid.from_rows(["_#_"]), Vocabulary(["CAT"])), measure)
        assert outcome.fill == {}
        assert outcome.optimal


def test_a_backend_that_can_not_says_so() -> None:
    with pytest.raises(UnavailableError, match="choose from auto, sat, cpsat, backtrack"):
        get_optimising_backend("letters")


def test_a_bound_that_another_fill_breaks_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from satcross.backends.search.backend import Backtrack

    puzzle = Puzzle(Grid.from_rows(["___"]), Vocabulary({"CAT": 10, "DOG": 20}))

    def lie(self: Backtrack, task: Task, weights: Weights) -> Optimum:
        return Optimum(Answer(Status.FILLED, ("CAT",)), 10)

    monkeypatch.setattr(Backtrack, "best", lie)
    with pytest.raises(InternalError, match=r"backends disagree.*20.*at most 10"):
        cross_check(puzzle, ["sat", "backtrack"], objective=Objective(Measure.TOTAL))


@settings(max_examples=60)
@given(small=scored_puzzles(), size=st.integers(2, 6), heavy=st.sampled_from([2, 5, 400]))
def test_groups_of_slots_give_a_bound(small: SmallPuzzle, size: int, heavy: int) -> None:
    """No fill is worth more than the sum of the groups' bounds."""
    candidates = arc_consistent(small.puzzle)
    worth = small.puzzle.worth
    totals = [sum(map(worth, fill.values())) for fill in small.fills()]
    if candidates.infeasible or not totals:
        return
    weights = Weights(candidates.network, worth)
    with patch.object(group_bound, "_MAX_HEAVY", heavy):
        bound = group_bound.group_bound(
            candidates.network, candidates.root, weights, size, 1.0, Deadline()
        )
    event(f"below the ideal: {bound < weights.ideal(candidates.root)}")
    event(f"exact: {bound == max(totals)}")
    assert max(totals) <= bound <= weights.ideal(candidates.root)


def test_a_group_of_two_slots_is_solved() -> None:
    """The best words of the two slots begin with different letters."""
    words = Vocabulary({"AB": 50, "CD": 10, "CE": 50, "AF": 10})
    candidates = arc_consistent(Puzzle(Grid.from_rows(["__", "_#"]), words))
    weights = Weights(candidates.network, words.score)
    for size, bound in ((1, 100), (2, 60)):
        found = group_bound.group_bound(
            candidates.network, candidates.root, weights, size, 1.0, Deadline()
        )
        assert found == bound
