"""The compiled sweep against brute force."""

from __future__ import annotations

import pytest
from brute_force import all_fills
from helpers import assert_fill
from hypothesis import event, given, settings
from hypothesis import strategies as st
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Status, Vocabulary
from satcross.backends.search import cell_sweep, portfolio
from satcross.backends.search.cell_sweep import CellSweep, NarrowedSweep
from satcross.backends.search.portfolio import Portfolio
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.run_settings import Deadline


def check(puzzle: Puzzle, fills: list[dict[str, str]], seed: int) -> None:
    """Compare sweeps from either end, and sweeps of narrowed puzzles, with all fills."""
    candidates = arc_consistent(puzzle)
    if candidates.infeasible:
        assert not fills
        return
    with pytest.MonkeyPatch.context() as patch:
        for backwards in (False, True):
            patch.setattr(cell_sweep, "_is_tighter_at_the_end", lambda *_, end=backwards: end)
            check_sweep(candidates, fills, seed)
        patch.setattr(cell_sweep, "WANTED", -1000.0)
        check_narrowed(candidates, seed)
        if Portfolio.sweeps(candidates):
            check_portfolio(patch, candidates, fills, seed)
    event(f"fills: {min(len(fills), 3)}")


def check_sweep(candidates: Candidates, fills: list[dict[str, str]], seed: int) -> None:
    sweep = CellSweep(candidates, seed)
    status = Status.UNKNOWN
    while status is Status.UNKNOWN:
        status = sweep.run(Deadline(), 3)
    assert status is (Status.FILLED if fills else Status.UNFILLABLE)
    if fills:
        assert_fill(candidates.network.puzzle, sweep.words)


def check_narrowed(candidates: Candidates, seed: int) -> None:
    narrowed = NarrowedSweep(candidates, seed, Deadline())
    status = Status.UNKNOWN
    while status is Status.UNKNOWN and not narrowed.over:
        status = narrowed.run(Deadline(), 30)
    if narrowed.words is not None:
        assert_fill(candidates.network.puzzle, narrowed.words)
    event(f"narrowed: {narrowed.nodes > 0}, {status.value}")


def check_portfolio(
    patch: pytest.MonkeyPatch, candidates: Candidates, fills: list[dict[str, str]], seed: int
) -> None:
    """Few letters a turn, so that every sweep has its turn."""
    for name in ("SEARCH_TURN", "FIRST_NODES_PER_SLOT"):
        patch.setattr(portfolio, name, 0)
    patch.setattr(portfolio, "_SWEEP_TURN", 100)
    chosen = Portfolio(candidates, seed=seed)
    status = Status.UNKNOWN
    while status is Status.UNKNOWN:
        status = chosen.run(Deadline(), 1)
    assert status is (Status.FILLED if fills else Status.UNFILLABLE)
    if fills:
        assert_fill(candidates.network.puzzle, chosen.words)


@settings(max_examples=100)
@given(small_puzzles(), st.integers(0, 3))
def test_fills_and_counts_agree_with_brute_force(small: SmallPuzzle, seed: int) -> None:
    candidates = arc_consistent(small.puzzle)
    if Portfolio.sweeps(candidates):
        check(small.puzzle, list(small.fills()), seed)


@settings(max_examples=100)
@given(
    st.sampled_from(
        [
            ["__", "__"],
            ["___"] * 3,
            ["____"] * 4,
            ["__#", "___", "#__"],
            ["___", "___"],
            ["__", "__", "__"],
            ["__#__", "_____", "##___", "_____"],
            ["#__", "___", "___"],
            ["#___", "____", "____", "____"],
            ["##__", "#___", "____", "____"],
            ["___#", "____", "____", "#___"],
            ["#__#", "____", "____", "#__#"],
        ]
    ),
    st.data(),
)
def test_dense_grids(rows: list[str], data: st.DataObject) -> None:
    grid = Grid.from_rows(rows)
    words: set[str] = set()
    for length in sorted({slot.length for slot in grid.slots}):
        word = st.text("ABC", min_size=length, max_size=length)
        words |= data.draw(st.sets(word, min_size=4, max_size=24))
    repeats = data.draw(st.booleans())
    puzzle = Puzzle(grid, Vocabulary(sorted(words)), allow_repeats=repeats)
    slots = {slot.name: slot.cells for slot in grid.slots}
    check(
        puzzle, list(all_fills(slots, sorted(words), repeats=repeats)), data.draw(st.integers(0, 3))
    )
