"""What a slot's word is worth, as soft clauses for MaxSAT.

For every slot a chain of variables, "its word is worth at least so much", one a level of weight.
A soft clause wants each of them, at the cost of falling short of that level. There are as many soft
clauses as levels, not as words, and a core speaks of levels: "these three slots can't all have
words of 90 and more" (the order encoding; Tamura, Taga, Kitagawa and Banbara 2009).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from encoders.cnf import Clause, WordChoice


def weight_levels(
    encoding: WordChoice, slot: int, weights: Mapping[str, int]
) -> tuple[list[Clause], list[tuple[int, Clause]]]:
    """Hard clauses and (weight, soft clause) for one slot, whose words must all be there.

    The soft clauses that a fill breaks weigh what its word is worth less than the slot's best.
    """
    having: defaultdict[int, list[int]] = defaultdict(list)
    for word, literal in encoding.words(slot).items():
        having[weights[word]].append(literal)
    values = sorted(having)
    chain = encoding.variables.levels(slot, [f">={value}" for value in values[1:]])
    hard: list[Clause] = []
    soft: list[tuple[int, Clause]] = []
    for place, value in enumerate(values):
        reached = chain[place - 1] if place else None
        above = chain[place] if place < len(chain) else None
        if reached is not None:
            tail = [] if above is None else [above]
            hard.append([-reached, *having[value], *tail])
            soft.append((value - values[place - 1], [reached]))
        if above is not None:
            # Not needed, but assuming a level now takes the words below it away at once.
            hard += [[-above, -literal] for literal in having[value]]
            if reached is not None:
                hard.append([-above, reached])
    return hard, soft
