"""A published crossword: grid, solution, clues, title and author."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from types import MappingProxyType

from satcross.grid import BLOCKED, Cell, Grid
from satcross.support.arguments import short_repr
from satcross.support.hooks import call

_GRID_FIELDS = (
    ("left_out", "which slots are left out"),
    ("circled", "circled cells"),
    ("shaded", "shaded cells"),
    ("holes", "holes"),
)
"""Fields of a grid and what a remark calls them."""


@dataclass(frozen=True, slots=True, repr=False)
class Crossword:
    """A crossword with everything that the file formats can store.

    The given letters of ``grid`` are prefilled: the published crossword shows them. ``solution``
    has one row of letters for each row of the grid; a blocked cell or an unknown letter is None,
    and a rebus cell has several letters.
    ``clues`` maps slot names to clues, in the order of ``Grid.slots``; some may be missing.
    ``date`` is in the format of ISO 8601, or "".

    Raises ValueError when the solution and the grid differ in shape, when a letter is in a blocked
    cell, and when a clue is for a slot that the grid does not have.
    """

    grid: Grid
    solution: tuple[tuple[str | None, ...], ...]
    clues: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    author: str = ""
    copyright: str = ""
    notes: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        if [len(row) for row in self.solution] != [len(row) for row in self.grid.rows]:
            raise ValueError("the solution does not have the grid's shape")
        for cells, letters in zip(self.grid.rows, self.solution, strict=True):
            for cell, letter in zip(cells, letters, strict=True):
                if cell == BLOCKED and letter is not None:
                    raise ValueError("the solution has a letter on a blocked cell")
        names = [slot.name for slot in self.grid.slots]
        unknown = sorted(set(self.clues) - set(names))
        if unknown:
            raise ValueError(f"a clue is for {unknown[0]}, but the grid has no such slot")
        ordered = {name: self.clues[name] for name in names if name in self.clues}
        object.__setattr__(self, "clues", MappingProxyType(ordered))

    @classmethod
    def of(
        cls, grid: Grid, fill: Mapping[str, str] | None = None, clues: Mapping[str, str] = {}
    ) -> Crossword:
        """The crossword of a grid and a fill (slot name -> word), or of an empty grid."""
        words = [(fill or {}).get(slot.name) for slot in grid.slots]
        return cls(grid, tuple(map(tuple, grid.letters(words))), clues)

    @classmethod
    def read(cls, path: str | PathLike[str], *, letters: bool = False) -> Crossword:
        """Read a crossword; see ``satcross.read_crossword``."""
        crossword: Crossword = call("read_crossword", path, letters=letters)
        return crossword

    def write(
        self, path: str | PathLike[str], style: str | None = None, *, paper: str = "a4"
    ) -> list[str]:
        """Write the crossword; see ``satcross.write_crossword``. Returns what was not kept."""
        lost: list[str] = call("write_crossword", self, path, style, paper=paper)
        return lost

    __repr__ = short_repr

    def __str__(self) -> str:
        return self.grid.draw(self.solution)

    def _repr_svg_(self) -> str:
        """Return what a notebook shows: the solution, or with clues a newspaper's page to solve."""
        style = "newspaper" if self.clues else "solution"
        picture: str = call("crossword_svg", self, style)
        return picture

    @property
    def words(self) -> dict[str, str]:
        """Slot name -> word, for the slots whose every letter is known."""
        found = {}
        for slot in self.grid.slots:
            letters: Sequence[str | None] = [self.solution[row][col] for row, col in slot.places]
            if None not in letters:
                found[slot.name] = "".join(filter(None, letters))
        return found

    @property
    def rebus(self) -> frozenset[tuple[Cell, str]]:
        """The cells of the solution with several letters, and these letters."""
        return frozenset(
            ((row, column), letters)
            for row, line in enumerate(self.solution)
            for column, letters in enumerate(line)
            if letters and len(letters) > 1
        )

    @property
    def spelled_grid(self) -> Grid:
        """The grid with the rebus cells of the solution, so that slots have a cell per letter."""
        rebus = dict(self.rebus)
        rows = (
            "".join(rebus.get((row, column), cell)[0] for column, cell in enumerate(line))
            for row, line in enumerate(self.grid.rows)
        )
        return replace(self.grid.with_rows(rows), rebus=self.rebus) if rebus else self.grid

    @property
    def missing_clues(self) -> list[str]:
        """The names of the slots that have no clue."""
        return [slot.name for slot in self.grid.slots if not self.clues.get(slot.name)]

    def differences(self, other: Crossword) -> list[str]:
        """List what differs in the other crossword, as phrases such as "the clues"."""
        if self.grid.structure != other.grid.structure:
            return ["the block pattern"]
        if self.grid.bars != other.grid.bars:
            return ["the bars"]
        found = []
        cells = [(r, c) for r in range(self.grid.height) for c in range(self.grid.width)]
        if any(self.grid.given(cell) != other.grid.given(cell) for cell in cells):
            found.append("letters the grid gives")
        if self.solution != other.solution:
            found.append("letters of the solution")
        for name, text in _GRID_FIELDS:
            found += [text] * (getattr(self.grid, name) != getattr(other.grid, name))
        names = [slot.name for slot in self.grid.slots]
        changed = [n for n in names if self.clues.get(n, "") != other.clues.get(n, "")]
        if changed and not any(other.clues.values()):
            found.append("the clues")
        elif changed:
            more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
            found.append(f"the exact clues of {', '.join(changed[:3])}{more}")
        for text in ("title", "author", "copyright", "notes", "date"):
            if getattr(self, text) != getattr(other, text):
                found.append(f"the exact {text}" if getattr(other, text) else f"the {text}")
        return found
