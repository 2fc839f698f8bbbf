"""Split a puzzle into cases by the slots of its theme words.

Clause-learning solvers are bad at choosing slots for theme words, because the clauses learned from
one wrong choice say little about other choices. A 15x15 with two theme words of ten letters had no
answer after 50 s of CPU time as one formula.
"""

from __future__ import annotations

from math import log

from satcross.network.arc_consistency import Candidates, State

MAX_PARTS = 60
"""Maximum number of parts; a puzzle that needs more is not split."""

_MAX_STEPS = 500
"""Maximum number of propagated cases, finished parts included."""


def split_by_theme_slots(candidates: Candidates) -> list[Candidates]:
    """Split the candidates into disjoint parts by the slots of theme words.

    Each fill belongs to exactly one part. The part with the most combinations of words comes first;
    there is no part when the theme words can't be placed. Returns ``candidates`` as the only part
    when no theme words are required, or when more than ``MAX_PARTS`` parts are needed.
    """
    network = candidates.network
    if not network.word_rules.min_theme_words:
        return [candidates]
    parts: list[State] = []
    pending = [candidates.root.copy()]
    for _ in range(_MAX_STEPS):
        if not pending or len(parts) > MAX_PARTS:
            break
        state = pending.pop()
        choices = network.open_places(state.domains)
        if not choices:
            parts.append(state)
            continue
        slot, bit = choices[0]
        for domain in (state.domains[slot] & ~bit, bit):
            part = state.copy()
            part.domains[slot], part.sizes[slot] = domain, domain.bit_count()
            if domain and network.propagate(part, (slot,)) is None:
                pending.append(part)
    if pending or len(parts) > MAX_PARTS:
        return [candidates]
    parts.sort(key=lambda state: -sum(map(log, state.sizes)))
    return [Candidates(network, state) for state in parts]
