"""Find a layout whose shape suits the page that it is printed on, beside its clues."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from satcross.make.layout.layout import Goal, Layout
from satcross.make.layout.local_search import search_layouts
from satcross.make.layout.result import LayoutResult
from satcross.make.layout.smallest import checked, lay_out, rounds_for
from satcross.run_settings import INTERRUPTED, TIME_LIMIT, Deadline, OnProgress, ignore_progress

_ASPECTS = (1.0, 0.75, 1.35, 0.55, 1.8)
"""Width by height of the boxes in which layouts are sought."""
_SHARE = 0.5
"""Share of the time for the smallest layout, which may suit the page as it is."""


def lay_out_for_page(
    words: Sequence[str],
    cell_of: Callable[[Layout], float],
    *,
    seed: int = 0,
    time_limit: float | None = None,
    on_progress: OnProgress = ignore_progress,
) -> LayoutResult:
    """Return the layout that is printed largest.

    ``cell_of`` returns the size of a cell on the page of a layout. Of layouts that are printed
    alike, the one of the smallest area is taken. The smallest layout is sought first, and some of
    other shapes then.
    """
    deadline = Deadline.after(time_limit)
    share = None if time_limit is None else time_limit * _SHARE
    result = lay_out(words, seed=seed, time_limit=share, on_progress=on_progress)
    if result.layout is None:
        return result
    found = [result.layout]
    reason = result.reason or TIME_LIMIT
    try:
        for number, aspect in enumerate(_ASPECTS):
            on_progress(f"looking for a layout {aspect:g} times as wide as high")
            limit = None if deadline.at is None else deadline.left / (len(_ASPECTS) - number)
            search_layouts(
                words,
                Random(seed),
                deadline.within(limit),
                rounds=rounds_for(words),
                on_layout=lambda layout: found.append(checked(words, layout)),
                goal=Goal(aspect=aspect),
            )
    except KeyboardInterrupt:
        reason = INTERRUPTED

    def rank(layout: Layout) -> tuple[float, int]:
        return -cell_of(layout), layout.area

    best = min(found, key=rank)
    return result if best is result.layout else LayoutResult(best, result.bound, reason=reason)
