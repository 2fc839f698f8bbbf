"""Placing theme words before anything else: a puzzle cut into parts by where they stand.

Solvers that learn clauses do badly at choosing the places: a wrong one is refuted by arc
consistency at once, or by a search of its own, but what is learned from it says little about the
others. Two theme words of ten letters in a 15x15: no answer in 50 s of CPU as one formula.
"""

from __future__ import annotations

from math import log

from satcross.network.arc_consistency import Candidates, State

MOST_PARTS = 60
"""With more parts than this, the theme is left to the solver."""

_MOST_STEPS = 500


def by_places(candidates: Candidates) -> list[Candidates]:
    """Candidates without a common fill that have together all there are, by theme words' places.

    Those with the most words come first; none when there is no fill. Just ``candidates`` when no
    theme is asked for, or when it would take too many parts.
    """
    network = candidates.network
    if not network.word_rules.min_theme_words:
        return [candidates]
    parts: list[State] = []
    left = [candidates.root.copy()]
    for _ in range(_MOST_STEPS):
        if not left or len(parts) > MOST_PARTS:
            break
        state = left.pop()
        places = network.open_places(state.domains)
        if not places:
            parts.append(state)
            continue
        slot, bit = places[0]
        for domain in (state.domains[slot] & ~bit, bit):
            after = state.copy()
            after.domains[slot], after.sizes[slot] = domain, domain.bit_count()
            if domain and network.propagate(after, (slot,)) is None:
                left.append(after)
    if left or len(parts) > MOST_PARTS:
        return [candidates]
    parts.sort(key=lambda state: -sum(map(log, state.sizes)))
    return [Candidates(network, state) for state in parts]
