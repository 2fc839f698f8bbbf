"""What is wrong with an arrowword, found in its JSON by code that shares nothing with satcross."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

# Arrow: rows and columns from the clue cell to the first letter, and those to the next letter.
FORMS = {
    "right": ((0, 1), (0, 1)),
    "down": ((1, 0), (1, 0)),
    "right-down": ((0, 1), (1, 0)),
    "down-right": ((1, 0), (0, 1)),
    "left-down": ((0, -1), (1, 0)),
    "up-right": ((-1, 0), (0, 1)),
    "corner-right": ((1, 1), (0, 1)),
    "corner-down": ((1, 1), (1, 0)),
}


def runs(grid: list[str]) -> dict[tuple[int, int, int, int], str]:
    """Return each run of two letters or more by its first cell and its direction."""
    found = {}
    for down, right in ((0, 1), (1, 0)):
        for row, line in enumerate(grid):
            for column, letter in enumerate(line):
                before = _at(grid, row - down, column - right)
                if letter == "#" or before != "#":
                    continue
                word, r, c = "", row, column
                while _at(grid, r, c) != "#":
                    word, r, c = word + grid[r][c], r + down, c + right
                if len(word) > 1:
                    found[row, column, down, right] = word
    return found


def _at(grid: list[str], row: int, column: int) -> str:
    inside = 0 <= row < len(grid) and 0 <= column < len(grid[0])
    return grid[row][column] if inside else "#"


def faults(data: Mapping[str, Any], clues: Mapping[str, Collection[str]]) -> list[str]:
    """Return the faults; ``clues`` has the words that may be used, with all their clues."""
    grid, words = data["grid"], runs(data["grid"])
    found = [f"{word} is not in the list" for word in words.values() if word not in clues]
    if len(set(words.values())) < len(words):
        found.append("a word stands twice")
    holes = {tuple(cell) for cell in data.get("holes", ())}
    blocked = {
        (r, c) for r, line in enumerate(grid) for c, cell in enumerate(line) if cell == "#"
    } - holes
    held = {(cell["row"], cell["column"]): cell["clues"] for cell in data["puzzle"]["clue_cells"]}
    if set(held) != blocked:
        found.append("a blocked cell is no clue cell, or a clue cell is not blocked")
    clued: list[tuple[int, int, int, int]] = []
    for (row, column), entries in held.items():
        if not 1 <= len(entries) <= 2:
            found.append(f"{len(entries)} clues in row {row}, column {column}")
        for entry in entries:
            (by_row, by_column), way = FORMS[entry["arrow"]]
            run = (row + by_row, column + by_column, *way)
            clued.append(run)
            if run not in words:
                found.append(f"the arrow of {entry['slot']} points at no word")
            elif entry["clue"] not in clues.get(words[run], ()):
                found.append(f"{words[run]} has another word's clue")
    found += [
        f"{words[run]} has {clued.count(run)} clues" for run in words if clued.count(run) != 1
    ]
    return found


def answers(data: Mapping[str, Any], clues: Mapping[str, Collection[str]]) -> int:
    """Return how many ways there are to answer the clues with words that have them, by trying all.

    No word is used twice.
    """
    words = runs(data["grid"])
    asked = {}
    for cell in data["puzzle"]["clue_cells"]:
        for entry in cell["clues"]:
            (by_row, by_column), way = FORMS[entry["arrow"]]
            run = (cell["row"] + by_row, cell["column"] + by_column, *way)
            length = len(words[run])
            asked[run] = [
                word for word, own in clues.items() if len(word) == length and entry["clue"] in own
            ]
    order = sorted(asked, key=lambda run: len(asked[run]))

    def search(n: int, letters: Mapping[tuple[int, int], str], used: frozenset[str]) -> int:
        if n == len(order):
            return 1
        row, column, down, right = order[n]
        total = 0
        for word in set(asked[order[n]]) - used:
            own = {(row + k * down, column + k * right): each for k, each in enumerate(word)}
            if all(letters.get(cell, each) == each for cell, each in own.items()):
                total += search(n + 1, {**letters, **own}, used | {word})
        return total

    return search(0, {}, frozenset())


def picture_faults(
    data: Mapping[str, Any], row: int, column: int, size: tuple[int, int]
) -> list[str]:
    """Return what is wrong with the rectangle that the picture should have."""
    cells = {(row + r, column + c) for r in range(size[0]) for c in range(size[1])}
    return [] if cells == {tuple(cell) for cell in data.get("holes", ())} else ["another picture"]
