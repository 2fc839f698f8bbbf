"""``solve --proof`` and ``solve --format sat``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from satcross.cli.messages import print_error
from satcross.cli.output import Report, check_distinct, write_text
from satcross.errors import InputError, InternalError
from satcross.formats.files import STANDARD_INPUT, check_writable, write_stream
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle
from satcross.run_settings import Deadline, TimeUp
from satcross.support.wording import counted

if TYPE_CHECKING:
    from satcross.cli.search_flags import SearchFlags
    from satcross.solving.proofs import Formula, Proof


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
