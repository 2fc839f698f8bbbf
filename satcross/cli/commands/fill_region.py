"""``satcross fill-region``: ``solve`` with everything outside of a region given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from satcross.cli.best_option import BestCommand
from satcross.cli.commands import solve
from satcross.cli.options import counted, note
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT
from satcross.grid import OPEN, place
from satcross.puzzle import Puzzle
from satcross.solving.region import Region, keep_outside

_HELP = """Fill a part of a grid anew and keep the rest of a fill.

The letters of --keep stay as they are, except in the region, which is filled with words from WORDS
as `satcross solve` does. Rows and columns count from 0, as in --json. Words that are kept whole are
legal though no list has them; words that reach into the region must be in the list. Arguments,
other options, output and exit codes are those of `satcross solve`.
"""

_EPILOG = """\b
Examples:
  satcross solve grid.txt --json > fill.json
  satcross fill-region grid.txt --keep fill.json --region r0-5c0-6
  satcross fill-region grid.txt words.txt new.png --keep fill.json --region r3c0-4 --best
  satcross fill-region grid.txt --keep fill.json --region r0-4c0-4 --count 3 --diverse
"""

_NOT_HERE = {"proof_path": None, "heat_path": None, "form": "cs50"}
"""Parameters of ``solve`` that speak of the structure as it is."""


def _run(keep: str, region: Sequence[str], **given: Any) -> None:
    regions = [Region.parse(text) for text in region]
    if keep == STANDARD_INPUT and STANDARD_INPUT in (given["structure"], given["words"]):
        raise InputError("standard input can be read only once", "name a file instead of -")

    def change(puzzle: Puzzle) -> Puzzle:
        changed = keep_outside(puzzle, _letters(keep, puzzle), regions)
        missing = sum(
            content == OPEN and not any((row, column) in region for region in regions)
            for row, cells in enumerate(changed.grid.rows)
            for column, content in enumerate(cells)
        )
        if missing and not given["quiet"]:
            many = counted(missing, "cell")
            note(keep, f"{many} outside of the region without a letter, to be filled too")
        return changed

    assert solve.command.callback is not None
    solve.command.callback(**given, **_NOT_HERE, change=change, kept=[keep])


def _letters(path: str, puzzle: Puzzle) -> list[list[str | None]]:
    """The letters of the fill in the file, which must be one of the puzzle's grid."""
    from satcross.formats.fills import read_fills
    from satcross.verify import MISSING

    fills = read_fills(path)
    if len(fills) > 1:
        raise InputError(f"holds {len(fills)} fills", "give a file with one", file=path)
    rows = fills[0].rows
    structure = puzzle.grid.structure
    if [len(row) for row in rows] != [len(row) for row in structure]:
        raise InputError(
            "the fill has another size than the structure", "give a fill of this grid", file=path
        )
    for number, (row, cells) in enumerate(zip(rows, structure, strict=True)):
        for column, (letter, is_open) in enumerate(zip(row, cells, strict=True)):
            if (letter != "#") != is_open and (is_open or letter != MISSING):
                raise InputError(
                    f"{place((number, column))} is "
                    f"{'open' if is_open else 'blocked'} in the structure and not in the fill",
                    "give a fill of this grid",
                    file=path,
                )
    return [[None if letter in (MISSING, "#") else letter for letter in row] for row in rows]


command = BestCommand(
    name="fill-region",
    help=_HELP,
    epilog=_EPILOG,
    callback=_run,
    params=[
        *(one for one in solve.command.params if isinstance(one, click.Argument)),
        click.Option(
            ["--keep"], required=True, metavar="FILL", help="The fill: any file that check reads."
        ),
        click.Option(
            ["--region"],
            required=True,
            multiple=True,
            metavar="r0-5c0-6",
            help="The cells to fill anew: rows 0 to 5 and columns 0 to 6; repeatable.",
        ),
        *(
            one
            for one in solve.command.params
            if isinstance(one, click.Option) and one.name not in _NOT_HERE
        ),
    ],
)
