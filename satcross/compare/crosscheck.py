"""Running several backends on one puzzle and holding their answers against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satcross.backends.base import INTERRUPTED, Report, silent
from satcross.errors import InternalError
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.reproduce import write_report
from satcross.solving import solve


def cross_check(
    puzzle: Puzzle,
    backends: Sequence[str],
    *,
    time_limit: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    options: Mapping[str, str] | None = None,
    report: Report = silent,
) -> list[Outcome]:
    """Solve with each backend in turn (arguments as for ``solve``); one outcome each, in order.

    An interruption ends it: the outcomes so far are returned. Raises InternalError when one
    backend has filled what another has proved unfillable; its ``report`` names a file from which
    the puzzle can be run again.
    """
    outcomes: list[Outcome] = []
    for backend in backends:
        outcome = solve(
            puzzle,
            backend,
            time_limit=time_limit,
            seed=seed,
            workers=workers,
            options=options,
            report=report,
        )
        outcomes.append(outcome)
        if outcome.reason == INTERRUPTED:
            break
    settings = {"time_limit": time_limit, "workers": workers, "options": dict(options or {})}
    _check_agreement(puzzle, outcomes, settings)
    return outcomes


def _check_agreement(
    puzzle: Puzzle, outcomes: Sequence[Outcome], settings: Mapping[str, object]
) -> None:
    statuses = {outcome.status for outcome in outcomes}
    if {Status.FILLED, Status.UNFILLABLE} <= statuses:
        answers = ", ".join(f"{one.backend}: {one.status}" for one in outcomes)
        raise InternalError(
            f"backends disagree ({answers}; seed {outcomes[0].seed})",
            write_report(puzzle, outcomes, settings),
        )
