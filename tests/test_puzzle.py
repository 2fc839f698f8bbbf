"""Locks and rules."""

from __future__ import annotations

import pickle

import pytest

from satcross import Grid, InputError, Puzzle, Vocabulary

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
    with pytest.raises(InputError, match=r"letter B given at row 1, column 2;"):
        Puzzle(grid, WORDS, locks={"1A": "CAT"})


def test_repeated_locks_are_fine_when_repeats_are() -> None:
    puzzle = Puzzle(GRID, WORDS, locks={"1A": "CAT", "3A": "CAT"}, allow_repeats=True)
    assert set(puzzle.fixed_words.values()) == {"CAT"}


def test_a_slot_of_given_letters_is_a_lock() -> None:
    puzzle = Puzzle(Grid.from_rows(["XYZ"], letters=True), WORDS)
    assert puzzle.fixed_words == {0: "XYZ"}
    assert puzzle.lexicon(3).words[-1] == "XYZ"
    assert "XYZ" not in puzzle.vocabulary


def test_pickling() -> None:
    puzzle = Puzzle(
        GRID, WORDS, {"1A": "CAT"}, min_score=10, excluded=frozenset({"CUB"}), allow_repeats=True
    )
    copy = pickle.loads(pickle.dumps(puzzle))
    assert (copy.grid, dict(copy.locks), copy.min_score) == (GRID, {"1A": "CAT"}, 10)
    assert (copy.excluded, copy.allow_repeats) == (frozenset({"CUB"}), True)
    assert list(copy.vocabulary) == list(WORDS)
