"""``count``: how many fills a puzzle has, by any backend that can count."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from satcross.backends.base import Tally, Task
from satcross.backends.registry import get_counting_backend
from satcross.deadline import INTERRUPTED, Deadline, OnProgress, ignore_progress
from satcross.errors import InternalError
from satcross.network.arc_consistency import arc_consistent
from satcross.outcome import FillCount
from satcross.puzzle import Puzzle
from satcross.solving.bug_report import write_report
from satcross.solving.solve import available_workers


def count(
    puzzle: Puzzle,
    backend: str = "auto",
    *,
    enough: int | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    options: Mapping[str, str] | None = None,
    on_progress: OnProgress = ignore_progress,
) -> FillCount:
    """Count the fills of the puzzle: the ways to put a word into every slot.

    With ``enough``, the count may stop as soon as it has found so many. The other arguments are
    those of ``solve``. A time limit or an interruption (Ctrl-C) gives what is known by then: at
    least so many. Raises UnavailableError for an unknown backend, a missing library, or a backend
    that can't count, and ValueError when ``enough`` is not positive.
    """
    if enough is not None and enough < 1:
        raise ValueError("enough must be at least 1")
    counter = get_counting_backend(backend)
    deadline = Deadline.after(time_limit)
    started = time.perf_counter()
    ready = None
    try:
        candidates = arc_consistent(puzzle)
        ready = time.perf_counter()
        if candidates.infeasible:
            tally = Tally(0, True)
        elif not puzzle.grid.slots:
            tally = Tally(1, True)
        else:
            task = Task(
                candidates,
                deadline,
                seed,
                workers or available_workers(),
                options or {},
                on_progress,
            )
            tally = counter.count(task, enough)
    except KeyboardInterrupt:
        tally = Tally(0, False, INTERRUPTED)
    finished = time.perf_counter()
    ready = ready or finished
    return FillCount(
        count=tally.count,
        exact=tally.exact,
        backend=backend,
        reason=tally.reason,
        seed=seed,
        seconds={
            "encode": ready - started + tally.encode_seconds,
            "count": finished - ready - tally.encode_seconds,
        },
        stats=tally.stats,
    )


def cross_count(
    puzzle: Puzzle,
    backends: Sequence[str],
    *,
    enough: int | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    options: Mapping[str, str] | None = None,
    on_progress: OnProgress = ignore_progress,
) -> list[FillCount]:
    """Count with each backend in turn (arguments as for ``count``); one result each, in order.

    An interruption ends it: the results so far are returned. Raises InternalError when two counts
    contradict each other; its ``on_progress`` names a file from which the puzzle can be run again.
    """
    for backend in backends:
        get_counting_backend(backend)  # one that can't count is told before the first begins
    counts: list[FillCount] = []
    for backend in backends:
        counts.append(
            count(
                puzzle,
                backend,
                enough=enough,
                time_limit=time_limit,
                seed=seed,
                workers=workers,
                options=options,
                on_progress=on_progress,
            )
        )
        if counts[-1].reason == INTERRUPTED:
            break
    exact = {one.count for one in counts if one.exact}
    most = max((one.count for one in counts), default=0)
    if len(exact) > 1 or (exact and most > min(exact)):
        told = ", ".join(
            f"{one.backend}: {'' if one.exact else 'at least '}{one.count}" for one in counts
        )
        raise InternalError(
            f"backends disagree on the number of fills ({told}; seed {seed})",
            write_report(puzzle, (), {"enough": enough, "time_limit": time_limit, "counts": told}),
        )
    return counts
