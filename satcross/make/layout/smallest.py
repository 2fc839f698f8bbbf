"""Find the smallest layout: local search first, then CP-SAT for smaller boxes until it proves none.

A layout that fits no box of h rows and w columns fits no smaller or rotated box either. So no
layout has an area below T if none fits the boxes of h rows and (T - 1) // h columns, for each h up
to the square root of T - 1. CP-SAT gets these boxes with growing limits: the boxes just below the
best layout, to improve it or to prove it smallest, then boxes half way between the proven bound and
the best layout, then boxes at the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt
from typing import Unpack

from satcross.errors import InputError, InternalError
from satcross.make.layout.layout import (
    Box,
    Goal,
    Layout,
    LayoutResult,
    check_layout,
    letter_sharing_groups,
)
from satcross.make.layout.local_search import rounds_for, search_layouts
from satcross.make.layout.packing import NoLayout, Packing
from satcross.make.layout.pair_bound import PairBound
from satcross.run_settings import INTERRUPTED, TIME_LIMIT, Deadline, RunOptions, RunSettings

_SEARCH_SHARE = 0.75
"""Largest share of the time limit that local search gets before CP-SAT."""
_BOUND_SHARE = 0.1
"""Largest share of the time limit for the first bound."""
_FIRST_WORK = 1.0
"""CP-SAT's deterministic time for a box in the first pass; it doubles with each pass."""
_BOX_WORK = 60.0
"""CP-SAT's deterministic time for all words in a given box."""
_MAX_PLACEMENTS = 200_000
"""Maximum number of placements in a box for CP-SAT; larger models take minutes and gigabytes."""
_TOO_LARGE = "too many words for CP-SAT"


_SMALLEST = Goal()


def lay_out(
    words: Sequence[str],
    settings: RunSettings | None = None,
    *,
    goal: Goal = _SMALLEST,
    **changes: Unpack[RunOptions],
) -> LayoutResult:
    """Interlock distinct words of at least two letters as the goal says.

    In a box, the search ends when it holds all of the words; words that are too long for the box
    are left over. Without a time limit a proof may take hours. On Ctrl-C, or when ``should_stop``
    says so, the best layout so far is returned. Raises InputError when every word is too long for
    the box, and InternalError when a layout fails its check.
    """
    settings = RunSettings.of(settings, changes)
    if goal.box is not None:
        return _lay_out_in_box(words, goal, goal.box, settings)
    groups = sorted(letter_sharing_groups(words), key=len)
    if len(groups) > 1:
        isolated = [word for group in groups[:-1] for word in group]
        shown = ", ".join(isolated[:10]) + (" ..." if len(isolated) > 10 else "")
        share = "shares" if len(isolated) == 1 else "share"
        reason = f"{shown} {share} no letter with any other word"
        return LayoutResult(None, 0, True, reason, tuple(groups[0]))
    return _LayoutSearch(words, goal, settings).run()


def _lay_out_in_box(
    words: Sequence[str], goal: Goal, box: Box, settings: RunSettings
) -> LayoutResult:
    """Local search for a layout of most words, then CP-SAT for one of all words."""
    deadline = settings.deadline()
    fitting = [word for word in words if len(word) <= max(box)]
    if not fitting:
        raise InputError(f"every word is too long for {box[0]}x{box[1]}", "use a larger box")
    best: list[Layout] = []

    def keep(layout: Layout) -> None:
        best[:] = [checked([word for word, _ in layout.placements], layout)]
        settings.on_progress(f"{len(layout.placements)} of {len(words)} words placed")

    def is_over() -> bool:
        return deadline.stopped or (bool(best) and len(best[0].placements) == len(words))

    reason, impossible = TIME_LIMIT, len(fitting) < len(words)
    try:
        limit = Deadline(deadline.share(_SEARCH_SHARE).at, is_over)
        rounds = rounds_for(words)
        search_layouts(fitting, settings.seed, limit, on_layout=keep, goal=goal, rounds=rounds)
        if not impossible and not is_over() and _is_tractable(words, box):
            answer = Packing(words, *box, deadline).solve(_BOX_WORK, deadline, 0)
            impossible = answer is NoLayout.PROVED
            if isinstance(answer, Layout):
                keep(answer)
    except KeyboardInterrupt:
        reason = INTERRUPTED
    layout = best[0] if best else None
    placed = {word for word, _ in layout.placements} if layout else set()
    left_over = tuple(word for word in words if word not in placed)
    reason = reason if left_over else ""
    return LayoutResult(layout, max(map(len, words)), impossible, reason, left_over, box)


def _is_tractable(words: Sequence[str], box: Box) -> bool:
    return 2 * len(words) * box[0] * box[1] <= _MAX_PLACEMENTS


def checked(words: Sequence[str], layout: Layout) -> Layout:
    """Return the layout. Raises InternalError when it fails its check."""
    problems = check_layout(words, layout.rows)
    if problems:
        raise InternalError(f"invalid layout: {problems[0]}", "\n".join(layout.rows))
    return layout


class _LayoutSearch:
    """State of one search: the best layout, the bound, and the boxes that are proved too small."""

    def __init__(self, words: Sequence[str], goal: Goal, settings: RunSettings) -> None:
        self.words = tuple(words)
        self.goal, self.seed = goal, settings.seed
        self.longest = max(map(len, words))
        self.deadline = deadline = settings.deadline()
        self.on_progress = settings.on_progress
        self.best: Layout | None = None
        area = max(self.longest, (sum(map(len, words)) + 1) // 2)
        self.bound = max(area, self.longest**2) if goal.square else area
        self.pair_bound = PairBound(words, deadline.share(_BOUND_SHARE))
        self.refuted: list[Box] = []
        """Maximal boxes that are proved to fit no layout."""
        self.packings: dict[Box, Packing] = {}
        self.left_over: list[str] = []
        self.reason = TIME_LIMIT
        self.impossible = False

    def run(self) -> LayoutResult:
        self._raise_bound()
        try:
            limit = self.deadline.share(_SEARCH_SHARE)
            self.left_over = search_layouts(
                self.words, self.seed, limit, on_layout=self._found, goal=self.goal
            )
            if self.best is None:
                self._find_any()
            if self.best is not None:
                self._improve()
        except KeyboardInterrupt:
            self.reason = INTERRUPTED
        left_over = () if self.best is not None else tuple(self.left_over)
        found = self.best, self.bound, self.impossible, self.reason, left_over
        return LayoutResult(*found, square=self.goal.square)

    def _found(self, layout: Layout) -> None:
        checked(self.words, layout)
        if self.best is None or self._cost(layout) < self._cost(self.best):
            self.best = layout
            self.on_progress(self._progress())

    def _cost(self, layout: Layout) -> tuple[int, ...]:
        """Sort key of layouts, best first."""
        return layout.cells(square=self.goal.square), *layout.cost

    def _progress(self) -> str:
        if self.best is None:
            return "searching for a layout"
        best = self.best
        return f"{best.height}x{best.width} = {best.area} cells; lower bound {self.bound}"

    def _find_any(self) -> None:
        """Search for any layout with CP-SAT, where local search found none.

        Each word adds at most its length less one to the height or the width, which limits the
        boxes to try.
        """
        half = 2 + sum(len(word) - 1 for word in self.words)
        boxes = [(height, half - height) for height in range(1, half // 2 + 1)]
        work = _FIRST_WORK
        while not self.deadline.passed and self.best is None:
            open_boxes = [box for box in boxes if not self._is_refuted(box)]
            if open_boxes and not any(_is_tractable(self.words, box) for box in open_boxes):
                self.reason = _TOO_LARGE
                return
            if not open_boxes:
                self.impossible = True
                self.reason = "the words share letters, but can't all interlock"
                return
            for box in open_boxes:
                if self._try_box(box, work):
                    return
            work *= 2

    def _improve(self) -> None:
        work = _FIRST_WORK
        while self.best is not None and not self.deadline.passed:
            self._raise_bound()
            best = self.best.cells(square=self.goal.square)
            if self.bound >= best:
                self.reason = ""
                return
            if not any(_is_tractable(self.words, box) for box in self._boxes(self.bound)):
                self.reason = _TOO_LARGE
                return
            for target in (best - 1, (self.bound + best - 1) // 2, self.bound):
                best = self.best.cells(square=self.goal.square)
                for box in self._boxes(min(target, best - 1)):
                    if not self._is_refuted(box) and self._try_box(box, work):
                        break
            work *= 2

    def _raise_bound(self) -> None:
        limit = float("inf") if self.best is None else self.best.cells(square=self.goal.square)
        while self.bound < limit and all(map(self._is_refuted, self._boxes(self.bound))):
            self.bound += 1

    def _boxes(self, area: int) -> list[Box]:
        """Return boxes such that every layout of at most that area fits one, perhaps transposed."""
        if self.goal.square:
            return [(isqrt(area), isqrt(area))]
        every = [(height, area // height) for height in range(1, isqrt(area) + 1)]
        wide = [(height, width) for height, width in every if width >= self.longest]
        return [box for box in wide if not any(_fits(box, other) for other in wide if other != box)]

    def _is_refuted(self, box: Box) -> bool:
        return self.pair_bound.refutes(*box) or any(_fits(box, other) for other in self.refuted)

    def _try_box(self, box: Box, work: float) -> bool:
        """Search the box with CP-SAT; return whether it found a layout."""
        if not _is_tractable(self.words, box):
            return False
        self.on_progress(self._progress() + f"; trying {box[0]}x{box[1]}")
        if box not in self.packings:
            self.packings[box] = Packing(self.words, *box, self.deadline)
        answer = self.packings[box].solve(work, self.deadline, self.seed)
        if answer is NoLayout.PROVED:
            self.refuted = [other for other in self.refuted if not _fits(other, box)] + [box]
            del self.packings[box]
        elif isinstance(answer, Layout):
            self._found(answer)
        return isinstance(answer, Layout)


def _fits(inner: Box, outer: Box) -> bool:
    return inner[0] <= outer[0] and inner[1] <= outer[1]


_ASPECTS = (1.0, 0.75, 1.35, 0.55, 1.8)
"""Width by height of the boxes in which layouts are sought."""
_SHARE = 0.5
"""Share of the time for the smallest layout, which may suit the page as it is."""


def lay_out_for_page(
    words: Sequence[str], settings: RunSettings, *, cell_of: Callable[[Layout], float]
) -> LayoutResult:
    """Return the layout that is printed largest.

    ``cell_of`` returns the size of a cell on the page of a layout. Of layouts that are printed
    alike, the one of the smallest area is taken. The smallest layout is sought first, and some of
    other shapes then.
    """
    deadline, limit = settings.deadline(), settings.time_limit
    result = lay_out(words, settings, time_limit=limit and limit * _SHARE)
    if result.layout is None:
        return result
    found = [result.layout]
    reason = result.reason or TIME_LIMIT
    try:
        for number, aspect in enumerate(_ASPECTS):
            settings.on_progress(f"looking for a layout {aspect:g} times as wide as high")
            search_layouts(
                words,
                settings.seed,
                deadline.share(1 / (len(_ASPECTS) - number)),
                on_layout=lambda layout: found.append(checked(words, layout)),
                goal=Goal(aspect=aspect),
            )
    except KeyboardInterrupt:
        reason = INTERRUPTED

    def rank(layout: Layout) -> tuple[float, int]:
        return -cell_of(layout), layout.area

    best = min(found, key=rank)
    return result if best is result.layout else LayoutResult(best, result.bound, reason=reason)
