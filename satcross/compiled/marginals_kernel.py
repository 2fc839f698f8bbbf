"""The two sums of belief propagation over the candidates of a slot, as numba compiles them.

``satcross.network.belief_propagation`` computes the same with numpy, number by number in the same
order, so that both give the same estimate to the last bit. As ``kernel``, this module imports
numba, and programs run what ``kernel_loader`` has compiled.
"""

from __future__ import annotations

from typing import NamedTuple

from satcross.compiled.kernel import Float64s, UInt8s, _compiled, on_addresses

# What ``sums`` is asked for.
WEIGH, TELL = 0, 1


class Part(NamedTuple):
    """A slot's candidates and messages; ``n`` candidates and ``k`` crossings, at least one of each.

    ``letters`` (n x k): the code of the letter of a candidate at a crossing; ``heard`` and ``told``
    (k x alphabet): a number for each letter at a crossing; ``weights`` (n).
    """

    letters: UInt8s
    heard: Float64s
    told: Float64s
    weights: Float64s


@_compiled
def _weigh(part: Part, crossings: int, alphabet: int) -> None:
    place = 0
    for candidate in range(len(part.weights)):
        total, row = 0.0, 0
        for _ in range(crossings):
            total += part.heard[row + part.letters[place]]
            row += alphabet
            place += 1
        part.weights[candidate] = total


@_compiled
def _tell(part: Part, crossings: int, alphabet: int) -> None:
    part.told[:] = 0.0
    place = 0
    for candidate in range(len(part.weights)):
        weight, row = part.weights[candidate], 0
        for _ in range(crossings):
            part.told[row + part.letters[place]] += weight
            row += alphabet
            place += 1


@_compiled
def _sums(part: Part, wanted: int) -> int:
    """WEIGH: sum what was heard of the letters of each candidate, as its weight.

    TELL: for each letter at each crossing, sum the weights of the candidates that have it.
    """
    crossings = len(part.letters) // len(part.weights)
    alphabet = len(part.heard) // crossings
    if wanted == WEIGH:
        _weigh(part, crossings, alphabet)
    else:
        _tell(part, crossings, alphabet)
    return 0


sums = on_addresses(_sums, Part)
