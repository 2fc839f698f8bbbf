"""Solving, counting and optimising, with every fill verified."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satcross.support.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from satcross.solving.best import Measure, Objective, best
    from satcross.solving.count import count, cross_count
    from satcross.solving.cross_check import cross_check
    from satcross.solving.refill import refill
    from satcross.solving.region import Region, keep_outside
    from satcross.solving.several import several
    from satcross.solving.solve import attempt, solve

__all__ = [
    "Measure",
    "Objective",
    "Region",
    "attempt",
    "best",
    "count",
    "cross_check",
    "cross_count",
    "keep_outside",
    "refill",
    "several",
    "solve",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        **dict.fromkeys(("Measure", "Objective", "best"), "best"),
        **dict.fromkeys(("count", "cross_count"), "count"),
        "cross_check": "cross_check",
        **dict.fromkeys(("Region", "keep_outside"), "region"),
        "refill": "refill",
        "several": "several",
        **dict.fromkeys(("attempt", "solve"), "solve"),
    },
)
