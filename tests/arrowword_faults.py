"""What is wrong with an arrowword, found in its JSON by code that shares nothing with satcross."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from make import plain_readings

from satcross.formats.resources import resource_path

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


def read_clues(language: str) -> dict[str, list[str]]:
    """Return the words with their clues that are part of satcross in a language."""
    clues: dict[str, list[str]] = {}
    for line in resource_path(f"arrowword-{language}.tsv").read_text("utf-8").splitlines():
        word, _, clue = line.partition("\t")
        clues.setdefault(word, []).append(clue)
    return clues


def runs(grid: list[str]) -> dict[tuple[int, int, int, int], str]:
    """Return each run of two letters or more by its first cell and its direction."""
    found = {}
    for cells in plain_readings.runs(grid):
        (row, column), (below, right) = cells[:2]
        found[row, column, below - row, right - column] = "".join(grid[r][c] for r, c in cells)
    return found


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
    asked = []
    for cell in data["puzzle"]["clue_cells"]:
        for entry in cell["clues"]:
            (by_row, by_column), (down, right) = FORMS[entry["arrow"]]
            row, column = cell["row"] + by_row, cell["column"] + by_column
            length = len(words[row, column, down, right])
            cells = [(row + n * down, column + n * right) for n in range(length)]
            fitting = [
                word for word, own in clues.items() if len(word) == length and entry["clue"] in own
            ]
            asked.append((cells, fitting))
    asked.sort(key=lambda pair: len(pair[1]))
    slots, tables = zip(*asked, strict=True)
    return sum(1 for _ in plain_readings.fillings(slots, tables, {}))


def picture_faults(
    data: Mapping[str, Any], row: int, column: int, size: tuple[int, int]
) -> list[str]:
    """Return what is wrong with the rectangle that the picture should have."""
    cells = {(row + r, column + c) for r in range(size[0]) for c in range(size[1])}
    return [] if cells == {tuple(cell) for cell in data.get("holes", ())} else ["another picture"]
