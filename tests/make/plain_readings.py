"""All solutions of small puzzles by their definitions alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import permutations

Rows = Sequence[str]
Cell = tuple[int, int]


def runs(rows: Rows) -> list[list[Cell]]:
    """The cells of each word of a grid, across and then down: ``#`` is a block."""

    def along(lines: Iterable[str]) -> list[list[Cell]]:
        found = ((k, run) for k, line in enumerate(lines) for run in re.finditer("[^#]{2,}", line))
        return [[(k, at) for at in range(*run.span())] for k, run in found]

    down = along(map("".join, zip(*rows, strict=True)))
    return [*along(rows), *([(r, c) for c, r in run] for run in down)]


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


def fillings(
    slots: Sequence[Sequence[Cell]],
    tables: Sequence[Iterable[str]],
    letters: Mapping[Cell, str],
    used: frozenset[str] = frozenset(),
) -> Iterator[Mapping[Cell, str]]:
    """Yield all ways to put a word of its table into each slot, no word twice, by their letters."""
    if not slots:
        yield letters
        return
    for word in {*tables[0]} - used:
        own = dict(zip(slots[0], word, strict=True))
        if all(letters.get(cell, letter) == letter for cell, letter in own.items()):
            yield from fillings(slots[1:], tables[1:], {**letters, **own}, used | {word})


def arrangements(rows: Rows, printed: Mapping[Cell, str]) -> Iterator[Rows]:
    """Yield all ways to arrange the words of a grid in it, each once, that keep what is printed."""
    cells = runs(rows)
    words = ["".join(rows[r][c] for r, c in run) for run in cells]
    tables = [[word for word in words if len(word) == len(run)] for run in cells]
    for letters in fillings(cells, tables, printed):
        yield [
            "".join("#" if cell == "#" else letters[r, c] for c, cell in enumerate(row))
            for r, row in enumerate(rows)
        ]
