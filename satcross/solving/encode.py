"""The clauses of a puzzle, for solvers that satcross does not know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satcross.puzzle import Puzzle
from satcross.solving.run import MAKE_PUZZLE
from satcross.support.arguments import check_type

if TYPE_CHECKING:
    from encoders import Clause, Encoding


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
