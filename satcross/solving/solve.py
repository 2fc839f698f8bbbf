"""``solve``: from a puzzle to a verified outcome, by any backend."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import replace

from satcross.backends.base import Answer, OnPartial, Task, ignore_partial
from satcross.backends.registry import get_backend
from satcross.deadline import INTERRUPTED, Deadline, OnProgress, ignore_progress
from satcross.errors import InternalError
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.solving.bug_report import write_report
from satcross.verify import verify

ARC_CONSISTENCY = "arc_consistency"
"""A stage that ``attempt`` times."""


def available_workers() -> int:
    """The number of processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def solve(
    puzzle: Puzzle,
    backend: str = "auto",
    *,
    time_limit: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    options: Mapping[str, str] | None = None,
    on_progress: OnProgress = ignore_progress,
    on_partial: OnPartial = ignore_partial,
) -> Outcome:
    """Fill the puzzle, or prove that it can't be filled.

    ``time_limit`` is in seconds of wall-clock time (None: no limit); ``workers`` the number of
    processes or threads for backends that use several (default: all processors); ``options`` are
    the backend's own; ``on_progress`` is called now and then with a line on what is being tried,
    and ``on_partial`` with the letters that stand just then, as far as the backend can tell.

    An interruption (Ctrl-C) gives an UNKNOWN outcome. Every fill has passed ``verify``. Raises
    UnavailableError for an unknown backend or a missing library, and InternalError when a backend
    returns a wrong fill.
    """
    outcome = attempt(
        puzzle,
        backend,
        time_limit=time_limit,
        seed=seed,
        workers=workers,
        options=options,
        on_progress=on_progress,
        on_partial=on_partial,
    )
    check(puzzle, outcome, {"time_limit": time_limit, "workers": workers, **(options or {})})
    seconds = dict(outcome.seconds)
    seconds["encode"] += seconds.pop(ARC_CONSISTENCY)
    return replace(outcome, seconds=seconds)


def attempt(
    puzzle: Puzzle,
    backend: str = "auto",
    *,
    time_limit: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    options: Mapping[str, str] | None = None,
    on_progress: OnProgress = ignore_progress,
    on_partial: OnPartial = ignore_partial,
) -> Outcome:
    """As ``solve``, for a caller who verifies the fill: here it has not been.

    ``seconds`` tells the time of arc consistency apart from that of encoding.
    """
    started = time.perf_counter()
    deadline = Deadline.after(time_limit)
    ready = None
    try:
        solver = get_backend(backend)
        started = time.perf_counter()  # what importing a library takes is no part of encoding
        candidates = arc_consistent(puzzle)
        ready = time.perf_counter()
        if candidates.infeasible:
            answer = Answer(Status.UNFILLABLE, None, explain_wipe_out(candidates))
        elif not puzzle.grid.slots:
            answer = Answer(Status.FILLED, ())
        else:
            on_partial(candidates.network.letters(candidates.root))
            processors = workers or available_workers()
            task = Task(
                candidates, deadline, seed, processors, options or {}, on_progress, on_partial
            )
            answer = solver.solve(task)
    except KeyboardInterrupt:
        answer = Answer(Status.UNKNOWN, None, INTERRUPTED)
    finished = time.perf_counter()
    ready = ready or finished
    return replace(
        as_outcome(puzzle, backend, answer, seed),
        seconds={
            ARC_CONSISTENCY: ready - started,
            "encode": answer.encode_seconds,
            "solve": finished - ready - answer.encode_seconds,
        },
    )


def as_outcome(puzzle: Puzzle, backend: str, answer: Answer, seed: int) -> Outcome:
    """A backend's answer as an outcome; nothing has been verified."""
    return Outcome(
        status=answer.status,
        backend=backend,
        fill=_name_words(puzzle, answer),
        reason=answer.reason,
        seed=seed,
        score=_total_score(puzzle, answer),
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
        as_outcome(puzzle, backend, Answer(Status.FILLED, words), seed),
        seconds=seconds or {},
        grid=puzzle.grid,
    )
    check(puzzle, outcome, {})
    return outcome


def _name_words(puzzle: Puzzle, answer: Answer) -> dict[str, str] | None:
    if answer.words is None:
        return None
    return {slot.name: word for slot, word in zip(puzzle.grid.slots, answer.words, strict=True)}


def _total_score(puzzle: Puzzle, answer: Answer) -> int | None:
    return None if answer.words is None else sum(map(puzzle.vocabulary.score, answer.words))


def explain_wipe_out(candidates: Candidates) -> str:
    """Why there is no fill, for candidates that are wiped out."""
    puzzle = candidates.network.puzzle
    if candidates.lacking:
        shown = ", ".join(candidates.lacking[:5])
        more = len(candidates.lacking) - 5
        return f"there is no place for {shown}" + (f" and {more} more" if more > 0 else "")
    slot = puzzle.grid.slots[candidates.wiped_out[-1]]
    if len(candidates.wiped_out) > 1:
        return f"the crossings leave no word for {slot.name}"
    letters = [puzzle.fixed_letters.get(cell, "?") for cell in slot.cells]
    pattern = "" if set(letters) == {"?"} else f" like {''.join(letters)}"
    if not puzzle.allowed(slot.length):
        if not puzzle.vocabulary.group(slot.length).words:
            return f"there is no word of {slot.length} letters for {slot.name}"
        return (
            f"the minimum score and the exclusions leave no word of {slot.length} letters "
            f"for {slot.name}"
        )
    return f"there is no word of {slot.length} letters{pattern} for {slot.name}"


def check(puzzle: Puzzle, outcome: Outcome, settings: Mapping[str, object]) -> None:
    """Verify the outcome's fill, if it has one. Raises InternalError when it is wrong."""
    if outcome.fill is None:
        return
    problems = verify(puzzle, outcome.fill)
    if problems:
        raise InternalError(
            f"backend {outcome.backend} returned a wrong fill (seed {outcome.seed}): {problems[0]}",
            write_report(puzzle, [outcome], {**settings, "problems": problems}),
        )
