"""All backends against each other and against brute force, on random small puzzles."""

from __future__ import annotations

from brute_force import all_fills
from hypothesis import event, given, settings
from strategies import SmallPuzzle, small_puzzles

from satcross import Status, solve
from satcross.verify import verify

SINGLE_BACKENDS = ("sat", "cpsat", "backtrack")


@settings(max_examples=300)
@given(small_puzzles())
def test_backends_agree_with_brute_force(small: SmallPuzzle) -> None:
    puzzle = small.puzzle
    fills = all_fills(
        {slot.name: slot.cells for slot in puzzle.grid.slots},
        small.words,
        repeats=puzzle.allow_repeats,
        locks=puzzle.locks,
    )
    truth = Status.UNFILLABLE if next(fills, None) is None else Status.FILLED
    event(str(truth))
    for backend in SINGLE_BACKENDS:
        outcome = solve(puzzle, backend, workers=1)
        assert outcome.status is truth, backend
        if outcome.fill is not None:
            assert verify(puzzle, outcome.fill) == []
