"""An explanation as lines of text."""

from __future__ import annotations

from satcross.deadline import INTERRUPTED
from satcross.explain.explain import Explanation
from satcross.outcome import Status


def explanation_lines(found: Explanation, *, suggest: bool) -> list[str]:
    """Return what ``satcross explain`` prints; ``suggest``: whether suggestions were looked for."""
    if found.status is Status.UNKNOWN:
        return [f"Unknown: {found.stopped}."]
    if found.wording is None:
        return ["There is nothing to explain: the puzzle has a fill (satcross solve shows one)."]
    lines = [found.wording.headline, ""]
    lines += [f"  {line}" for line in found.wording.because]
    lines += ["", found.wording.needed]
    if found.other_unfillable_slots:
        lines.append(
            f"By {'itself' if len(found.other_unfillable_slots) == 1 else 'themselves'}, "
            f"{', '.join(found.other_unfillable_slots)} can't be filled either."
        )
    if found.suggestions:
        lines += ["", "What would help (each tried, and then there is a fill):"]
        lines += [f"  {one.text}" for one in found.suggestions]
    elif suggest and found.stopped != INTERRUPTED:
        in_time = " within the time limit" if found.stopped else ""
        lines += ["", f"No single change that helps was found{in_time}; other reasons may remain."]
    if found.stopped == INTERRUPTED:
        lines += ["", "Interrupted: this is what was found by then."]
    return lines
