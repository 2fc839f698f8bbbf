"""Connected slots, chosen at random: the neighbourhoods of the search for better fills."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random


def connected_slots(
    start: int, size: int, near: Sequence[Sequence[int]], appeal: Sequence[float], random: Random
) -> set[int]:
    """Return ``size`` slots that cross each other often, ``start`` among them.

    ``near`` has the slots that cross each, and ``appeal`` how much each is wanted; those without
    appeal are left out. Where the grid falls into parts, slots of another part follow.
    """
    chosen, slot = {start}, start
    ties: dict[int, int] = {}
    weights: dict[int, float] = {}
    while len(chosen) < size:
        for other in near[slot]:
            if other not in chosen and appeal[other]:
                ties[other] = ties.get(other, 0) + 1
                weights[other] = ties[other] ** 2 * appeal[other]
        if weights:
            (slot,) = random.choices(list(weights), list(weights.values()))
            del weights[slot]
        else:
            left = [slot for slot, wanted in enumerate(appeal) if wanted and slot not in chosen]
            if not left:
                break
            slot = random.choice(left)
        chosen.add(slot)
    return chosen
