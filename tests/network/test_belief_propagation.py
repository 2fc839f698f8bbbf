"""Estimated marginals, and narrowing by them."""

from __future__ import annotations

import itertools
from collections import Counter
from math import log
from random import Random

import pytest
from brute_force import all_fills
from helpers import assert_fill, narrow_at_once
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import SmallPuzzle, fillable_puzzles, possible_puzzles

from satcross import Grid, Puzzle, Status, Vocabulary, engine, solve
from satcross.backends.search.portfolio import Portfolio
from satcross.errors import UnavailableError
from satcross.network import belief_propagation
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.network.belief_propagation import Marginals
from satcross.network.narrowing import ROUNDS, Narrowing, estimate_rounds
from satcross.run_settings import Deadline

# Grids whose slots form trees, where belief propagation is exact.
TREES = (
    ["___", "_##", "_##"],
    ["____", "_#_#", "_#_#"],
    ["_#_", "___", "_#_"],
    ["#_##", "____", "#_#_", "#_#_"],
    ["____", "##_#", "____"],
)


@settings(max_examples=60)
@given(
    st.sampled_from(TREES),
    st.sets(st.text("ABC", min_size=3, max_size=4), min_size=4, max_size=14),
)
def test_shares_are_exact_where_slots_form_a_tree(rows: list[str], words: set[str]) -> None:
    grid = Grid.from_rows(rows)
    candidates = arc_consistent(Puzzle(grid, Vocabulary(words), allow_repeats=True))
    slots = {slot.name: slot.cells for slot in grid.slots}
    fills = list(all_fills(slots, sorted(words), repeats=True))
    assert candidates.infeasible == (not fills)
    if not fills:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(belief_propagation, "MIN_CHANGE", 1e-9)
        estimate = Marginals(candidates, rounds=100)
    assert estimate.log_fills() == pytest.approx(log(len(fills)), abs=1e-6)
    for slot, name in enumerate(slots):
        truth = Counter(fill[name] for fill in fills)
        for word, share in estimate.shares(slot).items():
            assert share == pytest.approx(truth[word] / len(fills), abs=1e-6)


def estimated(candidates: Candidates, compiled: bool) -> Marginals:
    with pytest.MonkeyPatch.context() as patch:
        if not compiled:
            patch.setattr(engine, "available", lambda: False)
        return Marginals(candidates)


@given(fillable_puzzles(), st.sampled_from([0.5, 0.1, 0.001]), st.booleans())
def test_narrowing_leaves_out_no_more_than_it_may(
    small: SmallPuzzle, left_out: float, compiled: bool
) -> None:
    candidates = arc_consistent(small.puzzle)
    estimate = estimated(candidates, compiled)
    links = sum(map(len, candidates.network.links))
    assert len(estimate.corrections()) == 8 * 64 * links  # doubles, of 64 letters for each
    with pytest.MonkeyPatch.context() as patch:
        # Only the narrowing itself, without its propagation.
        patch.setattr(type(candidates.network), "propagate", lambda *_: None)
        narrowed = estimate.narrowed(left_out)
    if narrowed is None:
        return
    kept_always = small.puzzle.preferred | candidates.network.word_rules.theme
    for slot in range(len(candidates.root.sizes)):
        shares = estimate.shares(slot)
        assert sum(shares.values()) == pytest.approx(1)
        kept = set(narrowed.words(slot))
        assert kept <= set(candidates.words(slot))
        assert sum(shares[word] for word in kept) >= 1 - left_out - 1e-9
        # With one word less, the share would be too small.
        others = sorted(shares[word] for word in kept - kept_always)
        alone = sum(sorted((shares[word] for word in kept), reverse=True))
        if others and not kept & kept_always:
            assert alone - others[0] < 1 - left_out + 1e-9


def test_an_estimate_goes_on_from_another_one(default_vocabulary: Vocabulary) -> None:
    candidates = arc_consistent(Puzzle(Grid.from_rows(["____"] * 4), default_vocabulary))
    settled = Marginals(candidates)
    again = Marginals(candidates, rounds=1, like=settled)
    assert again.log_fills() == pytest.approx(settled.log_fills(), abs=0.1)
    assert abs(Marginals(candidates, rounds=1).log_fills() - settled.log_fills()) > 1


def test_long_words_vary_with_the_seed(default_vocabulary: Vocabulary) -> None:
    grid = Grid.from_rows(["_" * 14, "_" + "#" * 13, "_" + "#" * 13])
    estimate = Marginals(arc_consistent(Puzzle(grid, default_vocabulary)))
    long = [slot.length for slot in grid.slots].index(14)
    narrowed = [estimate.narrowed(0.1, variety) for variety in (None, Random(1), Random(2))]
    whole, first, second = (set(one.words(long)) for one in narrowed if one is not None)
    assert first | second <= whole
    assert first - second
    assert second - first
    assert 0.7 < len(first) / len(whole) < 0.8


def test_a_locked_long_word_stays(default_vocabulary: Vocabulary) -> None:
    grid = Grid.from_rows(["_" * 14, "_" + "#" * 13, "_" + "#" * 13])
    locked = Puzzle(grid, default_vocabulary, {"1A": "CLOSEENCOUNTER"})
    estimate = Marginals(arc_consistent(locked))
    long = [slot.length for slot in grid.slots].index(14)
    for seed in range(12):
        narrowed = estimate.narrowed(0.1, Random(seed))
        assert narrowed is None or list(narrowed.words(long)) == ["CLOSEENCOUNTER"]


@given(fillable_puzzles(), st.booleans())
def test_the_best_come_first(small: SmallPuzzle, compiled: bool) -> None:
    candidates = arc_consistent(small.puzzle)
    estimate = estimated(candidates, compiled)
    for slot, lexicon in enumerate(candidates.network.lexicons):
        shares = estimate.shares(slot)
        order = [shares[lexicon.words[index]] for index in estimate.order(slot)]
        assert len(order) == len(shares)
        assert all(first >= second - 1e-12 for first, second in itertools.pairwise(order))


def test_a_sample_stands_for_many_words(default_vocabulary: Vocabulary) -> None:
    candidates = arc_consistent(Puzzle(Grid.from_rows(["_____"] * 3), default_vocabulary))
    whole = Marginals(candidates)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(belief_propagation, "MAX_WORDS", 1000 * len(candidates.root.sizes))
        sampled = Marginals(candidates)
    for slot in range(3):
        best = set(whole.order(slot)[:200])
        assert len(best & set(sampled.order(slot)[:400])) > 100


def test_time_may_run_out(default_vocabulary: Vocabulary) -> None:
    candidates = arc_consistent(Puzzle(Grid.from_rows(["_____"] * 3), default_vocabulary))
    looks = iter([False, True])
    early = Marginals(candidates, Deadline(should_stop=lambda: next(looks)))
    assert early.shares(0) == Marginals(candidates, rounds=2).shares(0)


@settings(max_examples=80)
@given(possible_puzzles(), st.integers(0, 3), st.sampled_from(Narrowing))
def test_a_portfolio_of_one_node_turns_agrees_with_brute_force(
    small: SmallPuzzle, seed: int, narrowing: Narrowing
) -> None:
    truth = Status.UNFILLABLE if next(small.fills(), None) is None else Status.FILLED
    candidates = arc_consistent(small.puzzle)
    with pytest.MonkeyPatch.context() as patch:
        narrow_at_once(patch)
        searches = Portfolio(candidates, seed=seed, narrowing=narrowing)
        status = Status.UNKNOWN
        while status is Status.UNKNOWN:
            status = searches.run(Deadline(), 1)
    assert status is truth
    if status is Status.FILLED:
        assert_fill(small.puzzle, searches.words)


def test_ways_of_narrowing_share_the_estimates_or_are_named() -> None:
    ahead, only = map(estimate_rounds, (Narrowing.AHEAD, Narrowing.ONLY))
    assert sorted(ahead + only) == sorted(ROUNDS)
    puzzle = Puzzle(Grid.from_rows(["__"]), Vocabulary(["AT"]))
    with pytest.raises(UnavailableError, match="'never'; choose from turns, ahead, only"):
        solve(puzzle, "backtrack", options={"narrowing": "never"})
