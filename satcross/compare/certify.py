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
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct, ValidationError, convert

from satcross.compare.contenders import WORKER, RunAnswer, RunDirectory, run_worker
from satcross.compare.records import NO_PROOF, UNKNOWN, WRONG
from satcross.errors import InputError
from satcross.puzzle import Puzzle

WRONG_PROOF = "wrong proof"
DRAT: Literal["drat"] = "drat"
Format = Literal["drat", "drat-binary", "lrat", "frat"]
"""A format of proofs; ``drat`` is the text form."""


class Checker(Struct, frozen=True, forbid_unknown_fields=True):
    """A program that checks proofs; ``{cnf}`` and ``{proof}`` in ``command`` are the two files.

    ``verified`` and ``rejected`` are regular expressions for the lines by which it accepts or
    rejects a proof; the first group of ``rejected``, if it has one, says why.
    """

    name: str
    command: str
    formats: Annotated[tuple[Format, ...], Meta(min_length=1)]
    verified: str
    rejected: str


OURS = Checker(
    "satcross",
    f"{shlex.quote(sys.executable)} -P -m satcross check --time-limit {{time}} "
    "--proof {cnf} {proof}",
    (DRAT,),
    verified="^valid: ",
    rejected="^REJECTED: (.*)",
)

Table = TypeVar("Table", bound=Struct)


def convert_tables(tables: object, kind: type[Table]) -> tuple[Table, ...]:
    """Return ``[[contender]]`` or ``[[checker]]`` tables of TOML as objects. Raises InputError.

    Does not look for the programs, so that files can be read where they are not installed.
    """
    found = []
    for table in tables if isinstance(tables, list) else [tables]:
        name = table.get("name", "") if isinstance(table, dict) else ""
        try:
            found.append(convert(table, kind))
        except ValidationError as error:
            raise InputError(
                f"the table {name!r} is wrong: {error}",
                f"it may have {', '.join(kind.__struct_fields__)}",
            ) from None
    names = Counter(getattr(table, "name", "") for table in found)
    if double := next((name for name, times in names.items() if times > 1), None):
        raise InputError(f"two tables are named {double!r}", "rename one")
    return tuple(found)


@lru_cache
def ready_tables(name: str, kind: type[Table]) -> tuple[Table, ...]:
    """Return the tables of a name in ``contenders.toml``, which comes with satcross."""
    text = (files("satcross.compare") / "contenders.toml").read_text(encoding="utf-8")
    return convert_tables(tomllib.loads(text)[name], kind)


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

    ``solver`` makes the proof if it can, and otherwise the search on letters.
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
    return checked(answer, evidence, run_directory, ready_tables("checker", Checker))
