"""All backends against each other and against brute force, on random small puzzles."""

from __future__ import annotations

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from strategies import SmallPuzzle, possible_puzzles, small_puzzles

from satcross import Grid, Puzzle, Status, Vocabulary, solve
from satcross.backends import auto
from satcross.backends.registry import BACKENDS, get_backend
from satcross.network import narrowing, theme_splits
from satcross.verify import verify


@pytest.mark.parametrize("first_batch", [1, 1000])
@settings(max_examples=120)
@given(small_puzzles(rebus=True))
def test_backends_agree_with_brute_force(first_batch: int, small: SmallPuzzle) -> None:
    truth = Status.UNFILLABLE if next(small.fills(), None) is None else Status.FILLED
    event(str(truth))
    with pytest.MonkeyPatch.context() as patch:
        # With one word per slot at first, the vocabulary must grow to find any fill.
        patch.setattr(narrowing, "MAX_FIRST_BATCH", first_batch)
        if first_batch == 1:
            patch.setattr(auto, "ALONE_TURNS", 0)  # straight to the SAT backend
            patch.setattr(theme_splits, "MAX_PARTS", 0)  # puzzles are not split by theme words
        options = {"narrowing": "none"} if first_batch == 1 else {}
        for backend in BACKENDS:
            complete = get_backend(backend).capabilities.complete
            limit = None if complete else 0.02
            outcome = solve(small.puzzle, backend, workers=1, time_limit=limit, options=options)
            assert outcome.status is truth or (not complete and outcome.status is Status.UNKNOWN), (
                backend
            )
            if outcome.fill is not None:
                assert verify(small.puzzle, outcome.fill) == []


def test_no_sweep_with_rebus_cells() -> None:
    """A sweep reads each crossing once, and two slots cross in every letter of a rebus cell."""
    from satcross.backends.search.portfolio import Portfolio
    from satcross.network.arc_consistency import arc_consistent

    def suits(grid: Grid) -> bool:
        words = ["AB", "ABB", "BBA"]
        return Portfolio.sweeps(arc_consistent(Puzzle(grid, Vocabulary(words), allow_repeats=True)))

    assert suits(Grid(("___", "___", "___")))
    # Five cells and five crossings: as many as if each cell were in two slots.
    assert not suits(Grid(("B_#", "___"), rebus=frozenset({((0, 0), "BB")})))


@settings(max_examples=120)
@given(possible_puzzles(rebus=True), st.integers(0, 3))
def test_branching_on_letters_finds_every_fill_once(small: SmallPuzzle, seed: int) -> None:
    """The search finds every fill once when it branches on letters in all slots from the start."""
    from satcross.backends.search import SearchSettings
    from satcross.backends.search.search import Search
    from satcross.network.arc_consistency import arc_consistent
    from satcross.run_settings import Deadline

    candidates = arc_consistent(small.puzzle)
    truth = small.truth()
    by_letters = SearchSettings(restart_after=2, restart_growth=2, letters_every=1, many=1)
    search = Search(candidates, seed=seed, settings=by_letters)
    found = []
    while search.run(Deadline()) is Status.FILLED:
        found.append(search.words or ())
        if not search.leave():
            break
    assert sorted(found) == truth
