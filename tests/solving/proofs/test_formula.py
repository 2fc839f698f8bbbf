"""Formulas, read by other programs, have the answers of brute force."""

from __future__ import annotations

from io import StringIO

import pytest
from attack.formulas import COUNTERS
from helpers import example
from hypothesis import event, given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver
from strategies import SmallPuzzle, small_puzzles

from satcross import Grid, Puzzle, Vocabulary, count
from satcross.solving.proofs import Formula
from satcross.solving.proofs.formula import ENCODINGS


def dimacs(formula: Formula) -> CNF:
    stream = StringIO()
    formula.write_dimacs(stream)
    return CNF(from_string=stream.getvalue())


def models(formula: Formula, counter: str) -> int:
    """Count the models by a counter of tests/attack."""
    clauses = [list(clause) for clause in formula.clauses()]
    return COUNTERS[counter](formula.variables.count, clauses) if all(clauses) else 0


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=60)
@given(small=small_puzzles(), reduce=st.booleans(), one_model=st.booleans())
def test_models_are_the_fills(
    encoding: str, reduce: bool, one_model: bool, small: SmallPuzzle
) -> None:
    """There are as many as fills, or else some if there are fills; that of a fill is a model."""
    formula = Formula(small.puzzle, encoding, reduce=reduce, one_model=one_model)
    read = dimacs(formula)
    fills = list(small.fills())
    event("filled" if fills else "unfillable")
    if one_model:
        assert models(formula, "enumeration") == len(fills)
    else:
        with Solver(bootstrap_with=read.clauses) as solver:
            assert solver.solve() == bool(fills)
    assert formula.difference(formula.variables.count, read.clauses) == ""
    for fill in fills[:3]:
        model = formula.model([fill[slot.name] for slot in small.puzzle.grid.slots])
        assert [abs(literal) for literal in model] == list(range(1, len(model) + 1))
        true = set(model)
        assert all(true.intersection(clause) for clause in read.clauses)


@pytest.mark.parametrize("counter", COUNTERS)
def test_other_peoples_counters_agree_with_count(counter: str) -> None:
    grid = Grid.from_rows(["___", "###", "___"])
    puzzle = Puzzle(grid, Vocabulary(["CAT", "DOG"]), allow_repeats=True)
    assert models(Formula(puzzle, one_model=True), counter) == 4
    if counter == "enumeration":
        assert models(Formula(puzzle), counter) > 4
    else:
        puzzle = example(0, 0)
        assert models(Formula(puzzle, one_model=True), counter) == count(puzzle).count


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
