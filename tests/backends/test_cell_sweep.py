"""The compiled sweep against brute force."""

from __future__ import annotations

from random import Random

import pytest
from helpers import assert_fill
from strategies import puzzle_of_random_words

from satcross import Puzzle, Status
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


@pytest.mark.parametrize(
    "rows",
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
    ],
    ids="/".join,
)
def test_dense_grids(rows: list[str]) -> None:
    for seed in range(12):
        check(*puzzle_of_random_words(rows, "ABC", range(4, 22), Random(seed)), seed)
