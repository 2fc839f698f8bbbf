"""Other forms of the support encoding: at most one word per slot, or the constraint "regular".

The ways to say that at most one of some literals is true take the encoding, for new variables, and
return clauses. With exactly one literal true, the literals determine the new variables, but for
``product`` of which ``converse`` is the rest.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

from encoders import cardinality
from encoders.cardinality import Clause
from encoders.encoding import Encoding, seen_from

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
    encoding.define(partial(seen_from, [[literal] for literal in literals], steps))
    clauses = [[-lower, upper] for lower, upper in pairwise(steps)]
    for number, literal in enumerate(literals):
        clauses += [[-literal, step] for step in steps[number : number + 1]]
        clauses += [[-literal, -step] for step in steps[max(number - 1, 0) : number]]
    return clauses


def product(encoding: Encoding, literals: Literals, label: str) -> list[Clause]:
    """Each literal has a row and a column, of which at most one is true: 2 n + O(√n) clauses.

    J. Chen, "A new SAT encoding of the at-most-one constraint", ModRef 2010.
    """
    if len(literals) < 5:
        return cardinality.pairwise(literals)
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


def regular(
    encoding: Encoding,
    label: str,
    words: Mapping[str, int],
    letters: Mapping[int, Mapping[str, int]],
) -> Iterator[Clause]:
    """Yield the clauses of a slot: it takes one of its words, and agrees with its checked cells.

    The words are a decision diagram over their letters, for the constraint "regular". Each prefix
    of words has a variable; a prefix that one letter alone continues shares that of the longer one,
    and that of a whole word is the word's. Propagation is that of the support encoding, with fewer
    and longer clauses where words begin alike (F. Bacchus, "GAC via unit propagation", CP 2007;
    I. Abío, G. Gange, V. Mayer-Eichberger and P. J. Stuckey, "On CNF encodings of decision
    diagrams", CPAIOR 2016). The diagram is a tree: its leaves have to stay apart, as words.

    ``letters`` has the variables of the letters at the positions of checked cells.
    """
    nodes: dict[str, int] = dict(words)
    layer = list(words)
    layers = [layer]
    for length in range(max(map(len, words), default=0) - 1, 0, -1):
        children: defaultdict[str, list[str]] = defaultdict(list)
        for prefix in layer:
            children[prefix[:length]].append(prefix)
        branching = [prefix for prefix, own in children.items() if len(own) > 1]
        nodes |= dict(zip(branching, encoding.new_code(label, branching), strict=True))
        for prefix, own in children.items():
            if len(own) == 1:
                nodes[prefix] = nodes[own[0]]
                continue
            yield [-nodes[prefix], *(nodes[child] for child in own)]
            yield from ([-nodes[child], nodes[prefix]] for child in own)
        layer = list(children)
        layers.append(layer)
        encoding.define(partial(_prefixes, words, {p: nodes[p] for p in branching}))
    yield [nodes[prefix] for prefix in layer]
    by_length = layers[::-1]
    for position, known in letters.items():
        support: defaultdict[str, list[int]] = defaultdict(list)
        for prefix in by_length[position] if words else ():
            support[prefix[position]].append(nodes[prefix])
            yield [-nodes[prefix], known[prefix[position]]]
        yield from ([-variable, *support[letter]] for letter, variable in known.items())


def _prefixes(words: Mapping[str, int], nodes: Mapping[str, int], true: set[int]) -> Sequence[int]:
    chosen = [word for word, variable in words.items() if variable in true]
    return [node for prefix, node in nodes.items() if any(map(str.startswith, chosen, [prefix]))]


AT_MOST_ONE: dict[str, Callable[[Encoding, Literals, str], list[Clause]]] = {
    "log": log,
    "order": order,
    "product": product,
}

VARIANTS = (*AT_MOST_ONE, "regular")
"""Other forms of the support encoding: these say that a slot takes at most one word, and
``regular`` states the crossings otherwise."""
