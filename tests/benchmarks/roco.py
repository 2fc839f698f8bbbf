"""The Romanian Crosswords Competition problem: blocks and words of a 13x13 at once.

    python tests/benchmarks/roco.py FOLDER --rounds 20000 --seed 0
    python tests/benchmarks/roco.py FOLDER --check GRID

FOLDER has the lists of a year, ``dictionary.txt`` and ``them-dic-*.txt``, as the public repository
adibotea/paper-core-expansion has them; they have no licence and are not part of this repository. A
grid has at most 26 blocks, of which no two share an edge; its white cells are connected, and one
more block must not cut it into two parts of more than one cell each. Slots of three letters or
more have a word of the lists, slots of two any letters; nothing stands twice. The value is the
number of letters of all thematic words. ``--check`` reads a grid, with ``#`` for blocks, and judges
it by code that shares nothing with the search.

``roco_annealing.pyx``, which a C compiler builds first, anneals blocks and thematic words together,
from an empty grid, and ``satcross.best`` fills the other slots. A round is 16,000 steps. The same
seed gives the same rounds; the seconds that are printed are those of CPU time.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from satcross import Grid, Puzzle, Vocabulary, best

SIDE, MAX_BLOCKS = 13, 26
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Cell = tuple[int, int]


def read_lists(folder: Path) -> tuple[set[str], set[str]]:
    """The thematic and the regular words of a year."""
    (thematic,) = folder.glob("them-dic-*.txt")
    texts = [
        path.read_text("utf-8").upper().split() for path in (thematic, folder / "dictionary.txt")
    ]
    return set(texts[0]), set(texts[1]) - set(texts[0])


def complaints(rows: list[str], thematic: set[str], regular: set[str]) -> tuple[int, list[str]]:
    """The value of a grid, and what is wrong with it, by code that the search does not use."""
    wrong = []
    white = {(r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter != "#"}
    if len(rows) != SIDE or any(len(row) != SIDE for row in rows):
        wrong.append("not 13x13")
    if SIDE * SIDE - len(white) > MAX_BLOCKS:
        wrong.append("too many blocks")
    lines = [*rows, *map("".join, zip(*rows, strict=True))]
    if any("##" in line for line in lines):
        wrong.append("two blocks share an edge")

    def parts(cells: set[Cell]) -> list[int]:
        left, sizes = set(cells), []
        while left:
            border, size = [left.pop()], 0
            while border:
                r, c = border.pop()
                size += 1
                near = {(r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)} & left
                left -= near
                border += near
            sizes.append(size)
        return sizes

    if len(parts(white)) != 1:
        wrong.append("the white cells are not connected")
    wrong += [
        f"a semi-closure at r{cell[0] + 1}c{cell[1] + 1}"
        for cell in sorted(white)
        if sum(size > 1 for size in parts(white - {cell})) > 1
    ]
    words = [word for line in lines for word in line.split("#") if len(word) > 1]
    wrong += [f"{word} stands twice" for word, times in Counter(words).items() if times > 1]
    wrong += [
        f"{word} is in no list"
        for word in words
        if len(word) > 2 and word not in thematic and word not in regular
    ]
    if not set("".join(lines)) <= set(ALPHABET + "#"):
        wrong.append("a cell has no letter")
    return sum(len(word) for word in words if word in thematic), wrong


def weighted(thematic: set[str], regular: set[str]) -> Vocabulary:
    """Return all words and pairs of letters; a thematic word scores its length, all others 0."""
    scores = dict.fromkeys([a + b for a in ALPHABET for b in ALPHABET], 0)
    return Vocabulary(scores | dict.fromkeys(regular, 0) | {word: len(word) for word in thematic})


def filled(rows: list[str], vocabulary: Vocabulary, seconds: float) -> list[str]:
    """Return the grid with the best words found for its gaps; no rows if there are none."""
    puzzle = Puzzle(Grid(tuple(rows)), vocabulary)
    outcome = best(puzzle, "total", time_limit=seconds, workers=1)
    if outcome.fill is None:
        return []
    grid = [list(row) for row in rows]
    for slot in puzzle.grid.slots:
        for (row, column), letter in zip(slot.cells, outcome.fill[slot.name], strict=True):
            grid[row][column] = letter
    return ["".join(row) for row in grid]


def annealed(thematic: set[str], regular: set[str], rounds: int, seed: int) -> Iterator[list[str]]:
    """Yield ever better grids."""
    import pyximport

    pyximport.install(language_level=3)
    from roco_annealing import Annealing

    annealing = Annealing(thematic, regular, seed)
    vocabulary, value = weighted(thematic, regular), 100
    while annealing.run(rounds, value):
        value = annealing.value
        rows = filled(annealing.rows(), vocabulary, 20.0)
        if rows:
            value = complaints(rows, thematic, regular)[0]
            mark = f"{time.process_time():8.1f} s  {value}  round {annealing.rounds}"
            print(f"{mark}  {'/'.join(rows)}", flush=True)
            yield rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--check", type=Path)
    given = parser.parse_args()
    thematic, regular = read_lists(given.folder)
    rows: list[str] = []
    if given.check is not None:
        rows = given.check.read_text().replace("/", " ").split()
    else:
        for grid in annealed(thematic, regular, given.rounds, given.seed):
            rows = grid
    value, wrong = complaints(rows, thematic, regular)
    print("\n".join(rows))
    print(json.dumps({"value": value, "wrong": wrong, "seed": given.seed}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
