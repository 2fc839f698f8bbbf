"""What ``satcross solve`` does for ``--proof`` and ``--format sat``."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import click

from satcross.cli.options import counted, tell
from satcross.deadline import OnProgress
from satcross.errors import InputError
from satcross.formats.files import STANDARD_INPUT, check_writable
from satcross.outcome import Outcome, Status
from satcross.puzzle import Puzzle


def formula_path(proof: str) -> str:
    """Where the formula of a proof goes: beside it, with .cnf as its extension (.gz kept)."""
    path, packed = Path(proof), ""
    if path.suffix.lower() == ".gz":
        path, packed = path.with_suffix(""), path.suffix
    return str(path.with_suffix(".cnf")) + packed


def check_paths(
    proof: str,
    inputs: Sequence[str],
    output: str | None,
    solver: str | None,
    encoding: str | None,
) -> None:
    """Raise InputError when no proof could be written there, or not by that solver."""
    from satcross.proofs.prove import NO_PROOFS, PROVERS

    if solver in NO_PROOFS:
        usable = ", ".join(PROVERS[1:])
        raise InputError(f"--solver {solver} can't prove: {NO_PROOFS[solver]}", f"choose {usable}")
    if encoding == "direct":
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
        if output is not None and Path(output).resolve() == Path(path).resolve():
            raise InputError("is both OUTPUT and part of the proof", "rename one", file=path)


def make(
    puzzle: Puzzle,
    outcome: Outcome,
    path: str,
    solver: str | None,
    time_limit: float | None,
    report: OnProgress,
    quiet: bool,
) -> dict[str, object] | None:
    """Write formula and proof of an UNFILLABLE answer; what was written, or None."""
    if outcome.status is not Status.UNFILLABLE:
        _note(f"no proof is written: the answer is {outcome.status}", quiet)
        return None
    from satcross.formats.files import write_stream
    from satcross.proofs import Formula, prove
    from satcross.proofs.prove import SEARCH

    formula = Formula(puzzle)
    try:
        proof = prove(formula, solver or SEARCH, time_limit=time_limit, on_progress=report)
        if proof is None:
            click.echo("satcross: no proof within the time limit; nothing is written", err=True)
            return None
        lines = proof.lines

        def write(stream: TextIO) -> None:
            stream.writelines(f"{line}\n" for line in lines)

        write_stream(formula_path(path), formula.write_dimacs)
        write_stream(path, write)
    except KeyboardInterrupt:
        click.echo("satcross: interrupted; no proof is written", err=True)
        return None
    _note(
        f"{formula_path(path)} and its proof {path} ({counted(proof.lemmas, 'lemma')}) are written",
        quiet,
    )
    return {
        "formula": formula_path(path),
        "proof": path,
        "prover": proof.prover,
        "lemmas": proof.lemmas,
        "seconds": round(proof.seconds, 6),
    }


def _note(text: str, quiet: bool) -> None:
    if not quiet:
        tell(f"note: {text}")


def print_sat(puzzle: Puzzle, outcome: Outcome, encoding: str | None, quiet: bool) -> None:
    """Print the outcome as SAT competitions want it."""
    if not quiet:
        seconds = sum(outcome.seconds.values())
        click.echo(f"c satcross, backend {outcome.backend}, {seconds:.3f} s")
        if outcome.reason:
            click.echo(f"c {outcome.reason}".encode("ascii", "replace").decode())
    if outcome.fill is None:
        known = outcome.status is Status.UNFILLABLE
        click.echo("s UNSATISFIABLE" if known else "s UNKNOWN")
        return
    from satcross.proofs import Formula

    formula = Formula(puzzle, "direct" if encoding == "direct" else "full")
    model = formula.model(list(outcome.fill.values()))
    click.echo("s SATISFIABLE")
    for line in textwrap.wrap(" ".join(map(str, [*model, 0])), 76):
        click.echo(f"v {line}")
