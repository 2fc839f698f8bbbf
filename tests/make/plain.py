"""Independent checks of patterns and layouts, cell by cell, and enumeration by brute force."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def checked(rows: Sequence[str], row: int, column: int) -> bool:
    """Return whether the cell is in an across and in a down word."""

    opened = {(r, c) for r, line in enumerate(rows) for c, x in enumerate(line) if x != "#"}
    across, down = {(row, column - 1), (row, column + 1)}, {(row - 1, column), (row + 1, column)}
    return bool(across & opened and down & opened)


def unchecked_words(rows: Sequence[str]) -> list[str]:
    """Return each word, across and down, as a string of c (checked) and u (unchecked letters)."""
    marks = [
        "".join("#" if x == "#" else "c" if checked(rows, r, c) else "u" for c, x in enumerate(row))
        for r, row in enumerate(rows)
    ]
    return words(marks)


def is_barred(grid: Grid) -> bool:
    """Whether a grid keeps the rules of barred grids, read off its cells and bars."""
    cells = {(r, c) for r in range(grid.height) for c in range(grid.width)}

    def side(cell: Cell, down: int, right: int) -> Cell | None:
        other = cell[0] + down, cell[1] + right
        bar = tuple(sorted((cell, other)))
        return other if other in cells and bar not in grid.bars else None

    def alone(cell: Cell, down: int, right: int) -> bool:
        return side(cell, down, right) is side(cell, -down, -right) is None

    for cell in cells:
        if alone(cell, 0, 1) and alone(cell, 1, 0):
            return False
        for down, right in ((0, 1), (1, 0)):
            if side(cell, -down, -right) is None and side(cell, down, right) is not None:
                word = [cell]
                while (after := side(word[-1], down, right)) is not None:
                    word.append(after)
                marks = "".join("u" if alone(one, right, down) else "c" for one in word)
                allowed = {2: -1, 3: 0, 4: 1, 5: 1, 6: 2, 7: 2, 8: 3, 9: 3, 10: 4, 11: 4, 12: 5}
                if "uu" in marks or marks.count("u") > allowed[len(word)]:
                    return False
    ways = ((0, 1), (1, 0), (0, -1), (-1, 0))

    def near(cell: Cell) -> set[Cell]:
        return {other for way in ways if (other := side(cell, *way)) is not None}

    return reached((0, 0), near) == cells


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
    sizes: set[tuple[int, int]] = set()
    seen = set()

    def extend(board: dict[Cell, str], placed: frozenset[tuple[str, int, int, int]]) -> None:
        if placed in seen:
            return
        seen.add(placed)
        left = set(layout_words) - {word for word, *_ in placed}
        if not left:
            rows = [row for row, _ in board]
            columns = [column for _, column in board]
            picture = [
                "".join(board.get((r, c), "#") for c in range(min(columns), max(columns) + 1))
                for r in range(min(rows), max(rows) + 1)
            ]
            if sorted(words(picture)) == sorted(layout_words) and in_one_piece(picture):
                sizes.add((len(picture), len(picture[0])))
            return
        for word in left:
            for (row, column), letter in list(board.items()):
                for position, other in enumerate(word):
                    for down in (0, 1):
                        if other != letter:
                            continue
                        top, start = row - position * down, column - position * (1 - down)
                        cells = {
                            (top + k * down, start + k * (1 - down)): x for k, x in enumerate(word)
                        }
                        if all(board.get(cell, x) == x for cell, x in cells.items()):
                            extend({**board, **cells}, placed | {(word, top, start, down)})

    for down in (0, 1):
        first = layout_words[0]
        board = {(k * down, k * (1 - down)): letter for k, letter in enumerate(first)}
        extend(board, frozenset({(first, 0, 0, down)}))
    return sizes
