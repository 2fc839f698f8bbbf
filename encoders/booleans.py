"""A CP-SAT model of Boolean variables, built in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ortools.sat.python import cp_model
    from ortools.sat.python.cp_model_helper import CpModelProto


class BooleanModel:
    """``proto`` is a CP-SAT model; a variable is its index, and ``-index - 1`` its negation.

    The protocol buffer is filled directly: a Python object per variable and constraint costs
    several times as much as everything else, and ``cp_model`` imports pandas for half a second.
    """

    def __init__(self) -> None:
        from ortools.sat.python.cp_model_helper import CpModelProto

        self.proto: CpModelProto = CpModelProto()

    @property
    def model(self) -> cp_model.CpModel:
        """The model for ``cp_model.CpSolver``: a copy."""
        from ortools.sat.python import cp_model

        model = cp_model.CpModel()
        model.proto.copy_from(self.proto)
        return model

    def booleans(self, number: int) -> range:
        """Add ``number`` Boolean variables, and return their indices."""
        variables = self.proto.variables
        first = len(variables)
        for _ in range(number):
            variables.add().domain.extend((0, 1))
        return range(first, first + number)

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Add a constraint: at most one literal is true."""
        if len(literals) > 1:
            self.proto.constraints.add().at_most_one.literals.extend(literals)

    def exactly_one(self, literals: Iterable[int]) -> None:
        """Add a constraint: exactly one literal is true."""
        self.proto.constraints.add().exactly_one.literals.extend(literals)

    def at_least_one(self, literals: Iterable[int]) -> None:
        """Add a constraint: at least one literal is true."""
        self.proto.constraints.add().bool_or.literals.extend(literals)
