"""The grid: which cells take letters, and the slots and crossings that follow from it.

``lint`` judges a structure by the customs of puzzle makers, which ``styles`` lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import field, replace
from os import PathLike, fspath
from typing import Any, TypeVar

from satcross.errors import InputError
from satcross.support.arguments import check_texts, short_repr
from satcross.support.frozen import frozen
from satcross.support.hooks import call

BLOCKED = "#"
OPEN = "_"
FULL_BLOCK = "\N{FULL BLOCK}"

ACROSS = "across"
DOWN = "down"

T = TypeVar("T")
Cell = tuple[int, int]

STRIDE = 1 << 20
"""What is added to the column of a rebus cell, once for each letter after the first.

So each letter of a slot has a cell of its own, although several are printed in one square."""


def place(cell: Cell) -> Cell:
    """Return the row and column at which a cell is printed."""
    return cell[0], cell[1] % STRIDE


_CELL_NAME = r"(?ai)r(\d{1,6})c(\d{1,6})"

Bar = tuple[Cell, Cell]
"""Two neighbouring open cells with a bar between them: left and right, or upper and lower."""


def cell_name(cell: Cell) -> str:
    """Return the name of a cell in options, messages and comments of formulas: ``r3c4``, from 1.

    The second letter of a rebus cell is at ``r3c4+1``.
    """
    more, column = divmod(cell[1], STRIDE)
    return f"r{cell[0] + 1}c{column + 1}" + (f"+{more}" if more else "")


def read_cell(text: str) -> Cell | None:
    """Return the cell with a name such as ``r3c4``; None for a text that is no such name.

    Raises InputError for a row or column 0: rows and columns are counted from 1.
    """
    found = re.fullmatch(_CELL_NAME, text.strip())
    if found is None:
        return None
    row, column = int(found[1]), int(found[2])
    check_from_one(text, row, column)
    return row - 1, column - 1


def check_from_one(text: str, *numbers: int) -> None:
    """Raise InputError when one of the rows and columns that ``text`` names is 0."""
    if 0 in numbers:
        raise InputError(
            f"{text.strip()} has a row or column 0", "count from 1: r1c1 is the upper left cell"
        )


@frozen
class Slot:
    """A maximal run of two or more open cells without a bar between them.

    ``cells`` are (row, column) pairs, 0-based, in reading order, one for each letter; ``place``
    tells where a cell is printed.
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
        """The number of letters."""
        return len(self.cells)

    @property
    def places(self) -> tuple[Cell, ...]:
        """The printed cells, each once."""
        return tuple(cell for cell in self.cells if cell[1] < STRIDE)


@frozen
class Crossing:
    """A cell shared by an across and a down slot (indices into ``Grid.slots``)."""

    cell: Cell
    across: int
    across_position: int
    down: int
    down_position: int


@frozen
class Grid:
    """A rectangle of cells, each open or blocked; an open cell may carry a given letter.

    ``rows`` has one string for each row, all of the same width: ``#`` is a blocked cell, ``_`` an
    open one, and any other character a given letter. ``slots`` are in reading order of their first
    cell, across before down, and named as in a printed puzzle (``14A``, ``3D``). ``left_out`` names
    slots to ignore: ``slots`` does not have them, and the other slots keep their names.

    ``rebus`` has (cell, letters) for each cell with several given letters, of which ``rows`` has
    the first. A slot through such a cell has a letter, and an entry in ``Slot.cells``, for each.

    A slot ends at a bar (``bars``); bars beside blocked cells are dropped. Decorations change
    only how the grid looks: open cells may be ``circled`` and ``shaded``, and blocked cells may be
    ``holes``, where the printed grid has no cell at all.

    Raises ValueError for rows of different widths, for a bar that is not between neighbours, for
    a decoration of a cell that can't have it, and for a rebus cell with another letter in ``rows``.
    """

    rows: tuple[str, ...]
    left_out: frozenset[str] = frozenset()
    bars: frozenset[Bar] = frozenset()
    circled: frozenset[Cell] = frozenset()
    shaded: frozenset[Cell] = frozenset()
    holes: frozenset[Cell] = frozenset()
    rebus: frozenset[tuple[Cell, str]] = frozenset()
    slots: tuple[Slot, ...] = field(init=False, repr=False, compare=False)
    crossings: tuple[Crossing, ...] = field(init=False, repr=False, compare=False)
    _rebus_letters: dict[Cell, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len({len(row) for row in self.rows}) > 1:
            raise ValueError("the rows of a grid must have the same width")
        if self.bars or self.circled or self.shaded or self.holes:
            self._check_decorations()
        letters = dict(self.rebus)
        if any(len(text) < 2 or self.rows[r][c] != text[0] for (r, c), text in letters.items()):
            raise ValueError("a rebus cell has several letters, and the rows have the first")
        object.__setattr__(self, "_rebus_letters", letters)
        found = _find_slots(self.rows, self.bars, letters)
        slots = tuple(slot for slot in found if slot.name not in self.left_out)
        object.__setattr__(self, "slots", slots)
        object.__setattr__(self, "crossings", _find_crossings(slots))

    def _check_decorations(self) -> None:
        rows = self.rows
        opened = open_cells(rows)
        for (row, column), end in self.bars:
            if end not in ((row, column + 1), (row + 1, column)):
                raise ValueError(f"the bar of {(row, column)} and {end} is not between neighbours")
        between = frozenset(bar for bar in self.bars if opened.issuperset(bar))
        object.__setattr__(self, "bars", between)
        blocked = {(r, c) for r, row in enumerate(rows) for c in range(len(row))} - opened
        for cells, allowed, text in (
            (self.circled, opened, "the circle at {} is not in an open cell"),
            (self.shaded, opened, "the shaded cell {} is not an open cell"),
            (self.holes, blocked, "the hole at {} is not a blocked cell"),
        ):
            if not cells <= allowed:
                raise ValueError(text.format(min(cells - allowed)))

    @property
    def extent(self) -> str:
        """The ranges of row and column indices, for messages."""
        return f"rows are 1 to {self.height}, columns 1 to {self.width}"

    @classmethod
    def from_rows(cls, rows: Iterable[str], *, letters: bool = False) -> Grid:
        """Make a grid from the rows of a structure file, in the format of CS50.

        ``_`` is an open cell, and every other character a blocked one. With ``letters``, a letter
        is an open cell with that letter given, in upper case. Short rows are padded with blocked
        cells on the right. Raises ValueError for a letter whose upper case has several letters,
        like the German ß.
        """
        check_texts(rows, "the rows")
        given = list(rows)
        width = max(map(len, given), default=0)
        return cls(tuple(_read_row(row, letters).ljust(width, BLOCKED) for row in given))

    @classmethod
    def read(cls, path: str | PathLike[str], *, letters: bool = False) -> Grid:
        """Read a grid: a structure file, or the block pattern of a crossword's file.

        With ``letters``, the letters of the file are given letters. Raises InputError for a file
        that can't be read or holds no grid.
        """
        grid: Grid = call("read_structure", fspath(path), letters=letters).grid
        return grid

    __repr__ = short_repr

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
        more, column = divmod(cell[1], STRIDE)
        if more:
            return self._rebus_letters[cell[0], column][more]
        content = self.rows[cell[0]][column]
        return None if content in (BLOCKED, OPEN) else content

    def content(self, cell: Cell) -> str | None:
        """Return all given letters of a printed cell, or None."""
        return self._rebus_letters.get(cell) or self.given(cell)

    def with_given(self, cells: Container[Cell]) -> Grid:
        """The grid with no given letters but those in these cells."""
        return self.with_cells({c: OPEN for c in open_cells(self.rows) if c not in cells})

    def with_cells(self, contents: Mapping[Cell, str]) -> Grid:
        """The grid with other contents of some cells, without decorations that they rule out."""
        rows = (
            "".join(contents.get((row, column), cell) for column, cell in enumerate(line))
            for row, line in enumerate(self.rows)
        )
        return self.with_rows(rows)

    def with_rows(self, rows: Iterable[str]) -> Grid:
        """The grid with other rows of the same size, without decorations that they rule out."""
        new = tuple(rows)
        opened = open_cells(new)
        return replace(
            self,
            rows=new,
            circled=self.circled & opened,
            shaded=self.shaded & opened,
            holes=self.holes - opened,
            rebus=frozenset(
                ((row, column), letters)
                for (row, column), letters in self.rebus
                if new[row][column] == letters[0]
            ),
        )

    def _repr_svg_(self) -> str:
        """Return the picture that a notebook shows."""
        picture: str = call("notebook_svg", self, self.letters([None] * len(self.slots)))
        return picture

    def slot_named(self, name: str) -> int | None:
        """Return the index in ``slots`` of the slot with that name (any case), or None."""
        wanted = name.upper()
        return next((i for i, slot in enumerate(self.slots) if slot.name == wanted), None)

    def letters(self, words: Sequence[str | None]) -> list[list[str | None]]:
        """Return rows of letters for one word (or None) per slot, in the order of ``slots``.

        A cell without a word has its given letter, or None.
        """
        grid = [[self.content((r, c)) for c in range(self.width)] for r in range(self.height)]
        for slot, word in zip(self.slots, words, strict=True):
            if word is not None:
                for cell, letter in zip(slot.cells, word, strict=True):
                    row, column = place(cell)
                    if (row, column) not in self._rebus_letters:
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


def is_layout(grid: Grid) -> bool:
    """Whether more than two fifths are blocked, as in a layout of a few words."""
    blocks = sum(row.count(BLOCKED) for row in grid.rows)
    return 5 * blocks > 2 * grid.height * grid.width


def cellwise(make: Callable[..., T], *tables: Iterable[Iterable[Any]]) -> list[list[T]]:
    """Return rows of what a function makes of the cells at each place of equal tables."""
    table = zip(*tables, strict=True)
    return [[make(*cells) for cells in zip(*rows, strict=True)] for rows in table]


def open_cells(rows: Sequence[Sequence[str]]) -> set[Cell]:
    """Return the cells of rows that are not blocked."""
    return {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != BLOCKED}


def _find_slots(
    rows: tuple[str, ...], bars: Container[Bar], rebus: Mapping[Cell, str]
) -> tuple[Slot, ...]:
    opened = open_cells(rows)

    def is_joined(cell: Cell, end: Cell) -> bool:
        return cell in opened and end in opened and (cell, end) not in bars

    slots = []
    number = 0
    for start in sorted(opened):
        row, column = start
        starts = []
        for direction, down, right in ((ACROSS, 0, 1), (DOWN, 1, 0)):
            cell, end = start, (row + down, column + right)
            if not is_joined(start, end) or is_joined((row - down, column - right), start):
                continue
            cells = [start]
            while is_joined(cell, end):
                cells.append(end)
                cell, end = end, (end[0] + down, end[1] + right)
            spread = tuple(
                (r, c + more * STRIDE)
                for r, c in cells
                for more in range(len(rebus.get((r, c), "_")))
            )
            starts.append((direction, spread))
        if starts:
            number += 1
            for direction, run in starts:
                slots.append(Slot(f"{number}{direction[0].upper()}", direction, run))
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
