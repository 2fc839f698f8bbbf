"""Provers, which write DRAT proofs (Wetzler, Heule, Hunt 2014) that a puzzle has no fill."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import inf
from typing import Unpack

from satcross import engine
from satcross.backends.base import Task
from satcross.backends.letter_search import Lemma, LetterSearch
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
    if lines is None:
        return None
    if not lines or lines[-1] != "0":
        lines.append("0")
    return Proof(lines, prover, time.perf_counter() - started)


def _by_search(
    formula: Formula, prover: str, deadline: Deadline, on_progress: OnProgress
) -> list[str] | None:
    candidates = arc_consistent(formula.puzzle, deadline)
    if candidates.infeasible:
        return []  # unit propagation does what arc consistency does
    variable = _variable_of(formula)
    try:
        learned = _learned(candidates, deadline, on_progress)
        if learned is not None:
            return [
                _line(
                    variable(LetterDecision(crossing, letter)) * (1 if has else -1)
                    for crossing, letter, has in lemma
                )
                for lemma in learned
            ]
        lemmas = Refutation(candidates).run(deadline, on_progress)
    except FilledError:
        raise _fillable() from None
    if lemmas is None:
        return None
    return [_line(-variable(decision) for decision in lemma) for lemma in lemmas]


def _line(literals: Iterable[int]) -> str:
    return f"{' '.join(map(str, literals))} 0"


def _learned(
    candidates: Candidates, deadline: Deadline, on_progress: OnProgress
) -> list[Lemma] | None:
    """Return what clause learning on letters learns until it has refuted the puzzle.

    None where it does not cover the rules, or cannot do it by unit propagation alone. Raises
    TimeUp, and FilledError for a fill.
    """
    tables = LetterSearch.tables(candidates) if engine.available() else None
    if tables is None or candidates.network.word_rules.min_theme_words:
        return None
    task = Task(candidates, deadline, on_progress=lambda text: on_progress(f"proof: {text}"))
    search = LetterSearch(task, candidates, tables, is_logged=True)
    if search.run(inf) is Status.FILLED:
        raise FilledError
    return None if search.excluded else search.lemmas()


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
