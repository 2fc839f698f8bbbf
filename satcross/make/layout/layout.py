"""Layouts: words interlocked in one connected criss-cross, each word once; the result of a search.

Every run of two or more letters, across or down, is one of the words, and all words are connected.
A layout is better than another if its bounding box has a smaller area, then if it has more
crossings, then if its box is closer to a square.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt

from satcross.crossword import Crossword
from satcross.formats.json import slot_to_data
from satcross.grid import ACROSS, BLOCKED, OPEN, Cell, Grid
from satcross.support.wording import counted

Box = tuple[int, int]
"""Rows and columns."""

Placement = tuple[int, int, str]
"""Row and column of a word's first letter, and its direction (ACROSS or DOWN)."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The least area, or with ``square`` the smallest square around the layout.

    With an ``aspect``, width by height, the smallest box of that aspect around it counts.

    With a ``box`` of rows and columns, the layout lies within it, and may lack words; the words
    that it has are worth as much as possible together. ``values`` has what words are worth, where
    that is not 1.
    """

    box: Box | None = None
    square: bool = False
    values: Mapping[str, float] = field(default_factory=dict)
    aspect: float = 0.0

    @property
    def ratio(self) -> float:
        """The aspect, 1 for a square; 0 where the least area counts."""
        return 1.0 if self.square else self.aspect

    def missing(self, words: Sequence[str]) -> float:
        """Return what the words are worth together."""
        return sum(self.values.get(word, 1) for word in words)

    def measure(self, height: int, width: int) -> int:
        """Return the number of cells of the box, or of the box of the aspect around it.

        Of boxes in the same square, a flat one is better, as it grows least.
        """
        if self.ratio:
            taller = max(height, width / self.ratio)
            return int(taller * taller * self.ratio) + min(height, width)
        return height * width


@dataclass(frozen=True, slots=True)
class Layout:
    """Words and their placements; the bounding box starts at row 0 and column 0."""

    placements: tuple[tuple[str, Placement], ...]

    @classmethod
    def of(cls, placements: Iterable[tuple[str, Placement]]) -> Layout:
        """Return the layout moved to row 0, column 0, its words in alphabetical order."""
        ordered = sorted(placements)
        top = min(row for _, (row, _, _) in ordered)
        left = min(column for _, (_, column, _) in ordered)
        return cls(tuple((word, (r - top, c - left, way)) for word, (r, c, way) in ordered))

    @property
    def letters(self) -> dict[Cell, str]:
        """Cell -> letter, for the cells that have one."""
        return {
            cell: letter
            for word, place in self.placements
            for cell, letter in zip(placement_cells(word, place), word, strict=True)
        }

    @property
    def height(self) -> int:
        return 1 + max(row for row, _ in self.letters)

    @property
    def width(self) -> int:
        return 1 + max(column for _, column in self.letters)

    @property
    def area(self) -> int:
        """Number of cells of the bounding box."""
        return self.height * self.width

    def cells(self, *, square: bool) -> int:
        """Number of cells of the bounding box, or of the smallest square around the layout."""
        return max(self.height, self.width) ** 2 if square else self.area

    @property
    def crossings(self) -> int:
        """Number of cells in two words."""
        return sum(len(word) for word, _ in self.placements) - len(self.letters)

    @property
    def cost(self) -> tuple[int, int, int]:
        """Sort key of layouts, best first."""
        return self.area, -self.crossings, abs(self.height - self.width)

    @property
    def rows(self) -> tuple[str, ...]:
        """Rows of letters, with ``#`` in cells without a letter."""
        letters = self.letters
        return tuple(
            "".join(letters.get((row, column), BLOCKED) for column in range(self.width))
            for row in range(self.height)
        )

    def grid(self) -> Grid:
        """Return the grid without letters."""
        return Grid(tuple(re.sub(f"[^{BLOCKED}]", OPEN, row) for row in self.rows))

    def fill(self) -> dict[str, str]:
        """Return slot name -> word."""
        letters = self.letters
        slots = self.grid().slots
        return {slot.name: "".join(letters[cell] for cell in slot.cells) for slot in slots}

    def crossword(self, clues: Mapping[str, str]) -> Crossword:
        """Return the layout as a crossword; ``clues`` maps words to clues, or to ""."""
        fill = self.fill()
        shown = {name: clues[word] for name, word in fill.items() if clues[word]}
        return Crossword.of(self.grid(), fill, shown)


def placement_cells(word: str, place: Placement) -> list[Cell]:
    """Return the cells that a word covers, in order."""
    row, column, direction = place
    if direction == ACROSS:
        return [(row, column + k) for k in range(len(word))]
    return [(row + k, column) for k in range(len(word))]


def letter_sharing_groups(words: Sequence[str]) -> list[list[str]]:
    """Group the words so that words of different groups share no letter.

    Words in different groups can't be connected, so a layout exists only for a single group.
    """
    groups: list[list[str]] = []
    for word in words:
        joined = [group for group in groups if any(set(word) & set(other) for other in group)]
        groups = [group for group in groups if group not in joined]
        groups.append([*(other for group in joined for other in group), word])
    return groups


def check_layout(words: Sequence[str], rows: Sequence[str]) -> list[str]:
    """Return the errors of a layout, found from its rows without code of the search."""
    problems = []
    runs = []
    for line in [*rows, *map("".join, zip(*rows, strict=True))]:
        runs += [run for run in line.split(BLOCKED) if len(run) > 1]
    for run in sorted(set(runs) | set(words)):
        if runs.count(run) != words.count(run):
            problems.append(f"{run} appears {runs.count(run)} times, not {words.count(run)}")
    cells = {(r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x != BLOCKED}
    reached, pending = set(), sorted(cells)[:1]
    while pending:
        row, column = pending.pop()
        if (row, column) in cells and (row, column) not in reached:
            reached.add((row, column))
            pending += [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    if reached != cells:
        problems.append("the layout is not connected")
    return problems


@dataclass(frozen=True, slots=True)
class LayoutResult:
    """Result of a layout search: the best layout and the proven lower bound on the area.

    ``layout`` is the smallest layout found, or None. ``bound`` is a number of cells: no layout has
    a smaller area. ``impossible`` means that no layout exists, which is proved. ``reason`` says in
    a clause why there is no layout or why the search stopped; it is "" for a proven optimum.
    ``left_over`` has the words that the best attempt could not place. With a ``box`` of rows and
    columns, ``layout`` may lack these words, and ``impossible`` means that the box does not hold
    all words, which is proved; ``reason`` is "" if the layout has them all. With ``square``, the
    side of the square around the layout is as small as possible, and ``bound`` is the number of its
    cells.
    """

    layout: Layout | None
    bound: int
    impossible: bool = False
    reason: str = ""
    left_over: tuple[str, ...] = ()
    box: Box | None = None
    square: bool = False

    @property
    def smallest(self) -> bool:
        """Whether the layout is proved to have the smallest area, or the smallest square."""
        return self.layout is not None and self.bound >= self.layout.cells(square=self.square)

    def __str__(self) -> str:
        return "\n".join([*(self.layout.rows if self.layout else ()), describe(self)])


def describe(result: LayoutResult) -> str:
    """Describe the layout and its bound in a sentence, or say why there is none."""
    layout = result.layout
    if result.box is not None and layout is not None:
        if not result.left_over:
            return f"{_size(layout)}; all words."
        why = "proved: the box can't hold all words" if result.impossible else result.reason
        return f"{_size(layout)}; left over ({why}): {', '.join(result.left_over)}."
    if layout is None and result.impossible:
        return f"No layout: {result.reason}."
    if layout is None:
        left = ", ".join(result.left_over)
        return f"Unknown: no layout of all words found ({result.reason}); left over: {left}."
    size = _size(layout)
    if result.smallest:
        what = "fits a smaller square" if result.square else "has a smaller area"
        return f"{size}; proved: no layout {what}."
    bound = counted(result.bound, "cell")
    if result.square:
        side = ceil(sqrt(result.bound))
        bound = f"a square of {side}x{side} cells"
    return f"{size}; best found ({result.reason}); proved lower bound: {bound}."


def _size(layout: Layout) -> str:
    return (
        f"{counted(len(layout.placements), 'word')} in {layout.height}x{layout.width} = "
        f"{counted(layout.area, 'cell')}, {counted(layout.crossings, 'crossing')}"
    )


def result_to_data(result: LayoutResult, crossword: Crossword | None) -> dict[str, object]:
    """Return what ``satcross layout --json`` prints, without the figures about the run."""
    layout = result.layout
    data: dict[str, object] = {
        "status": "found" if layout else "impossible" if result.impossible else "unknown",
        "proved_smallest": result.smallest and result.box is None,
        "none_below": result.bound,
        "reason": describe(result),
        "left_over": list(result.left_over),
    }
    if layout is not None and crossword is not None:
        data |= {
            "height": layout.height,
            "width": layout.width,
            "area": layout.area,
            "crossings": layout.crossings,
            "grid": list(layout.rows),
            "slots": [
                {
                    **slot_to_data(slot),
                    "word": crossword.words[slot.name],
                    "clue": crossword.clues.get(slot.name),
                }
                for slot in crossword.grid.slots
            ],
        }
    return data
