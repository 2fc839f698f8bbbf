"""What a pattern is asked to be, and what is made: demands, placed entries, patterns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import product

from satcross.grid import ACROSS, DOWN, Bar, Cell, Grid
from satcross.grid.styles import MIN_WORD_LENGTH, Style, usual_limits
from satcross.vocabulary import Vocabulary

_SMALL_AREA = 36
"""Area, in cells, up to which a grid without blocks is also accepted.

All larger sizes up to 15x15 have patterns with the usual number of words.
"""


class Symmetry(StrEnum):
    """Symmetry of a pattern: a half turn, left to right, or none."""

    ROTATION = "rotation"
    MIRROR = "mirror"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Demands:
    """Requirements that a pattern must meet.

    ``words`` is the minimum and the maximum number of words, ``min_length`` and ``max_length`` (no
    limit by default) are in letters, and each of ``entries`` must have a slot. ``places`` maps some
    of them to a direction and the cell of their first letter. ``written`` has the
    written forms of entries that the default list writes otherwise or does not have (GINANDTONIC
    is "gin and tonic"): a fill does not repeat their words where it can do without. Without
    ``clumps``, an annealed pattern has no square of 2x2 blocks. Unless ``keep_symmetry``, an
    American pattern around entries that has no fill otherwise is symmetric left and right, or not
    at all. Raises ValueError for a grid of fewer than three rows or columns, for repeated entries,
    and for places outside the grid.
    """

    height: int
    width: int
    words: tuple[int, int]
    min_length: int = MIN_WORD_LENGTH
    max_length: int | None = None
    entries: tuple[str, ...] = ()
    style: Style = Style.AMERICAN
    symmetry: Symmetry = Symmetry.ROTATION
    max_blocks: int | None = None
    places: Mapping[str, tuple[str, Cell]] = field(default_factory=dict)
    written: Mapping[str, str] = field(default_factory=dict)
    clumps: bool = True
    keep_symmetry: bool = False

    def __post_init__(self) -> None:
        if min(self.height, self.width) < MIN_WORD_LENGTH:
            raise ValueError(f"a grid has at least {MIN_WORD_LENGTH} rows and columns")
        if len(set(self.entries)) < len(self.entries):
            raise ValueError("an entry is repeated")
        for word in self.places:
            if word not in self.entries or not any(self.slots_for(word)):
                raise ValueError(f"{word} has a place, but no slot there")

    def holds(self, cell: Cell) -> bool:
        """Return whether the cell is inside the grid."""
        return 0 <= cell[0] < self.height and 0 <= cell[1] < self.width

    def partner(self, cell: Cell) -> Cell:
        """Return the cell that the symmetry maps the cell to."""
        if self.symmetry is Symmetry.NONE:
            return cell
        turned = self.symmetry is Symmetry.ROTATION
        return self.height - 1 - cell[0] if turned else cell[0], self.width - 1 - cell[1]

    def image(self, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        """Return the cells, in reading order, that the symmetry maps cells to."""
        return tuple(sorted(map(self.partner, cells)))

    def slots_for(self, word: str) -> Iterator[EntryPlacement]:
        """Yield all slots of the open grid that an entry may have."""
        for row, column in product(range(self.height), range(self.width)):
            for direction, (down, right) in ((ACROSS, (0, 1)), (DOWN, (1, 0))):
                wanted = self.places.get(word, (direction, (row, column)))
                cells = tuple((row + down * at, column + right * at) for at in range(len(word)))
                if self.holds(cells[-1]) and wanted == (direction, (row, column)):
                    yield EntryPlacement(word, direction, cells)


@dataclass(frozen=True, slots=True)
class EntryPlacement:
    """A slot of a pattern and the entry in it."""

    word: str
    direction: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Rows of ``#`` and ``_``, the placements of the entries, and the bars."""

    rows: tuple[str, ...]
    placements: tuple[EntryPlacement, ...]
    bars: frozenset[Bar] = frozenset()

    def rows_with_entries(self) -> tuple[str, ...]:
        """Return the rows with the letters of the entries."""
        return self.grid().with_cells(letters_at(self.placements)).rows

    def grid(self) -> Grid:
        """Return the grid of the pattern, without letters."""
        return Grid(self.rows, bars=self.bars)

    def locks(self, grid: Grid) -> dict[str, str]:
        """Return slot name -> word for the entries; ``grid`` is that of the pattern."""
        slots = {(slot.direction, slot.cells): slot.name for slot in grid.slots}
        return {slots[place.direction, place.cells]: place.word for place in self.placements}


def letters_at(placements: Sequence[EntryPlacement]) -> dict[Cell, str]:
    """Return cell -> letter for all cells of the entries."""
    pairs = (zip(place.cells, place.word, strict=True) for place in placements)
    return {cell: letter for each in pairs for cell, letter in each}


def with_ends(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return the cell before a slot of two or more cells, its cells, and the cell after."""
    (row, column), (last_row, last_column) = cells[0], cells[-1]
    if row == last_row:
        return (row, column - 1), *cells, (row, last_column + 1)
    return (row - 1, column), *cells, (last_row + 1, column)


CountWords = Callable[[Sequence[str | None]], int]
"""Returns the number of words with given letters; None stands for any letter."""


def count_any(letters: Sequence[str | None]) -> int:
    """Count the words of a list in which every slot has many."""
    return 20_000


def counter_of(
    vocabulary: Vocabulary, min_score: int | None, min_scores: Mapping[int, int] = {}
) -> CountWords:
    """Return what counts the words of a vocabulary with a minimum score, perhaps by length."""

    @cache
    def words_of(length: int) -> int:
        group = vocabulary.group(length)
        score = min_scores.get(length, min_score)
        return group.everything if score is None else group.at_least(score)

    def count(letters: Sequence[str | None]) -> int:
        group, words = vocabulary.group(len(letters)), words_of(len(letters))
        for position, letter in enumerate(letters):
            if letter is not None:
                words &= group.masks(position).get(letter, 0)
        return words.bit_count()

    return count


RANGE = re.compile(r"(\d{1,4})(?:(?:\.\.|-)(\d{1,4}))?")
"""A number or a range of numbers, as options have it."""


def read_range(text: str) -> tuple[int, int] | None:
    """Read ``76`` or ``72..78`` (or ``72-78``); None for what is no such range."""
    found = RANGE.fullmatch(text.strip())
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    return (low, high) if low <= high else None


def default_words(style: Style, height: int, width: int) -> tuple[int, int]:
    """Return the usual minimum and maximum number of words for a size.

    The smallest sizes may have no grid in that range, so the range includes the open grid.
    """
    limits = usual_limits(style, height, width)
    min_words, max_words = limits.min_words, limits.max_words
    if style is Style.AMERICAN and height * width <= _SMALL_AREA:
        return min(min_words, height + width), max(max_words, height + width)
    return min_words, max_words
