"""``solve --keep FILL --region R``: fill a part of a grid anew and keep the rest of a fill."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from satcross.cli.options import option
from satcross.cli.output import Report
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.puzzle import Puzzle
    from satcross.solving.region import Region


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
        from satcross.formats.fills import read_letters
        from satcross.grid import OPEN
        from satcross.solving.region import keep_outside

        regions = self._regions()
        changed = keep_outside(puzzle, read_letters(self.fill, puzzle.grid), regions)
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
