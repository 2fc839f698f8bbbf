"""The smallest layout: first by search, then CP-SAT for smaller boxes until there is none.

A box of h rows and w columns stands for all boxes that fit into it, and for those turned. No layout
has an area below T when none fits the boxes of h rows and (T - 1) // h columns, for each h up to
the root of T - 1. These boxes are asked for with ever more work: those just below the best layout,
to improve it or to prove it smallest, and those half way up from what is proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from random import Random

from satcross.construct.layout.layout import Layout, check_layout, islands
from satcross.construct.layout.local_search import search
from satcross.construct.layout.packing import NoLayout, Packing
from satcross.deadline import INTERRUPTED, TIME_LIMIT, Deadline, OnProgress, ignore_progress
from satcross.errors import InternalError

_PROVABLE = 8
"""Up to so many words CP-SAT often proves the smallest box in seconds; measured on two lists."""
_SHORT_SEARCH = 6
_LONG_SEARCH = 100
"""Starts of the search, for so many words and for more."""
_SEARCH_SHARE = 0.75
"""The part of the time limit that the search gets at most before CP-SAT is asked."""
_FIRST_WORK = 1.0
_MOST_PLACES = 200_000
"""CP-SAT is not asked about boxes with more places for words: it needs minutes and gigabytes."""
_TOO_LARGE = "too many words for CP-SAT"

Box = tuple[int, int]


@dataclass(frozen=True, slots=True)
class LayoutResult:
    """What came of it.

    ``layout`` is the smallest found, or None. It is ``proved`` that none has an area below
    ``bound``; so when that is the layout's area, it is a smallest one. Without a layout,
    ``impossible`` says that there is none, which is proved, and ``reason`` why, in a sentence;
    ``left_over`` are words that found no place in the best try.
    """

    layout: Layout | None
    bound: int
    impossible: bool = False
    reason: str = ""
    left_over: tuple[str, ...] = ()

    @property
    def smallest(self) -> bool:
        """Whether it is proved that no layout has a smaller area."""
        return self.layout is not None and self.bound >= self.layout.area


def lay_out(
    words: Sequence[str],
    *,
    seed: int = 0,
    time_limit: float | None = None,
    on_progress: OnProgress = ignore_progress,
) -> LayoutResult:
    """Interlock the words, all different and of two letters or more, in the smallest box.

    ``time_limit`` is in seconds; without one it may take very long. Ctrl-C gives the best so far.
    Raises InternalError when a layout is wrong.
    """
    groups = islands(words)
    if len(groups) > 1:
        fewest, *_ = sorted(groups, key=len)
        return LayoutResult(None, 0, True, _apart(groups), tuple(fewest))
    return _Search(words, seed, time_limit, on_progress).run()


def _apart(groups: Sequence[Sequence[str]]) -> str:
    *small, _ = sorted(groups, key=len)
    shown = "; ".join(", ".join(group) for group in small[:5]) + (" ..." if len(small) > 5 else "")
    return f"no letter of {shown} is in any of the other words"


class _Search:
    def __init__(
        self, words: Sequence[str], seed: int, time_limit: float | None, on_progress: OnProgress
    ) -> None:
        self.words = tuple(words)
        self.longest = max(map(len, words))
        self.seed = seed
        self.time_limit = time_limit
        self.deadline = Deadline.after(time_limit)
        self.on_progress = on_progress
        self.best: Layout | None = None
        self.bound = max(self.longest, (sum(map(len, words)) + 1) // 2)
        self.empty: list[Box] = []
        """Boxes in which no layout fits, which is proved."""
        self.packings: dict[Box, Packing] = {}
        self.left_over: list[str] = []
        self.reason = TIME_LIMIT
        self.impossible = False

    def run(self) -> LayoutResult:
        try:
            self._search()
            if self.best is None:
                self._any()
            if self.best is not None:
                self._improve()
        except KeyboardInterrupt:
            self.reason = INTERRUPTED
        left_over = () if self.best is not None else tuple(self.left_over)
        return LayoutResult(self.best, self.bound, self.impossible, self.reason, left_over)

    def _found(self, layout: Layout) -> None:
        problems = check_layout(self.words, layout.rows)
        if problems:
            raise InternalError(f"a wrong layout: {problems[0]}", "\n".join(layout.rows))
        if self.best is None or layout.cost < self.best.cost:
            self.best = layout
            self.on_progress(self._progress())

    def _progress(self) -> str:
        if self.best is None:
            return "looking for a layout"
        best = self.best
        return f"{best.height}x{best.width} = {best.area} cells; none below {self.bound}"

    def _search(self) -> None:
        share = None if self.time_limit is None else self.time_limit * _SEARCH_SHARE
        self.left_over = search(
            self.words,
            Random(self.seed),
            Deadline.after(share),
            rounds=_SHORT_SEARCH if len(self.words) <= _PROVABLE else _LONG_SEARCH,
            found=self._found,
        )

    def _any(self) -> None:
        """Ask for any layout at all, where the search found none.

        A word adds at most its length less one to the height or the width of what it crosses.
        """
        half = 2 + sum(len(word) - 1 for word in self.words)
        boxes = [(height, half - height) for height in range(1, half // 2 + 1)]
        work = _FIRST_WORK
        while not self.deadline.passed and self.best is None:
            left = [box for box in boxes if not self._is_empty(box)]
            if left and not any(map(self._can_ask, left)):
                self.reason = _TOO_LARGE
                return
            if not left:
                self.impossible = True
                self.reason = "they share letters, but not so that all of them could interlock"
                return
            for box in left:
                if self._ask(box, work):
                    return
            work *= 2

    def _improve(self) -> None:
        work = _FIRST_WORK
        while self.best is not None and not self.deadline.passed:
            self._raise_bound()
            if self.bound >= self.best.area:
                self.reason = ""
                return
            if not any(map(self._can_ask, self._boxes(self.bound))):
                self.reason = _TOO_LARGE
                return
            for target in (self.best.area - 1, (self.bound + self.best.area - 1) // 2, self.bound):
                for box in self._boxes(min(target, self.best.area - 1)):
                    if not self._is_empty(box) and self._ask(box, work):
                        break
            work *= 2

    def _raise_bound(self) -> None:
        while (self.best is None or self.bound < self.best.area) and all(
            map(self._is_empty, self._boxes(self.bound))
        ):
            self.bound += 1

    def _boxes(self, area: int) -> list[Box]:
        """Boxes into which every layout of at most that area fits, perhaps turned."""
        every = [(height, area // height) for height in range(1, isqrt(area) + 1)]
        wide = [(height, width) for height, width in every if width >= self.longest]
        return [
            box for box in wide if not any(box != other and _fits(box, other) for other in wide)
        ]

    def _is_empty(self, box: Box) -> bool:
        return any(_fits(box, other) for other in self.empty)

    def _can_ask(self, box: Box) -> bool:
        return 2 * len(self.words) * box[0] * box[1] <= _MOST_PLACES

    def _ask(self, box: Box, work: float) -> bool:
        """Ask CP-SAT for a layout in the box; whether there was one."""
        if not self._can_ask(box):
            return False
        self.on_progress(self._progress() + f"; trying {box[0]}x{box[1]}")
        if box not in self.packings:
            self.packings[box] = Packing(self.words, *box, self.deadline)
        answer = self.packings[box].solve(work, self.deadline, self.seed)
        if answer is NoLayout.PROVED:
            self.empty = [other for other in self.empty if not _fits(other, box)] + [box]
            del self.packings[box]
        elif isinstance(answer, Layout):
            self._found(answer)
        return isinstance(answer, Layout)


def _fits(inner: Box, outer: Box) -> bool:
    return inner[0] <= outer[0] and inner[1] <= outer[1]
