"""``satcross check-proof``."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from satcross.cli import UNKNOWN
from satcross.cli.options import PuzzleFlags, counted, output, puzzle_options, time_limit_option
from satcross.cli.progress import Progress
from satcross.cli.read_puzzle import read_puzzle
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, read_text

if TYPE_CHECKING:
    from satcross.proofs import ProofCheck

VALID, REJECTED = 0, 20

LARGEST_PROOF = 2_000_000_000  # bytes, unpacked

_CHECKERS = ("minisat22", "glucose4", "minicard")  # tested to be proofs.CHECKERS

_EPILOG = """\b
Examples:
  satcross solve grid.txt words.txt --proof grid.drat
  satcross check-proof grid.cnf grid.drat --structure grid.txt --words words.txt
"""


@click.command(name="check-proof", epilog=_EPILOG)
@click.argument("cnf")
@click.argument("proof")
@click.option(
    "--structure",
    metavar="FILE",
    help="Check that CNF is the formula of this structure with the --words and rules given.",
)
@puzzle_options
@click.option(
    "--encoding", type=click.Choice(("full", "direct")), default="full", show_default=True
)
@click.option(
    "--checker",
    type=click.Choice(_CHECKERS),
    default=_CHECKERS[0],
    show_default=True,
    metavar="NAME",
    help=f"Whose unit propagation to use: {', '.join(_CHECKERS)}.",
)
@time_limit_option
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
def command(
    cnf: str,
    proof: str,
    structure: str | None,
    flags: PuzzleFlags,
    encoding: str,
    checker: str,
    time_limit: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Check that PROOF (DRAT) refutes CNF (DIMACS), by unit propagation alone.

    With --structure (and --words and the rules that were given to solve) also that CNF is the
    formula of that puzzle: then the puzzle has no fill.

    Exit code: 0 the proof is valid, 20 it is rejected, 30 limit reached, 2 bad input.
    """
    lists = flags.lists()
    if structure is None and flags != PuzzleFlags():
        raise click.UsageError("the puzzle's options need --structure.")
    if [cnf, proof, structure, *lists].count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read only once", "name a file instead of -")

    from encoders import DimacsError, read_dimacs
    from satcross.deadline import Deadline
    from satcross.proofs import Formula, ProofCheck, check_proof
    from satcross.proofs.check import parse_proof

    deadline = Deadline.after(time_limit)
    formula_text, proof_text = read_text(cnf, LARGEST_PROOF), read_text(proof, LARGEST_PROOF)
    try:
        variables, clauses = read_dimacs(formula_text.text)
    except DimacsError as error:
        raise InputError(
            error.problem, "give a DIMACS CNF", file=formula_text.name, line=error.line
        ) from None
    steps = list(parse_proof(proof_text.name, proof_text.text))
    verdict: ProofCheck | None = None
    if structure is not None:
        puzzle = read_puzzle(structure, lists, flags, quiet=quiet)
        difference = Formula(puzzle, encoding).difference(variables, clauses)
        if difference:
            verdict = ProofCheck(
                False, f"{formula_text.name} is not this puzzle's formula: {difference}"
            )
    if verdict is None:
        with Progress(enabled=not quiet) as progress:
            verdict = check_proof(
                variables,
                clauses,
                steps,
                checker=checker,
                deadline=deadline,
                on_progress=progress.show,
            )
    if as_json or not quiet:
        with output():
            _print(verdict, checker, structure is not None, as_json)
    raise SystemExit({True: VALID, False: REJECTED, None: UNKNOWN}[verdict.valid])


def _print(verdict: ProofCheck, checker: str, of_puzzle: bool, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({**asdict(verdict), "checker": checker}, indent=2))
        return
    work = f"{counted(verdict.lemmas, 'lemma')}, {verdict.seconds:.1f} s, propagation by {checker}"
    if verdict.valid:
        what = "the puzzle has no fill" if of_puzzle else "the formula is unsatisfiable"
        click.echo(f"valid: {what} ({work})")
    elif verdict.valid is None:
        click.echo(f"unknown: {verdict.reason} ({work})")
    else:
        click.echo(f"REJECTED: {verdict.reason}")
