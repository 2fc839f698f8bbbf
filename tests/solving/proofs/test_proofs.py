"""Proofs, intact and damaged, and the checker against a slow one that shares no code with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from helpers import unfillable
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, InputError, Puzzle, Vocabulary, engine
from satcross.backends.registry import SOLVERS
from satcross.cli.proofs import CHECKERS as CHOICES
from satcross.run_settings import Deadline
from satcross.solving.proofs import CHECKERS, NO_PROOFS, PROVERS, Formula, Proof, check_proof, prove
from satcross.solving.proofs.check import ProofCheck, ProofStep, parse_proof

Clauses = list[list[int]]
NAMES = ("needs-search", "needs-a-repeat", "too-few-words", "no-support", "missing-length")


def steps(lines: Sequence[str]) -> list[ProofStep]:
    return list(parse_proof("proof", "\n".join(lines)))


def propagates_to_conflict(clauses: Clauses, assumed: Sequence[int]) -> bool:
    """Return whether unit propagation finds a conflict, by a direct implementation."""
    true = set(assumed)
    if any(-literal in true for literal in true):
        return True
    while True:
        found = False
        for clause in clauses:
            if not true.isdisjoint(clause):
                continue
            left = {literal for literal in clause if -literal not in true}
            if not left:
                return True
            if len(left) == 1:
                true |= left
                found = True
        if not found:
            return False


def slowly(clauses: Clauses, proof: Sequence[ProofStep]) -> bool:
    """Return whether a proof is valid, by the definition."""
    known = [list(clause) for clause in clauses]
    for step in proof:
        if propagates_to_conflict(known, []):
            return True
        if step.deletion:
            continue
        lemma = list(step.literals)
        if not propagates_to_conflict(known, [-literal for literal in lemma]):
            if not lemma:
                return False
            for clause in known:
                if -lemma[0] in clause:
                    rest = [literal for literal in clause if literal != -lemma[0]]
                    if not propagates_to_conflict(known, [-x for x in (*lemma, *rest)]):
                        return False
        known.append(lemma)
    return propagates_to_conflict(known, [])


def satisfiable(clauses: Clauses) -> bool:
    """Return whether clauses are satisfiable, by a slow case distinction."""
    if propagates_to_conflict(clauses, []):
        return False
    variables = sorted({abs(literal) for clause in clauses for literal in clause})

    def extend(assumed: list[int], rest: list[int]) -> bool:
        if propagates_to_conflict(clauses, assumed):
            return False
        if not rest:
            return True
        return any(extend([*assumed, sign * rest[0]], rest[1:]) for sign in (1, -1))

    return extend([], variables)


CASES = "search in Python"


def proved(formula: Formula, prover: str = "search") -> Proof:
    with pytest.MonkeyPatch.context() as patch:
        if prover == CASES:
            patch.setattr(engine, "available", lambda: False)
        proof = prove(formula, "search" if prover == CASES else prover)
    assert proof is not None
    return proof


def checked(formula: Formula, lines: Sequence[str], **options: Any) -> ProofCheck:
    clauses = list(formula.clauses())
    return check_proof(formula.variables.count, clauses, steps(lines), **options)


@pytest.mark.parametrize("prover", [*PROVERS, CASES])
@pytest.mark.parametrize("name", NAMES)
def test_every_prover_and_every_checker(prover: str, name: str) -> None:
    formula = Formula(unfillable(name))
    proof = proved(formula, prover)
    assert proof.lines[-1] == "0"
    for checker in CHECKERS:
        verdict = checked(formula, proof.lines, checker=checker)
        assert verdict.valid, (checker, verdict)
    assert slowly(list(formula.clauses()), steps(proof.lines))


@pytest.mark.parametrize("prover", ["search", CASES, "cadical153"])
@settings(max_examples=50, suppress_health_check=list(HealthCheck))
@given(small=small_puzzles(), data=st.data())
def test_proofs_and_spoilt_proofs(prover: str, small: SmallPuzzle, data: st.DataObject) -> None:
    """An intact proof is valid; a damaged one is judged as the slow checker judges it."""
    assume(next(small.fills(), None) is None)
    formula = Formula(small.puzzle)
    clauses, variables = list(formula.clauses()), formula.variables.count
    assume(len(clauses) < 400)
    proof = steps(proved(formula, prover).lines)
    assert check_proof(variables, clauses, proof).valid
    event(f"{min(len(proof), 3)} steps")
    place = data.draw(st.integers(0, len(proof) - 1))
    spoilt = list(proof)
    step = spoilt[place]
    flip: bool = data.draw(st.booleans())
    if step.literals and flip:
        flipped = list(step.literals)
        literal = data.draw(st.integers(0, len(flipped) - 1))
        flipped[literal] *= -1
        spoilt[place] = ProofStep(step.line, tuple(flipped), step.deletion)
    else:
        del spoilt[place]
    valid = check_proof(variables, clauses, spoilt).valid
    event(f"spoilt: {valid}")
    assert valid == slowly(clauses, spoilt)
    # Without one clause the proof may fail; if it holds, the smaller formula has no model.
    gone = data.draw(st.integers(0, len(clauses) - 1))
    fewer = clauses[:gone] + clauses[gone + 1 :]
    if check_proof(variables, fewer, proof).valid:
        assert slowly(fewer, proof)


LITERALS = st.integers(-4, 4).filter(bool)


@settings(max_examples=150)
@given(
    st.lists(st.lists(LITERALS, min_size=1, max_size=3), max_size=12),
    st.lists(st.lists(LITERALS | st.sampled_from([5, -5]), max_size=3), max_size=6),
    st.sampled_from(CHECKERS),
)
def test_random_proofs_of_random_formulas(clauses: Clauses, lemmas: Clauses, checker: str) -> None:
    """No proof is accepted for a satisfiable formula."""
    proof = [ProofStep(number, tuple(lemma)) for number, lemma in enumerate(lemmas, 1)]
    verdict = check_proof(4, clauses, proof, checker=checker)
    assert verdict.valid == slowly(clauses, proof)
    event(f"valid: {verdict.valid}, resolution: {verdict.resolution > 0}")
    if verdict.valid:
        assert not satisfiable(clauses)


def test_a_lemma_may_define_a_new_variable() -> None:
    """A RAT lemma that defines a new variable, even a huge one, is accepted."""
    clauses = [[a, b, c] for a in (1, -1) for b in (2, -2) for c in (3, -3)]
    x = 10**15
    lines = [f"{x} 1 0", f"-{x} -1 0", "2 3 0", "2 0", "3 0", "0"]
    verdict = check_proof(3, clauses, steps(lines))
    assert verdict.valid
    assert verdict.resolution == 2
    assert slowly(clauses, steps(lines))
    # In reverse order the second lemma is no definition, as variable 1 is no longer free.
    assert not check_proof(3, clauses[1:], steps([f"{x} 1 0", f"-{x} 1 0", "1 0"])).valid


def test_a_removed_line_that_is_needed() -> None:
    formula = Formula(unfillable("needs-search"))
    lines = proved(formula).lines
    assert len(lines) == 2
    assert checked(formula, lines[:1]).valid  # the empty clause may be omitted
    removed = checked(formula, lines[1:])
    assert removed.valid is False
    assert "line 1 does not follow" in removed.reason
    nothing = checked(formula, [])
    assert nothing.valid is False
    assert "does not derive" in nothing.reason


def test_an_empty_proof_where_propagation_is_enough() -> None:
    assert checked(Formula(unfillable("no-support")), []).valid


def test_a_fillable_puzzle_is_never_proved() -> None:
    formula = Formula(Puzzle(Grid(("__", "_#")), Vocabulary(["AB", "AC"])))
    for prover in PROVERS:
        with pytest.raises(InputError, match="has a fill"):
            prove(formula, prover)


def test_huge_numbers_of_variables_cost_nothing() -> None:
    huge = 2_000_000_000
    clauses = [[huge, 1], [-huge, 1], [-1, 7]]
    assert check_proof(huge, [*clauses, [-7]], []).valid
    assert not check_proof(huge, clauses, steps(["1 0", "7 0"])).valid
    assert check_proof(1, [[1]], steps([f"{huge} 0"])).valid is False


@pytest.mark.parametrize("prover", ["search", "cadical153"])
def test_no_time(prover: str) -> None:
    formula = Formula(unfillable("needs-search"))
    assert prove(formula, prover, time_limit=0.0) is None
    assert checked(formula, proved(formula).lines, deadline=Deadline(0.0)).valid is None


def test_words_that_must_differ_across_regions() -> None:
    """Without any crossing, only decisions on words can refute the puzzle."""
    formula = Formula(Puzzle(Grid(("__#__#__#__",)), Vocabulary(["AA", "BB", "CC"])))
    assert checked(formula, proved(formula).lines).valid


@pytest.mark.parametrize(
    ("text", "line"), [("hello\n", 1), ("1 0\n1 2\n", 2), ("1 0 2 0\n", 1), ("\n1 x 0", 2)]
)
def test_rubbish(text: str, line: int) -> None:
    with pytest.raises(InputError, match=rf"^p\.drat:{line}: .*; give a DRAT proof in text form$"):
        list(parse_proof("p.drat", text))


def test_who_can_do_what() -> None:
    assert set(PROVERS[1:]) | set(NO_PROOFS) == set(SOLVERS)
    assert CHOICES == CHECKERS
