"""Tables: drawn with rich on a terminal, in plain columns anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from satcross.cli.output import print_line
from satcross.support.letters import spell

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


def print_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    left: int = 1,
    style: Callable[[Sequence[str]], Sequence[str | Text]] = list,
) -> None:
    """Print a table: drawn with rich on a terminal, in plain columns anywhere else.

    The first ``left`` columns are aligned to the left, the others to the right. ``style`` colours
    a row for the terminal.
    """
    if sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        Console().print(rich_table(headings, list(map(style, rows)), left=left))
        return
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        padded = [
            cell.ljust(width) if position < left else cell.rjust(width)
            for position, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print_line("  ".join(padded).rstrip())


def rich_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    *,
    left: int = 1,
    caption: str | None = None,
) -> Table:
    """A table for a terminal, to be printed or redrawn by rich."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, caption=caption, caption_justify="left")
    for position, heading in enumerate(headings):
        table.add_column(heading, justify="left" if position < left else "right")
    for row in rows:
        table.add_row(*(Text(spell(cell)) if isinstance(cell, str) else cell for cell in row))
    return table
