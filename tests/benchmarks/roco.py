"""The Romanian Crosswords Competition problem: blocks and words of a 13x13 at once.

    python tests/benchmarks/roco.py FOLDER --seconds 600 --seed 0
    python tests/benchmarks/roco.py FOLDER --check GRID

FOLDER has the lists of a year, ``dictionary.txt`` and ``them-dic-*.txt``, as the public repository
adibotea/paper-core-expansion has them; they have no licence and are not part of this repository. A
grid has at most 26 blocks, of which no two share an edge; its white cells are connected, and one
more block must not cut it into two parts of more than one cell each. Slots of three letters or
more have a word of the lists, slots of two any letters; nothing stands twice. The value is the
number of letters of all thematic words. ``--check`` reads a grid, with ``#`` for blocks, and judges
it by code that shares nothing with the search. Seconds are those of CPU time.

The search anneals one grid. A step moves some blocks, or puts a thematic word between two blocks,
or leaves the blocks. Then all slots but those of thematic words that still fit, and some of these
that lie together, are filled anew by the compiled search of regions of ``solve --best``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import log
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from satcross.backends.search.region import letter_tables, link_tables
from satcross.engine.region import Regions

SIDE, MAX_BLOCKS = 13, 26
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

Cell = tuple[int, int]
Cells = tuple[Cell, ...]

NODES = 400
MAX_EMPTIED = 9
"""Thematic words that a step takes from the grid, at most; all other words are always taken."""

FIRST_HEAT, LAST_HEAT = 3.0, 0.3
CYCLE = 30_000
"""Steps of a cycle of annealing: about a minute. Cycles of 5,000 ended at 131 instead of 145."""

POOL = 5
"""Grids that cycles go on from."""


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


@lru_cache(maxsize=4096)
def slots_of(blocks: frozenset[Cell]) -> tuple[Cells, ...]:
    """The slots of two cells or more."""
    found = []
    for across in (True, False):
        for line in range(SIDE):
            run: list[Cell] = []
            for place in range(SIDE + 1):
                cell = (line, place) if across else (place, line)
                if place < SIDE and cell not in blocks:
                    run.append(cell)
                    continue
                if len(run) > 1:
                    found.append(tuple(run))
                run = []
    return tuple(found)


def near(cell: Cell) -> list[Cell]:
    r, c = cell
    around = ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1))
    return [(r, c) for r, c in around if 0 <= r < SIDE and 0 <= c < SIDE]


NEAR = {(r, c): near((r, c)) for r in range(SIDE) for c in range(SIDE)}


@lru_cache(maxsize=4096)
def is_legal(blocks: frozenset[Cell]) -> bool:
    """Whether these blocks obey the rules; cut cells by depth-first search (Tarjan 1972)."""
    if len(blocks) > MAX_BLOCKS or any(other in blocks for cell in blocks for other in NEAR[cell]):
        return False
    root = next(cell for cell in NEAR if cell not in blocks)
    number, low, size = {root: 0}, {root: 0}, {root: 1}
    large_parts: Counter[Cell] = Counter()
    below: Counter[Cell] = Counter()
    path = [(root, iter(NEAR[root]))]
    while path:
        cell, rest = path[-1]
        parent = path[-2][0] if len(path) > 1 else None
        for other in rest:
            if other in blocks or other == parent:
                continue
            if other in number:
                low[cell] = min(low[cell], number[other])
                continue
            number[other] = low[other] = len(number)
            size[other] = 1
            path.append((other, iter(NEAR[other])))
            break
        else:
            path.pop()
            if parent is not None:
                size[parent] += size[cell]
                low[parent] = min(low[parent], low[cell])
                if low[cell] >= number[parent]:
                    large_parts[parent] += size[cell] > 1
                    below[parent] += size[cell]
    white = SIDE * SIDE - len(blocks)
    if len(number) != white:
        return False
    return all(parts + (white - 1 - below[cell] > 1) <= 1 for cell, parts in large_parts.items())


class Lists:
    """Words by length, thematic ones first, and the tables of the compiled search."""

    def __init__(self, thematic: set[str], regular: set[str]) -> None:
        pairs = {a + b for a in ALPHABET for b in ALPHABET}
        self.thematic = thematic
        self.words: dict[int, list[str]] = {}
        for length in range(2, SIDE + 1):
            light = pairs if length == 2 else regular
            heavy = sorted(word for word in thematic if len(word) == length)
            self.words[length] = heavy + sorted(
                word for word in light - thematic if len(word) == length
            )
        self.index = {
            word: number for words in self.words.values() for number, word in enumerate(words)
        }
        columns = {
            (length, place): np.array([ord(word[place]) - 65 for word in words], dtype=np.uint8)
            for length, words in self.words.items()
            for place in range(length)
        }
        masks, self._letters = letter_tables(columns, len(ALPHABET))
        weights, roots = [], []
        self._starts: dict[int, tuple[int, int, int]] = {}
        word = root = 0
        for length, words in self.words.items():
            size = (len(words) + 63) // 64
            self._starts[length] = (word, root, size)
            weights += [len(item) * (item in thematic) for item in words]
            flags = np.zeros(size * 64, dtype=np.uint8)
            flags[: len(words)] = 1
            roots.append(np.packbits(flags, bitorder="little").view(np.uint64))
            word, root = word + len(words), root + size
        listed = 2048
        tables = {
            **masks,
            "max_slots": 100,
            "max_links": 2 * SIDE * SIDE,
            "repeats": False,
            "max_listed": listed,
            "max_compared": 60,
            "most_words": max(size for _, _, size in self._starts.values()),
            "most_links": SIDE,
            "most_crossed": 2 * SIDE * SIDE,
            "roots": np.concatenate(roots),
            "weights": np.array(weights, dtype=np.int64),
            "tastes": np.array(weights, dtype=float) / 2,
            "logs": np.log(np.maximum(1, np.arange(listed + 1.0))),
        }
        self.regions = Regions(tables, 100, 0.5)

    def value(self, word: str) -> int:
        """The points of a word."""
        return len(word) * (word in self.thematic)

    def lay_out(self, slots: tuple[Cells, ...]) -> list[set[int]]:
        """Prepare the compiled search for other slots; returns which slots cross each."""
        at: dict[Cell, list[tuple[int, int]]] = {}
        for slot, cells in enumerate(slots):
            for place, cell in enumerate(cells):
                at.setdefault(cell, []).append((slot, place))
        crossed: list[list[tuple[int, int, tuple[int, int]]]] = [[] for _ in slots]
        number = 0
        for both in at.values():
            if len(both) == 2:
                for (slot, place), (other, _) in (both, both[::-1]):
                    start = self._letters[len(slots[slot]), place]
                    crossed[slot].append((number, other, start))
                number += 1
        starts = [self._starts[len(cells)] for cells in slots]
        tables: dict[str, Any] = {
            "lexicon": [len(cells) for cells in slots],
            "domain_start": [root for _, root, _ in starts],
            "domain_words": [size for _, _, size in starts],
            "word_start": [word for word, _, _ in starts],
            **link_tables(crossed),
        }
        self.regions.lay_out(tables)
        return [{other for _, other, _ in links} for links in crossed]


@dataclass(frozen=True, slots=True)
class Filled:
    """A grid: its blocks, the word of each slot, and its value."""

    blocks: frozenset[Cell]
    words: dict[Cells, str]
    value: int

    def rows(self) -> list[str]:
        """Rows of letters, with ``#`` for blocks."""
        grid = [["#"] * SIDE for _ in range(SIDE)]
        for cells, word in self.words.items():
            for (r, c), letter in zip(cells, word, strict=True):
                grid[r][c] = letter
        return ["".join(row) for row in grid]


class Search:
    """Anneals grids; ``best`` is the best one, ``trace`` when each better one was found."""

    def __init__(self, lists: Lists, seed: int) -> None:
        self.lists, self.random = lists, Random(seed)
        self._thematic = sorted(word for word in lists.thematic if 2 < len(word) <= SIDE)
        self.best = self.here = self.fresh()
        self.pool = [self.here]
        self.steps = 0

    def cycle(self, until: float) -> None:
        """Anneal once, from a grid of the pool or from a fresh one."""
        random = self.random
        fresh = len(self.pool) < POOL or random.random() < 0.2
        self.here = self.fresh() if fresh else random.choice(self.pool)
        top = self.here
        for step in range(CYCLE):
            if time.process_time() >= until:
                break
            self.steps += 1
            heat = FIRST_HEAT * (LAST_HEAT / FIRST_HEAT) ** (step / CYCLE)
            found = self.step(int(-heat * log(1 - random.random())))
            if found is None:
                continue
            self.here = found
            if found.value > top.value:
                top = found
            if found.value > self.best.value:
                self.best = found
                print(
                    f"{time.process_time():8.1f} s  {found.value}  {self.steps} steps", flush=True
                )
        self.pool.append(top)
        self.pool = sorted(self.pool, key=lambda grid: -grid.value)[:POOL]

    def fresh(self) -> Filled:
        """A grid of random blocks and words."""
        while True:
            blocks = self.add_blocks(frozenset())
            found = self.fill(blocks, {}, slots_of(blocks), -(1 << 60), 4 * NODES)
            if found is not None:
                return found

    def add_blocks(self, blocks: frozenset[Cell]) -> frozenset[Cell]:
        """Add blocks, where they may be, up to the limit."""
        for _ in range(60):
            if len(blocks) == MAX_BLOCKS:
                break
            cell = self.random.randrange(SIDE), self.random.randrange(SIDE)
            more = blocks | {cell}
            if cell not in blocks and is_legal(more):
                blocks = more
        return blocks

    def step(self, loss: int) -> Filled | None:
        """Change the grid at random; None if that fails or costs too much."""
        kind, blocks, put = self.random.random(), self.here.blocks, None
        if kind < 0.35:
            blocks = self.shift(blocks)
        elif kind < 0.7:
            cells, word = self.propose()
            put = {cells: word}
            blocks = self.blocks_around(cells)
        if not is_legal(blocks) or (put and not set(slots_of(blocks)) >= set(put)):
            return None
        return self.change(blocks, put or {}, self.here.value - loss)

    def shift(self, blocks: frozenset[Cell]) -> frozenset[Cell]:
        """Move a block or two, mostly by a cell or two."""
        random = self.random
        for r, c in random.sample(sorted(blocks), random.choice((1, 1, 2))):
            reach = random.choice((1, 1, 2, SIDE))
            cell = r + random.randint(-reach, reach), c + random.randint(-reach, reach)
            if cell in NEAR:
                blocks = blocks - {(r, c)} | {cell}
        return self.add_blocks(blocks) if random.random() < 0.5 else blocks

    def propose(self) -> tuple[Cells, str]:
        """A thematic word and its cells, the best of some by the letters there are already."""
        random, thematic = self.random, self._thematic
        letters = {
            cell: (letter, word in self.lists.thematic)
            for cells, word in self.here.words.items()
            for cell, letter in zip(cells, word, strict=True)
            if word in self.lists.thematic
        }
        standing = set(self.here.words.values())
        best, most = None, -99.0
        while best is None:
            for _ in range(40):
                word = random.choice(thematic)
                line, first = random.randrange(SIDE), random.randint(0, SIDE - len(word))
                cells = tuple(
                    (line, place) if random_across else (place, line)
                    for random_across in (random.random() < 0.5,)
                    for place in range(first, first + len(word))
                )
                if word in standing or self.here.words.get(cells) in self.lists.thematic:
                    continue
                fit = random.random()
                for cell, letter in zip(cells, word, strict=True):
                    if cell in letters:
                        fit += 1.0 if letters[cell][0] == letter else -1.0
                    elif cell in self.here.blocks:
                        fit -= 0.5
                if fit > most:
                    best, most = (cells, word), fit
        return best

    def blocks_around(self, cells: Cells) -> frozenset[Cell]:
        """The blocks with a slot of these cells: two at its ends, none within, none beside."""
        (r, c), (last_r, last_c) = cells[0], cells[-1]
        step = (last_r > r, last_c > c)
        ends = {(r - step[0], c - step[1]), (last_r + step[0], last_c + step[1])} & NEAR.keys()
        beside = {other for end in ends for other in NEAR[end]}
        blocks = (self.here.blocks - set(cells) - beside) | ends
        while len(blocks) > MAX_BLOCKS:
            blocks = blocks - {self.random.choice(sorted(blocks - ends))}
        return self.add_blocks(blocks) if self.random.random() < 0.7 else blocks

    def change(self, blocks: frozenset[Cell], put: dict[Cells, str], least: int) -> Filled | None:
        """Fill anew all but the thematic words that still fit, without some that lie together."""
        slots = slots_of(blocks)
        letters = {
            cell: letter
            for cells, word in put.items()
            for cell, letter in zip(cells, word, strict=True)
        }
        kept = dict(put)
        for cells in slots:
            word = self.here.words.get(cells)
            if word not in self.lists.thematic or cells in put or word in put.values():
                continue
            if all(letters.get(*item) == item[1] for item in zip(cells, word, strict=True)):
                kept[cells] = word
        random = self.random
        row, column = random.choice(next(iter(put), [*NEAR]))
        nearest = sorted(
            (cells for cells in kept if cells not in put),
            key=lambda cells: (
                min(abs(r - row) + abs(c - column) for r, c in cells) + 3 * random.random()
            ),
        )
        for cells in nearest[: int(MAX_EMPTIED ** random.random())]:
            del kept[cells]
        loose = [cells for cells in slots if cells not in kept]
        return self.fill(blocks, kept, loose, least, NODES)

    def fill(
        self,
        blocks: frozenset[Cell],
        kept: dict[Cells, str],
        loose: Iterable[Cells],
        least: int,
        nodes: int,
    ) -> Filled | None:
        """Fill the loose slots beside the words that are kept, for a value of ``least`` or more."""
        lists, random = self.lists, self.random
        slots = slots_of(blocks)
        number = {cells: slot for slot, cells in enumerate(slots)}
        lists.lay_out(slots)
        value = 0
        for cells, word in kept.items():
            lists.regions.place(number[cells], lists.index[word])
            value += lists.value(word)
        region = sorted(number[cells] for cells in loose)
        found = lists.regions.refill(
            region,
            least - value,
            random.getrandbits(62) | 1,
            nodes,
            8.0 ** random.random(),
            random.random() < 0.5,
        )
        if found is None:
            return None
        words = dict(kept)
        for slot, index in zip(region, found, strict=True):
            cells = slots[slot]
            words[cells] = lists.words[len(cells)][index]
            value += lists.value(words[cells])
        return Filled(blocks, words, value)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--check", type=Path)
    given = parser.parse_args()
    thematic, regular = read_lists(given.folder)
    if given.check is not None:
        rows = given.check.read_text().split()
    else:
        search = Search(Lists(thematic, regular), given.seed)
        until = time.process_time() + given.seconds
        while time.process_time() < until:
            search.cycle(until)
        rows = search.best.rows()
    value, wrong = complaints(rows, thematic, regular)
    print("\n".join(rows))
    print(json.dumps({"value": value, "wrong": wrong, "seed": given.seed}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
