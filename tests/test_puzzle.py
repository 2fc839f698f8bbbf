"""Locks and rules."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any

import pytest

from satcross import Grid, InputError, Puzzle, Vocabulary
from satcross.puzzle import with_letters

GRID = Grid.from_rows(["___", "_#_", "___"])
WORDS = Vocabulary(["CAT", "CUB", "BED", "TOD"])


@pytest.mark.parametrize(
    ("locks", "complaint"),
    [
        ({"9A": "CAT"}, "no slot 9A; it has 1A, 1D, 2D, 3A"),
        ({"1A": "CATS"}, "1A takes 3 letters, not 4"),
        ({"1A": "CAT", "1D": "DOG"}, "the locks of 1A and 1D contradict each other: C and D"),
        ({"1A": "CAT", "3A": "CAT"}, "1A and 3A are both locked to CAT"),
        ({"1A": "CAT", "1a": "COT"}, "1A is locked twice"),
    ],
)
def test_contradictory_locks(locks: dict[str, str], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        Puzzle(GRID, WORDS, locks=locks)


def test_a_lock_against_a_given_letter() -> None:
    grid = Grid.from_rows(["_B_", "_#_"], letters=True)
    with pytest.raises(InputError, match=r"letter B given at r1c2;"):
        Puzzle(grid, WORDS, locks={"1A": "CAT"})


def test_repeated_locks_are_fine_when_repeats_are() -> None:
    puzzle = Puzzle(GRID, WORDS, locks={"1A": "CAT", "3A": "CAT"}, allow_repeats=True)
    assert set(puzzle.fixed_words.values()) == {"CAT"}
    for mapping in (puzzle.locks, puzzle.fixed_words):
        assert not hasattr(mapping, "__setitem__")  # or else what was derived would be wrong
    more = replace(puzzle, theme=frozenset({"BED"}), setter_words=frozenset({"TOD"}))
    assert more.exempt_words == {"CAT", "BED", "TOD"}


def test_a_slot_of_given_letters_is_a_lock() -> None:
    puzzle = Puzzle(Grid.from_rows(["XYZ"], letters=True), WORDS)
    assert puzzle.fixed_words == {0: "XYZ"}
    assert puzzle.lexicon(3).words[-1] == "XYZ"
    assert Puzzle(GRID, WORDS).lexicon(3) is WORDS.group(3)
    assert "XYZ" not in puzzle.vocabulary


def test_puzzles_are_equal_by_what_they_hold_and_pickles_are_small() -> None:
    rules: dict[str, Any] = {"min_score": 10, "excluded": {"CUB"}, "min_scores": {3: 20}}
    puzzle = Puzzle(GRID, WORDS, {"1A": "CAT"}, **rules)
    copy = pickle.loads(pickle.dumps(puzzle))
    assert len({puzzle, copy, Puzzle(GRID, Vocabulary([*WORDS]), {"1a": "CAT"}, **rules)}) == 1
    for other in (
        replace(puzzle, locks={}),
        replace(puzzle, min_scores={3: 21}),
        replace(puzzle, vocabulary=WORDS.changed({"CAT": 51})),
        replace(puzzle, grid=GRID.with_rows(["_A_", "_#_", "___"])),
    ):
        assert other != puzzle
    large = Puzzle(GRID, Vocabulary.read(), min_score=50)
    assert len(pickle.dumps(large)) < 2000
    assert pickle.loads(pickle.dumps(large)) == large


def test_the_narrowest_minimum_score_counts() -> None:
    words = Vocabulary({"CAT": 15, "CUB": 25, "BED": 35, "LONG": 15})
    puzzle = Puzzle(GRID, words, min_score=10, min_scores={3: 20}, slot_min_scores={"1a": 30})
    assert [puzzle.min_score_of(*asked) for asked in ((4,), (3,), (3, "1A"), (3, "2D"))] == [
        10,
        20,
        30,
        20,
    ]
    assert puzzle.listed(3).words == ("BED", "CUB")
    lower = replace(puzzle, slot_min_scores={"1A": 15, "9A": 0})  # a slot that is not there
    assert lower.listed(3).words == ("BED", "CUB", "CAT")
    assert replace(puzzle, min_scores={}, min_score=None).listed(3) is words.group(3)
    rows = GRID.with_rows(["____", "_##_", "____"])
    four = Puzzle(rows, words, min_scores={4: 16, 3: 30}, slot_min_scores={"1D": 1})
    assert four.listed(4).words == ()  # the score of a slot of three letters is no matter


def test_preferred_words_are_worth_more() -> None:
    puzzle = Puzzle(GRID, WORDS.changed({"CAT": 20}), preferred=frozenset({"CAT", "COT"}))
    assert [puzzle.worth(word) for word in ("CAT", "CUB", "COT")] == [70, 50, 100]


def test_theme_words_may_belong_to_slots_left_out() -> None:
    grid = Grid.from_rows(["____", "_##_", "___#"])
    theme = frozenset({"LONG", "CAT"})
    assert Puzzle(grid, WORDS, theme=theme).required_theme() == (theme, 2)
    without = replace(grid, left_out=frozenset({"1A"}))
    assert Puzzle(without, WORDS, theme=theme).required_theme() == (theme - {"LONG"}, 1)
    few = Puzzle(without, WORDS, theme=theme, min_theme_words=1)
    assert few.required_theme() == (theme - {"LONG"}, 0)
    none = Puzzle(without, WORDS, theme=theme, min_theme_words=0)
    assert none.required_theme() == (theme, 0)
    assert replace(none, min_theme_words=2).required_theme() == (theme - {"LONG"}, 1)


def test_rules_that_make_no_sense() -> None:
    theme = frozenset({"BED", "CAT"})
    for rules, complaint in (
        ({"theme": theme, "min_theme_words": 3}, "3 theme words .* there are 2; ask for 0 to 2"),
        ({"theme": theme, "min_theme_words": -1}, "-1 theme words are asked for"),
        ({"max_shared_substring": 0}, "would share none"),
        ({"stem_endings": ("",)}, "an ending without a letter"),
    ):
        with pytest.raises(InputError, match=complaint):
            Puzzle(GRID, WORDS, **rules)


def test_letters_in_cells() -> None:
    corners = with_letters(GRID, {(0, 0): "C", (2, 2): "D"})
    assert corners.rows == ("C__", "_#_", "__D")
    assert with_letters(corners, {(0, 0): "C"}) == corners
    for cell, complaint in {
        (-1, 0): "outside the grid",
        (0, -1): "outside the grid",
        (3, 0): "rows are 1 to 3",
        (0, 3): "columns 1 to 3",
        (1, 1): "the cell is blocked",
        (0, 0): "contradicts the letter C given there",
    }.items():
        with pytest.raises(InputError, match=complaint):
            with_letters(corners, {cell: "X"})
