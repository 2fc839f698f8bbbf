"""Answers "unfillable" that are believed only with a proof, which a checker has found right.

Backends prove like everybody else: after the answer, ``solve --proof`` writes formula and proof,
within what is left of the limits of the run. Checking is not part of the run and has a time limit
of its own. A checker is a program with a ``[[checker]]`` table in a contender file, such as
``contenders.toml``; the first that is installed and reads the format of the proof is used, and
otherwise ours (``satcross check --proof``), which reads DRAT in text form.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import tomllib
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from satcross.compare.contenders import WORKER, RunAnswer, RunDirectory, run_worker
from satcross.compare.records import NO_PROOF, UNKNOWN, WRONG
from satcross.errors import InputError
from satcross.puzzle import Puzzle

WRONG_PROOF = "wrong proof"
DRAT = "drat"
FORMATS = (DRAT, "drat-binary", "lrat", "frat")
"""Formats of proofs; ``drat`` is the text form."""


@dataclass(frozen=True, slots=True)
class Checker:
    """A program that checks proofs; ``{cnf}`` and ``{proof}`` in ``command`` are the two files.

    ``formats`` are those of FORMATS that it reads. ``verified`` and ``rejected`` are regular
    expressions for the lines by which it accepts or rejects a proof.
    """

    name: str
    command: str
    formats: tuple[str, ...]
    verified: str
    rejected: str
    """Its first group, if it has one, says why."""

    def __post_init__(self) -> None:
        unknown = sorted({*self.formats} - {*FORMATS})
        if unknown or not self.formats:
            raise InputError(f"the checker {self.name} reads {unknown}", f"choose from {FORMATS}")


OURS = Checker(
    "satcross",
    f"{shlex.quote(sys.executable)} -P -m satcross check --time-limit {{time}} "
    "--proof {cnf} {proof}",
    (DRAT,),
    verified="^valid: ",
    rejected="^REJECTED: (.*)",
)


def parse_checkers(tables: object) -> tuple[Checker, ...]:
    """Return the checkers of ``[[checker]]`` tables. Raises InputError."""
    import msgspec

    try:
        return msgspec.convert(tables, tuple[Checker, ...])
    except msgspec.ValidationError as error:
        raise InputError(
            f"a [[checker]] is wrong ({error})", f"give {', '.join(Checker.__slots__)}"
        ) from None


def ready_tables(name: str) -> list[dict[str, Any]]:
    """Return the tables of a name in ``contenders.toml``, which comes with satcross."""
    text = (files("satcross.compare") / "contenders.toml").read_text(encoding="utf-8")
    tables: list[dict[str, Any]] = tomllib.loads(text)[name]
    return tables


@lru_cache(maxsize=1)
def ready_checkers() -> tuple[Checker, ...]:
    """Return the checkers of ``contenders.toml``."""
    return parse_checkers(ready_tables("checker"))


def checked(
    answer: RunAnswer,
    evidence: tuple[Path, Path, str],
    run_directory: RunDirectory,
    checkers: tuple[Checker, ...] = (),
) -> RunAnswer:
    """Return the answer "unfillable" as its formula, proof and format of the proof deserve it."""
    formula, proof, form = evidence
    seconds = run_directory.run.check_seconds or run_directory.limits.wall
    limits = replace(run_directory.limits, wall=seconds, cpu=None)
    inner = replace(run_directory, limits=limits)
    known = (checker for checker in (*checkers, OURS) if form in checker.formats)
    installed = (each for each in known if shutil.which(shlex.split(each.command)[0]) is not None)
    checker = next(installed, None)
    valid, why, spent, name = None, "the solver wrote no proof", 0.0, ""
    if checker is None:
        why = f"no checker of {form} is installed"
    elif proof.exists():
        valid, why, spent = _check(checker, formula, proof, inner)
        name = checker.name
    times = {**answer.seconds, "check": spent}
    stats = {**answer.stats, **({"checker": name} if name else {})}
    answer = replace(answer, seconds=times, stats=stats)
    if valid is None:
        return replace(answer, status=UNKNOWN, reason=NO_PROOF, detail=why)
    if not valid:
        return replace(answer, status=WRONG, reason=WRONG_PROOF, detail=why, proved=False)
    return replace(answer, detail=f"{answer.detail}, with a proof".strip(", "), proved=True)


def _check(
    checker: Checker, formula: Path, proof: Path, run_directory: RunDirectory
) -> tuple[bool | None, str, float]:
    """Return whether a proof is right, None if that is not known, then why, and the seconds."""
    values = {"{cnf}": str(formula), "{proof}": str(proof)}
    values["{time}"] = str(int(run_directory.limits.wall or 10**6))
    parts = [values.get(part, part) for part in shlex.split(checker.command)]
    # Ours is the satcross that this module is part of, wherever it is installed.
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(WORKER.parents[2])]))
    ended = run_directory.execute(parts, environment={**os.environ, "PYTHONPATH": path})
    if ended.reason:
        return None, f"while checking the proof: {ended.reason}", ended.wall
    text = run_directory.stdout.read_text(encoding="utf-8", errors="replace")
    if found := re.search(checker.rejected, text, re.M):
        why = found[1] if found.re.groups else f"{checker.name} rejects the proof"
        return False, why, ended.wall
    if re.search(checker.verified, text, re.M):
        return True, "", ended.wall
    how = run_directory.describe_failure(ended)
    return None, f"{checker.name} says neither yes nor no ({how})", ended.wall


def certified_backend(
    answer: RunAnswer, puzzle: Puzzle, solver: str | None, run_directory: RunDirectory
) -> RunAnswer:
    """Return the answer "unfillable" of a backend with a checked proof, or without belief.

    ``solver`` makes the proof if it can, and otherwise the search by cases.
    """
    remaining = run_directory.limits.minus(answer.ended)
    if isinstance(remaining, str):
        return replace(answer, status=UNKNOWN, reason=NO_PROOF, detail=remaining)
    inner = replace(run_directory, limits=remaining)
    request = {"solver": solver, "time_limit": remaining.wall}
    ended, data, failure = run_worker("prove", puzzle, request, inner)
    seconds = {**answer.seconds, "prove": ended.wall}
    answer = replace(answer, ended=ended.after(answer.ended), seconds=seconds)
    why = data.get("reason", "")
    if failure is not None:
        why = f"{failure.reason} {failure.detail}".strip()
    if why:
        return replace(answer, status=UNKNOWN, reason=NO_PROOF, detail=f"while proving: {why}")
    folder = run_directory.folder
    evidence = (folder / "answer.cnf", folder / "answer.drat", DRAT)
    return checked(answer, evidence, run_directory, ready_checkers())
