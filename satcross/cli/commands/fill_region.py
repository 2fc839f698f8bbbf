"""``satcross fill-region``, the old name of ``solve --keep FILL --region R``."""

from __future__ import annotations

import sys

import click

from satcross.cli.best_option import BestCommand
from satcross.cli.commands.solve import Request, solve
from satcross.cli.options import make_command

_EPILOG = """\b
Example:
  satcross solve grid.txt --keep fill.json --region r0-5c0-6
"""


@make_command(
    Request,
    name="fill-region",
    epilog=_EPILOG,
    cls=BestCommand,
    hidden=frozenset(("proof", "heat", "form")),
)
def command(request: Request) -> None:
    """Fill a part of a grid anew: the old name of `satcross solve --keep FILL --region R`."""
    if request.fills.keep.fill is None or not request.fills.keep.regions:
        raise click.UsageError("give --keep and --region.")
    code = solve(request)
    request.report.note("the new name of fill-region is: satcross solve --keep FILL --region R")
    sys.exit(code)
