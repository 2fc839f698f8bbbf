"""Words that sentences share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 run", "2,000 runs"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def signal_name(number: int) -> str:
    """Return the name of a signal, such as SIGSEGV."""
    import signal  # needs enum

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"number {number}"


def join_phrases(items: Iterable[str], last: str = "and") -> str:
    """Return a list in prose: ``A, B and C``. Raises ValueError for no items."""
    *first, end = items
    return f"{', '.join(first)} {last} {end}" if first else end


def first_few(items: Sequence[str], number: int) -> str:
    """Return some of a list, and how many more it has: ``A, B and 3 more``."""
    more = len(items) - number
    return ", ".join(items[:number]) + (f" and {more} more" if more > 0 else "")
