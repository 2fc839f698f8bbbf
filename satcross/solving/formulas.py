"""What ``import satcross`` offers for formulas: the clauses of a puzzle, and proofs of no fill."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from satcross.puzzle import Puzzle
from satcross.run_settings import RunOptions, RunSettings, TimeUp
from satcross.solving.run import MAKE_PUZZLE
from satcross.support.arguments import check_type

if TYPE_CHECKING:
    from encoders import Clause, Encoding
    from satcross.solving.proofs import Proof


def encode(puzzle: Puzzle) -> tuple[list[Clause], Encoding]:
    """Return the support encoding of the puzzle in clauses, and what its variables mean.

    Every word of a slot takes part that its letters and the rules about single words leave.
    ``encoders`` has other encodings.
    """
    check_type(puzzle, Puzzle, "the puzzle", MAKE_PUZZLE)
    from encoders import encode
    from satcross.network.arc_consistency import unpropagated
    from satcross.network.to_encoder import to_instance

    return encode(to_instance(unpropagated(puzzle)))


def prove(
    puzzle: Puzzle,
    prover: str = "search",
    settings: RunSettings | None = None,
    **changes: Unpack[RunOptions],
) -> Proof | None:
    """Prove, in the DRAT format, that the puzzle has no fill; None when the time limit passes.

    Raises UnavailableError for an unknown prover, and InternalError when the puzzle has a fill.
    """
    from satcross.solving.proofs import Formula, prove

    check_type(puzzle, Puzzle, "the puzzle", MAKE_PUZZLE)
    settings = RunSettings.of(settings, changes)
    deadline = settings.deadline()
    try:
        formula = Formula(puzzle, deadline=deadline)
    except TimeUp:
        return None
    left = None if settings.time_limit is None else deadline.left
    return prove(formula, prover, replace(settings, time_limit=left))
