"""Fills of good words first, and what an editor objects to."""

from __future__ import annotations

from itertools import combinations

import pytest

from satcross.grid import Grid
from satcross.outcome import Status
from satcross.puzzle import Puzzle
from satcross.solving import solve
from satcross.solving.good_words import floors_of
from satcross.solving.inflections import is_plain_plural, roots
from satcross.solving.quality import judge, max_plurals
from satcross.verify import verify
from satcross.vocabulary import Vocabulary

SQUARE = Grid(("___", "___", "___"))
KNOWN = {"TEE", "USE", "PIN", "CITY", "HAPPY", "WALK", "BUS", "GAS", "TEN", "LESS"}


@pytest.mark.parametrize(
    ("word", "root"),
    [
        ("TEED", "TEE"),
        ("USES", "USE"),
        ("USING", "USE"),
        ("PINNED", "PIN"),
        ("CITIES", "CITY"),
        ("HAPPIER", "HAPPY"),
        ("WALKERS", "WALK"),
    ],
)
def test_forms_have_their_root(word: str, root: str) -> None:
    assert roots(word, KNOWN.__contains__) == {word, root}


def test_an_unknown_root_is_none() -> None:
    assert roots("BRED", KNOWN.__contains__) == {"BRED"}


@pytest.mark.parametrize(
    ("word", "plain"), [("TENS", True), ("CITIES", True), ("BUS", False), ("LESS", False)]
)
def test_plain_plurals(word: str, plain: bool) -> None:
    assert is_plain_plural(word, {*KNOWN, "BU", "LES"}.__contains__) is plain


def test_floors_follow_the_scale_of_the_list() -> None:
    grid = Grid(("___",))
    assert floors_of(Puzzle(grid, Vocabulary({"ONE": 90, "TWO": 52, "SIX": 10}))) == [60, 50]
    assert floors_of(Puzzle(grid, Vocabulary({"ONE": 9, "TWO": 5, "SIX": 1})))
    assert not floors_of(Puzzle(grid, Vocabulary(["ONE", "TWO"])))
    scored = Vocabulary({"ONE": 90, "TWO": 52})
    assert not floors_of(Puzzle(grid, scored, min_score=30))


def test_good_words_come_first() -> None:
    words = {"BAT": 70, "ODE": 70, "WED": 70, "BOW": 70, "ADE": 70, "TED": 70, "XYZ": 1, "QQQ": 1}
    outcome = solve(Puzzle(SQUARE, Vocabulary(words)))
    assert outcome.status is Status.FILLED
    assert outcome.quality is not None
    assert outcome.quality.lowest == 70
    assert str(outcome.quality).startswith("all words 70 or more")


def test_loosens_to_the_whole_list() -> None:
    words = {"BAT": 70, "ODE": 70, "WED": 3, "BOW": 70, "ADE": 70, "TED": 2, "XXX": 90}
    outcome = solve(Puzzle(SQUARE, Vocabulary(words)))
    assert outcome.status is Status.FILLED
    assert outcome.quality is not None
    assert outcome.quality.weak == (("TED", 2), ("WED", 3))
    assert str(outcome.quality).startswith("2 words below 50: TED, WED")


def test_unfillable_is_about_the_whole_list() -> None:
    words = {"BAT": 70, "ODE": 70, "WED": 3, "BOW": 70, "ADE": 70}
    outcome = solve(Puzzle(SQUARE, Vocabulary(words)))
    assert outcome.status is Status.UNFILLABLE
    assert outcome.quality is None


def test_a_named_backend_answers_the_plain_question() -> None:
    words = Vocabulary({"BAT": 70, "ODE": 70, "WED": 3, "BOW": 70, "ADE": 70, "TED": 2})
    outcome = solve(Puzzle(SQUARE, words), "backtrack")
    assert outcome.quality is None


@pytest.mark.parametrize("seed", range(3))
def test_default_list_without_similar_words(seed: int) -> None:
    rows = ("____#____",) * 4 + ("#########",) + ("____#____",) * 4
    grid = Grid(rows)
    puzzle = Puzzle(grid, Vocabulary.read())
    outcome = solve(puzzle, seed=seed)
    assert outcome.fill is not None
    assert outcome.quality is not None
    assert not verify(puzzle, outcome.fill)
    assert outcome.quality == judge(puzzle, outcome.fill)
    words = list(outcome.fill.values())
    assert (outcome.quality.lowest or 0) >= 50
    # Counted again, without the code of the solver.
    for one, other in combinations(words, 2):
        assert one + "S" != other
        assert other + "S" != one
    assert outcome.quality.plurals <= max_plurals(len(words))


def test_the_same_seed_gives_the_same_fill() -> None:
    puzzle = Puzzle(Grid(("____", "____", "____", "____")), Vocabulary.read())
    assert solve(puzzle, seed=5).fill == solve(puzzle, seed=5).fill


def test_own_words_are_not_judged() -> None:
    words = Vocabulary({"BAT": 70, "ODE": 70, "WED": 70, "BOW": 70, "ADE": 70, "TED": 1})
    outcome = solve(Puzzle(SQUARE, words, locks={"3D": "TED"}))
    assert outcome.quality is not None
    assert outcome.quality.lowest == 70
