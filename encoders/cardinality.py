"""Cardinality constraints: clauses for at most one, or at least k, true literals.

Both counters are sequential counters (C. Sinz, "Towards an optimal CNF encoding of Boolean
cardinality constraints", CP 2005); unit propagation on either finds all that follows. CP-SAT states
such constraints itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

Clause = list[int]

MAX_PAIRWISE = 5
"""Number of literals up to which pairwise clauses are fewer than those of a sequential counter."""


def pairwise(literals: Sequence[int], label: str = "") -> list[Clause]:
    """At most one literal is true: (¬a ∨ ¬b) for every two; ``label`` is not needed here."""
    return [[-a, -b] for a, b in combinations(literals, 2)]


def sequential_counter(sets: Sequence[Sequence[int]], seen: Sequence[int]) -> list[Clause]:
    """The literals of at most one set are true; within one set, several may be.

    ``seen[i]``, a new variable for every set but the last, is true when a literal of one of the
    first ``i + 1`` sets is. For n literals in m sets, 2 n - |first| - |last| + m - 2 clauses.
    """
    clauses = [[-literal, seen[0]] for literal in sets[0]]
    for i in range(1, len(sets) - 1):
        clauses += [[-literal, seen[i]] for literal in sets[i]]
        clauses.append([-seen[i - 1], seen[i]])
        clauses += [[-literal, -seen[i - 1]] for literal in sets[i]]
    clauses += [[-literal, -seen[-1]] for literal in sets[-1]]
    return clauses


def sequential_counter_converse(sets: Sequence[Sequence[int]], seen: Sequence[int]) -> list[Clause]:
    """``seen[i]`` is true only when a literal of one of the first ``i + 1`` sets is.

    With the clauses of ``sequential_counter`` the literals then determine ``seen``.
    """
    both = enumerate(zip(seen, sets, strict=False))
    return [[-variable, *seen[max(i - 1, 0) : i], *own] for i, (variable, own) in both]


def counter_pairs(number: int, minimum: int) -> list[tuple[int, int]]:
    """Return the (i, j) for which ``at_least`` needs a variable "j of the first i are true"."""
    pairs = ((i, j) for i in range(1, number + 1) for j in range(1, min(i, minimum) + 1))
    return [(i, j) for i, j in pairs if minimum - j <= number - i]


def at_least(
    literals: Sequence[int], minimum: int, reached: Mapping[tuple[int, int], int]
) -> list[Clause]:
    """At least ``minimum`` of the literals are true.

    ``reached`` has a new variable for each of the ``counter_pairs``. Up to 2 clauses per pair.
    """
    clauses: list[Clause] = []
    for (i, j), variable in reached.items():
        before = [reached[i - 1, j]] if (i - 1, j) in reached else []
        clauses.append([-variable, *before, literals[i - 1]])
        if j > 1:
            clauses.append([-variable, *before, reached[i - 1, j - 1]])
    clauses.append([reached[len(literals), minimum]])
    return clauses


def at_least_converse(
    sets: Sequence[Sequence[int]], used: Sequence[int], reached: Mapping[tuple[int, int], int]
) -> list[Clause]:
    """``used[i]`` is true whenever a literal of set i is, ``reached[i, j]`` when j of ``used`` are.

    With the clauses of ``at_least`` the literals of the sets then determine both.
    """
    both = zip(used, sets, strict=True)
    clauses = [[-literal, variable] for variable, literals in both for literal in literals]
    for (i, j), variable in reached.items():
        if (i - 1, j) in reached:
            clauses.append([-reached[i - 1, j], variable])
        before = [-reached[i - 1, j - 1]] if j > 1 else []
        clauses.append([-used[i - 1], *before, variable])
    return clauses
