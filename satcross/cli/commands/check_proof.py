"""``satcross check-proof``, the old name of ``check --proof``."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import click

from satcross.cli.check_proof import ProofFlags, check_proof
from satcross.cli.options import argument, make_command, option, options
from satcross.cli.output import Report
from satcross.cli.read_puzzle import PuzzleFlags, PuzzleInput

_EPILOG = """\b
Example:
  satcross check grid.txt words.txt --proof grid.cnf grid.drat
"""


@dataclass(frozen=True, slots=True)
class _Request:
    """The arguments and options of ``check-proof``."""

    cnf: str = argument()
    proof: str = argument()
    structure: str | None = option("--structure", metavar="FILE", help="The puzzle's structure.")
    flags: PuzzleFlags = options(PuzzleFlags)
    how: ProofFlags = options(ProofFlags)
    report: Report = options(Report)


@make_command(_Request, name="check-proof", epilog=_EPILOG)
def command(request: _Request) -> None:
    """Check that PROOF refutes CNF: the old name of `satcross check --proof CNF PROOF`."""
    if request.structure is None and request.flags != PuzzleFlags():
        raise click.UsageError("the puzzle's options need --structure.")
    puzzle = None
    if request.structure is not None:
        puzzle = PuzzleInput(request.structure, None, request.flags)
    code = check_proof(request.cnf, request.proof, puzzle, request.how, request.report)
    request.report.note(
        "the new name of check-proof is: satcross check [STRUCTURE [WORDS]] --proof CNF PROOF"
    )
    sys.exit(code)
