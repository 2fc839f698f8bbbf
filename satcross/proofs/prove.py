"""Writing proofs in the DRAT format (Wetzler, Heule, Hunt 2014): lemmas, the last one empty."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Unpack

from satcross.deadline import Deadline, OnProgress
from satcross.errors import InternalError, UnavailableError
from satcross.network.arc_consistency import arc_consistent
from satcross.proofs.formula import Formula
from satcross.proofs.search import Decision, FilledError, Refutation, WordDecision
from satcross.run_settings import RunOptions, RunSettings

SEARCH = "search"

PROVERS = (SEARCH, "cadical153", "cadical195", "glucose3", "glucose4", "glucose42", "maplechrono")
"""Who can make a proof: our search by cases, and solvers of PySAT that log what they learn."""

NO_PROOFS = {
    "maplecm": "its proofs are known to be wrong",
    "maplesat": "its proofs are known to be wrong",
    "minicard": "it writes none",
    "minisat22": "it writes none",
}
"""Solvers that can't prove, and why."""


@dataclass(frozen=True, slots=True)
class Proof:
    """``lines``: the proof's lines, without line ends. ``prover`` is one of PROVERS."""

    lines: list[str]
    prover: str
    seconds: float

    @property
    def lemmas(self) -> int:
        """How many clauses are derived, the empty one left out."""
        return sum(not line.startswith("d") and line != "0" for line in self.lines)


def prove(
    formula: Formula,
    prover: str = SEARCH,
    settings: RunSettings | None = None,
    **changes: Unpack[RunOptions],
) -> Proof | None:
    """Refute the full formula of an unfillable puzzle; None when the time limit passes.

    Of the run's settings the time limit and ``on_progress`` count. Raises UnavailableError for an
    unknown prover, and InternalError when the puzzle has a fill after all.
    """
    if prover not in PROVERS:
        why = f"{prover} can't prove: {NO_PROOFS[prover]}" if prover in NO_PROOFS else ""
        why = why or f"there is no prover {prover!r}"
        raise UnavailableError(f"{why}; choose from {', '.join(PROVERS)}")
    settings = RunSettings.of(settings, changes)
    started = time.perf_counter()
    make = _by_search if prover == SEARCH else _by_solver
    lines = make(formula, prover, Deadline.after(settings.time_limit), settings.on_progress)
    if lines is None:
        return None
    if not lines or lines[-1] != "0":
        lines.append("0")
    return Proof(lines, prover, time.perf_counter() - started)


def _by_search(
    formula: Formula, prover: str, deadline: Deadline, on_progress: OnProgress
) -> list[str] | None:
    candidates = arc_consistent(formula.puzzle)
    if candidates.infeasible:
        return []  # arc consistency is unit propagation here, which a checker does by itself
    try:
        lemmas = Refutation(candidates).run(deadline, on_progress)
    except FilledError:
        raise InternalError(_CONTRADICTED) from None
    if lemmas is None:
        return None
    number = _numbering(formula)
    return [f"{' '.join([f'-{number(decision)}' for decision in lemma])} 0" for lemma in lemmas]


def _numbering(formula: Formula) -> Callable[[Decision], int]:
    """From a decision to its variable."""
    letters: dict[tuple[object, str], int] = {}
    for block in formula.variables.blocks:
        if block.kind == "letter":
            for variable, letter in enumerate(block.labels, block.first):
                letters[block.key, letter] = variable
    network = formula.candidates.network
    crossings = network.puzzle.grid.crossings

    def number(decision: Decision) -> int:
        if isinstance(decision, WordDecision):
            word = network.lexicons[decision.slot].words[decision.word]
            return formula.complete.words[decision.slot][word]
        return letters[crossings[decision.crossing].cell, decision.letter]

    return number


def _by_solver(
    formula: Formula, prover: str, deadline: Deadline, on_progress: OnProgress
) -> list[str] | None:
    from satcross.backends.sat.drat import SatisfiableError, refute

    try:
        return refute(formula.clauses(), prover, deadline, on_progress)
    except SatisfiableError:
        raise InternalError(_CONTRADICTED) from None


_CONTRADICTED = "a puzzle that was to be proved unfillable has a fill"
