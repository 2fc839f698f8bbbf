"""Holding answers against each other: of backends run here in turn, or of recorded runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from satcross.backends.base import INTERRUPTED, Report, silent
from satcross.compare.records import WRONG, Record
from satcross.errors import InternalError
from satcross.optimising import Objective, best
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
    objective: Objective | None = None,
    report: Report = silent,
) -> list[Outcome]:
    """Solve with each backend in turn (arguments as for ``solve``); one outcome each, in order.

    With an ``objective``, each looks for the best fill by it. An interruption ends it: the outcomes
    so far are returned. Raises InternalError when one backend has filled what another has proved
    unfillable, or has a better fill than another has proved to be possible; its ``report`` names a
    file from which the puzzle can be run again.
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
            report=report,
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


@dataclass(frozen=True, slots=True)
class Verdict:
    """What runs come to when they are held against each other.

    ``contradictions``: the answers to each puzzle that has been filled by one and proved
    unfillable by another; ``wrong``: the runs that claim a fill which breaks the rules;
    ``unexpected``: the runs with another answer than a suite expects, when no contradiction shows
    it already; ``unanswered``: a run of each puzzle that nobody has answered.
    """

    contradictions: tuple[tuple[Record, ...], ...]
    wrong: tuple[Record, ...]
    unexpected: tuple[Record, ...]
    unanswered: tuple[Record, ...]
    puzzles: int

    @property
    def agreement(self) -> bool:
        return not (self.contradictions or self.wrong or self.unexpected)

    def problems(self) -> list[str]:
        """A line for everything that is wrong."""
        lines = []
        for answers in self.contradictions:
            sides = [
                f"{status} by {', '.join(one.contender for one in answers if one.status == status)}"
                for status in dict.fromkeys(one.status for one in answers)
            ]
            lines.append(f"DISAGREEMENT on {answers[0].place}: {'; '.join(sides)}")
        lines += [
            f"WRONG FILL of {one.place} by {one.contender}: {one.detail}" for one in self.wrong
        ]
        lines += [
            f"UNEXPECTED ANSWER on {one.place}: {one.status} by {one.contender}, where the suite "
            f"expects {one.expected}"
            for one in self.unexpected
        ]
        return lines


def judge(records: Iterable[Record]) -> Verdict:
    """Hold the runs of each puzzle (by its hash) against each other."""
    puzzles: dict[str, list[Record]] = {}
    for record in records:
        puzzles.setdefault(record.puzzle, []).append(record)
    answers = {
        puzzle: tuple(one for one in runs if one.answered) for puzzle, runs in puzzles.items()
    }
    return Verdict(
        tuple(
            given for given in answers.values() if contradictory(record.status for record in given)
        ),
        tuple(one for runs in puzzles.values() for one in runs if one.status == WRONG),
        tuple(
            one
            for given in answers.values()
            for one in given
            if one.expected is not None
            and one.status != one.expected
            and not contradictory(record.status for record in given)
        ),
        tuple(puzzles[puzzle][0] for puzzle, given in answers.items() if not given),
        len(puzzles),
    )
