"""``solve --keep FILL --region R``: fill a part of a grid anew and keep the rest of a fill."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from satcross.cli.options import option
from satcross.cli.output import Report, counted
from satcross.errors import InputError

if TYPE_CHECKING:
    from satcross.puzzle import Puzzle
    from satcross.solving.region import Region

_BLOCK = "#"


@dataclass(frozen=True, slots=True)
class KeepFlags:
    """A fill, and the part of it that is filled anew."""

    fill: str | None = option(
        "--keep FILL",
        "Keep the letters of this fill outside of --region: any file that check reads.",
    )
    regions: tuple[str, ...] = option(
        "--region r0-5c0-6",
        "With --keep: the cells to fill anew, here rows 0 to 5 and columns 0 to 6, counted from 0; "
        "repeatable.",
        multiple=True,
    )

    def check(self) -> None:
        """Raise UsageError unless both options are given, or neither; InputError for a region."""
        if (self.fill is None) != (not self.regions):
            raise click.UsageError("--keep and --region go together.")
        self._regions()

    def apply(self, puzzle: Puzzle, report: Report) -> Puzzle:
        """The puzzle with the kept letters given; the same puzzle without ``--keep``."""
        if self.fill is None:
            return puzzle
        from satcross.grid import OPEN
        from satcross.solving.region import keep_outside

        regions = self._regions()
        changed = keep_outside(puzzle, _letters(self.fill, puzzle), regions)
        missing = sum(
            content == OPEN and not any((row, column) in region for region in regions)
            for row, cells in enumerate(changed.grid.rows)
            for column, content in enumerate(cells)
        )
        if missing:
            many = counted(missing, "cell")
            report.note(
                f"{many} outside of the region without a letter, to be filled too", self.fill
            )
        return changed

    def _regions(self) -> list[Region]:
        if not self.regions:
            return []
        from satcross.solving.region import Region

        return [Region.parse(text) for text in self.regions]


def _letters(path: str, puzzle: Puzzle) -> list[list[str | None]]:
    """The letters of the fill in the file, which must be one of the puzzle's grid."""
    from satcross.formats.fills import read_fills
    from satcross.verify import MISSING

    fills = read_fills(path)
    if len(fills) > 1:
        raise InputError(f"holds {len(fills)} fills", "give a file with one", file=path)
    rows = fills[0].rows
    _check_shape(path, rows, puzzle)
    return [[None if letter in (MISSING, _BLOCK) else letter for letter in row] for row in rows]


def _check_shape(path: str, rows: Sequence[Sequence[str]], puzzle: Puzzle) -> None:
    from satcross.grid import describe_cell
    from satcross.verify import MISSING

    structure, remedy = puzzle.grid.structure, "give a fill of this grid"
    if [len(row) for row in rows] != [len(row) for row in structure]:
        raise InputError("the fill and the structure differ in size", remedy, file=path)
    for number, (row, cells) in enumerate(zip(rows, structure, strict=True)):
        for column, (letter, is_open) in enumerate(zip(row, cells, strict=True)):
            if (letter != _BLOCK) != is_open and (is_open or letter != MISSING):
                one, other = ("open", "blocked") if is_open else ("blocked", "open")
                raise InputError(
                    f"{describe_cell((number, column))} is {one} in the structure and "
                    f"{other} in the fill",
                    remedy,
                    file=path,
                )
