"""Patterns of any size, made from a seed: newspaper-like ones and lattices.

    python tests/benchmarks/patterns.py 15 --slots 66 --seed 1 > data/grids/15x15-66.txt

A newspaper-like pattern is the same after half a turn, connected, without a slot of one or two
letters; every open cell is in an across and a down slot. A lattice has every second row and column
open, cut into slots of at most ``--longest`` letters.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

SHORTEST = 3


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("size", type=int)
    parser.add_argument("--slots", type=int, help="how many; without it, a lattice is made")
    parser.add_argument("--longest", type=int, default=15, help="letters of the longest slot")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if options.slots is None:
        rows = lattice(options.size, options.longest)
    else:
        rows = newspaper(options.size, options.slots, options.longest, options.seed)
    print("\n".join(rows))


def newspaper(size: int, slots: int, longest: int, seed: int) -> list[str]:
    """A newspaper-like square with exactly that many slots.

    Blocked cells are put, two at a time, into a slot that is among the longest, wherever they leave
    no short slot, until the number is right; a pattern that fails is thrown away.
    """
    rng = random.Random(seed)
    while True:
        rows = [["_"] * size for _ in range(size)]
        while (number := len(lengths(rows))) < slots:
            if not _block_one(rows, rng):
                break
        if number == slots and max(lengths(rows)) <= longest and _connected(rows):
            return ["".join(row) for row in rows]


def lattice(size: int, longest: int) -> list[str]:
    """Every second row and column open; each cut, at a cell without crossing, after ``longest``."""
    step = longest // 2 * 2 + 2
    rows = [
        ["#" if row % 2 and column % 2 else "_" for column in range(size)] for row in range(size)
    ]
    for line in range(0, size, 2):
        # Cuts are shifted from line to line, so that the whole stays connected.
        for cut in range(line // 2 * 4 % step + 1, size, step):
            rows[line][cut] = rows[cut][line] = "#"
    return ["".join(row) for row in rows]


def lengths(rows: list[list[str]]) -> list[int]:
    """The lengths of all runs of open cells, across and down, single cells too."""
    lines = [*rows, *zip(*rows, strict=True)]
    return [len(run) for line in lines for run in "".join(line).split("#") if run]


def _block_one(rows: list[list[str]], rng: random.Random) -> bool:
    size = len(rows)
    places = [(row, column) for row in range(size) for column in range(size)]
    rng.shuffle(places)
    places.sort(key=lambda place: -max(_around(rows, *place), default=0) // 3)
    for row, column in places:
        if rows[row][column] == "#":
            continue
        pair = {(row, column), (size - 1 - row, size - 1 - column)}
        for r, c in pair:
            rows[r][c] = "#"
        if all(length >= SHORTEST for r, c in pair for length in _around(rows, r, c)):
            return True
        for r, c in pair:
            rows[r][c] = "_"
    return False


def _around(rows: list[list[str]], row: int, column: int) -> Iterator[int]:
    """Lengths of the runs that cross the cell or, if it is blocked, end at it."""
    across = "".join(rows[row])
    down = "".join(line[column] for line in rows)
    for line, place in ((across, column), (down, row)):
        before = len(line[:place].rpartition("#")[2])
        after = len(line[place + 1 :].partition("#")[0])
        if line[place] == "#":
            yield from (length for length in (before, after) if length)
        else:
            yield before + 1 + after


def _connected(rows: list[list[str]]) -> bool:
    size = len(rows)
    cells = {(r, c) for r in range(size) for c in range(size) if rows[r][c] == "_"}
    todo = [next(iter(cells))]
    seen = set(todo)
    while todo:
        r, c = todo.pop()
        near = {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)} & cells - seen
        seen |= near
        todo += near
    return seen == cells


if __name__ == "__main__":
    main()
