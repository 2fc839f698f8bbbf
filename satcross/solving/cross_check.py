"""Several backends on one puzzle, held against each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from satcross.deadline import INTERRUPTED, OnProgress, ignore_progress
from satcross.errors import InternalError
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.solving.best import Objective, best
from satcross.solving.bug_report import write_report
from satcross.solving.solve import solve


def cross_check(
    puzzle: Puzzle,
    backends: Sequence[str],
    *,
    time_limit: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    options: Mapping[str, str] | None = None,
    objective: Objective | None = None,
    on_progress: OnProgress = ignore_progress,
) -> list[Outcome]:
    """Solve with each backend in turn (arguments as for ``solve``); one outcome each, in order.

    With an ``objective``, each looks for the best fill by it. An interruption ends it: the outcomes
    so far are returned. Raises InternalError when one backend has filled what another has proved
    unfillable, or has a better fill than another has proved to be possible; its ``on_progress``
    names a file from which the puzzle can be run again.
    """
    outcomes: list[Outcome] = []
    for backend in backends:
        run = solve if objective is None else partial(best, objective=objective)
        outcome = run(
            puzzle,
            backend=backend,
            time_limit=time_limit,
            seed=seed,
            workers=workers,
            options=options,
            on_progress=on_progress,
        )
        outcomes.append(outcome)
        if outcome.reason == INTERRUPTED:
            break
    settings = {"time_limit": time_limit, "workers": workers, "options": dict(options or {})}
    _check_agreement(puzzle, outcomes, settings)
    _check_bounds(puzzle, outcomes, settings)
    return outcomes


def contradictory(statuses: Iterable[str]) -> bool:
    """Whether one answer has a fill and another a proof that there is none."""
    return {Status.FILLED, Status.UNFILLABLE} <= set(statuses)


def _check_agreement(
    puzzle: Puzzle, outcomes: Sequence[Outcome], settings: Mapping[str, object]
) -> None:
    if contradictory(outcome.status for outcome in outcomes):
        answers = ", ".join(f"{one.backend}: {one.status}" for one in outcomes)
        raise InternalError(
            f"backends disagree ({answers}; seed {outcomes[0].seed})",
            write_report(puzzle, outcomes, settings),
        )


def _check_bounds(
    puzzle: Puzzle, outcomes: Sequence[Outcome], settings: Mapping[str, object]
) -> None:
    """No fill is better than what another backend says none can exceed.

    A second goal's bound is about the fills that are best by the first, which both must then have.
    """
    for one in outcomes:
        for other in outcomes:
            for mine, limit in zip(one.goals, other.goals, strict=False):
                if mine.value is None or limit.bound is None:
                    break
                if mine.value > limit.bound:
                    raise InternalError(
                        f"backends disagree: {one.backend} has a fill whose {mine.name} is "
                        f"{mine.value}, and {other.backend} says at most {limit.bound} "
                        f"(seed {one.seed})",
                        write_report(puzzle, outcomes, settings),
                    )
                if mine.value != limit.bound:
                    break
