"""Patterns of any size, made from a seed: newspaper-like ones and lattices.

    python tests/benchmarks/patterns.py 15 --slots 66 --seed 1 > data/grids/15x15-66.txt

A newspaper-like pattern is rotationally symmetric and connected, without slots of one or two
letters; every open cell is in an across and a down slot. A lattice has every second row and column
open, cut into slots of at most ``--longest`` letters.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterator

from satcross.grid import Cell
from satcross.grid.connectivity import connected_parts

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
    """Return a newspaper-like square with that many slots, or up to one in fifty more.

    Pairs of blocked cells are put into one of the longest slots, wherever they leave no short slot
    and a connected grid, until there are enough slots; a pattern that fails is discarded.
    """
    rng = random.Random(seed)
    while True:
        rows = [["_"] * size for _ in range(size)]
        while (number := len(lengths(rows))) < slots:
            if not _block_one(rows, rng):
                break
        if slots <= number <= slots * 1.02 and max(lengths(rows)) <= longest:
            return ["".join(row) for row in rows]


def lattice(size: int, longest: int) -> list[str]:
    """Return a lattice: every second row and column open, cut at unchecked cells by ``longest``."""
    step = longest // 2 * 2 + 2
    rows = [
        ["#" if row % 2 and column % 2 else "_" for column in range(size)] for row in range(size)
    ]
    for line in range(0, size, 2):
        # Cuts are shifted from line to line, so that the grid stays connected.
        for cut in range(line // 2 * 4 % step + 1, size, step):
            rows[line][cut] = rows[cut][line] = "#"
    return ["".join(row) for row in rows]


def lengths(rows: list[list[str]]) -> list[int]:
    """Return the lengths of all runs of open cells, across and down, single cells included."""
    lines = [*rows, *zip(*rows, strict=True)]
    return [len(run) for line in lines for run in "".join(line).split("#") if run]


def _block_one(rows: list[list[str]], rng: random.Random) -> bool:
    size = len(rows)
    places = [(row, column) for row in range(size) for column in range(size)]
    rng.shuffle(places)
    longest = _longest(rows)
    places.sort(key=lambda place: -longest.get(place, 0) // 3)
    for row, column in places:
        if (row, column) not in longest:
            continue
        pair = {(row, column), (size - 1 - row, size - 1 - column)}
        for r, c in pair:
            rows[r][c] = "#"
        fits = all(length >= SHORTEST for r, c in pair for length in _beside(rows, r, c))
        if fits and len(connected_parts(["".join(row) for row in rows])) == 1:
            return True
        for r, c in pair:
            rows[r][c] = "_"
    return False


def _longest(rows: list[list[str]]) -> dict[Cell, int]:
    """Return open cell -> the length of its longer slot."""
    longest: dict[Cell, int] = {}
    for down, lines in enumerate((rows, zip(*rows, strict=True))):
        for number, line in enumerate(lines):
            for run in re.finditer("_+", "".join(line)):
                for place in range(*run.span()):
                    cell = (place, number) if down else (number, place)
                    longest[cell] = max(longest.get(cell, 0), run.end() - run.start())
    return longest


def _beside(rows: list[list[str]], row: int, column: int) -> Iterator[int]:
    """Return the lengths of the four runs that end at a blocked cell, without empty ones."""
    for line, place in ((rows[row], column), ([other[column] for other in rows], row)):
        text = "".join(line)
        for run in (text[:place].rpartition("#")[2], text[place + 1 :].partition("#")[0]):
            if run:
                yield len(run)


if __name__ == "__main__":
    main()
