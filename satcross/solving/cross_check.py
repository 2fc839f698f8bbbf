"""Solve one puzzle with several backends and compare their answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, NoReturn, Unpack

from satcross.errors import InternalError, SatcrossError
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import ANY_FILL, INTERRUPTED, RunOptions, RunSettings
from satcross.solving.solve import solve

if TYPE_CHECKING:
    from satcross.solving.best import Objective


def cross_check(
    puzzle: Puzzle,
    backends: Sequence[str],
    settings: RunSettings | None = None,
    *,
    objective: Objective | None = None,
    **changes: Unpack[RunOptions],
) -> list[Outcome]:
    """Solve with each backend in turn; one outcome each, in order.

    With an ``objective``, each looks for the best fill by it. Several backends answer the plain
    question, whatever ``settings.quality`` says. The other arguments are those of
    ``solve``. An interruption ends it: the outcomes so far are returned. Raises InternalError when
    one backend has filled what another has proved unfillable, or has a better fill than another has
    proved to be possible; its ``report`` names a file from which the puzzle can be run again.

    The backends share the steps up to their candidates. When several agree that there is no fill,
    ``plain_fills``, which shares none of these, looks for one as well, for as long as the time
    limit allows, and at most ``second_opinion.SECONDS``. Ctrl-C ends this search, too. What a
    backend raises becomes an InternalError, whose report has the answers before and the traceback.
    """
    settings = RunSettings.of(settings, changes)
    if len(backends) > 1:
        settings = replace(settings, quality=ANY_FILL)
    if objective is None:
        ask = partial(solve, puzzle)
    else:
        from satcross.solving.best import best

        ask = partial(best, puzzle, objective)
    outcomes: list[Outcome] = []
    for backend in backends:
        try:
            outcomes.append(ask(backend, settings))
        except (SatcrossError, MemoryError, OSError):
            raise
        except Exception as error:  # a backend may fail in any way; the answers so far are kept
            import traceback

            text = f"backend {backend} failed ({type(error).__name__}: {error})"
            if outcomes:
                text += f", after {_answers(outcomes)}"
            more = {**settings.to_data(), "traceback": traceback.format_exc()}
            _report(puzzle, outcomes, more, text)
        if outcomes[-1].reason == INTERRUPTED:
            break
    if contradictory(outcome.status for outcome in outcomes):
        text = f"backends disagree ({_answers(outcomes)}; seed {settings.seed})"
        _report(puzzle, outcomes, settings.to_data(), text)
    if len(outcomes) > 1 and all(outcome.status is Status.UNFILLABLE for outcome in outcomes):
        with suppress(KeyboardInterrupt):
            _ask_otherwise(puzzle, outcomes, settings)
    _check_bounds(puzzle, outcomes, settings.to_data())
    return outcomes


def _ask_otherwise(puzzle: Puzzle, outcomes: Sequence[Outcome], settings: RunSettings) -> None:
    """Raise InternalError when there is a fill after all."""
    from satcross.solving import second_opinion

    fill = second_opinion.find_fill(puzzle, settings)
    if fill is not None:
        found = ", ".join(f"{name} {word}" for name, word in fill.items())
        text = (
            f"backends disagree ({_answers(outcomes)}; plain clauses: filled; seed {settings.seed})"
        )
        _report(puzzle, outcomes, {**settings.to_data(), "plain_fill": found}, text)


def contradictory(statuses: Iterable[str]) -> bool:
    """Whether one answer has a fill and another a proof that there is none."""
    return {Status.FILLED, Status.UNFILLABLE} <= set(statuses)


def _answers(outcomes: Sequence[Outcome]) -> str:
    return ", ".join(f"{outcome.backend}: {outcome.status}" for outcome in outcomes)


def _check_bounds(
    puzzle: Puzzle, outcomes: Sequence[Outcome], settings: Mapping[str, object]
) -> None:
    """Raise InternalError when a fill exceeds a bound that another backend has proved.

    A second goal's bound is about the fills that are best by the first, which both must then have.
    """
    for outcome, other in product(outcomes, repeat=2):
        for mine, limit in zip(outcome.goals, other.goals, strict=False):
            if mine.value is None or limit.bound is None:
                break
            if mine.value > limit.bound:
                text = (
                    f"backends disagree: {outcome.backend} has a fill whose {mine.name} is "
                    f"{mine.value}, and {other.backend} says at most {limit.bound} "
                    f"(seed {outcome.seed})"
                )
                _report(puzzle, outcomes, settings, text)
            if mine.value != limit.bound:
                break


def _report(
    puzzle: Puzzle, outcomes: Sequence[Outcome], settings: Mapping[str, object], text: str
) -> NoReturn:
    """Raise InternalError, with a file from which the puzzle can be run again."""
    from satcross.solving.bug_report import write_report

    raise InternalError(text, write_report(puzzle, outcomes, settings))
