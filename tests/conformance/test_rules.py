"""Every backend on each rule separately; test_random_puzzles mixes the rules."""

from __future__ import annotations

from typing import Any

import pytest
from conformance.declared import solve

from satcross import Grid, Puzzle, Status, Vocabulary, count
from satcross.backends.registry import get_backend
from satcross.puzzle import with_letters

TWO = Grid.from_rows(["____", "####", "____"])
RING = Grid.from_rows(["___", "_#_", "___"])


def fills(backend: str, puzzle: Puzzle) -> int:
    """Return the number of fills, after one solve; ``backtrack`` counts if the backend can't."""
    outcome = solve(puzzle, backend, workers=1)
    counts = get_backend(backend).capabilities.count
    number = count(puzzle, backend if counts else "backtrack").count
    assert (number > 0) == (outcome.status is Status.FILLED)
    return number


@pytest.mark.parametrize(
    ("words", "rules", "number"),
    [
        # Of six ordered pairs, the limit excludes those that share ARE; one more letter allows all.
        ("CARE AREA BOLT", {"max_shared_substring": 2}, 4),
        ("CARE AREA BOLT", {"max_shared_substring": 3}, 6),
        ("CARE AREA BOLT", {"max_shared_substring": 1}, 4),
        # The rule does not apply to two occurrences of one word.
        ("CARE BOLT", {"max_shared_substring": 1, "allow_repeats": True}, 4),
        ("CARE AREA", {"max_shared_substring": 2, "allow_repeats": True}, 2),
        # Locked and theme words may be similar to each other, but no other word to them.
        ("AREA BOLT", {"max_shared_substring": 2, "locks": {"1A": "CARE"}}, 1),
        ("AREA BOLT", {"max_shared_substring": 2, "locks": {"1A": "CARE", "2A": "AREA"}}, 1),
        ("BOLT", {"max_shared_substring": 2, "theme": {"CARE", "AREA"}}, 2),
        ("CARE AREA BOLT", {"max_shared_substring": 2, "theme": {"CARE"}}, 2),
        # CARS and CARE have a common stem with the endings S and E, but not with D and S.
        ("CARS CARE BOLT", {"stem_endings": ("S", "E")}, 4),
        ("CARS CARE BOLT", {"stem_endings": ("S", "D")}, 6),
        ("CARS CARE", {"stem_endings": ("S", "E"), "allow_repeats": True}, 2),
        # Theme words that are in no list, that score too little, and that are excluded.
        ("CARE BOLT", {"theme": {"ZZZZ"}}, 4),
        ("CARE BOLT", {"theme": {"ZZZZ", "YYYY"}}, 2),
        ("CARE BOLT", {"theme": {"ZZZZ", "YYYY", "XXXX"}}, 0),
        ("CARE BOLT", {"theme": {"ZZZZ", "YYYY"}, "min_theme_words": 1}, 10),
        ("CARE BOLT", {"theme": {"ZZZZ", "YYYY"}, "min_theme_words": 0}, 12),
        ("CARE BOLT", {"theme": {"CARE"}, "min_score": 60}, 0),
        ("CARE BOLT", {"theme": {"CARE", "BOLT"}, "min_score": 60}, 2),
        ("CARE BOLT", {"theme": {"CARE"}, "excluded": {"CARE"}}, 0),
        ("CARE BOLT", {"theme": {"CARE"}, "excluded": {"CARE"}, "locks": {"1A": "CARE"}}, 1),
        ("CARE BOLT", {"theme": {"FIVER"}}, 0),
        ("CARE BOLT", {"theme": {"FIVER"}, "min_theme_words": 0}, 2),
        ("CARE", {"theme": {"CARE"}, "allow_repeats": True}, 1),
        ("CARE BOLT", {"theme": {"CARE", "BOLT"}, "min_theme_words": 1, "allow_repeats": True}, 4),
        # A minimum score for a length replaces the general one.
        ("CARE BOLT", {"min_scores": {4: 60}}, 0),
        ("CARE BOLT", {"min_scores": {5: 60}}, 2),
        ("CARE BOLT", {"min_score": 60, "min_scores": {4: 50}}, 2),
    ],
)
def test_two_slots(backend: str, words: str, rules: dict[str, Any], number: int) -> None:
    assert fills(backend, Puzzle(TWO, Vocabulary(words.split()), **rules)) == number


def test_theme_words_where_slots_cross(backend: str) -> None:
    words = Vocabulary(["CAT", "CUB", "BED", "TOD", "TAD", "BID", "XYZ"])
    puzzle = Puzzle(RING, words, theme=frozenset({"TAD", "BOD"}))
    assert fills(backend, puzzle) > 0
    assert fills(backend, Puzzle(RING, words, theme=frozenset({"XYZ"}))) == 0
    assert (
        fills(backend, Puzzle(RING, words, theme=frozenset({"XYZ", "TAD"}), min_theme_words=1)) > 0
    )


def test_a_stem_among_different_lengths(backend: str) -> None:
    grid = Grid.from_rows(["___#____"])
    words = Vocabulary(["CAR", "BUS", "CARS", "ODDS"])
    assert fills(backend, Puzzle(grid, words)) == 4
    assert fills(backend, Puzzle(grid, words, stem_endings=("S",))) == 3


def test_a_letter_in_a_cell(backend: str) -> None:
    grid = with_letters(RING, {(0, 1): "U", (2, 1): "E"})
    words = Vocabulary(["CAT", "CUB", "BED", "TOD", "CUT", "TAD", "BID"])
    outcome = solve(Puzzle(grid, words), backend)
    assert outcome.fill is not None
    assert (outcome.fill["1A"][1], outcome.fill["3A"][1]) == ("U", "E")
    assert solve(Puzzle(with_letters(RING, {(0, 1): "Q"}), words), backend).fill is None


def test_preferred_words_come_first(backend: str) -> None:
    if not get_backend(backend).capabilities.prefers:
        pytest.skip(f"{backend} does not try preferred words first")
    grid = Grid.from_rows(["____", "####", "_____"])
    words = [a + b + "XY" for a in "ABCDE" for b in "AEIOU"]
    longer = [word + "Z" for word in words]
    preferred = frozenset({"DOXY", "BEXYZ"})
    puzzle = Puzzle(grid, Vocabulary([*words, *longer]), preferred=preferred)
    fill = solve(puzzle, backend, workers=1).fill
    assert fill is not None
    assert set(fill.values()) == preferred
    assert puzzle.worth("DOXY") > puzzle.worth("AAXY")
