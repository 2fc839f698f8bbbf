"""The fill of the highest total weight: soft clauses for MaxSAT, an objective for CP-SAT."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from encoders.cardinality import Clause
from encoders.cpsat import CpSatEncoding
from encoders.encoding import Encoding


def weight_levels(
    encoding: Encoding, slot: int, weights: Mapping[str, int]
) -> tuple[list[Clause], list[tuple[int, Clause]]]:
    """Return hard clauses and (weight, soft clause) pairs for one slot, given all its words.

    The soft clauses that a fill breaks weigh together what its word weighs less than the slot's
    best word. For every slot there is a chain of variables, "its word weighs at least v", one for
    each weight v that occurs (the order encoding: N. Tamura, A. Taga, S. Kitagawa and M. Banbara,
    "Compiling finite linear CSP into SAT", Constraints 14, 2009). So there are as many soft clauses
    as levels, not as words, and a core speaks of levels: "these three slots can't all have words
    of 90 and more".
    """
    having: defaultdict[int, list[int]] = defaultdict(list)
    for word, variable in encoding.words[slot].items():
        having[weights[word]].append(variable)
    values = sorted(having)
    chain = encoding.variables.allocate("level", slot, (f">={value}" for value in values[1:]))
    hard: list[Clause] = []
    soft: list[tuple[int, Clause]] = []
    for index, value in enumerate(values):
        reached = chain[index - 1] if index else None
        above = chain[index] if index < len(chain) else None
        if reached is not None:
            hard.append([-reached, *having[value], *([] if above is None else [above])])
            soft.append((value - values[index - 1], [reached]))
        if above is not None:
            # Redundant, but so the assumption of a level excludes the words below it at once.
            hard += [[-above, -variable] for variable in having[value]]
            if reached is not None:
                hard.append([-above, reached])
    return hard, soft


def maximise(encoding: CpSatEncoding, weights: Sequence[Sequence[int]], minimum: int) -> int:
    """Ask CP-SAT for the fill of the highest total weight that weighs at least ``minimum``.

    ``weights`` has the weight of each of the instance's candidates, slot by slot. The model then
    minimises by how much a fill falls short of the best word in every slot; returns what these
    best words weigh together. Raises ValueError when that is less than ``minimum``.
    """
    ideal = sum(map(max, weights))
    if minimum > ideal:
        raise ValueError(f"no fill can weigh {minimum}, only {ideal}")
    objective = encoding.proto.objective
    for words, own in zip(encoding.words, weights, strict=True):
        best = max(own)
        for variable, weight in zip(words.values(), own, strict=True):
            if weight < best:
                objective.vars.append(variable)
                objective.coeffs.append(best - weight)
    if objective.vars:
        objective.domain.extend((0, ideal - minimum))
    return ideal
