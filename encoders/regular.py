"""The words of a slot as a decision diagram over its letters: the constraint "regular".

Each prefix of words has a variable; a prefix that one letter alone continues shares that of the
longer one, and that of a whole word is the word's. Propagation is that of the support encoding,
with fewer and longer clauses where words begin alike (F. Bacchus, "GAC via unit propagation", CP
2007; I. Abío, G. Gange, V. Mayer-Eichberger and P. J. Stuckey, "On CNF encodings of decision
diagrams", CPAIOR 2016). The diagram is a tree: its leaves have to stay apart, as words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from encoders.cardinality import Clause
from encoders.encoding import Encoding


def regular(
    encoding: Encoding,
    label: str,
    words: Mapping[str, int],
    letters: Mapping[int, Mapping[str, int]],
) -> Iterator[Clause]:
    """Yield the clauses of a slot: it takes one of its words, and agrees with its checked cells.

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
