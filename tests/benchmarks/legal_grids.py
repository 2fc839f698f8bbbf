"""Count the legal crossword grids of each size exactly, and the most words that one can have.

The numbers are those of OEIS A323838, A323839 and A243826.

A legal grid is a square of blocked and open cells that is symmetric under a half turn, in which all
open cells are connected and every run of open cells, across and down, has three or more. The first
sequence counts all of them, the second those without a blocked row or column at the edge.

The rows of the upper half are added one by one. What matters of the rows above is, for each column,
how long the open run at its end is (0, 1, 2, or more), and which runs of the last row are connected
by the rows above; grids that agree in this are counted together, with the most words of any. The
lower half is the upper one turned, so that the middle row decides whether everything is connected.

    python tests/benchmarks/legal_grids.py 15

prints the three numbers for each odd size up to 15, with the CPU time, and fails if they are not
those of the sequences. It needs numba (``pip install numba``).
"""

from __future__ import annotations

import sys
import time
from itertools import product

import numpy as np
from numba import njit
from numpy.typing import NDArray

KNOWN = {
    3: (1, 1),
    5: (15, 12),
    7: (397, 312),
    9: (35324, 31187),
    11: (18446134, 17438702),
    13: (41752489852, 40575832476),
    15: (409764131469787, 404139015237875),
}
"""Size -> numbers of grids, as the sequences give them."""

MOST_WORDS = {9: 32, 11: 50, 13: 72, 15: 96}
"""Size -> most words, as A243826 gives them."""

RUNS = 4
"""Most runs of three or more open cells in a row of up to 18 cells."""

GROUPINGS = [
    groups
    for groups in product(range(RUNS), repeat=RUNS)
    if all(group <= max(groups[:at], default=-1) + 1 for at, group in enumerate(groups))
]
"""The ways in which the runs of a row can be connected: a number for each run; 0 past the last."""

NUMBER = {groups: number for number, groups in enumerate(GROUPINGS)}

Array = NDArray[np.int64]


def runs(row: int) -> list[int]:
    """Return the runs of open cells of a row, each as a bitset of columns."""
    found = []
    while row:
        first = row & -row
        run = row & ~(row + first)
        found.append(run)
        row ^= run
    return found


def legal_rows(size: int) -> list[int]:
    """Return the rows in which every open run is long enough, as bitsets of open columns."""
    return [row for row in range(1 << size) if all(run.bit_count() >= 3 for run in runs(row))]


def grouping_below(above: list[int], groups: tuple[int, ...], below: list[int]) -> int:
    """Return the number of the grouping of the runs of a row, given that of the row above.

    It is -1 if a group of runs above ends there, so that the grid can't be connected.
    """
    merged = [[run] for run in below]
    for group in set(groups[: len(above)]):
        cells = sum(run for run, other in zip(above, groups, strict=False) if other == group)
        touched = [part for part in merged if any(run & cells for run in part)]
        if not touched:
            return -1
        merged = [part for part in merged if part not in touched] + [
            [run for part in touched for run in part]
        ]
    order = sorted(merged, key=min)
    found = [next(n for n, part in enumerate(order) if run in part) for run in below]
    return NUMBER[*found, *[0] * (RUNS - len(found))]


def is_whole(groups: tuple[int, ...], number: int) -> bool:
    """Whether a grouping of the runs of the middle row, with its mirror image, connects all."""
    reached, pending = set(), [0] if number else []
    while pending:
        run = pending.pop()
        if run not in reached:
            reached.add(run)
            pending += [
                other
                for other in range(number)
                if groups[other] == groups[run]
                or groups[number - 1 - other] == groups[number - 1 - run]
            ]
    return len(reached) == number > 0


class Rows:
    """The legal rows of a size, and tables of what one of them does below another."""

    def __init__(self, size: int) -> None:
        rows = legal_rows(size)
        self.size = size
        self.rows: Array = np.array(rows)
        self.index = np.zeros(1 << size, np.int16)
        self.index[self.rows] = range(len(rows))
        self.reverse: Array = np.array(
            [int(f"{row:0{size}b}"[::-1], 2) for row in range(1 << size)]
        )
        self.bits: Array = np.array([row.bit_count() for row in range(1 << size)])
        self.words: Array = np.array([len(runs(row)) for row in range(1 << size)])
        fitting = [self.rows[(self.rows & opened) == opened] for opened in range(1 << size)]
        self.fitting: Array = np.concatenate(fitting)
        self.first: Array = np.cumsum([0, *map(len, fitting)])
        parts = list(map(runs, rows))
        self.below = np.full((len(rows), len(GROUPINGS), len(rows)), -1, np.int8)
        for at, above in enumerate(parts):
            for number, groups in enumerate(GROUPINGS):
                if not any(groups[len(above) :]):
                    self.below[at, number] = [grouping_below(above, groups, one) for one in parts]
        self.middles: Array = np.array([row for row in rows if row == self.reverse[row]])
        self.whole = np.array(
            [[is_whole(groups, number) for groups in GROUPINGS] for number in range(RUNS + 1)]
        )


@njit
def extend(states, tables, size, room):  # type: ignore[no-untyped-def]
    """Return the states below a further row; of ``room`` places, too many may turn out to be full.

    A state is a number: the columns whose open run has one cell or more, two or more, three or
    more, and the grouping. The first array has the states (-1: none), by hashing; the others
    have the number of ways to reach each, and the most words that begin in its rows.
    """
    index, first, fitting, below, bits, words_of = tables
    keys, ways, words = (
        np.full(room, -1, np.int64),
        np.zeros(room, np.int64),
        np.zeros(room, np.int64),
    )
    full = (1 << size) - 1
    used = 0
    for at in range(states[0].size):
        state = states[0][at]
        if state < 0:
            continue
        one, two, three = state & full, state >> size & full, state >> 2 * size & full
        begun = one & ~three
        for row in fitting[first[begun] : first[begun + 1]]:
            grouping = np.int64(below[index[one], state >> 3 * size, index[row]])
            if grouping < 0:
                continue
            key = row | (row & one) << size | (row & two) << 2 * size | grouping << 3 * size
            place = (key * 7046029254386353131 >> 24) & room - 1
            while keys[place] >= 0 and keys[place] != key:
                place = place + 1 & room - 1
            used += keys[place] < 0
            if 4 * used > 3 * room:
                return keys, ways, words, False
            keys[place] = key
            ways[place] += states[1][at]
            words[place] = max(words[place], states[2][at] + words_of[row] + bits[row & ~one])
    return keys, ways, words, True


@njit
def close(states, tables, size):  # type: ignore[no-untyped-def]
    """Return how many grids the states make with a middle row, and the most words of one.

    A half turn maps the grid to itself, so the lower half has as many words as the upper half: the
    number of words is twice that of the upper half, plus the words across in the middle row. A
    word down that crosses the middle row would count twice, and a word down within the middle row
    not at all; both are corrected.
    """
    index, below, bits, words_of, reverse, middles, whole = tables
    full = (1 << size) - 1
    grids = most = 0
    for at in range(states[0].size):
        state = states[0][at]
        if state < 0:
            continue
        one, two, three = state & full, state >> size & full, state >> 2 * size & full
        turned = reverse[one]
        long = two | reverse[two] | one & turned
        for middle in middles:
            if one & ~three & ~middle or middle & ~long:
                continue
            grouping = below[index[one], state >> 3 * size, index[middle]]
            if grouping >= 0 and whole[words_of[middle], grouping]:
                grids += states[1][at]
                passing = bits[middle] - bits[middle & one] - bits[middle & turned]
                most = max(most, 2 * states[2][at] + words_of[middle] + passing)
    return grids, most


def count(size: int) -> tuple[int, int, int]:
    """Return the number of legal squares, that with two rows less, and the most words of a square.

    The rows of the second number have the same size: it counts rectangles.
    """
    rows = Rows(size)
    states = np.zeros(1, np.int64), np.ones(1, np.int64), np.zeros(1, np.int64)
    found = [(0, 0)]
    for _ in range(size // 2):
        room, enough = 1 << 16, False
        while not enough:
            *new, enough = extend(
                states,
                (rows.index, rows.first, rows.fitting, rows.below, rows.bits, rows.words),
                size,
                room,
            )
            room *= 4
        states = tuple(new)
        tables = rows.index, rows.below, rows.bits, rows.words
        found.append(close(states, (*tables, rows.reverse, rows.middles, rows.whole), size))
    return found[-1][0], found[-2][0], found[-1][1]


def main() -> int:
    """Count the grids of each size up to the one that is named; 7 without one."""
    before = 0
    for size in range(3, int(sys.argv[1] if len(sys.argv) > 1 else 7) + 1, 2):
        start = time.process_time()
        grids, lower, most = count(size)
        # A grid with a blocked first row is one with two rows less; both may be blocked, too.
        found = grids, grids - 2 * lower + before
        before = grids
        seconds = time.process_time() - start
        print(
            f"{size:2d}  {found[0]:>19,}  {found[1]:>19,}  {most:3}  {seconds:8.2f} s", flush=True
        )
        if found != KNOWN.get(size, found) or most != MOST_WORDS.get(size, most):
            print(f"the sequences have {KNOWN[size]} and {MOST_WORDS.get(size)}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
