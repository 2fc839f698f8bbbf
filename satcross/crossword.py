"""A published crossword: grid, solution, clues, title and author."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from os import PathLike
from types import MappingProxyType

from satcross.grid import BLOCKED, Cell, Grid
from satcross.support.arguments import short_repr
from satcross.support.frozen import frozen
from satcross.support.hooks import call
from satcross.support.letters import pack
from satcross.support.wording import first_few

_GRID_FIELDS = (
    ("left_out", "which slots are left out"),
    ("circled", "circled cells"),
    ("shaded", "shaded cells"),
    ("holes", "holes"),
)
"""Fields of a grid and what a remark calls them."""


_ENUMERATION = r"(?a)(?:(?<=\S) |^)\((\d\d?(?:[-,;./'\u2019 ]+\d\d?)*)\)$"


ITALIC, UPRIGHT = "\U000f0069", "\U000f0075"
"""Marks of italics within a text, while a file is read or written; files have no such characters.

Cutting and joining texts would otherwise move the spans of ``Clue.italics``."""


class Clue(str):
    """The text of a clue, with what formats know about it besides.

    The text may end in the enumeration, ``(3,5)``. ``also`` are the names of the further slots that
    the answer continues in, ``label`` is what the file calls the clue where that is not the number
    of its slot, and ``group`` is the list it stands in where that is neither across nor down.
    ``italics`` are the parts of the text in italics, from start to end.
    """

    __slots__ = ("also", "group", "italics", "label")

    def __new__(
        cls, text: str = "", *, also: Sequence[str] = (), label: str = "", group: str = ""
    ) -> Clue:
        """Return the clue of a text, in which italics may be marked (``ITALIC``, ``UPRIGHT``).

        Of a ``text`` that is a clue, what is not given is kept.
        """
        old = text if isinstance(text, Clue) else None
        plain, italics = (text, old.italics) if old else _without_marks(text)
        clue = super().__new__(cls, plain)
        clue.also = tuple(also) or (old.also if old else ())
        clue.label = label or (old.label if old else "")
        clue.group = group or (old.group if old else "")
        clue.italics = italics
        return clue

    also: tuple[str, ...]
    label: str
    group: str
    italics: tuple[tuple[int, int], ...]

    @property
    def marked(self) -> str:
        """The text with marks around what is in italics."""
        return mark_italics(self, self.italics)

    def extended(self, end: str) -> Clue:
        """Return the clue with a text at its end; blanks before it are dropped without a clue."""
        text = f"{self.marked}{end}" if self else end.lstrip()
        return Clue(text, also=self.also, label=self.label, group=self.group)

    @classmethod
    def of(cls, text: str) -> Clue:
        """Return the text as a clue; a clue is returned as it is."""
        return text if isinstance(text, Clue) else cls(text)

    @property
    def enumeration(self) -> str:
        """The lengths of the parts of the answer, ``3,5``, with which the text ends; "" if none."""
        found = re.search(_ENUMERATION, self)
        return found[1] if found else ""

    @property
    def bare(self) -> Clue:
        """The clue without the enumeration."""
        return Clue(re.sub(_ENUMERATION, "", self.marked))


def mark_italics(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text with marks of italics around parts of it, for ``Clue``."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}{ITALIC}{text[start:end]}{UPRIGHT}{text[end:]}"
    return str(text)


def _without_marks(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return a text without marks of italics, and the spans between them."""
    first, *others = text.split(ITALIC)
    spans = []
    plain = first.replace(UPRIGHT, "")
    for part in others:
        slanted, _, rest = part.partition(UPRIGHT)
        if slanted:
            spans.append((len(plain), len(plain) + len(slanted)))
        plain += slanted + rest.replace(UPRIGHT, "")
    return plain, tuple(spans)


@frozen
class Crossword:
    """A crossword with everything that the file formats can store.

    The given letters of ``grid`` are prefilled: the published crossword shows them. ``solution``
    has one row of letters for each row of the grid; a blocked cell or an unknown letter is None,
    and a rebus cell has several letters.
    ``clues`` maps slot names to clues, in the order of ``Grid.slots``; some may be missing, and an
    empty text is no clue. Each is a ``Clue``, which is a text. ``other_clues`` are for no slot, or
    for one with another clue.
    ``date`` is in the format of ISO 8601, or "". ``language`` is a code such as ``de``, or "":
    headings and direction of what is printed follow it. ``colours`` are those of shaded cells that
    are not grey, ``ffcc00`` for instance.

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
    other_clues: tuple[Clue, ...] = ()
    language: str = ""
    colours: frozenset[tuple[Cell, str]] = frozenset()

    def __post_init__(self) -> None:
        if [len(row) for row in self.solution] != [len(row) for row in self.grid.rows]:
            raise ValueError("the solution does not have the grid's shape")
        for cells, letters in zip(self.grid.rows, self.solution, strict=True):
            for cell, letter in zip(cells, letters, strict=True):
                if cell == BLOCKED and letter is not None:
                    raise ValueError("the solution has a letter on a blocked cell")
        packed = tuple(
            tuple(None if cell is None else pack(cell) for cell in row) for row in self.solution
        )
        object.__setattr__(self, "solution", packed)
        names = [slot.name for slot in self.grid.slots]
        unknown = sorted(set(self.clues) - set(names))
        if unknown:
            raise ValueError(f"a clue is for {unknown[0]}, but the grid has no such slot")
        ordered = {name: Clue.of(self.clues[name]) for name in names if name in self.clues}
        kept = {name: clue for name, clue in ordered.items() if clue or clue.also}
        object.__setattr__(self, "clues", MappingProxyType(kept))

    @classmethod
    def of(
        cls, grid: Grid, fill: Mapping[str, str] | None = None, clues: Mapping[str, str] = {}
    ) -> Crossword:
        """The crossword of a grid and a fill (slot name -> word), or of an empty grid."""
        given = {name: pack(word) for name, word in (fill or {}).items()}
        words = [given.get(slot.name) for slot in grid.slots]
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
    def letters(self) -> dict[Cell, str]:
        """The letters of the solution that are known; a rebus cell has several."""
        return {
            (row, column): letters
            for row, line in enumerate(self.solution)
            for column, letters in enumerate(line)
            if letters
        }

    @property
    def rebus(self) -> frozenset[tuple[Cell, str]]:
        """The cells of the solution with several letters, and these letters."""
        return frozenset(item for item in self.letters.items() if len(item[1]) > 1)

    @property
    def spelled_grid(self) -> Grid:
        """The grid with the rebus cells of the solution, so that slots have a cell per letter."""
        if not self.rebus:
            return self.grid
        first = {cell: letters[0] for cell, letters in self.rebus}
        return replace(self.grid.with_cells(first), rebus=self.rebus)

    @property
    def _links(self) -> dict[str, tuple[str, ...]]:
        """Slot name -> the slots its clue continues in."""
        return {n: also for n, clue in self.clues.items() if (also := Clue.of(clue).also)}

    @property
    def missing_clues(self) -> list[str]:
        """The names of the slots that have no clue, and in which no other slot's clue continues."""
        continued = {name for also in self._links.values() for name in also}
        names = (slot.name for slot in self.grid.slots if slot.name not in continued)
        return [name for name in names if not self.clues.get(name)]

    def _changed_clues(self, other: Crossword) -> Iterator[str]:
        names = [slot.name for slot in self.grid.slots]
        changed = [n for n in names if self.clues.get(n, "") != other.clues.get(n, "")]
        if changed and not any(other.clues.values()):
            yield "the clues"
        elif changed:
            yield f"the exact clues of {first_few(changed, 3)}"
        kept = [name for name in self.clues if name in other.clues and name not in changed]
        if any(_italics(self, name) != _italics(other, name) for name in kept):
            yield "italics in clues"

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
        found += ["the colours of shaded cells"] * (self.colours != other.colours)
        found += self._changed_clues(other)
        if self._links != other._links:
            found.append("which slots a clue continues in")
        if self.other_clues != other.other_clues:
            found.append("clues for no slot")
        for text in ("title", "author", "copyright", "notes", "date", "language"):
            if getattr(self, text) != getattr(other, text):
                found.append(f"the exact {text}" if getattr(other, text) else f"the {text}")
        return found


def _italics(crossword: Crossword, slot: str) -> tuple[tuple[int, int], ...]:
    return Clue.of(crossword.clues[slot]).italics
