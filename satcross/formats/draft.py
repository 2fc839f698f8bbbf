"""What a reader has found in a file, and the crossword that follows from it.

All readers fill a ``Draft``; ``Draft.finish`` does what they have in common: it compares what the
file says twice, places the clues, and names the fields that nobody has taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from satcross.crossword import Clue
from satcross.errors import InputError
from satcross.formats import common
from satcross.formats.files import Text
from satcross.formats.languages import stated_language
from satcross.formats.placing import FoundClue, Placing, direction_of
from satcross.grid import BLOCKED, OPEN, Cell, Grid, cell_name, cellwise, open_cells
from satcross.support.wording import first_few

_MIN_PLACEHOLDERS = 6
"""Minimum number of cells with X or a sign, and nothing else, for these to be no letters."""
_MAX_SHOWN = 6
_MAX_NAME = 40
_UNKNOWN = "?"
DIAGRAMLESS = "a diagramless puzzle; the blocked cells are taken from the solution"
GREY = "d3d3d3"
"""The colour of shaded cells where none is stated."""
_COLOUR = re.compile("[0-9a-f]{3}|[0-9a-f]{6}")


@contextmanager
def reading(source: Text, remedy: str, problem: str = "") -> Iterator[Draft]:
    """Give a reader an empty draft, and make one InputError of what is wrong with the file.

    ``problem`` is what the error begins with.
    """
    try:
        yield Draft(source.name, list(source.notes))
    except RecursionError:
        reason = "the file is nested too deeply"
    except (LookupError, TypeError, AttributeError):
        reason = "a field is missing or of another kind"
    except ValueError as error:
        reason = str(error)
    else:
        return
    raise source.error(problem + reason, remedy)


def _is_number(value: object, number: int) -> bool:
    try:
        return float(str(value)) == number
    except ValueError:
        return False


@dataclass(slots=True)
class Draft:
    """The contents of a file; a reader adds what it takes out of the parsed file.

    ``rows`` has ``#``, ``_`` or the given letter of each cell, ``letters`` those of the solution;
    ``decorations`` are fields of ``Grid``; ``labels`` maps what stands in the corner of a cell to
    the cell; ``unused`` are the fields, by name, that satcross has no place for. ``in_order`` is
    as for ``Placing``; ``month_first`` says that dates of this format begin with the month.
    """

    name: str
    notes: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    letters: list[list[str | None]] = field(default_factory=list)
    decorations: dict[str, list[object]] = field(default_factory=dict)
    labels: dict[str, Cell] = field(default_factory=dict)
    clues: list[FoundClue] = field(default_factory=list)
    others: list[Clue] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    unused: dict[str, None] = field(default_factory=dict)
    in_order: bool = False
    month_first: bool = False
    problem: str = ""
    colours: dict[Cell, str] = field(default_factory=dict)

    def add_row(
        self, cells: Sequence[str], blocks: str, empty: str, rebus: Mapping[str, str] = {}
    ) -> None:
        """Add a row of signs: blocks, cells without a letter, letters, and keys of ``rebus``.

        Raises ValueError for what is not a letter.
        """
        self.rows.append([BLOCKED if cell and cell in blocks else OPEN for cell in cells])
        read = (None if c in blocks or c in empty else rebus.get(c, c) for c in cells)
        self.letters.append([None if text is None else common.read_letters(text) for text in read])

    def read_rows(
        self,
        lines: Iterable[tuple[int, str]],
        read: Callable[[str], None],
        remedy: str = "write one letter per cell, in rows of the same length",
        max_width: int = common.MAX_SIDE,
    ) -> None:
        """Let ``read`` add the cells of each numbered line; what it raises names the line.

        ``max_width`` is in characters. Raises InputError, also for rows of different lengths.
        """
        for number, line in lines:
            if len(line) > max_width or len(self.rows) == common.MAX_SIDE:
                remedy = f"satcross reads at most {common.MAX_SIDE} rows and columns"
                raise InputError("the grid is too large", remedy, file=self.name, line=number)
            try:
                read(line)
                if len(self.rows[-1]) != len(self.rows[0]):
                    few, many = len(self.rows[-1]), len(self.rows[0])
                    raise ValueError(f"the row has {few} cells, the first row has {many}")
            except ValueError as error:
                raise InputError(str(error), remedy, file=self.name, line=number) from None

    def decorate(self, kind: str, cell: Cell) -> None:
        """Add a circled, shaded or hidden cell."""
        self.decorations.setdefault(kind, []).append(cell)

    def add_bar(self, cell: Cell, side: str) -> None:
        """Add the bar at the top, left, bottom or right of a cell."""
        self.decorations.setdefault("bars", []).append(common.bar_at(cell, side))

    def shade(self, cell: Cell, colour: object) -> None:
        """Shade a cell whose background has a colour, unless that is white or None."""
        if common.is_white(colour):
            return
        self.decorate("shaded", cell)
        code = str(colour).lower().lstrip("#")
        if _COLOUR.fullmatch(code) and code != GREY:
            self.colours[cell] = code

    def leave(self, rest: Mapping[str, object], where: str = "") -> None:
        """Note the fields that a reader has not taken, unless they are empty."""
        for key, value in rest.items():
            if value not in (None, "", [], {}, False, 0, "0", "false"):
                self.unused.setdefault(f"{where} {key}".strip())

    def compare_size(self, stated: Mapping[str, object]) -> None:
        """Note a width or height that is not the grid's."""
        actual = {"height": len(self.rows), "width": max(map(len, self.rows), default=0)}
        for key, value in stated.items():
            if value is not None and not _is_number(value, actual[key]):
                unit = "rows" if key == "height" else "columns"
                self.notes.append(
                    f"the stated {key} is {common.excerpt(str(value))}, but the grid has "
                    f"{actual[key]} {unit}; the grid is followed"
                )

    def structure(self, rows: Sequence[Sequence[str]]) -> Grid:
        """Return the grid of these rows without letters, with the bars of the file.

        Raises InputError for rows of different lengths.
        """
        common.check_shape(self.name, rows)
        patterns = ("".join(BLOCKED if c == BLOCKED else OPEN for c in row) for row in rows)
        bars: Iterable[Any] = self.decorations.get("bars", ())
        return Grid(tuple(patterns), bars=frozenset(bars))

    def evidence(self, rows: Sequence[Sequence[str]]) -> int:
        """Return how much of the file agrees with these rows: clues, answers and labels.

        Slots without a clue count against them.
        """
        slots = {slot.name: slot for slot in self.structure(rows).slots}
        runs = {slot.places for slot in slots.values()}
        found = sum(clue.cells in runs for clue in self.clues if clue.cells)
        clued = set()
        for clue in self.clues:
            slot = slots.get(f"{clue.label}{direction_of(clue.group)[:1].upper()}")
            if slot is not None:
                letters = [self.letters[row][column] or "." for row, column in slot.places]
                found += 1 + 2 * ("".join(letters) == clue.answer)
                clued.add(slot.name)
        starts = {(slot.name[:-1], slot.cells[0]) for slot in slots.values()}
        found -= len(slots.keys() - clued) if clued else 0
        return found + sum(label in starts for label in self.labels.items())

    def weigh_blocks(self, others: list[list[str]], name: str, other: str) -> None:
        """Follow the rows of another part of the file where more of the file agrees with these.

        ``name`` and ``other`` are what notes call the two parts. Does nothing for equal blocks.
        """
        wrong = sorted(open_cells(self.rows) ^ open_cells(others))
        if not wrong:
            return
        is_better = self.evidence(others) > self.evidence(self.rows)
        many = "1 cell is" if len(wrong) == 1 else f"{len(wrong)} cells are"
        chosen = f"{other} is followed, which fits more clues"
        self.notes.append(
            f"{many} blocked in only one of {name} and {other} ({cell_name(wrong[0])}); "
            f"the {chosen if is_better else f'{name} is followed'}"
        )
        if is_better:
            self.rows = others
            self.labels = {}  # they number the cells of the part that is not followed

    def weigh_signs(self, is_letter: Callable[[str], bool]) -> None:
        """Make empty cells, and signs that are no letters, blocks where more of the file fits so.

        Where there is no clue, they are blocks in a grid that has letters and no other block.
        """
        pair = self.rows, self.letters
        filled = cellwise(lambda cell, x: cell if x and is_letter(x) else BLOCKED, *pair)
        if filled == self.rows:
            return
        gain = self.evidence(filled) - self.evidence(self.rows)
        has_blocks = any(BLOCKED in row for row in self.rows)
        has_letters = any(letter for row in self.letters for letter in row)
        if gain > 0 or (gain == 0 and has_letters and not has_blocks and not self.clues):
            self.rows = filled

    def finish(self) -> common.ImportedCrossword:
        """Return the crossword. Raises InputError or ValueError for one that can't be used."""
        self._drop_placeholders()
        self._compare_given()
        grid = common.make_grid(self.name, self.rows, self.decorations)
        self._date()
        self.texts["language"] = stated_language(self.texts.get("language", ""), self.notes)
        crossword = common.make_crossword(grid, self.letters, texts=self.texts)
        placed = Placing(grid, self.clues, self.labels, crossword.words, self.in_order)
        self.notes += placed.notes()
        self.note_unused()
        kept = frozenset(pair for pair in self.colours.items() if pair[0] in grid.shaded)
        others = (*self.others, *placed.others)
        crossword = replace(crossword, clues=placed.clues, other_clues=others, colours=kept)
        return common.ImportedCrossword(crossword, tuple(self.notes), self.problem)

    def note_unused(self) -> None:
        """Note the fields that are left."""
        names = [
            name if len(name) <= _MAX_NAME and name.isprintable() else common.excerpt(name)
            for name in self.unused
        ]
        if names:
            self.notes.append(f"ignored: {first_few(names, _MAX_SHOWN)}")

    def _date(self) -> None:
        day = self.texts.pop("date", "").strip()
        found, is_open = common.read_date(day)
        if found:
            self.texts["date"] = found
            if is_open and not self.month_first:
                self.notes.append(f"the date {day} is read as {found}, with the month first")
        elif day:
            self.notes.append(f"ignored: {common.excerpt(day)}, which is not a date")

    def _drop_placeholders(self) -> None:
        """Drop signs that stand for an unknown letter: ``?``, and X or a sign in every cell."""
        known = [letter for row in self.letters for letter in row if letter]
        only = len(set(known)) == 1 and len(known) >= _MIN_PLACEHOLDERS
        only = only and (known[0] == "X" or not known[0].isalpha())
        if only:
            self.notes.append(f"every letter of the solution is {known[0]}, so there is none")
        signs = {*known, _UNKNOWN} if only else {_UNKNOWN}
        self.letters = [[None if c in signs else c for c in row] for row in self.letters]

    def _compare_given(self) -> None:
        """Drop the given letters that contradict the solution: a player has entered them."""
        wrong = []
        for row, (cells, letters) in enumerate(zip(self.rows, self.letters, strict=False)):
            for column, (cell, letter) in enumerate(zip(cells, letters, strict=False)):
                given = cell not in (OPEN, BLOCKED)
                if given and letter and not letter.startswith(cell):
                    wrong.append((row, column, cell, letter))
                    cells[column] = OPEN
        if wrong:
            row, column, cell, letter = wrong[0]
            many = f"{len(wrong)} entered letters contradict"
            if len(wrong) == 1:
                many = "1 entered letter contradicts"
            self.notes.append(
                f"{many} the solution ({cell_name((row, column))}: {cell} instead of "
                f"{common.excerpt(letter)}); ignored"
            )
