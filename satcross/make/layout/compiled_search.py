"""The local search for layouts in compiled code: the arrays that the kernel works on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.engine.kernel_loader import Kernel
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
_IMPROVED, _LOWEST = 13, 1  # places in the kernel's ``ints`` and ``floats``


def suits(words: Sequence[str]) -> bool:
    """Whether each letter of the words can have a number of one byte, from 1."""
    return len(set("".join(words))) < 256


class CompiledSearch:
    """The kernel's arrays for a list of words."""

    def __init__(self, kernel: Kernel, words: Sequence[str], seed: int, goal: Goal) -> None:
        self._improve, self._words, self._goal = kernel.improve_layout, words, goal
        number, letters = len(words), sum(map(len, words))
        # Room for four times the letters at a quarter of the density, and a word at each side.
        self._side = side = 4 * (isqrt(letters) + 1) + 2 * max(map(len, words)) + 4
        rows, columns = (min(side, limit) for limit in goal.box or (side, side))
        self._changes = _CHANGES_PER_ROUND * (1 + number // 10)
        code = {letter: k for k, letter in enumerate(sorted(set("".join(words))), 1)}
        starts = np.cumsum([0, *map(len, words)])
        values = [goal.values.get(word, 1.0) for word in words]
        costs = [np.inf, np.inf, UNPLACED_COST, CROSSING_VALUE, EDGE_WEIGHT, INSERTION_NOISE]

        def numbers(size: int, value: int = 0) -> NDArray[np.int32]:
            return np.full(size, value, dtype=np.int32)

        empty = 0, side, -1, side, -1, 0, 0
        self._ints = np.array(
            [number, side, rows, columns, goal.square, self._changes, 0, *empty], dtype=np.int64
        )
        self._floats = np.array([*costs, FIRST_THRESHOLD], dtype=np.float64)
        self._best_where, self._best_across = numbers(number, -1), numbers(number)
        self._arrays: list[NDArray[Any]] = [
            self._ints,
            self._floats,
            np.array([seed | 1], dtype=np.uint64),
            np.array([code[letter] for word in words for letter in word], dtype=np.uint8),
            starts.astype(np.int32),
            np.array(values, dtype=np.float64),
            *(numbers(number, -1), numbers(number), numbers(number, -1), numbers(number)),
            *(self._best_where, self._best_across),
            np.zeros(side * side, dtype=np.uint8),
            *(numbers(2 * side * side), numbers(side * side), numbers(side * side)),
            *(numbers(side), numbers(side)),
            numbers(number),
            np.zeros(number, dtype=np.float64),
            numbers(number),
        ]
        self._table = np.array(
            [size for array in self._arrays for size in (array.ctypes.data, len(array))],
            dtype=np.uint64,
        )

    def run(
        self, deadline: Deadline, rounds: int, on_layout: Callable[[Layout], None]
    ) -> list[str]:
        """Search for so many rounds; return the words that the best layout lacks."""
        amount = max(1, _WORK // len(self._words))
        for _ in range(0, rounds * self._changes, amount):
            if self._improve(self._table.ctypes.data, amount):
                self._ints[_IMPROVED] = 0
                if self._goal.box or not self._left_over():
                    on_layout(self._layout())
            if deadline.passed:
                break
        return self._left_over()

    def _left_over(self) -> list[str]:
        placed = self._best_where >= 0
        return [word for word, there in zip(self._words, placed, strict=True) if not there]

    def _layout(self) -> Layout:
        side = self._side
        return Layout.of(
            (word, (start // side, start % side, ACROSS if across else DOWN))
            for word, start, across in zip(
                self._words, self._best_where.tolist(), self._best_across, strict=True
            )
            if start >= 0
        )
