"""``satcross lint``, the old name of ``check STRUCTURE``."""

from __future__ import annotations

from dataclasses import dataclass

from satcross.cli.check_structure import check_structure, style_option
from satcross.cli.options import make_command, options
from satcross.cli.output import Report
from satcross.cli.read_puzzle import PuzzleInput
from satcross.rules import all_flags

_EPILOG = """\b
Example:
  satcross check grid.txt -w words.txt --style british
"""


@dataclass(frozen=True, slots=True)
class _Request:
    """The arguments and options of ``lint``."""

    puzzle: PuzzleInput = options(PuzzleInput)
    style: str = style_option()
    report: Report = options(Report)


@make_command(
    _Request,
    name="lint",
    epilog=_EPILOG,
    hidden=frozenset(flag.parameter for flag in all_flags()) - {"min_score"},
)
def command(request: _Request) -> None:
    """List what is unusual about a structure: the old name of `satcross check STRUCTURE`."""
    check_structure(request.puzzle, request.style, request.report)
    request.report.note("the new name of lint is: satcross check STRUCTURE --words WORDS")
