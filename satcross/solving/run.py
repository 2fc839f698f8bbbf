"""Asking a backend about a puzzle: what ``solve``, ``count``, ``best`` and ``several`` share."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic, TypeVar

from satcross.backends.base import Backend, Task
from satcross.backends.registry import OPTIONS
from satcross.errors import UnavailableError
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.outcome import Status
from satcross.puzzle import Puzzle
from satcross.rules import allowed_words, describe_left_out
from satcross.run_settings import (
    INTERRUPTED,
    STOPPED,
    TIME_LIMIT,
    Deadline,
    RunSettings,
    TimeUp,
    nearest,
)
from satcross.support.arguments import check_type
from satcross.support.frozen import frozen
from satcross.support.wording import first_few

MAKE_PUZZLE = "make one with Puzzle(grid, vocabulary)"
"""What to do about another type, in messages."""

B = TypeVar("B", bound=Backend)
R = TypeVar("R")


@frozen
class Timed(Generic[R]):
    """A result, and the seconds of wall-clock time that arc consistency and the backend took."""

    result: R
    arc_consistency: float
    backend: float

    def stages(self, stage: str, encode_seconds: float) -> dict[str, float]:
        """Seconds by stage: encoding, arc consistency included, and what the backend did then."""
        return {
            "encode": self.arc_consistency + encode_seconds,
            stage: self.backend - encode_seconds,
        }


def run(
    puzzle: Puzzle,
    settings: RunSettings,
    load: Callable[[], B],
    ask: Callable[[B, Task], R],
    make: Callable[[Status, str], R],
    prepare: Callable[[Puzzle, Deadline], Candidates] = arc_consistent,
) -> Timed[R]:
    """Load a backend, make the puzzle arc consistent, and ask the backend unless that decides it.

    ``prepare`` makes it so, with all words or, where these have a fill, some.
    ``make`` returns the result where the backend need not or could not answer: UNFILLABLE and the
    reason where arc consistency refutes the puzzle, FILLED for a grid without slots, UNKNOWN for an
    interruption (Ctrl-C) or a time limit which ``ask`` does not catch.

    Raises TypeError when ``puzzle`` is no Puzzle, and UnavailableError for an unknown option or
    what ``load`` does not find.
    """
    check_type(puzzle, Puzzle, "the puzzle", MAKE_PUZZLE)
    for name in settings.options:
        if name not in OPTIONS:
            raise UnavailableError(f"there is no option {name!r}; {nearest(name, list(OPTIONS))}")
    deadline = settings.deadline()
    started, ready = time.perf_counter(), None
    try:
        backend = load()
        started = time.perf_counter()  # the time of importing a library is not part of encoding
        candidates = prepare(puzzle, deadline)
        ready = time.perf_counter()
        if candidates.infeasible:
            result = make(Status.UNFILLABLE, explain_wipe_out(candidates))
        elif not puzzle.grid.slots:
            result = make(Status.FILLED, "")
        else:
            settings.on_partial(candidates.network.letters(candidates.root))
            result = ask(backend, _task(backend, candidates, deadline, settings))
    except KeyboardInterrupt:
        result = make(Status.UNKNOWN, INTERRUPTED)
    except TimeUp:
        result = make(Status.UNKNOWN, TIME_LIMIT)
    finished = time.perf_counter()
    if deadline.stopped:
        result = _stopped(result)
    ready = ready or finished
    return Timed(result, ready - started, finished - ready)


def _stopped(result: R) -> R:
    """Return a result with the reason that it was stopped, where it says that the time was up."""
    whole: Any = result
    answer: Any = getattr(whole, "answer", whole)
    if getattr(answer, "reason", "") != TIME_LIMIT:
        return result
    answer = replace(answer, reason=STOPPED)
    stopped: R = replace(whole, answer=answer) if hasattr(whole, "answer") else answer
    return stopped


def _task(
    backend: Backend, candidates: Candidates, deadline: Deadline, settings: RunSettings
) -> Task:
    alone = backend.capabilities.alone and not settings.workers
    return Task(
        candidates,
        deadline,
        settings.seed,
        1 if alone else settings.processors,
        settings.options,
        settings.on_progress,
        settings.on_partial,
    )


def explain_wipe_out(candidates: Candidates) -> str:
    """Return the reason why there is no fill, for candidates that are wiped out."""
    puzzle = candidates.network.puzzle
    if candidates.lacking:
        return f"there is no place for {first_few(candidates.lacking, 5)}"
    slot = puzzle.grid.slots[candidates.wiped_out[-1]]
    if len(candidates.wiped_out) > 1:
        return f"the crossings leave no word for {slot.name}"
    letters = [puzzle.fixed_letters.get(cell, "?") for cell in slot.cells]
    pattern = "" if set(letters) == {"?"} else f" like {''.join(letters)}"
    if not allowed_words(puzzle, puzzle.lexicon(slot.length), slot.name):
        if not puzzle.vocabulary.group(slot.length).words:
            return f"there is no word of {slot.length} letters for {slot.name}"
        return (
            f"there is no word of {slot.length} letters for {slot.name}, because of "
            f"{describe_left_out(puzzle, slot.length, slot.name)}"
        )
    return f"there is no word of {slot.length} letters{pattern} for {slot.name}"
