"""The local search for layouts in compiled code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt

from satcross.engine.layout import Layouts
from satcross.grid import ACROSS, DOWN
from satcross.make.layout.goal import Goal
from satcross.make.layout.layout import Layout
from satcross.make.layout.search_weights import (
    CROSSING_VALUE,
    EDGE_WEIGHT,
    FIRST_THRESHOLD,
    INSERTION_NOISE,
    UNPLACED_COST,
)
from satcross.run_settings import Deadline

_CHANGES_PER_ROUND = 4_000
"""Changes per round for every ten words."""
_WORK = 4_000
"""Words times changes per call: some 20 ms."""


def suits(words: Sequence[str]) -> bool:
    """Whether each letter of the words can have a number of one byte, from 1."""
    return len(set("".join(words))) < 256


class CompiledSearch:
    """A search for layouts of a list of words."""

    def __init__(self, words: Sequence[str], seed: int, goal: Goal) -> None:
        self._words, self._goal = words, goal
        # Room for four times the letters at a quarter of the density, and a word at each side.
        letters = sum(map(len, words))
        self._side = side = 4 * (isqrt(letters) + 1) + 2 * max(map(len, words)) + 4
        rows, columns = (min(side, limit) for limit in goal.box or (side, side))
        self._changes = _CHANGES_PER_ROUND * (1 + len(words) // 10)
        code = {letter: k for k, letter in enumerate(sorted(set("".join(words))), 1)}
        settings = {
            "side": side,
            "rows": rows,
            "columns": columns,
            "aspect": goal.ratio,
            "changes": self._changes,
            "unplaced": UNPLACED_COST,
            "crossing_value": CROSSING_VALUE,
            "edge_weight": EDGE_WEIGHT,
            "noise": INSERTION_NOISE,
            "threshold": FIRST_THRESHOLD,
        }
        self._layouts = Layouts(
            [code[letter] for word in words for letter in word],
            [len(word) for word in words],
            [goal.values.get(word, 1.0) for word in words],
            settings,
            seed,
        )

    def run(
        self, deadline: Deadline, rounds: int, on_layout: Callable[[Layout], None]
    ) -> list[str]:
        """Search for so many rounds; return the words that the best layout lacks."""
        amount = max(1, _WORK // len(self._words))
        for _ in range(0, rounds * self._changes, amount):
            improved = self._layouts.improve(amount)
            if improved and (self._goal.box or not self._left_over()):
                on_layout(self._layout())
            if deadline.passed:
                break
        return self._left_over()

    def _left_over(self) -> list[str]:
        placed = zip(self._words, self._layouts.best(), strict=True)
        return [word for word, (start, _) in placed if start < 0]

    def _layout(self) -> Layout:
        side = self._side
        return Layout.of(
            (word, (start // side, start % side, ACROSS if across else DOWN))
            for word, (start, across) in zip(self._words, self._layouts.best(), strict=True)
            if start >= 0
        )
