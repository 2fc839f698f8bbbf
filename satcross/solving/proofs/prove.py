"""Provers, which write DRAT proofs (Wetzler, Heule, Hunt 2014) that a puzzle has no fill."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Unpack

from satcross.backends.base import Task
from satcross.backends.letters import LetterSearch
from satcross.errors import InputError, UnavailableError
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.outcome import Status
from satcross.run_settings import Deadline, OnProgress, RunOptions, RunSettings, TimeUp
from satcross.solving.proofs.formula import Formula
from satcross.solving.proofs.search import (
    Decision,
    FilledError,
    LetterDecision,
    Refutation,
    WordDecision,
)

SEARCH = "search"

_TURN_CONFLICTS = 100
"""Conflicts between looks at whether clause learning can give a proof at all."""

_Clause = list[tuple[Decision, bool]]
"""That decisions hold, or, with False, that they do not."""

PROVERS = (SEARCH, "cadical153", "cadical195", "glucose3", "glucose4", "glucose42", "maplechrono")
"""The search on letters, and PySAT solvers that log the clauses they learn."""

NO_PROOFS = {
    "maplecm": "the solver is known to write wrong proofs",
    "maplesat": "the solver is known to write wrong proofs",
    "minicard": "the solver writes no proofs",
    "minisat22": "the solver writes no proofs",
}
"""Solvers that can't be used as provers, with the reason."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof in text form: its lines without line ends, and which of PROVERS made it."""

    lines: list[str]
    prover: str
    seconds: float

    @property
    def lemmas(self) -> int:
        """The number of derived clauses, without the empty clause."""
        return sum(not line.startswith("d") and line != "0" for line in self.lines)


def prove(
    formula: Formula,
    prover: str = SEARCH,
    settings: RunSettings | None = None,
    **changes: Unpack[RunOptions],
) -> Proof | None:
    """Prove that the formula of a puzzle is unsatisfiable; return None if the time limit passes.

    Of the settings, only the time limit and ``on_progress`` are used. Raises UnavailableError for
    an unknown prover, and InputError if the puzzle has a fill.
    """
    if prover not in PROVERS:
        why = f"{prover} can't prove: {NO_PROOFS[prover]}" if prover in NO_PROOFS else ""
        why = why or f"there is no prover {prover!r}"
        raise UnavailableError(f"{why}; choose from {', '.join(PROVERS)}")
    settings = RunSettings.of(settings, changes)
    started = time.perf_counter()
    make = _by_search if prover == SEARCH else _by_solver
    try:
        lines = make(formula, prover, settings.deadline(), settings.on_progress)
    except TimeUp:
        return None
    if not lines or lines[-1] != "0":
        lines.append("0")
    return Proof(lines, prover, time.perf_counter() - started)


def _by_search(
    formula: Formula, prover: str, deadline: Deadline, on_progress: OnProgress
) -> list[str]:
    candidates = arc_consistent(formula.puzzle, deadline)
    if candidates.infeasible:
        return []  # unit propagation does what arc consistency does
    clauses = _learned(candidates, deadline, on_progress)
    if clauses is None:
        clauses = _refuted_cases(candidates, deadline, on_progress)
    variable = _variable_of(formula)
    lines = []
    for clause in clauses:
        numbers = (variable(decision) * (1 if holds else -1) for decision, holds in clause)
        lines.append(f"{' '.join(map(str, numbers))} 0")
    return lines


def _learned(
    candidates: Candidates, deadline: Deadline, on_progress: OnProgress
) -> list[_Clause] | None:
    """Return what clause learning on letters learns until it has refuted the puzzle.

    None where it does not cover the rules, or cannot do it by unit propagation alone. Raises
    TimeUp, and InputError for a fill.
    """
    if candidates.network.word_rules.min_theme_words:
        return None
    task = Task(candidates, deadline, on_progress=lambda text: on_progress(f"proof: {text}"))
    search = LetterSearch.begin(task, candidates, is_logged=True)
    if search is None:
        return None
    status = Status.UNKNOWN
    while status is Status.UNKNOWN and not search.excluded:
        status = search.run(_TURN_CONFLICTS)
    if search.excluded:
        return None
    if status is Status.FILLED:
        raise _fillable()
    return [
        [(LetterDecision(crossing, letter), holds) for crossing, letter, holds in clause]
        for clause in search.learned()
    ]


def _refuted_cases(
    candidates: Candidates, deadline: Deadline, on_progress: OnProgress
) -> list[_Clause]:
    """Return a clause against each case that was refuted. Raises as ``_learned`` does."""
    try:
        lemmas = Refutation(candidates).run(deadline, on_progress)
    except FilledError:
        raise _fillable() from None
    return [[(decision, False) for decision in lemma] for lemma in lemmas]


def _variable_of(formula: Formula) -> Callable[[Decision], int]:
    """Return a function from decisions to variables of the formula."""
    letters: dict[tuple[object, str], int] = {}
    for block in formula.variables.blocks:
        if block.kind == "letter":
            for variable, letter in enumerate(block.labels, block.first):
                letters[block.key, letter] = variable
    network = formula.candidates.network
    crossings = network.puzzle.grid.crossings

    def variable_of(decision: Decision) -> int:
        if isinstance(decision, WordDecision):
            word = network.lexicons[decision.slot].words[decision.word]
            return formula.complete.words[decision.slot][word]
        return letters[crossings[decision.crossing].cell, decision.letter]

    return variable_of


def _by_solver(
    formula: Formula, prover: str, deadline: Deadline, on_progress: OnProgress
) -> list[str]:
    from satcross.backends.sat.refute import SatisfiableError, refute

    try:
        return refute(formula.clauses(), prover, deadline, on_progress)
    except SatisfiableError:
        raise _fillable() from None


def _fillable() -> InputError:
    return InputError("the puzzle has a fill, so there is no proof that it has none", "solve it")
