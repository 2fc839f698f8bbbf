"""``satcross puzzle``: the puzzles that are printed beside the crossword."""

from __future__ import annotations

from dataclasses import dataclass

import click

from satcross.cli.options import make_command
from satcross.make.commands.arrowword import arrowword
from satcross.make.commands.codeword import codeword
from satcross.make.commands.fill_in import fill_in

_EXAMPLES = """
satcross puzzle codeword crossword.ipuz -o codeword.pdf
satcross puzzle fill-in crossword.ipuz -o fill-in.pdf
satcross puzzle arrowword clued-words.txt -o arrowword.pdf --size 14x12
"""

_SUBCOMMANDS = {"arrowword": arrowword, "codeword": codeword, "fill-in": fill_in}


@dataclass(frozen=True, slots=True)
class _NoKind:
    """The options of ``puzzle`` without a kind: none."""


@make_command(_NoKind, examples=_EXAMPLES, subcommands=_SUBCOMMANDS)
def command(request: _NoKind) -> None:
    """Make arrowwords, and codewords and fill-ins that are proved to have exactly one solution."""
    raise click.UsageError(f"name a kind of puzzle: {', '.join(_SUBCOMMANDS)}.")
