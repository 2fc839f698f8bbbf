"""Several different fills of one puzzle, as they come or as different as can easily be had."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

from satcross.backends.base import Task
from satcross.backends.registry import get_counting_backend
from satcross.deadline import INTERRUPTED, Deadline, OnProgress, ignore_progress
from satcross.network.arc_consistency import arc_consistent
from satcross.outcome import FillList, Outcome
from satcross.puzzle import Puzzle
from satcross.solving.solve import available_workers, solve, verified

POOL = 500
"""Fills listed before different ones are chosen."""

_SHARES = (1.0, 0.5, 0.25, 0.1)
"""The parts of the words used so far that the next fill is to do without, in turn."""

Words = tuple[str, ...]


def several(
    puzzle: Puzzle,
    number: int,
    backend: str = "auto",
    *,
    diverse: bool = False,
    time_limit: float | None = None,
    seed: int = 0,
    workers: int | None = None,
    options: Mapping[str, str] | None = None,
    on_progress: OnProgress = ignore_progress,
) -> FillList:
    """Find ``number`` different fills, or all when there are fewer.

    As they come, they are often alike. With ``diverse`` they are chosen to share few words. When
    the puzzle has at most ``POOL`` fills, each is the one, of all, that shares the fewest words
    with the most similar one chosen before it (Gonzalez 1985). Otherwise each is a fill that does
    without the words used so far, or, where none is found in a time that depends on how long
    earlier ones took, without half of them, and so on; at last the least similar of ``POOL`` others
    that happen to be at hand. That they differ is certain, that no more different ones exist is
    not, and how long an attempt may take depends on the clock.

    The other arguments, and the errors, are those of ``solve`` and ``count``. At the time limit or
    an interruption the fills found so far are returned.
    """
    if number < 1:
        raise ValueError("ask for at least one fill")
    lister = get_counting_backend(backend)
    started = time.perf_counter()
    deadline = Deadline.after(time_limit)

    def finish(fills: Iterable[Words], complete: bool, reason: str) -> FillList:
        seconds = {"encode": 0.0, "solve": time.perf_counter() - started}
        outcomes = tuple(verified(puzzle, words, backend, seed, seconds) for words in fills)
        return FillList(outcomes, complete, reason)

    try:
        candidates = arc_consistent(puzzle)
        if candidates.infeasible:
            return finish((), True, "")
        if not puzzle.grid.slots:
            return finish([()], True, "")
        task = Task(
            candidates, deadline, seed, workers or available_workers(), options or {}, on_progress
        )
        listing = lister.several(task, max(number, POOL) if diverse else number)
    except KeyboardInterrupt:
        return finish((), False, INTERRUPTED)
    fills = listing.fills
    if not diverse or not fills:
        return finish(fills[:number], listing.complete, listing.reason)
    if listing.complete or listing.reason:
        complete = listing.complete and len(fills) <= number
        return finish(_spread(fills, number), complete, listing.reason)
    patience = max(1.0, 2 * (time.perf_counter() - started))

    def attempt(excluded: Iterable[str], attempt_seed: int) -> Outcome:
        narrower = replace(puzzle, excluded=puzzle.excluded.union(excluded))
        return solve(
            narrower,
            backend,
            time_limit=min(patience, deadline.left),
            seed=attempt_seed,
            workers=workers,
            options=options,
            on_progress=on_progress,
        )

    chosen = [fills[0]]
    random = Random(seed)
    try:
        while len(chosen) < number:
            on_progress(f"{len(chosen)} of {number} fills")
            used = _used(puzzle, chosen, random)
            words = None
            for share in _SHARES if used else ():
                if deadline.passed:
                    break
                outcome = attempt(used[: max(1, int(share * len(used)))], random.getrandbits(31))
                if outcome.reason == INTERRUPTED:
                    raise KeyboardInterrupt
                if outcome.fill is not None and tuple(outcome.fill.values()) not in chosen:
                    words = tuple(outcome.fill.values())
                    break
            chosen.append(words or _farthest(fills, chosen))
    except KeyboardInterrupt:
        return finish(chosen, False, INTERRUPTED)
    return finish(chosen, False, "")


def _used(puzzle: Puzzle, fills: Sequence[Words], random: Random) -> list[str]:
    """The words that the fills use, locked and theme words aside: the most used first."""
    times = Counter(word for words in fills for word in words)
    fixed = puzzle.theme.union(puzzle.fixed_words.values())
    words = sorted(word for word in times if word not in fixed)
    random.shuffle(words)
    return sorted(words, key=times.__getitem__, reverse=True)


def _farthest(fills: Sequence[Words], chosen: Sequence[Words]) -> Words:
    others = [words for words in fills if words not in chosen]
    return min(others, key=lambda words: _likeness(words, chosen))


def _likeness(words: Words, chosen: Sequence[Words]) -> int:
    """How many words a fill shares with the most similar of those chosen."""
    own = set(words)
    return max(len(own.intersection(other)) for other in chosen)


def _spread(fills: Sequence[Words], number: int) -> list[Words]:
    """From the first on, always the fill that shares the fewest with those chosen before."""
    chosen, left = [fills[0]], list(fills[1:])
    while left and len(chosen) < number:
        best = min(left, key=lambda words: _likeness(words, chosen))
        chosen.append(best)
        left.remove(best)
    return chosen
