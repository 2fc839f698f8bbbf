"""``solve``: from a puzzle to a verified outcome, by any backend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Unpack

from satcross.backends.base import Answer, Backend, Task
from satcross.backends.registry import get_backend
from satcross.errors import InternalError
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import ANY_FILL, Deadline, RunOptions, RunSettings
from satcross.solving.run import run
from satcross.verify import verify

AUTO = "auto"
ARC_CONSISTENCY = "arc_consistency"
"""A stage that ``attempt`` times."""


def solve(
    puzzle: Puzzle,
    backend: str = "auto",
    settings: RunSettings | None = None,
    **changes: Unpack[RunOptions],
) -> Outcome:
    """Fill the puzzle, or prove that it can't be filled.

    The keyword arguments are the fields of ``RunSettings``, and change those of ``settings``:
    ``solve(puzzle, "sat", time_limit=10)``. At the time limit or an interruption (Ctrl-C) the
    outcome is UNKNOWN. Every fill has passed ``verify``. Raises UnavailableError for an unknown
    backend or option and for a missing library, InternalError when a backend returns a wrong fill,
    TypeError for arguments of the wrong type or name, and ValueError for those out of range.

    From a list with scores, the backend ``auto`` looks for a fill among good words first, and
    ``Outcome.quality`` says what it settled for (``RunSettings.quality``).
    """
    settings = RunSettings.of(settings, changes)
    if wants_good_words(puzzle, backend, settings):
        outcome = _solve_well(puzzle, settings)
    else:
        outcome = attempt(puzzle, backend, settings)
    check(puzzle, outcome, settings)
    seconds = dict(outcome.seconds)
    seconds["encode"] += seconds.pop(ARC_CONSISTENCY)
    return replace(outcome, seconds=seconds)


def attempt(
    puzzle: Puzzle,
    backend: str = "auto",
    settings: RunSettings | None = None,
    **changes: Unpack[RunOptions],
) -> Outcome:
    """Solve without verifying the fill, for a caller who verifies it; else as ``solve``.

    ``seconds`` tells the time of arc consistency apart from that of encoding.
    """
    settings = RunSettings.of(settings, changes)
    return _attempt(puzzle, backend, settings, lambda solver, task: solver.solve(task))


def _attempt(
    puzzle: Puzzle,
    backend: str,
    settings: RunSettings,
    ask: Callable[[Backend, Task], Answer],
    prepare: Callable[[Puzzle, Deadline], Candidates] = arc_consistent,
) -> Outcome:
    timed = run(
        puzzle,
        settings,
        lambda: get_backend(backend),
        ask,
        lambda status, reason: Answer(status, () if status is Status.FILLED else None, reason),
        prepare,
    )
    answer = timed.result
    return replace(
        as_outcome(puzzle, backend, answer, settings.seed),
        seconds={
            ARC_CONSISTENCY: timed.arc_consistency,
            "encode": answer.encode_seconds,
            "solve": timed.backend - answer.encode_seconds,
        },
    )


def wants_good_words(puzzle: Puzzle, backend: str, settings: RunSettings) -> bool:
    """Whether fills are looked for among good words first."""
    if backend != AUTO or settings.quality == ANY_FILL:
        return False
    if not isinstance(puzzle, Puzzle):  # ``run`` says what is wrong with other types
        return False
    return puzzle.vocabulary.is_scored({slot.length for slot in puzzle.grid.slots})


def _solve_well(puzzle: Puzzle, settings: RunSettings) -> Outcome:
    """Solve by ``auto``, good words first; the outcome has its quality."""
    from satcross.solving.good_words import fill_with_good_words, first_candidates
    from satcross.solving.quality import Editor, judge

    editor = Editor.of(puzzle, settings)
    outcome = _attempt(
        puzzle,
        AUTO,
        settings,
        lambda solver, task: fill_with_good_words(solver, task, editor, puzzle),
        first_candidates,
    )
    if outcome.fill is None:
        return outcome
    return replace(outcome, quality=judge(puzzle, outcome.fill, settings.allow))


def as_outcome(puzzle: Puzzle, backend: str, answer: Answer, seed: int) -> Outcome:
    """A backend's answer as an outcome; nothing has been verified."""
    words, names = answer.words, [slot.name for slot in puzzle.grid.slots]
    return Outcome(
        status=answer.status,
        backend=backend,
        fill=None if words is None else dict(zip(names, words, strict=True)),
        reason=answer.reason,
        seed=seed,
        score=None if words is None else sum(map(puzzle.vocabulary.score, words)),
        stats=answer.stats,
        grid=puzzle.grid,
    )


def verified(
    puzzle: Puzzle,
    words: tuple[str, ...],
    backend: str,
    seed: int = 0,
    seconds: Mapping[str, float] | None = None,
) -> Outcome:
    """A backend's fill as an outcome. Raises InternalError when it is wrong."""
    outcome = replace(
        as_outcome(puzzle, backend, Answer(Status.FILLED, words), seed), seconds=seconds or {}
    )
    check(puzzle, outcome, RunSettings(seed=seed))
    return outcome


def check(puzzle: Puzzle, outcome: Outcome, settings: RunSettings) -> None:
    """Verify the outcome's fill, if it has one. Raises InternalError when it is wrong."""
    if outcome.fill is None:
        return
    problems = verify(puzzle, outcome.fill)
    if problems:
        from satcross.solving.bug_report import write_report

        raise InternalError(
            f"backend {outcome.backend} returned a wrong fill (seed {outcome.seed}): {problems[0]}",
            write_report(puzzle, [outcome], {**settings.to_data(), "problems": problems}),
        )
