"""Count the word rectangles of each size, and the word squares, that a list has.

    python tests/benchmarks/rectangles.py LIST [--rows 3..6] [--columns 3..8] [--squares 3..9]

A rectangle is a fill of an open grid: every row and column is a word of the list, and all of these
are different. It counts once, as its mirror image at the diagonal is a rectangle of the other size,
or another square. A word square reads the same across and down: row and column N are the same word.
LIST has a word per line, perhaps with a score after a semicolon (gzipped if its name ends in .gz);
lines with other characters than letters of A-Z are left out.

The cells are visited row by row; a letter is tried if a word of the row and a word of the column
begin so. So zero is proved by exhaustion. It shares no code with satcross, whose ``count`` and
``solve`` give the same answers, and needs numba (``pip install numba``).
"""

from __future__ import annotations

import argparse
import gzip
import time
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

Trie = NDArray[np.int32]
"""Node and letter -> the node below, or 0; node 0 is the root, a node without children a word."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("list", type=Path)
    parser.add_argument("--rows", type=span, default=range(3, 7))
    parser.add_argument("--columns", type=span, default=range(3, 9))
    parser.add_argument("--squares", type=span, default=range(3, 10))
    options = parser.parse_args()
    words = read_words(options.list)
    print(f"{len(words):,} words")
    for rows in options.rows:
        for columns in options.columns:
            if rows <= columns:
                report(f"{rows}x{columns}", words, rows, columns)
    for size in options.squares:
        report(f"{size}x{size} alike", words, size, 0)


def span(text: str) -> range:
    """Read ``3..6``, or a single number, 0 for none."""
    first, _, last = text.partition("..")
    return range(int(first), int(last or first) + 1) if int(first) else range(0)


def report(name: str, words: list[str], rows: int, columns: int) -> None:
    started = time.process_time()
    if columns:
        number = count(trie(words, columns), trie(words, rows), rows, columns, False)
    else:
        both = trie(words, rows)
        number = count(both, both, rows, rows, True)
    print(f"{name:10} {number:>15,} {time.process_time() - started:9.1f} s", flush=True)


def read_words(path: Path) -> list[str]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    lines = {line.partition(";")[0].strip() for line in text.splitlines()}
    return sorted({line.upper() for line in lines if line.isascii() and line.isalpha()})


def trie(words: list[str], length: int) -> Trie:
    """Return the trie of the words of a length."""
    nodes = [[0] * 26]
    for word in words:
        if len(word) == length:
            node = 0
            for letter in word:
                at = ord(letter) - ord("A")
                if not nodes[node][at]:
                    nodes[node][at] = len(nodes)
                    nodes.append([0] * 26)
                node = nodes[node][at]
    return np.array(nodes, dtype=np.int32)


@njit
def count(across, down, height, width, alike):  # type: ignore[no-untyped-def]
    """Return the number of rectangles, or with ``alike`` of squares that equal their mirror image.

    ``letter`` has the letter tried last at each cell; ``row`` and ``column`` have the nodes after
    it, with the root before the first cell.
    """
    row = np.zeros((height, width + 1), np.int32)
    column = np.zeros((height + 1, width), np.int32)
    letter = np.full((height, width), -1, np.int32)
    found = 0
    r = c = 0
    while r >= 0:
        begun, under = across[row[r, c]], down[column[r, c]]
        at = letter[r, c] + 1
        if alike and c < r:  # the cell opposite has the letter
            at = letter[c, r] if at == 0 else 26
        while at < 26 and not (begun[at] and under[at]):
            at = 26 if alike and c < r else at + 1
        if at >= 26:
            letter[r, c] = -1
            c -= 1
            if c < 0:
                r, c = r - 1, width - 1
            continue
        letter[r, c] = at
        row[r, c + 1] = begun[at]
        column[r + 1, c] = under[at]
        if c + 1 < width:
            c += 1
        elif r + 1 < height:
            r, c = r + 1, 0
        else:
            found += different(row, column, height, width, alike)
    return found


@njit
def different(row, column, height, width, alike):  # type: ignore[no-untyped-def]
    """Whether all words of a rectangle are different, and those of a square of one kind."""
    for first in range(height):
        for second in range(first):
            if row[first, width] == row[second, width]:
                return False
    if alike:
        return True
    for first in range(width):
        for second in range(first):
            if column[height, first] == column[height, second]:
                return False
        if height == width:
            for second in range(height):
                if column[height, first] == row[second, width]:
                    return False
    return True


if __name__ == "__main__":
    main()
