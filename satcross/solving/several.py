"""``several``: different fills of one puzzle, in the order found or chosen to be dissimilar."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from random import Random
from typing import Unpack

from satcross.backends.base import CountingBackend, Listing, Task
from satcross.backends.registry import get_counting_backend
from satcross.network.arc_consistency import arc_consistent
from satcross.outcome import FillList, Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import (
    INTERRUPTED,
    TIME_LIMIT,
    RunOptions,
    RunSettings,
    TimeUp,
    complete,
)
from satcross.solving.good_words import fill_with_good_words, floors_of
from satcross.solving.quality import Editor, judge
from satcross.solving.run import run
from satcross.solving.solve import solve, verified, wants_good_words
from satcross.support.arguments import check_type

POOL = 500
"""Fills listed before different ones are chosen."""

_GOOD_SECONDS = 5.0
"""Time for listing the fills above a floor, and least time for a dissimilar fill of good words."""

_SHARES = (1.0, 0.5, 0.25, 0.1)
"""The parts of the words used so far that the next fill is to do without, in turn."""

Words = tuple[str, ...]


def several(
    puzzle: Puzzle,
    number: int,
    backend: str = "auto",
    settings: RunSettings | None = None,
    *,
    diverse: bool = False,
    **changes: Unpack[RunOptions],
) -> FillList:
    """Find ``number`` different fills, or all when there are fewer.

    From a list with scores, by the backend ``auto``, the first is the fill of ``solve``, and the
    next ones are those of the next seeds; when a seed gives one again, others are listed, those of
    good words first (``RunSettings.quality``). Otherwise they are listed as they come, and are
    often alike.

    With ``diverse`` they are chosen to share few words. When the puzzle has at most ``POOL`` fills,
    each is the one, of all, that shares the fewest words with the most similar one chosen before it
    (Gonzalez 1985). Otherwise each is a fill that does without the words used so far, or, where
    none is found in a time that depends on how long earlier ones took, without half of them, and so
    on; at last the least similar of the ``POOL`` fills listed first. That they differ is certain,
    that no fills differ more is not, and how long an attempt may take depends on the clock.

    At the time limit or an interruption the fills found so far are returned. The other arguments
    and the errors are those of ``solve`` and ``count``; raises ValueError, too, when ``number`` is
    not positive.
    """
    check_type(number, int, "the number of fills", "give a whole number")
    if number < 1:
        raise ValueError("ask for at least one fill")
    settings = RunSettings.of(settings, changes)
    started = time.perf_counter()
    good = wants_good_words(puzzle, backend, settings)
    editor = Editor.of(puzzle, settings) if good else None

    def search(lister: CountingBackend, task: Task) -> Listing:
        wanted = max(number, POOL) if diverse else number
        listings = chain(
            _good_fills(lister, task, number, editor, diverse) if good else (),
            (lister.several(task, wanted) for _ in range(1)),
        )
        listing = _joined(listings, wanted)
        if not diverse or not listing.fills:
            return replace(listing, fills=listing.fills[:number])
        if listing.complete or listing.reason:
            complete = listing.complete and len(listing.fills) <= number
            return Listing(tuple(_spread(listing.fills, number)), complete, listing.reason)
        patience = max(_GOOD_SECONDS if good else 1.0, 2 * (time.perf_counter() - started))
        return _dissimilar(task, listing.fills, number, backend, settings, patience)

    timed = run(
        puzzle,
        settings,
        lambda: get_counting_backend(backend),
        search,
        lambda status, reason: Listing(
            ((),) if status is Status.FILLED else (),
            status is not Status.UNKNOWN,
            reason if status is Status.UNKNOWN else "",
        ),
    )
    listing = timed.result
    seconds = {"encode": 0.0, "solve": timed.arc_consistency + timed.backend}

    def outcome(words: Words) -> Outcome:
        found = verified(puzzle, words, backend, settings.seed, seconds)
        quality = judge(puzzle, found.fill or {}, settings.allow) if good else None
        return replace(found, quality=quality)

    outcomes = complete(lambda: tuple(map(outcome, listing.fills)))
    return FillList(outcomes, listing.complete, listing.reason)


def _joined(listings: Iterable[Listing], number: int) -> Listing:
    """Join listings until they have ``number`` fills, or there are no others."""
    fills, complete, reason = dict[Words, None](), False, ""
    try:
        for listing in listings:
            fills.update(dict.fromkeys(listing.fills))
            complete, reason = listing.complete, listing.reason
            if complete or reason or len(fills) >= number:
                break
    except TimeUp:
        reason = TIME_LIMIT
    except KeyboardInterrupt:
        reason = INTERRUPTED
    return Listing(tuple(fills), complete, reason)


def _good_fills(
    lister: CountingBackend, task: Task, number: int, editor: Editor | None, diverse: bool
) -> Iterator[Listing]:
    """Yield the fill of ``solve``; unless fills are to be ``diverse``, more fills of good words.

    The seeds come one after the other until a fill comes again. Then the floors up to that of the
    first fill are listed, highest first.
    """
    puzzle, found = task.candidates.network.puzzle, list[Words]()
    for seed in range(task.seed, task.seed + (1 if diverse else number)):
        task.on_progress(f"{len(found)} of {number} fills")
        answer = fill_with_good_words(lister, replace(task, seed=seed), editor)
        if answer.words is None:
            unfillable = answer.status is Status.UNFILLABLE
            yield Listing((), unfillable, "" if unfillable else answer.reason)
            return
        yield Listing((answer.words,), False, answer.reason)
        if answer.words in found:
            break
        found.append(answer.words)
    lowest = min(map(puzzle.vocabulary.score, found[0]))
    for floor in () if diverse else floors_of(puzzle):
        if floor <= lowest:
            deadline = task.deadline.within(_GOOD_SECONDS)
            candidates = arc_consistent(replace(puzzle, min_score=floor), task.deadline)
            listing = lister.several(
                replace(task, candidates=candidates, deadline=deadline), number
            )
            reason = INTERRUPTED if listing.reason == INTERRUPTED else ""
            yield Listing(listing.fills, False, reason)


def _dissimilar(
    task: Task,
    fills: Sequence[Words],
    number: int,
    backend: str,
    settings: RunSettings,
    patience: float,
) -> Listing:
    """Return ``number`` fills: the first of ``fills``, and others that avoid the words used so far.

    ``patience``: the seconds that an attempt may take.
    """
    puzzle = task.candidates.network.puzzle
    pool, random = _Pool(fills), Random(settings.seed)
    chosen = pool.chosen
    try:
        while len(chosen) < number:
            settings.on_progress(f"{len(chosen)} of {number} fills")
            used = _used(puzzle, chosen, random)
            words = None
            for share in _SHARES if used else ():
                if task.deadline.passed:
                    break
                excluded = puzzle.excluded.union(used[: max(1, int(share * len(used)))])
                outcome = solve(
                    replace(puzzle, excluded=excluded),
                    backend,
                    settings,
                    time_limit=min(patience, task.deadline.left),
                    seed=random.getrandbits(31),
                )
                if outcome.reason == INTERRUPTED:
                    raise KeyboardInterrupt
                if outcome.fill is not None and tuple(outcome.fill.values()) not in chosen:
                    words = tuple(outcome.fill.values())
                    break
            pool.choose(words or pool.farthest())
    except KeyboardInterrupt:
        return Listing(tuple(chosen), False, INTERRUPTED)
    return Listing(tuple(chosen), False)


def _used(puzzle: Puzzle, fills: Sequence[Words], random: Random) -> list[str]:
    """The words that the fills use, locked and theme words aside: the most used first."""
    times = Counter(word for words in fills for word in words)
    fixed = puzzle.theme.union(puzzle.fixed_words.values())
    words = sorted(word for word in times if word not in fixed)
    random.shuffle(words)
    return sorted(words, key=times.__getitem__, reverse=True)


class _Pool:
    """Fills to choose from, how many words each shares with the most similar one chosen, and those.

    The first one is chosen.
    """

    def __init__(self, fills: Sequence[Words]) -> None:
        self._likeness = dict.fromkeys(fills, 0)
        self.chosen: list[Words] = []
        self.choose(fills[0])

    def choose(self, chosen: Words) -> None:
        """Record that a fill, of the pool or not, has been chosen."""
        self.chosen.append(chosen)
        self._likeness.pop(chosen, None)
        own = set(chosen)
        for words, likeness in self._likeness.items():
            self._likeness[words] = max(likeness, len(own.intersection(words)))

    def farthest(self) -> Words:
        """Return the fill that shares the fewest words with those chosen; of equals the first."""
        return min(self._likeness, key=self._likeness.__getitem__)


def _spread(fills: Sequence[Words], number: int) -> list[Words]:
    """Choose the first fill, then always the one that shares the fewest words with those chosen."""
    pool = _Pool(fills)
    while len(pool.chosen) < min(number, len(fills)):
        pool.choose(pool.farthest())
    return pool.chosen
