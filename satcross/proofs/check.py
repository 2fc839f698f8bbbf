"""Checking a proof, with nothing of what made it.

A lemma is accepted when unit propagation refutes its negation (reverse unit propagation, Van Gelder
2008), or, as DRAT allows, when it has that property after resolution on its first literal with
every clause that has the complement (RAT; Wetzler, Heule, Hunt 2014). The formula is refuted when
propagation alone, on it and the lemmas, meets a conflict. Propagation is done by the ``propagate``
of a SAT solver, which here neither decides nor learns anything.

Deletions are left out: with more clauses propagation can only find more conflicts, and a lemma that
is not implied must then get along with all clauses ever accepted, which is a stricter test.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satcross.deadline import Deadline, OnProgress, ignore_progress
from satcross.errors import InputError

if TYPE_CHECKING:
    from satcross.backends.sat.unit_propagation import UnitPropagation

CHECKERS = ("minisat22", "glucose4", "minicard")
"""Solvers of PySAT whose propagation can be used; the first, among the fastest, is the default.

Not CaDiCaL: slower, and PySAT's ``propagate`` for it finds a conflict in an empty formula."""


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a proof: a lemma, or the deletion of a clause."""

    line: int
    literals: tuple[int, ...]
    deletion: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """``valid``: None when a limit struck. ``reason`` says what is wrong otherwise.

    ``lemmas`` counts those looked at, ``resolution`` those among them that needed RAT.
    """

    valid: bool | None
    reason: str = ""
    lemmas: int = 0
    resolution: int = 0
    deletions: int = 0
    seconds: float = 0.0


def parse_proof(name: str, text: str) -> Iterator[Step]:
    """The steps of a DRAT proof in text. Raises InputError when it is none."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.split()[0] == "c":
            continue
        deletion = line.startswith("d")
        try:
            literals = [int(token) for token in line[deletion:].split()]
        except ValueError:
            raise InputError(
                f"no step of a proof: {line[:40]!r}", _WANTED, file=name, line=number
            ) from None
        if not literals or literals[-1] != 0 or 0 in literals[:-1]:
            raise InputError(
                "a step must end in 0, and has no other", _WANTED, file=name, line=number
            )
        yield Step(number, tuple(literals[:-1]), deletion)


_WANTED = "give a DRAT proof in text"

_MOST_VARIABLES = 10_000_000
"""In a formula whose variables keep their numbers: a gigabyte or so for a solver."""


def check_proof(
    variables: int,
    clauses: Sequence[Sequence[int]],
    steps: Iterable[Step],
    *,
    checker: str = CHECKERS[0],
    deadline: Deadline | None = None,
    on_progress: OnProgress = ignore_progress,
) -> Verdict:
    """Whether the steps refute the clauses over the variables 1 to ``variables``."""
    from satcross.backends.sat.unit_propagation import UnitPropagation

    deadline = deadline or Deadline()
    started = time.perf_counter()
    lemmas = resolution = deletions = 0

    def verdict(valid: bool | None, reason: str = "") -> Verdict:
        seconds = time.perf_counter() - started
        return Verdict(valid, reason, lemmas, resolution, deletions, seconds)

    variables, clauses, names = _number(variables, clauses)
    with UnitPropagation(clauses, checker) as propagation:
        accepted: list[Sequence[int]] = []
        refuted = propagation.conflict()
        for step in steps:
            if step.deletion:
                deletions += 1
                continue
            if refuted:
                continue  # the rest must only be readable
            if deadline.passed:
                return verdict(None, "time limit")
            lemma = [_rename(literal, variables, names) for literal in step.literals]
            lemmas += 1
            if not _follows(propagation, lemma):
                if not lemma or not _is_rat(propagation, lemma, clauses, accepted):
                    return verdict(False, f"the lemma of line {step.line} does not follow")
                resolution += 1
            accepted.append(lemma)
            propagation.add(lemma)
            refuted = propagation.conflict()
            on_progress(f"check: {lemmas} lemmas")
    return verdict(True) if refuted else verdict(False, "the proof does not arrive at a conflict")


def _number(
    variables: int, clauses: Sequence[Sequence[int]]
) -> tuple[int, Sequence[Sequence[int]], dict[int, int]]:
    """The variables that keep their numbers, the clauses, and the new numbers of the others.

    A solver takes memory for every number up to the greatest, used or not.
    """
    names: dict[int, int] = {}
    if variables <= _MOST_VARIABLES:
        return variables, clauses, names
    return 0, [[_rename(literal, 0, names) for literal in clause] for clause in clauses], names


def _rename(literal: int, variables: int, names: dict[int, int]) -> int:
    """New variables get the next free numbers, so that a huge one costs nothing."""
    variable = abs(literal)
    if variable > variables:
        variable = names.setdefault(variable, variables + 1 + len(names))
    return variable if literal > 0 else -variable


def _follows(propagation: UnitPropagation, lemma: Sequence[int]) -> bool:
    return propagation.conflict([-literal for literal in lemma])


def _is_rat(
    propagation: UnitPropagation,
    lemma: Sequence[int],
    clauses: Sequence[Sequence[int]],
    accepted: Sequence[Sequence[int]],
) -> bool:
    against = -lemma[0]
    return all(
        _follows(propagation, [*lemma, *(literal for literal in clause if literal != against)])
        for part in (clauses, accepted)
        for clause in part
        if against in clause
    )
