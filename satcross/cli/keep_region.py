"""``solve --keep FILL --region R``: fill a part of a grid anew and keep the rest of a fill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satcross.cli.options import option
from satcross.cli.output import Report
from satcross.crossword import Crossword
from satcross.grid import OPEN, Grid
from satcross.support.frozen import frozen
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.puzzle import Puzzle
    from satcross.solving.region import Region

Letters = list[list[str | None]]
"""The letters of a fill, row by row; None for a blocked cell or a missing letter."""


@frozen
class KeepFlags:
    """A fill, and the part of it that is filled anew."""

    fill: str | None = option(
        "--keep FILL",
        "Keep the letters of this fill outside of --region: any file that check reads.",
        needs=["--region"],
        excludes=["--proof", "--format sat"],
    )
    regions: tuple[str, ...] = option(
        "--region r1-6c1-7",
        "With --keep: the cells to fill anew, here rows 1 to 6 and columns 1 to 7, counted from 1; "
        "repeatable.",
        multiple=True,
        needs=["--keep"],
    )

    def check(self) -> None:
        """Raise InputError for a region that is none."""
        self._regions()

    def read(self, grid: Grid) -> Letters | None:
        """Read the letters of the kept fill; None without ``--keep``."""
        if self.fill is None:
            return None
        from satcross.formats.fills import read_letters

        return read_letters(self.fill, grid)

    def apply(self, puzzle: Puzzle, letters: Letters, report: Report) -> Puzzle:
        """Return the puzzle with the kept letters given."""
        from satcross.solving.region import keep_outside

        regions = self._regions()
        changed = keep_outside(puzzle, letters, regions)
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

    def note_unchanged(self, crossword: Crossword, letters: Letters, report: Report) -> None:
        """Note that the region's letters are those of the kept fill, where they are."""
        if list(map(list, crossword.solution)) == letters:
            report.note(
                "the region is filled as before; another fill comes from --exclude with a word "
                "of it, from --count, or from another --seed",
                self.fill,
            )

    def _regions(self) -> list[Region]:
        if not self.regions:
            return []
        from satcross.solving.region import Region

        return [Region.parse(text) for text in self.regions]
