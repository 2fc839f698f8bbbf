"""The grid: which cells take letters, and the slots and crossings that follow from it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath

from satcross.support.lazy_exports import resolve
from satcross.support.notebook import grid_svg

BLOCKED = "#"
OPEN = "_"
FULL_BLOCK = "\N{FULL BLOCK}"

ACROSS = "across"
DOWN = "down"

Cell = tuple[int, int]


def cell_name(cell: Cell) -> str:
    """``r2c3``: a cell as flags, JSON and the comments of formulas count, from 0."""
    return f"r{cell[0]}c{cell[1]}"


def place(cell: Cell) -> str:
    """``row 3, column 4 (r2c3)``: a cell as messages name it, as people count and as flags do."""
    return f"row {cell[0] + 1}, column {cell[1] + 1} ({cell_name(cell)})"


@dataclass(frozen=True, slots=True)
class Slot:
    """A maximal run of two or more open cells.

    ``cells`` are (row, column) pairs, 0-based, in reading order.
    """

    name: str
    direction: str
    cells: tuple[Cell, ...]

    @property
    def row(self) -> int:
        return self.cells[0][0]

    @property
    def column(self) -> int:
        return self.cells[0][1]

    @property
    def length(self) -> int:
        return len(self.cells)


@dataclass(frozen=True, slots=True)
class Crossing:
    """A cell shared by an across and a down slot (indices into ``Grid.slots``)."""

    cell: Cell
    across: int
    across_position: int
    down: int
    down_position: int


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of cells, each open or blocked; an open cell may carry a given letter.

    ``rows`` has one string a row, all of the same width: ``#`` blocked, ``_`` open, any other
    character is a given letter. ``slots`` are in reading order of their first cell, across before
    down; they are named as a printed puzzle numbers them (``14A``, ``3D``). Slots named in
    ``left_out`` are none: their cells are free of them, and the others keep their names.
    """

    rows: tuple[str, ...]
    left_out: frozenset[str] = frozenset()
    slots: tuple[Slot, ...] = field(init=False, repr=False, compare=False)
    crossings: tuple[Crossing, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len({len(row) for row in self.rows}) > 1:
            raise ValueError("the rows of a grid must have the same width")
        slots = tuple(slot for slot in _find_slots(self.rows) if slot.name not in self.left_out)
        object.__setattr__(self, "slots", slots)
        object.__setattr__(self, "crossings", _find_crossings(slots))

    @property
    def extent(self) -> str:
        """What rows and columns there are, in the words of a message."""
        return f"rows are 0 to {self.height - 1}, columns 0 to {self.width - 1}"

    @classmethod
    def from_rows(cls, rows: Iterable[str], *, letters: bool = False) -> Grid:
        """Make a grid from rows as CS50's structure files have them.

        ``_`` is open and everything else blocked; with ``letters``, letters are open cells that
        carry that letter (in upper case). Short rows are padded with blocked cells on the right.
        Raises ValueError for a letter that has several as its capital, like the German ß.
        """
        given = list(rows)
        width = max(map(len, given), default=0)
        return cls(tuple(_read_row(row, letters).ljust(width, BLOCKED) for row in given))

    @classmethod
    def read(cls, path: str | PathLike[str], *, letters: bool = False) -> Grid:
        """Read a grid: a structure file, or the block pattern of a crossword's file.

        With ``letters``, the letters of the file are given letters. Raises InputError for a file
        that can't be read or holds no grid.
        """
        structure = resolve("satcross.formats.readers:read_structure")
        grid: Grid = structure(fspath(path), letters=letters).grid
        return grid

    def __str__(self) -> str:
        return self.draw(self.letters([None] * len(self.slots)))

    def draw(self, letters: Sequence[Sequence[str | None]]) -> str:
        """Draw the grid with these letters as text, one line for each row."""
        rows = zip(self.rows, letters, strict=True)
        return "\n".join(
            "".join(
                FULL_BLOCK if cell == BLOCKED else letter or OPEN
                for cell, letter in zip(cells, row, strict=True)
            )
            for cells, row in rows
        )

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    @property
    def structure(self) -> list[list[bool]]:
        """Rows of booleans, true where a cell is open."""
        return [[cell != BLOCKED for cell in row] for row in self.rows]

    def given(self, cell: Cell) -> str | None:
        """The letter the cell carries, if any."""
        content = self.rows[cell[0]][cell[1]]
        return None if content in (BLOCKED, OPEN) else content

    def with_given(self, cells: Container[Cell]) -> Grid:
        """The grid with no given letters but those in these cells."""
        rows = (
            "".join(
                content if content == BLOCKED or (row, column) in cells else OPEN
                for column, content in enumerate(line)
            )
            for row, line in enumerate(self.rows)
        )
        return Grid(tuple(rows), self.left_out)

    def _repr_svg_(self) -> str:
        """How a notebook shows the grid."""
        return self.notebook_svg(self.letters([None] * len(self.slots)))

    def notebook_svg(self, letters: Sequence[Sequence[str | None]]) -> str:
        """Return a small SVG picture of the grid with these letters, one row for each row."""
        rows = [
            [BLOCKED if cell == BLOCKED else letter for cell, letter in zip(*both, strict=True)]
            for both in zip(self.rows, letters, strict=True)
        ]
        return grid_svg(rows, {slot.cells[0]: slot.name[:-1] for slot in self.slots})

    def slot_named(self, name: str) -> int | None:
        """The index in ``slots`` of the slot of that name, upper or lower case."""
        wanted = name.upper()
        return next((i for i, slot in enumerate(self.slots) if slot.name == wanted), None)

    def letters(self, words: Sequence[str | None]) -> list[list[str | None]]:
        """Letters per cell for one word (or None) a slot, in the order of ``slots``.

        A cell in no slot keeps its given letter; None where nothing is known.
        """
        grid = [[self.given((r, c)) for c in range(self.width)] for r in range(self.height)]
        for slot, word in zip(self.slots, words, strict=True):
            if word is not None:
                for (row, column), letter in zip(slot.cells, word, strict=True):
                    grid[row][column] = letter
        return grid


def _read_row(row: str, letters: bool) -> str:
    if not letters:
        return "".join(OPEN if cell == OPEN else BLOCKED for cell in row)
    return "".join(_read_cell(cell) for cell in row)


def _read_cell(cell: str) -> str:
    if cell == OPEN:
        return OPEN
    upper = cell.upper()
    if not cell.isalpha():
        return BLOCKED
    if len(upper) > 1:
        raise ValueError(f"{cell} is {upper} in capitals, and a cell takes one letter")
    return upper


def _find_slots(rows: tuple[str, ...]) -> tuple[Slot, ...]:
    height, width = len(rows), len(rows[0]) if rows else 0

    def is_open(row: int, column: int) -> bool:
        return row < height and column < width and rows[row][column] != BLOCKED

    slots = []
    number = 0
    for row in range(height):
        for column in range(width):
            if not is_open(row, column):
                continue
            starts = []
            if (column == 0 or not is_open(row, column - 1)) and is_open(row, column + 1):
                end = column
                while is_open(row, end):
                    end += 1
                starts.append((ACROSS, tuple((row, k) for k in range(column, end))))
            if (row == 0 or not is_open(row - 1, column)) and is_open(row + 1, column):
                end = row
                while is_open(end, column):
                    end += 1
                starts.append((DOWN, tuple((k, column) for k in range(row, end))))
            if starts:
                number += 1
                for direction, cells in starts:
                    slots.append(Slot(f"{number}{direction[0].upper()}", direction, cells))
    return tuple(slots)


def _find_crossings(slots: tuple[Slot, ...]) -> tuple[Crossing, ...]:
    down_at = {
        cell: (index, position)
        for index, slot in enumerate(slots)
        if slot.direction == DOWN
        for position, cell in enumerate(slot.cells)
    }
    return tuple(
        Crossing(cell, index, position, *down_at[cell])
        for index, slot in enumerate(slots)
        if slot.direction == ACROSS
        for position, cell in enumerate(slot.cells)
        if cell in down_at
    )
