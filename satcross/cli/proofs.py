"""Proofs: ``solve --proof``, ``solve --format sat`` and ``check --proof``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli import FILLED, UNKNOWN, WRONG
from satcross.cli.limited import limited
from satcross.cli.messages import print_error
from satcross.cli.options import option, time_limit_option
from satcross.cli.output import Report, check_distinct, check_standard_input, write_text
from satcross.cli.read_puzzle import PuzzleInput
from satcross.errors import InputError, InternalError
from satcross.formats.files import STANDARD_INPUT, Text, check_writable, read_text, write_stream
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import Deadline, TimeUp
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.cli.search_flags import SearchFlags
    from satcross.solving.proofs import Formula, Proof, ProofCheck

CHECKERS = ("minisat22", "glucose4", "minicard")
"""The solvers whose unit propagation can be used: those of ``satcross.solving.proofs.CHECKERS``."""

MAX_BYTES = 2_000_000_000
"""The size of the largest formula or proof that is read, unpacked."""

_EXIT_CODES = {True: FILLED, False: WRONG, None: UNKNOWN}


def formula_path(proof: str) -> str:
    """The path of a proof's formula: that of the proof with the extension .cnf (.gz kept)."""
    path, packed = Path(proof), ""
    if path.suffix.lower() == ".gz":
        path, packed = path.with_suffix(""), path.suffix
    return str(path.with_suffix(".cnf")) + packed


def check_paths(proof: str, inputs: Sequence[str], output: str | None, search: SearchFlags) -> None:
    """Raise InputError when no proof could be written there, or not by the chosen solver."""
    from satcross.solving.proofs.prove import NO_PROOFS, PROVERS

    if search.solver in NO_PROOFS:
        raise InputError(
            f"--solver {search.solver} can't prove: {NO_PROOFS[search.solver]}",
            f"choose {', '.join(PROVERS[1:])}",
        )
    if search.encoding == "direct":
        raise InputError("--proof is about the full encoding", "leave --encoding direct out")
    if proof == STANDARD_INPUT:
        raise InputError("--proof writes two files, not standard output", "name a file")
    if not Path(proof).stem:
        raise InputError("--proof has no file name", "name a file, as in grid.drat")
    formula = formula_path(proof)
    if formula.lower() == proof.lower():
        raise InputError("the formula would overwrite the proof", "choose .drat", file=proof)
    for path in (proof, formula):
        check_writable(path, inputs)
        check_distinct(path, [] if output is None else [output], "OUTPUT and part of the proof")


def write_proof(
    puzzle: Puzzle, outcome: Outcome, path: str, search: SearchFlags, report: Report
) -> dict[str, object] | None:
    """Write formula and proof of an UNFILLABLE outcome.

    Returns what was written as values for JSON; None when nothing was.
    """
    if outcome.status is not Status.UNFILLABLE:
        if outcome.status is Status.FILLED:
            report.note("no proof needed: the grid can be filled")
        else:
            report.note("no proof: whether the grid can be filled is unknown")
        return None
    from satcross.solving.proofs import Formula

    deadline = Deadline.after(search.time_limit)
    try:
        formula = Formula(puzzle, deadline=deadline)
        proof = _prove(formula, search, report)
        write_stream(formula_path(path), formula.write_dimacs)
        write_text(path, "".join(f"{line}\n" for line in proof.lines))
    except TimeUp:
        print_error("no proof within the time limit; nothing is written")
        return None
    except KeyboardInterrupt:
        print_error("interrupted; no proof is written")
        return None
    lemmas = counted(proof.lemmas, "lemma")
    report.note(f"formula written to {formula_path(path)}, proof to {path} ({lemmas})")
    return {
        "formula": formula_path(path),
        "proof": path,
        "prover": proof.prover,
        "lemmas": proof.lemmas,
        "seconds": round(proof.seconds, 6),
    }


def _prove(formula: Formula, search: SearchFlags, report: Report) -> Proof:
    """Return a proof. Raises TimeUp when the deadline of the formula passes."""
    from satcross.solving.proofs import prove
    from satcross.solving.proofs.prove import SEARCH

    limit = None if search.time_limit is None else formula.deadline.left
    try:
        with report.progress() as progress:
            show = progress.show
            proof = prove(formula, search.solver or SEARCH, time_limit=limit, on_progress=show)
    except InputError:
        raise InternalError("the puzzle reported as unfillable has a fill") from None
    if proof is None:
        raise TimeUp
    return proof


def print_sat(puzzle: Puzzle, outcome: Outcome, encoding: str | None, quiet: bool) -> None:
    """Print the outcome in the format of SAT competitions."""
    if not quiet:
        seconds = sum(outcome.seconds.values())
        click.echo(f"c satcross, backend {outcome.backend}, {seconds:.3f} s")
        if outcome.reason:
            click.echo(f"c {outcome.reason}".encode("ascii", "replace").decode())
    if outcome.fill is None:
        known = outcome.status is Status.UNFILLABLE
        click.echo("s UNSATISFIABLE" if known else "s UNKNOWN")
        return
    from textwrap import wrap

    from satcross.solving.proofs import Formula

    formula = Formula(puzzle, "direct" if encoding == "direct" else "full")
    model = formula.model(list(outcome.fill.values()))
    click.echo("s SATISFIABLE")
    for line in wrap(" ".join(map(str, [*model, 0])), 76):
        click.echo(f"v {line}")


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
