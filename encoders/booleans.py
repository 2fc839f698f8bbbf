"""A CP-SAT model of Booleans only, made in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ortools.sat.python import cp_model


class BooleanModel:
    """``model``, and how to add to it; a variable is its index, ``-index - 1`` its negation.

    The model's protocol buffer is filled directly: a Python object per variable and constraint
    costs several times as much as all the rest.
    """

    def __init__(self) -> None:
        from ortools.sat.python import cp_model

        self.model: cp_model.CpModel = cp_model.CpModel()

    def _booleans(self, number: int) -> range:
        variables = self.model.proto.variables
        first = len(variables)
        for _ in range(number):
            variables.add().domain.extend((0, 1))
        return range(first, first + number)

    def _at_most_one(self, literals: Sequence[int]) -> None:
        if len(literals) > 1:
            self.model.proto.constraints.add().at_most_one.literals.extend(literals)

    def _exactly_one(self, literals: Iterable[int]) -> None:
        self.model.proto.constraints.add().exactly_one.literals.extend(literals)
