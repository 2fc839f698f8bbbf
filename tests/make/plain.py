"""Independent checks of patterns and layouts, cell by cell, and enumeration by brute force."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product

from satcross.grid import Bar, Cell, Grid


def runs(rows: Sequence[str]) -> list[str]:
    """Return all runs of open cells, across and down, including single cells."""
    lines = [*rows, *("".join(row[column] for row in rows) for column in range(len(rows[0])))]
    return [run for line in lines for run in line.split("#") if run]


def words(rows: Sequence[str]) -> list[str]:
    return [run for run in runs(rows) if len(run) > 1]


def in_one_piece(rows: Sequence[str]) -> bool:
    cells = {(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x != "#"}
    return bool(cells) and reached(min(cells), lambda cell: cells & beside(cell)) == cells


def beside(cell: Cell) -> set[Cell]:
    row, column = cell
    return {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}


def reached(start: Cell, near: Callable[[Cell], set[Cell]]) -> set[Cell]:
    """Return the cells that are reached from one by going to those near it again and again."""
    found, todo = set[Cell](), {start}
    while todo:
        found |= todo
        todo = {other for cell in todo for other in near(cell)} - found
    return found


def half_turn(rows: Sequence[str]) -> list[str]:
    return [row[::-1] for row in rows[::-1]]


def marks(grid: Grid) -> list[str]:
    """Return each word of a grid as a string of c (checked) and u (unchecked letters)."""
    words_of = Counter(cell for slot in grid.slots for cell in slot.cells)
    return ["".join("uc"[words_of[cell] == 2] for cell in slot.cells) for slot in grid.slots]


def is_barred(grid: Grid) -> bool:
    """Whether a grid keeps the rules of barred grids."""
    unchecked = {2: -1, 3: 0, 4: 1, 5: 1, 6: 2, 7: 2, 8: 3, 9: 3, 10: 4, 11: 4, 12: 5}
    if any("uu" in word or word.count("u") > unchecked[len(word)] for word in marks(grid)):
        return False

    def near(cell: Cell) -> set[Cell]:
        return {other for slot in grid.slots if cell in slot.cells for other in slot.cells}

    return len(reached((0, 0), near)) == grid.height * grid.width


def barred_patterns(height: int, width: int) -> set[frozenset[Bar]]:
    """Return the bars of every barred grid of a size, symmetric under a half turn."""
    bars: list[Bar] = [((r, c), (r, c + 1)) for r in range(height) for c in range(width - 1)]
    bars += [((r, c), (r + 1, c)) for r in range(height - 1) for c in range(width)]

    def turned(bar: Bar) -> Bar:
        (r, c), (s, d) = bar
        return (height - 1 - s, width - 1 - d), (height - 1 - r, width - 1 - c)

    pairs = sorted({frozenset((bar, turned(bar))) for bar in bars}, key=sorted)
    found = set()
    for choice in product((False, True), repeat=len(pairs)):
        drawn = frozenset(bar for pair, on in zip(pairs, choice, strict=True) if on for bar in pair)
        if is_barred(Grid(("_" * width,) * height, bars=drawn)):
            found.add(drawn)
    return found


def american_patterns(
    height: int, width: int, min_words: int, max_words: int
) -> set[tuple[str, ...]]:
    """Return every American pattern of a size and a range of word counts, by brute force."""
    found = set()
    half = (height * width + 1) // 2
    for choice in product("#_", repeat=half):
        cells = "".join(choice)
        cells += cells[: height * width - half][::-1]
        rows = tuple(cells[k : k + width] for k in range(0, height * width, width))
        if (
            in_one_piece(rows)
            and min(map(len, runs(rows))) >= 3
            and min_words <= len(words(rows)) <= max_words
        ):
            found.add(rows)
    return found


def layout_sizes(layout_words: Sequence[str]) -> set[tuple[int, int]]:
    """Return the heights and widths of all layouts of the words.

    Each word is placed across an earlier word; the rules are checked on the complete layout.
    """
    sizes, seen = set[tuple[int, int]](), set[frozenset[Placed]]()
    todo = [frozenset({(layout_words[0], 0, 0, down)}) for down in (0, 1)]
    while todo:
        placed = todo.pop()
        if placed in seen or (board := letters_of(placed)) is None:
            continue
        seen.add(placed)
        left = set(layout_words) - {word for word, *_ in placed}
        if not left:
            height, width = (range(min(side), max(side) + 1) for side in zip(*board, strict=True))
            picture = ["".join(board.get((r, c), "#") for c in width) for r in height]
            if sorted(words(picture)) == sorted(layout_words) and in_one_piece(picture):
                sizes.add((len(height), len(width)))
        todo += [
            placed | {(word, row - at * down, column - at * (1 - down), down)}
            for word in left
            for (row, column), letter in board.items()
            for at, other in enumerate(word)
            for down in (0, 1)
            if other == letter
        ]
    return sizes


Placed = tuple[str, int, int, int]
"""A word, the row and column of its first letter, and 1 if it reads down."""


def letters_of(placed: Iterable[Placed]) -> dict[Cell, str] | None:
    """Return the letters of placed words; None where they contradict each other."""
    board: dict[Cell, str] = {}
    for word, row, column, down in placed:
        for at, letter in enumerate(word):
            if board.setdefault((row + at * down, column + at * (1 - down)), letter) != letter:
                return None
    return board
