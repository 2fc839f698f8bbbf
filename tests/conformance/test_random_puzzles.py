"""All backends against each other and against brute force, on random small puzzles."""

from __future__ import annotations

import pytest
from hypothesis import event, given, settings
from strategies import SmallPuzzle, small_puzzles

from satcross import Status, solve
from satcross.backends import auto, cpsat, sat
from satcross.verify import verify

BACKENDS = ("sat", "cpsat", "backtrack", "auto")


@pytest.mark.parametrize("first_batch", [1, 1000])
@settings(max_examples=250)
@given(small_puzzles())
def test_backends_agree_with_brute_force(first_batch: int, small: SmallPuzzle) -> None:
    truth = Status.UNFILLABLE if next(small.fills(), None) is None else Status.FILLED
    event(str(truth))
    with pytest.MonkeyPatch.context() as patch:
        # From one word a slot, growing has to do all the work.
        patch.setattr(sat, "_FIRST_BATCH", first_batch)
        patch.setattr(cpsat, "_FIRST_BATCH", first_batch)
        if first_batch == 1:
            patch.setattr(auto, "ALONE_TURNS", 0)  # straight to the SAT backend
        for backend in BACKENDS:
            outcome = solve(small.puzzle, backend, workers=1)
            assert outcome.status is truth, backend
            if outcome.fill is not None:
                assert verify(small.puzzle, outcome.fill) == []


@settings(max_examples=150)
@given(small_puzzles())
def test_the_sweep_agrees_with_brute_force(small: SmallPuzzle) -> None:
    """The sweep by itself, on grids it would not be used for, too."""
    from satcross.backends.base import Deadline
    from satcross.backends.sweep import Sweep
    from satcross.candidates import arc_consistent

    candidates = arc_consistent(small.puzzle)
    truth = Status.UNFILLABLE if next(small.fills(), None) is None else Status.FILLED
    if candidates.wiped_out:
        assert truth is Status.UNFILLABLE
        return
    sweep = Sweep(candidates)
    status = Status.UNKNOWN
    while status is Status.UNKNOWN:
        status = sweep.run(Deadline(), 3)
    assert status is truth
    if sweep.words is not None:
        names = [slot.name for slot in small.puzzle.grid.slots]
        assert verify(small.puzzle, dict(zip(names, sweep.words, strict=True))) == []
