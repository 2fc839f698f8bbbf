"""``check --proof``: whether a proof refutes a formula, and whether that is the puzzle's."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from satcross.cli import FILLED, UNKNOWN, WRONG
from satcross.cli.limited import limited
from satcross.cli.options import option, time_limit_option
from satcross.cli.output import Report, check_standard_input
from satcross.cli.read_puzzle import PuzzleInput
from satcross.errors import InputError
from satcross.formats.files import Text, read_text
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.solving.proofs import ProofCheck

CHECKERS = ("minisat22", "glucose4", "minicard")
"""The solvers whose unit propagation can be used: those of ``satcross.solving.proofs.CHECKERS``."""

MAX_BYTES = 2_000_000_000
"""The size of the largest formula or proof that is read, unpacked."""

_EXIT_CODES = {True: FILLED, False: WRONG, None: UNKNOWN}


@dataclass(frozen=True, slots=True)
class ProofFlags:
    """How a proof is checked."""

    encoding: str = option(
        "--encoding",
        "The encoding of the formula, as for satcross encode.",
        choices=("full", "direct"),
        default="full",
    )
    checker: str = option(
        "--checker NAME",
        f"Whose unit propagation to use: {', '.join(CHECKERS)}.",
        choices=CHECKERS,
        default=CHECKERS[0],
    )
    time_limit: float | None = time_limit_option(
        "Stop after this many seconds, with exit code 30.", heading=None
    )


def check_proof(
    formula: str, proof: str, given: PuzzleInput | None, flags: ProofFlags, report: Report
) -> int:
    """Check the proof in one file against the formula in another; return the exit code.

    With a puzzle, the formula must also be that puzzle's.
    """
    check_standard_input([formula, proof, *([] if given is None else given.files)])

    from satcross.solving import proofs
    from satcross.solving.proofs.check import parse_proof

    with limited(flags.time_limit) as deadline:
        formula_text = read_text(formula, MAX_BYTES)
        proof_text = read_text(proof, MAX_BYTES)
        variables, clauses = _parse_formula(formula_text)
        steps = list(parse_proof(proof_text.name, proof_text.text))
        difference = None
        if given is not None:
            puzzle = given.read(quiet=report.quiet)
            difference = proofs.Formula(puzzle, flags.encoding).difference(variables, clauses)
    if difference:
        problem = f"{formula_text.name} is not this puzzle's formula: {difference}"
        verdict = proofs.ProofCheck(False, problem)
    else:
        with report.progress() as progress:
            verdict = proofs.check_proof(
                variables,
                clauses,
                steps,
                checker=flags.checker,
                deadline=deadline,
                on_progress=progress.show,
            )
    report.show(
        lambda: {**asdict(verdict), "checker": flags.checker},
        lambda: [_text(verdict, flags.checker, of_puzzle=given is not None)],
        unless_quiet=True,
    )
    return _EXIT_CODES[verdict.valid]


def _parse_formula(text: Text) -> tuple[int, list[list[int]]]:
    from encoders import DimacsError, read_dimacs

    try:
        return read_dimacs(text.text)
    except DimacsError as error:
        raise InputError(
            error.problem, "give a DIMACS CNF", file=text.name, line=error.line
        ) from None


def _text(verdict: ProofCheck, checker: str, *, of_puzzle: bool) -> str:
    work = f"{counted(verdict.lemmas, 'lemma')}, {verdict.seconds:.1f} s, propagation by {checker}"
    if verdict.valid:
        what = "the puzzle has no fill" if of_puzzle else "the formula is unsatisfiable"
        return f"valid: {what} ({work})"
    if verdict.valid is None:
        return f"unknown: {verdict.reason} ({work})"
    return f"REJECTED: {verdict.reason}"
