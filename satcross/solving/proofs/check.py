"""Checker of DRAT proofs, which shares no code with the provers.

A lemma is accepted if unit propagation refutes its negation (reverse unit propagation, Van Gelder
2008), or, as DRAT allows, if this holds for every resolvent of the lemma on its first literal with
a clause that has the complement (RAT; Wetzler, Heule, Hunt 2014). The formula is refuted when unit
propagation on the formula and the lemmas finds a conflict. The checker uses only ``propagate`` of a
SAT solver, which neither decides nor learns.

Deletions are ignored. With more clauses, propagation can only find more conflicts, and a RAT lemma
is then tested against all clauses ever accepted, which is stricter.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from satcross.errors import InputError
from satcross.run_settings import Deadline, OnProgress, ignore_progress

if TYPE_CHECKING:
    from satcross.backends.sat.refute import UnitPropagation

CHECKERS = ("minisat22", "glucose4", "minicard")
"""PySAT solvers whose propagation the checker can use; the first is the default.

CaDiCaL is slower, and PySAT's ``propagate`` for it finds a conflict in an empty formula."""


@dataclass(frozen=True, slots=True)
class ProofStep:
    """One line of a proof: a lemma, or the deletion of a clause."""

    line: int
    literals: tuple[int, ...]
    deletion: bool = False


@dataclass(frozen=True, slots=True)
class ProofCheck:
    """Result of checking a proof; ``valid`` is None if the time limit passed first.

    ``reason`` says why a proof is not valid. ``lemmas`` is the number of lemmas checked,
    ``resolution`` the number of these accepted as RAT, and ``deletions`` the number ignored.
    """

    valid: bool | None
    reason: str = ""
    lemmas: int = 0
    resolution: int = 0
    deletions: int = 0
    seconds: float = 0.0


def parse_proof(name: str, text: str) -> Iterator[ProofStep]:
    """Yield the steps of a DRAT proof in text form. Raises InputError for any other text."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.split()[0] == "c":
            continue
        deletion = line.startswith("d")
        try:
            literals = [int(token) for token in line[deletion:].split()]
        except ValueError:
            raise InputError(
                f"not a proof step: {line[:40]!r}", _REMEDY, file=name, line=number
            ) from None
        if not literals or literals[-1] != 0 or 0 in literals[:-1]:
            raise InputError(
                "a proof step must have one 0, at the end",
                _REMEDY,
                file=name,
                line=number,
            )
        yield ProofStep(number, tuple(literals[:-1]), deletion)


_REMEDY = "give a DRAT proof in text form"

_MAX_VARIABLES = 10_000_000
"""Formulas with more variables are renumbered: a solver needs about 100 bytes per variable."""


def check_proof(
    variables: int,
    clauses: Sequence[Sequence[int]],
    steps: Iterable[ProofStep],
    *,
    checker: str = CHECKERS[0],
    deadline: Deadline | None = None,
    on_progress: OnProgress = ignore_progress,
) -> ProofCheck:
    """Check whether proof steps refute clauses over the variables 1 to ``variables``."""
    from satcross.backends.sat.refute import UnitPropagation

    deadline = deadline or Deadline()
    started = time.perf_counter()
    lemmas = resolution = deletions = 0

    def result(valid: bool | None, reason: str = "") -> ProofCheck:
        seconds = time.perf_counter() - started
        return ProofCheck(valid, reason, lemmas, resolution, deletions, seconds)

    variables, clauses, names = _number(variables, clauses)
    with UnitPropagation(clauses, checker) as propagation:
        accepted: list[Sequence[int]] = []
        refuted = propagation.conflict()
        for step in steps:
            if step.deletion:
                deletions += 1
                continue
            if refuted:
                continue  # the remaining steps need only be well-formed
            if deadline.passed:
                return result(None, "time limit")
            lemma = [_rename(literal, variables, names) for literal in step.literals]
            lemmas += 1
            if not _follows(propagation, lemma):
                if not lemma or not _is_rat(propagation, lemma, clauses, accepted):
                    return result(False, f"the lemma of line {step.line} does not follow")
                resolution += 1
            accepted.append(lemma)
            propagation.add(lemma)
            refuted = propagation.conflict()
            on_progress(f"check: {lemmas} lemmas")
    return result(True) if refuted else result(False, "the proof does not derive a conflict")


def _number(
    variables: int, clauses: Sequence[Sequence[int]]
) -> tuple[int, Sequence[Sequence[int]], dict[int, int]]:
    """Return the number of unchanged variables, the clauses, and the new numbers of the others.

    A solver allocates memory for every variable up to the largest number, used or not.
    """
    names: dict[int, int] = {}
    if variables <= _MAX_VARIABLES:
        return variables, clauses, names
    return 0, [[_rename(literal, 0, names) for literal in clause] for clause in clauses], names


def _rename(literal: int, variables: int, names: dict[int, int]) -> int:
    """Return the literal with a variable beyond ``variables`` given the next free number."""
    variable = abs(literal)
    if variable > variables:
        variable = names.setdefault(variable, variables + 1 + len(names))
    return variable if literal > 0 else -variable


def _follows(propagation: UnitPropagation, lemma: Sequence[int]) -> bool:
    """Return whether unit propagation refutes the negation of a lemma."""
    return propagation.conflict([-literal for literal in lemma])


def _is_rat(
    propagation: UnitPropagation,
    lemma: Sequence[int],
    clauses: Sequence[Sequence[int]],
    accepted: Sequence[Sequence[int]],
) -> bool:
    """Return whether a lemma has the RAT property on its first literal."""
    against = -lemma[0]
    return all(
        _follows(propagation, [*lemma, *(literal for literal in clause if literal != against)])
        for part in (clauses, accepted)
        for clause in part
        if against in clause
    )
