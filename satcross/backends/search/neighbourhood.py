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
    chosen, ties = {start}, {other: 1 for other in near[start] if appeal[other]}
    while len(chosen) < size:
        if not ties:
            left = [slot for slot, wanted in enumerate(appeal) if wanted and slot not in chosen]
            if not left:
                break
            ties[random.choice(left)] = 1
        rated = [count * count * appeal[slot] for slot, count in ties.items()]
        slot = random.choices(list(ties), rated)[0]
        del ties[slot]
        chosen.add(slot)
        for other in near[slot]:
            if other not in chosen and appeal[other]:
                ties[other] = ties.get(other, 0) + 1
    return chosen
