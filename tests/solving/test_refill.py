"""Filling the holes of an existing fill."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from rules.model import LETTERS
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Status, Vocabulary
from satcross.make.pattern.library import standard_grid
from satcross.solving.refill import refill
from satcross.solving.solve import solve


@settings(max_examples=60)
@given(small_puzzles(), st.randoms(use_true_random=False))
def test_a_fill_with_holes_keeps_words_that_have_no_score(
    small: SmallPuzzle, random: Random
) -> None:
    truth = [dict(fill) for fill in small.fills()]
    if not truth:
        return
    old = {name: word for name, word in random.choice(truth).items() if random.random() < 0.6}
    outcome = refill(small.puzzle, old, "backtrack")
    assert outcome.fill is not None
    scored = small.puzzle.vocabulary.is_scored({slot.length for slot in small.puzzle.grid.slots})
    kept = [name for name, word in old.items() if outcome.fill[name] == word]
    assert scored or len(kept) == len(old)
    assert outcome.stats["kept_words"] == len(kept)


@settings(max_examples=60)
@given(small_puzzles(), st.randoms(use_true_random=False))
def test_words_that_lead_nowhere_are_given_up(small: SmallPuzzle, random: Random) -> None:
    """A puzzle is filled, or proved to have no fill, whatever words the old fill has."""
    slots = small.puzzle.grid.slots
    old = {slot.name: "".join(random.choices(LETTERS, k=slot.length)) for slot in slots}
    outcome = refill(small.puzzle, old, "backtrack")
    fillable = next(small.fills(), None) is not None
    assert outcome.status is (Status.FILLED if fillable else Status.UNFILLABLE)


def test_a_forced_word_changes_little_and_brings_no_bad_words() -> None:
    puzzle = Puzzle(Grid.from_rows(standard_grid("american-15-76a")), Vocabulary.read())
    old = dict(solve(puzzle, seed=0).fill or {})
    for name, word in (("5D", "PUMICE"), ("47D", "FLASKS")):
        outcome = refill(replace(puzzle, locks={name: word}), old)
        assert outcome.fill is not None
        assert outcome.fill[name] == word
        assert outcome.quality is not None
        assert outcome.quality.weak == ()
        kept = sum(outcome.fill[slot] == old[slot] for slot in old)
        assert kept >= 76 - 7 - 16  # the word and the six that cross it, and few more
        assert outcome.stats["kept_words"] == kept


def test_only_the_words_around_the_hole_change() -> None:
    words = ["CAT", "COT", "TOE", "TEN", "DOG", "GUM"]
    puzzle = Puzzle(Grid.from_rows(["___", "##_", "##_", "###", "___"]), Vocabulary(words))
    old = {"1A": "XIT", "2D": "TOE", "3A": "DOG"}
    outcome = refill(puzzle, old, "backtrack")
    assert outcome.fill is not None
    assert [outcome.fill[slot.name] for slot in puzzle.grid.slots][1:] == ["TOE", "DOG"]
    assert outcome.fill["1A"] in ("CAT", "COT")
    assert outcome.stats["kept_words"] == 2
