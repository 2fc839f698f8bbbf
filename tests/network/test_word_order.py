"""The order in which candidates are tried."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SmallPuzzle, possible_puzzles

from satcross import Grid, Puzzle, Vocabulary
from satcross.network import narrowing
from satcross.network.arc_consistency import arc_consistent
from satcross.network.belief_propagation import Marginals, Ranking
from satcross.network.narrowing import Narrowing, Schedule, Widening
from satcross.run_settings import Deadline


@given(possible_puzzles(), st.integers(1, 5))
def test_every_candidate_comes_once(small: SmallPuzzle, batch: int) -> None:
    candidates = arc_consistent(small.puzzle)
    marginals = Marginals(candidates)
    for slot in range(len(small.puzzle.grid.slots)):
        ranking = Ranking(marginals, slot, Random(1))
        taken: list[str] = []
        while ranking:
            words = ranking.take(batch)
            assert 1 <= len(words) <= batch or (small.puzzle.theme and not taken)
            taken += words
        assert sorted(taken) == sorted(candidates.words(slot))


def test_well_supported_words_come_first() -> None:
    downs = [letter + "EE" for letter in "ABDFGHJKLMN"]
    grid = Grid.from_rows(["___", "_##", "_##"])
    words = Vocabulary(["AXX", "QXX", *downs, "AYY", "AZZ", "QEE"])
    ranking = Ranking(Marginals(arc_consistent(Puzzle(grid, words))), 0, Random(0))
    order = ranking.take(100)
    assert max(order.index(word) for word in ("AXX", "AYY")) < order.index("QXX")
    puzzle = Puzzle(grid, words, preferred=frozenset({"QXX"}))
    preferred = Ranking(Marginals(arc_consistent(puzzle)), 0, Random(0))
    assert preferred.take(1) == ["QXX"]


class Endless:
    """A search of a narrowed puzzle."""

    over = False

    def give_up(self) -> None:
        self.over = True


def test_how_searches_of_narrowed_puzzles_and_of_the_whole_take_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(narrowing, "AHEAD", 6)
    turns = {}
    for way in Narrowing:
        schedule = Schedule(way, lambda *_: Endless())
        turns[way] = "".join("wn"[schedule.next(Deadline()) is not None] for _ in range(12))
    assert turns == {
        Narrowing.TURNS: "nnnnnn" + "nnwnnw",
        Narrowing.ONLY: "n" * 12,
        Narrowing.AHEAD: "nnnnnn" + "wwwwww",
        Narrowing.NONE: "w" * 12,
    }


def test_a_varied_puzzle_without_fills_is_tried_unvaried_before_a_larger_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    marginals = Marginals(arc_consistent(Puzzle(Grid.from_rows(["___"]), Vocabulary(["CAT"]))))
    tried: list[tuple[float, bool]] = []
    monkeypatch.setattr(
        Marginals,
        "narrowed",
        lambda _, left_out, variety: tried.append((left_out, variety is not None)),
    )
    assert Widening(marginals, 0.5, Random(1)).next(Deadline()) is None
    (first, *_), (second, *_), (third, *_), *_ = tried
    assert first == second > third
    assert [varied for _, varied in tried] == [True] + [False] * (len(tried) - 1)
