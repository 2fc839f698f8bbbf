"""All solutions of codewords and fill-ins by their definitions alone, for small ones."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from pathlib import Path

from satcross.make.puzzles.files import parse_puzzle
from satcross.make.puzzles.printed import Printed

Rows = Sequence[str]


def runs(rows: Rows) -> list[list[tuple[int, int]]]:
    """The cells of each word of a grid: ``#`` is a block."""
    found = []
    for lines in (
        [[(r, c) for c in range(len(rows[0]))] for r in range(len(rows))],
        [[(r, c) for r in range(len(rows))] for c in range(len(rows[0]))],
    ):
        for line in lines:
            run: list[tuple[int, int]] = []
            for cell in [*line, None]:
                if cell is not None and rows[cell[0]][cell[1]] != "#":
                    run.append(cell)
                    continue
                if len(run) > 1:
                    found.append(run)
                run = []
    return found


def readings(
    rows: Rows, numbers: Mapping[str, int], words: Iterable[str], given: Iterable[str] = ()
) -> Iterator[Rows]:
    """Yield all ways to read a codeword with these words: every injective map of its numbers."""
    known = set(words)
    alphabet = sorted({letter for word in known for letter in word} | set(numbers))
    cells = runs(rows)
    own = sorted(numbers, key=numbers.__getitem__)
    for letters in permutations(alphabet, len(own)):
        to = dict(zip(own, letters, strict=True))
        if any(to[letter] != letter for letter in given):
            continue
        read = ["".join(to.get(letter, "#") for letter in row) for row in rows]
        if all("".join(read[r][c] for r, c in run) in known for run in cells):
            yield read


def arrangements(rows: Rows, printed: Mapping[tuple[int, int], str]) -> Iterator[Rows]:
    """Yield all ways to arrange the words of a grid in it, each once, that keep what is printed."""
    cells = runs(rows)
    words = ["".join(rows[r][c] for r, c in run) for run in cells]
    lengths = sorted({len(word) for word in words})
    places = {
        length: [n for n, word in enumerate(words) if len(word) == length] for length in lengths
    }
    for orders in product(*(permutations(places[length]) for length in lengths)):
        letters = dict(printed)
        slots = [n for length in lengths for n in places[length]]
        taken = [n for order in orders for n in order]
        if all(
            letters.setdefault(cell, letter) == letter
            for slot, word in zip(slots, taken, strict=True)
            for cell, letter in zip(cells[slot], words[word], strict=True)
        ):
            yield [
                "".join("#" if cell == "#" else letters[r, c] for c, cell in enumerate(row))
                for r, row in enumerate(rows)
            ]


def read_puzzle(path: Path) -> Printed:
    """Return the puzzle of a .json."""
    return parse_puzzle(json.loads(path.read_text("utf-8")), path.name)
