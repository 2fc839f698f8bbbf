"""``count``: how many fills a puzzle has, by any backend that can count."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Unpack

from satcross.backends.base import Tally
from satcross.backends.registry import get_counting_backend
from satcross.errors import InternalError
from satcross.outcome import FillCount, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import INTERRUPTED, RunOptions, RunSettings
from satcross.solving import second_opinion
from satcross.solving.bug_report import write_report
from satcross.solving.run import run


def count(
    puzzle: Puzzle,
    backend: str = "auto",
    settings: RunSettings | None = None,
    *,
    enough: int | None = None,
    **changes: Unpack[RunOptions],
) -> FillCount:
    """Count the fills of the puzzle: the ways to put a word into every slot.

    The count may stop as soon as it has reached ``enough``. A time limit or an
    interruption (Ctrl-C) gives the lower bound reached by then. The other arguments and the
    errors are those of ``solve``; raises UnavailableError, too, for a backend that can't count, and
    ValueError when ``enough`` is not positive.
    """
    if enough is not None and enough < 1:
        raise ValueError("enough must be at least 1")
    settings = RunSettings.of(settings, changes)
    timed = run(
        puzzle,
        settings,
        lambda: get_counting_backend(backend),
        lambda counter, task: counter.count(task, enough),
        _tally,
    )
    tally = timed.result
    return FillCount(
        count=tally.count,
        exact=tally.exact,
        backend=backend,
        reason=tally.reason,
        seed=settings.seed,
        seconds=timed.stages("count", tally.encode_seconds),
        stats=tally.stats,
    )


def _tally(status: Status, reason: str) -> Tally:
    if status is Status.UNKNOWN:
        return Tally(0, False, reason)
    return Tally(int(status is Status.FILLED), True)


def cross_count(
    puzzle: Puzzle,
    backends: Sequence[str],
    settings: RunSettings | None = None,
    *,
    enough: int | None = None,
    **changes: Unpack[RunOptions],
) -> list[FillCount]:
    """Count with each backend in turn; one result each, in order.

    The other arguments are those of ``count``. An interruption ends it: the results so far are
    returned. Raises InternalError when two counts contradict each other; its ``report`` names a
    file from which the puzzle can be run again.

    The backends share the steps up to their candidates. When several agree on an exact number of at
    most ``second_opinion.MAX_COUNT``, the fills are counted once more by code that shares none of
    these steps, for as long as the time limit allows, and at most ``second_opinion.SECONDS``.
    """
    settings = RunSettings.of(settings, changes)
    for backend in backends:
        get_counting_backend(backend)  # raises for one that can't count, before the first begins
    counts: list[FillCount] = []
    for backend in backends:
        counts.append(count(puzzle, backend, settings, enough=enough))
        if counts[-1].reason == INTERRUPTED:
            break
    exact = {item.count for item in counts if item.exact}
    highest = max((item.count for item in counts), default=0)
    wrong = len(exact) > 1 or (bool(exact) and highest > min(exact))
    answers = [
        f"{item.backend}: {'' if item.exact else 'at least '}{item.count}" for item in counts
    ]
    if not wrong and len(counts) > 1 and exact:
        with suppress(KeyboardInterrupt):
            other = second_opinion.count_fills(puzzle, settings, min(exact))
            wrong = bool(other)
            answers.append(f"plain clauses: {other}")
    if wrong:
        given = ", ".join(answers)
        raise InternalError(
            f"backends disagree on the number of fills ({given}; seed {settings.seed})",
            write_report(puzzle, (), {**settings.to_data(), "enough": enough, "counts": given}),
        )
    return counts
