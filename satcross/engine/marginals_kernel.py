"""The two sums of belief propagation over the candidates of a slot, as numba compiles them.

``satcross.network.belief_propagation`` computes the same with numpy, number by number in the same
order, so that both give the same estimate to the last bit. As ``kernel``, this module imports
numba, and programs run what ``kernel_loader`` has compiled.
"""

from __future__ import annotations

from typing import NamedTuple

from satcross.engine.kernel import Float64s, UInt16s, _compiled, on_addresses

# What ``sums`` is asked for.
WEIGH, TELL = 0, 1


class Part(NamedTuple):
    """A slot's candidates and messages; ``n`` candidates and ``k`` columns, at least one of each.

    ``codes`` (n x k): what a candidate has in a column, the letter at a crossing or the letters at
    two; ``heard`` and ``told`` (k x number of codes): a number for each code in a column;
    ``weights`` (n).
    """

    codes: UInt16s
    heard: Float64s
    told: Float64s
    weights: Float64s


@_compiled
def _weigh(part: Part, columns: int, codes: int) -> None:
    place = 0
    for candidate in range(len(part.weights)):
        total, row = 0.0, 0
        for _ in range(columns):
            total += part.heard[row + part.codes[place]]
            row += codes
            place += 1
        part.weights[candidate] = total


@_compiled
def _tell(part: Part, columns: int, codes: int) -> None:
    part.told[:] = 0.0
    place = 0
    for candidate in range(len(part.weights)):
        weight, row = part.weights[candidate], 0
        for _ in range(columns):
            part.told[row + part.codes[place]] += weight
            row += codes
            place += 1


@_compiled
def _sums(part: Part, wanted: int) -> int:
    """WEIGH: sum what was heard of the codes of each candidate, as its weight.

    TELL: for each code in each column, sum the weights of the candidates that have it.
    """
    columns = len(part.codes) // len(part.weights)
    codes = len(part.heard) // columns
    if wanted == WEIGH:
        _weigh(part, columns, codes)
    else:
        _tell(part, columns, codes)
    return 0


sums = on_addresses(_sums, Part)
