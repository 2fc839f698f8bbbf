"""Commands that have become options of another; hidden, they work for one more release."""

from __future__ import annotations

from dataclasses import dataclass

import click

from satcross.cli.best_option import join_best
from satcross.cli.check_proof import ProofFlags, check_proof
from satcross.cli.check_structure import check_structure, style_option
from satcross.cli.commands.solve import Request, solve
from satcross.cli.options import argument, make_command, option, options
from satcross.cli.output import Report
from satcross.cli.read_puzzle import PuzzleFlags, PuzzleInput


@dataclass(frozen=True, slots=True)
class _ProofRequest:
    cnf: str = argument("CNF", "The formula.")
    proof: str = argument("PROOF", "The proof.")
    structure: str | None = option("--structure FILE", "The structure of the puzzle.")
    flags: PuzzleFlags = options(PuzzleFlags)
    how: ProofFlags = options(ProofFlags, "Proof")
    report: Report = options(Report)


@make_command(
    _ProofRequest, examples="satcross check grid.txt words.txt --proof grid.cnf grid.drat"
)
def _check_proof(request: _ProofRequest) -> int:
    """Check that PROOF refutes CNF: the old name of `satcross check --proof CNF PROOF`."""
    if request.structure is None and request.flags != PuzzleFlags():
        raise click.UsageError("the puzzle's options need --structure.")
    puzzle = None
    if request.structure is not None:
        puzzle = PuzzleInput(request.structure, None, request.flags)
    code = check_proof(request.cnf, request.proof, puzzle, request.how, request.report)
    return _note(request.report, "check-proof", "check [STRUCTURE [WORDS]] --proof CNF PROOF", code)


@dataclass(frozen=True, slots=True)
class _LintRequest:
    puzzle: PuzzleInput = options(PuzzleInput)
    style: str = style_option("Structure alone")
    report: Report = options(Report)


@make_command(_LintRequest, examples="satcross check grid.txt -w words.txt --style british")
def _lint(request: _LintRequest) -> int:
    """List what is unusual about a structure: the old name of `satcross check STRUCTURE`."""
    check_structure(request.puzzle, request.style, request.report)
    return _note(request.report, "lint", "check STRUCTURE --words WORDS")


@make_command(
    Request,
    examples="satcross solve grid.txt --keep fill.json --region r0-5c0-6",
    prepare=join_best,
)
def _fill_region(request: Request) -> int:
    """Fill a part of a grid anew: the old name of `satcross solve --keep FILL --region R`."""
    if request.fills.keep.fill is None or not request.fills.keep.regions:
        raise click.UsageError("give --keep and --region.")
    return _note(request.report, "fill-region", "solve --keep FILL --region R", solve(request))


def _note(report: Report, old: str, new: str, code: int = 0) -> int:
    report.note(f"the new name of {old} is: satcross {new}")
    return code


COMMANDS = {"check-proof": _check_proof, "lint": _lint, "fill-region": _fill_region}
"""The commands by name."""
