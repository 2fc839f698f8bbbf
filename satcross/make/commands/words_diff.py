"""``satcross words diff``."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import click

from satcross.cli.options import argument, make_command, options
from satcross.cli.output import Report, check_standard_input
from satcross.cli.read_puzzle import ReadingFlags, read_lists
from satcross.make.word_lists import ListChange, list_changes

_EXAMPLES = """
satcross words diff old.dict new.dict
satcross words diff mine.txt                   (beside the default list)
"""


@dataclass(frozen=True, slots=True)
class Request:
    lists: tuple[str, ...] = argument(
        "[OLD] NEW", "Word lists.  [default: the default list]", nargs=-1
    )
    how: ReadingFlags = options(ReadingFlags)
    report: Report = options(Report, quiet="Print no notes on the files.")


@make_command(Request, examples=_EXAMPLES)
def diff(request: Request) -> None:
    """Print what is in one list and not in another, and which scores differ.

    Each line is a word: `+` it is in NEW alone, `-` in OLD alone, `~` its score differs. Both are
    read as they are, without your edits.

    Exit code 0: answered. 2: bad input.
    """
    if not 1 <= len(request.lists) <= 2:
        raise click.UsageError("give one or two lists.")
    check_standard_input(request.lists)
    *old, new = request.lists
    before, after = (
        read_lists(paths, quiet=request.report.quiet, reading=request.how.reading).vocabulary
        for paths in (old, [new])
    )
    changes = list_changes(before, after)
    request.report.show(
        lambda: {"changes": [asdict(change) for change in changes]},
        lambda: [*map(str, changes), _summary(changes)],
    )


def _summary(changes: list[ListChange]) -> str:
    added = sum(change.old is None for change in changes)
    removed = sum(change.new is None for change in changes)
    rescored = len(changes) - added - removed
    return f"{added:,} only in the new list, {removed:,} only in the old one, {rescored:,} rescored"
