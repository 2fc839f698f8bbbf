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
    """Return the name of a cell in flags, JSON and comments of formulas: ``r2c3``, from 0."""
    return f"r{cell[0]}c{cell[1]}"


def describe_cell(cell: Cell) -> str:
    """Return the name of a cell in messages: ``row 3, column 4``, from 1."""
    return f"row {cell[0] + 1}, column {cell[1] + 1}"


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

    ``rows`` has one string for each row, all of the same width: ``#`` is a blocked cell, ``_`` an
    open one, and any other character a given letter. ``slots`` are in reading order of their first
    cell, across before down, and named as in a printed puzzle (``14A``, ``3D``). ``left_out`` names
    slots to ignore: ``slots`` does not have them, and the other slots keep their names.
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
        """The ranges of row and column indices, for messages."""
        return f"rows are 0 to {self.height - 1}, columns 0 to {self.width - 1}"

    @classmethod
    def from_rows(cls, rows: Iterable[str], *, letters: bool = False) -> Grid:
        """Make a grid from the rows of a structure file, in the format of CS50.

        ``_`` is an open cell, and every other character a blocked one. With ``letters``, a letter
        is an open cell with that letter given, in upper case. Short rows are padded with blocked
        cells on the right. Raises ValueError for a letter whose upper case has several letters,
        like the German ß.
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
        """Return the given letter of the cell, or None."""
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
        """Return the picture that a notebook shows."""
        return self.notebook_svg(self.letters([None] * len(self.slots)))

    def notebook_svg(self, letters: Sequence[Sequence[str | None]]) -> str:
        """Return a small SVG picture of the grid with these letters, one row for each row."""
        rows = [
            [BLOCKED if cell == BLOCKED else letter for cell, letter in zip(*both, strict=True)]
            for both in zip(self.rows, letters, strict=True)
        ]
        return grid_svg(rows, {slot.cells[0]: slot.name[:-1] for slot in self.slots})

    def slot_named(self, name: str) -> int | None:
        """Return the index in ``slots`` of the slot with that name (any case), or None."""
        wanted = name.upper()
        return next((i for i, slot in enumerate(self.slots) if slot.name == wanted), None)

    def letters(self, words: Sequence[str | None]) -> list[list[str | None]]:
        """Return rows of letters for one word (or None) per slot, in the order of ``slots``.

        A cell without a word has its given letter, or None.
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
        raise ValueError(f"{cell} is {upper} in upper case, but a cell has only one letter")
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
