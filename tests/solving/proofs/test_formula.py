"""Formulas, read by other programs, have the answers of brute force."""

from __future__ import annotations

from io import StringIO

import pytest
from hypothesis import event, given, settings
from ortools.sat.python import cp_model
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from pysat.solvers import Solver
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Vocabulary
from satcross.solving.proofs import Formula


def dimacs(formula: Formula) -> CNF:
    stream = StringIO()
    formula.write_dimacs(stream)
    return CNF(from_string=stream.getvalue())


@pytest.mark.parametrize(
    ("encoding", "reduce"), [("full", False), ("full", True), ("direct", False)]
)
@settings(max_examples=60)
@given(small_puzzles())
def test_pysat_agrees_with_brute_force(encoding: str, reduce: bool, small: SmallPuzzle) -> None:
    formula = Formula(small.puzzle, encoding, reduce=reduce)
    read = dimacs(formula)
    fills = list(small.fills())
    event("filled" if fills else "unfillable")
    with Solver(bootstrap_with=read.clauses) as solver:
        assert solver.solve() == bool(fills)
    assert formula.difference(formula.variables.count, read.clauses) == ""
    for fill in fills[:3]:
        model = formula.model([fill[slot.name] for slot in small.puzzle.grid.slots])
        assert [abs(literal) for literal in model] == list(range(1, len(model) + 1))
        true = set(model)
        assert all(true.intersection(clause) for clause in read.clauses)


@settings(max_examples=60)
@given(small_puzzles())
def test_maxsat_finds_the_best_score(small: SmallPuzzle) -> None:
    stream = StringIO()
    Formula(small.puzzle).write_wcnf(stream)
    text = stream.getvalue()
    puzzle = small.puzzle
    scores = [
        sum(
            puzzle.vocabulary.score(word) + 50 * (word in puzzle.preferred)
            for word in fill.values()
        )
        for fill in small.fills()
    ]
    with RC2(WCNF(from_string=text)) as solver:
        model = solver.compute()
        assert (model is None) == (not scores)
        if scores:
            line = next(line for line in text.splitlines() if line.startswith("c The total"))
            assert int(line.split()[8]) - solver.cost == max(scores)


@settings(max_examples=40)
@given(small_puzzles())
def test_cp_sat_agrees_with_brute_force(small: SmallPuzzle) -> None:
    stream = StringIO()
    Formula(small.puzzle).write_cpsat(stream)
    model = cp_model.CpModel()
    assert model.proto.parse_text_format(stream.getvalue())
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    filled = next(small.fills(), None) is not None
    assert solver.solve(model) == (cp_model.OPTIMAL if filled else cp_model.INFEASIBLE)


def test_many_repeats_and_their_counters() -> None:
    """Seven slots may take the same word: a model must set the counters correctly."""
    grid = Grid(("__#__#__#__#__#__#__",))
    words = ["AA", "AB", "BA", "BB", "AC", "CA", "CC"]
    formula = Formula(Puzzle(grid, Vocabulary(words)))
    clauses = dimacs(formula).clauses
    for turn in range(7):
        true = set(formula.model(words[turn:] + words[:turn]))
        assert all(true.intersection(clause) for clause in clauses)
    wrong = set(formula.model(["AA"] * 7))
    assert not all(wrong.intersection(clause) for clause in clauses)
    with pytest.raises(ValueError, match="does not have the word 'XX'"):
        formula.model(["XX"] * 7)


def test_the_comments_say_what_the_variables_mean() -> None:
    formula = Formula(Puzzle(Grid(("__", "_#")), Vocabulary(["AB", "AC"]), locks={"1A": "AD"}))
    comments = dimacs(formula).comments
    assert "c 1 r1c1=A" in comments
    assert "c 2 1A=AD" in comments
    assert any("1A: across" in line and "locked to AD" in line for line in comments)


def test_a_slot_without_words_is_named() -> None:
    puzzle = Puzzle(Grid(("___", "_##")), Vocabulary(["AB", "AC"]))
    read = dimacs(Formula(puzzle))
    assert any("UNFILLABLE: no word fits 1A" in line for line in read.comments)
    with Solver(bootstrap_with=read.clauses) as solver:
        assert not solver.solve()


def test_differences_are_found() -> None:
    puzzle = Puzzle(Grid(("__", "_#")), Vocabulary(["AB", "AC", "BA"]))
    formula = Formula(puzzle)
    clauses = list(formula.clauses())
    count = formula.variables.count
    assert "missing" in formula.difference(count, clauses[:-1])
    assert "too many" in formula.difference(count, [*clauses, [1]])
    assert "variables" in formula.difference(count + 1, clauses)
    assert "clause 1 is" in formula.difference(count, [[*clauses[0], 1], *clauses[1:]])
