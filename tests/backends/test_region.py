"""Regions filled anew in compiled code, against brute force."""

from __future__ import annotations

import pytest
from helpers import assert_fill
from hypothesis import event, given, settings
from hypothesis import strategies as st
from strategies import SmallPuzzle, fillable_puzzles

from satcross.grid import Grid
from satcross.network.arc_consistency import arc_consistent
from satcross.network.weights import Weights
from satcross.puzzle import Puzzle
from satcross.run_settings import Deadline
from satcross.solving.best import best
from satcross.vocabulary import Vocabulary


def test_parts_that_share_only_words_are_filled_together() -> None:
    """The best fill takes AB from the square to the word beside it."""
    from satcross.backends.search.region import RegionSearch

    words = {word: score for score, word in enumerate(("AA", "AB", "AC", "BA", "BB", "BC"))}
    puzzle = Puzzle(Grid(("__#_", "__#_")), Vocabulary(words))
    candidates = arc_consistent(puzzle)
    weights = Weights(candidates.network, lambda word: words[word])
    search = RegionSearch(candidates, weights, ("AA", "AB", "AC", "BA", "BC"), 0)
    search.run(Deadline(), 40)
    assert search.value == 15


def test_words_worth_nothing_do_not_hold_the_others_in_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only if all six words change at once, the fill is worth more; regions have up to four."""
    from satcross.backends.search import region

    monkeypatch.setattr(region, "_FIRST_SLOTS", 3.0)
    monkeypatch.setattr(region, "_GROWTH", 1.0)
    words = {"AZAZAZAZA": 0, "BZBZBZBZB": 1}
    words |= {first + second: 0 for first in "AB" for second in "CDEFG"}
    puzzle = Puzzle(Grid(("_________", "_#_#_#_#_")), Vocabulary(words))
    candidates = arc_consistent(puzzle)
    weights = Weights(candidates.network, words.__getitem__)
    start = ("AZAZAZAZA", "AC", "AD", "AE", "AF", "AG")
    search = region.RegionSearch(candidates, weights, start, 0)
    search.run(Deadline(), 20)
    assert search.value == 1


@settings(max_examples=100)
@given(small=fillable_puzzles(), data=st.data())
def test_regions_lead_to_the_best_fill(small: SmallPuzzle, data: st.DataObject) -> None:
    """From any fill, all fills on the way are right, and the best one is found without rules."""
    from satcross.backends.search.region import RegionSearch

    fills = list(small.fills())
    words = sorted({word for fill in fills for word in fill.values()})
    worth = dict(zip(words, data.draw(st.permutations(range(len(words)))), strict=True))
    candidates = arc_consistent(small.puzzle)
    weights = Weights(candidates.network, lambda word: worth.get(word, 0))
    if not RegionSearch.suits(candidates):
        return
    start = tuple(data.draw(st.sampled_from(fills)).values())
    search = RegionSearch(candidates, weights, start, data.draw(st.integers(0, 2**31)))
    search.run(Deadline(), 40)
    assert_fill(small.puzzle, search.words)
    most = max(sum(worth[word] for word in fill.values()) for fill in fills)
    event(f"improved: {search.value > weights.of(start)}")
    assert weights.of(start) <= search.value == weights.of(search.words) <= most
    if small.plain:
        event("compared with brute force")
        assert search.value == most


def test_the_search_for_the_best_fill_leaves_regions_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from satcross.backends.search import large_neighbourhood, region

    def reached(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(region.RegionSearch, "run", reached)
    monkeypatch.setattr(large_neighbourhood, "_FIRST_SIZE", 0)
    monkeypatch.setattr(large_neighbourhood._Improvement, "_improve_one", None)
    words = Vocabulary({"AB": 50, "CD": 10, "CE": 50, "AF": 10})
    found = best(Puzzle(Grid(("__", "_#")), words), "total", "backtrack", workers=1)
    assert found.reason == "interrupted"


def test_regions_are_filled_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two squares of four words each, the search finds the worse one first."""
    from satcross.backends.search import large_neighbourhood, region

    monkeypatch.setattr(region.RegionSearch, "suits", lambda _: False)
    monkeypatch.setattr(large_neighbourhood, "_FIRST_SIZE", 0)
    monkeypatch.setattr(large_neighbourhood._Improvement, "_dig", lambda *_: None)
    words = {"AB": 10, "CD": 20, "AC": 30, "BD": 40, "EF": 50, "GH": 10, "EG": 10, "FH": 10}
    puzzle = Puzzle(Grid(("__", "__")), Vocabulary(words))
    seen: list[str] = []

    def stop(line: str) -> None:
        seen.append(line)
        if line.startswith("best 100,"):
            raise KeyboardInterrupt

    for seed in range(4):
        assert (
            best(puzzle, "total", "backtrack", seed=seed, workers=1, on_progress=stop).score == 100
        )
    assert any(line.startswith("best 80,") for line in seen)
