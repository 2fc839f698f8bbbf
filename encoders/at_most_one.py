"""Further ways to say that at most one of some literals is true.

Each takes the encoding, for new variables, and returns clauses. With exactly one literal true, the
literals determine the new variables, but for ``product`` of which ``converse`` is the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, pairwise

from encoders.cardinality import Clause
from encoders.encoding import Encoding

Literals = Sequence[int]


def log(encoding: Encoding, literals: Literals, label: str) -> list[Clause]:
    """Each literal has a number, whose bits it implies: n ⌈log2 n⌉ clauses, ⌈log2 n⌉ variables.

    A. M. Frisch, T. J. Peugniez, A. J. Doggett and P. Nightingale, "Solving non-Boolean
    satisfiability problems with stochastic local search", Journal of Automated Reasoning 2005.
    """
    bits = encoding.new_code(label, [f"bit {n}" for n in range((len(literals) - 1).bit_length())])
    encoding.define(partial(_bits, literals, bits))
    return [
        [-literal, bit if number >> place & 1 else -bit]
        for number, literal in enumerate(literals)
        for place, bit in enumerate(bits)
    ]


def _bits(literals: Literals, bits: Literals, true: set[int]) -> list[int]:
    number = next((n for n, literal in enumerate(literals) if literal in true), 0)
    return [bit for place, bit in enumerate(bits) if number >> place & 1]


def order(encoding: Encoding, literals: Literals, label: str) -> list[Clause]:
    """A ladder of variables "one of the first i": n - 1 variables, up to 3 n clauses.

    I. P. Gent and P. Nightingale, "A new encoding of all different into SAT", 2004; it is the order
    encoding (N. Tamura et al., Constraints 2009) of the literals' number, with the literals.
    """
    steps = encoding.new_code(label, [f"at most {n}" for n in range(len(literals) - 1)])
    encoding.define(partial(_steps, literals, steps))
    clauses = [[-lower, upper] for lower, upper in pairwise(steps)]
    for number, literal in enumerate(literals):
        clauses += [[-literal, step] for step in steps[number : number + 1]]
        clauses += [[-literal, -step] for step in steps[max(number - 1, 0) : number]]
    return clauses


def _steps(literals: Literals, steps: Literals, true: set[int]) -> Literals:
    return steps[next((n for n, literal in enumerate(literals) if literal in true), len(steps)) :]


def product(encoding: Encoding, literals: Literals, label: str) -> list[Clause]:
    """Each literal has a row and a column, of which at most one is true: 2 n + O(√n) clauses.

    J. Chen, "A new SAT encoding of the at-most-one constraint", ModRef 2010.
    """
    if len(literals) < 5:
        return [[-a, -b] for a, b in combinations(literals, 2)]
    width = math.ceil(math.sqrt(len(literals)))
    rows = encoding.new_code(label, [f"row {n}" for n in range(math.ceil(len(literals) / width))])
    columns = encoding.new_code(label, [f"column {n}" for n in range(width)])
    lines = [*rows, *columns]
    members = [list(literals[n * width : (n + 1) * width]) for n in range(len(rows))]
    members += [list(literals[n::width]) for n in range(width)]
    encoding.define(partial(_lines, lines, members), partial(_converse, lines, members))
    pairs = zip(lines, members, strict=True)
    clauses = [[-literal, line] for line, own in pairs for literal in own]
    clauses += product(encoding, rows, f"{label}, rows")
    return clauses + product(encoding, columns, f"{label}, columns")


def _lines(lines: Literals, members: Sequence[Literals], true: set[int]) -> list[int]:
    return [line for line, own in zip(lines, members, strict=True) if not true.isdisjoint(own)]


def _converse(lines: Literals, members: Sequence[Literals]) -> list[Clause]:
    return [[-line, *own] for line, own in zip(lines, members, strict=True)]


AT_MOST_ONE: dict[str, Callable[[Encoding, Literals, str], list[Clause]]] = {
    "log": log,
    "order": order,
    "product": product,
}

VARIANTS = (*AT_MOST_ONE, "regular")
"""Other forms of the support encoding: these say that a slot takes at most one word, and
``encoders.regular`` states the crossings otherwise."""
