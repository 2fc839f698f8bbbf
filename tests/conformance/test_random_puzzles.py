"""All backends against each other and against brute force, on random small puzzles."""

from __future__ import annotations

from hypothesis import event, given, settings
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Status, Vocabulary, solve
from satcross.backends.registry import BACKENDS, get_backend
from satcross.verify import verify


@settings(max_examples=160)
@given(small_puzzles(rebus=True))
def test_backends_agree_with_brute_force(small: SmallPuzzle) -> None:
    """All candidates are there at once; tests/agreement begins with one word of each slot, too."""
    truth = Status.UNFILLABLE if next(small.fills(), None) is None else Status.FILLED
    event(str(truth))
    for backend in BACKENDS:
        complete = get_backend(backend).capabilities.complete
        outcome = solve(small.puzzle, backend, workers=1, time_limit=None if complete else 0.02)
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
