"""``solve --keep FILL --region R``: fill a part of a grid anew and keep the rest of a fill."""

from __future__ import annotations

from collections.abc import Sequence

from satcross.cli.output import Report
from satcross.crossword import Crossword
from satcross.formats.fills import read_letters
from satcross.grid import OPEN
from satcross.puzzle import Puzzle
from satcross.solving.region import Region, keep_outside
from satcross.support.wording import counted

Letters = list[list[str | None]]
"""The letters of a fill, row by row; None for a blocked cell or a missing letter."""


def keep(
    puzzle: Puzzle, fill: str, regions: Sequence[Region], report: Report
) -> tuple[Letters, Puzzle]:
    """Return the letters of the kept fill, and the puzzle with those outside the region given."""
    letters = read_letters(fill, puzzle.grid)
    changed = keep_outside(puzzle, letters, regions)
    missing = sum(
        content == OPEN and not any((row, column) in region for region in regions)
        for row, cells in enumerate(changed.grid.rows)
        for column, content in enumerate(cells)
    )
    if missing:
        many = counted(missing, "cell")
        report.note(f"{many} outside of the region without a letter, to be filled too", fill)
    return letters, changed


def note_unchanged(crossword: Crossword, letters: Letters, fill: str, report: Report) -> None:
    """Note that the region's letters are those of the kept fill, where they are."""
    if list(map(list, crossword.solution)) == letters:
        report.note(
            "the region is filled as before; another fill comes from --exclude with a word "
            "of it, from --count, or from another --seed",
            fill,
        )
