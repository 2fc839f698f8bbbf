"""With one model per fill, independent model counters count the fills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path

import pytest
from helpers import example, run
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver
from strategies import SmallPuzzle, small_puzzles

from encoders import read_dimacs
from satcross import Grid, Puzzle, Vocabulary, count
from satcross.solving.proofs import Formula
from satcross.solving.proofs.formula import ENCODINGS

Clauses = Sequence[Sequence[int]]


def by_enumeration(variables: int, clauses: Clauses) -> int:
    """Count the models one after the other."""
    found = 0
    with Solver(bootstrap_with=[*clauses, *([v, -v] for v in range(1, variables + 1))]) as solver:
        while solver.solve():
            found += 1
            solver.add_clause([-literal for literal in solver.get_model()])
    return found


def by_ganak(variables: int, clauses: Clauses) -> int:
    """Count with Ganak: component caching, as in #SAT (Sharma and others 2019)."""
    counter = pytest.importorskip("pyganak").Counter()
    counter.new_vars(variables)
    counter.add_clauses([list(clause) for clause in clauses])
    return int(counter.count())


def by_sdd(variables: int, clauses: Clauses) -> int:
    """Count with PySDD: a sentential decision diagram (Darwiche 2011)."""
    manager = pytest.importorskip("pysdd.sdd").SddManager
    text = f"p cnf {variables} {len(clauses)}\n"
    text += "".join(" ".join(map(str, [*clause, 0])) + "\n" for clause in clauses)
    _manager, node = manager.from_cnf_string(text)
    return int(node.global_model_count())


COUNTERS = [by_enumeration, by_ganak, by_sdd]
Counter = Callable[[int, Clauses], int]


def models(formula: Formula, counter: Counter) -> int:
    clauses = [list(clause) for clause in formula.clauses()]
    if any(not clause for clause in clauses):
        return 0
    return counter(formula.variables.count, clauses)


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=40, deadline=None)
@given(small=small_puzzles(), reduce=st.booleans())
def test_models_are_as_many_as_fills(encoding: str, reduce: bool, small: SmallPuzzle) -> None:
    formula = Formula(small.puzzle, encoding, reduce=reduce, one_model=True)
    fills = list(small.fills())
    assert models(formula, by_enumeration) == len(fills)
    for fill in fills:
        words = [fill[slot.name] for slot in small.puzzle.grid.slots]
        model = formula.model(words)
        assert all(any(literal in clause for literal in model) for clause in formula.clauses())


def test_without_the_option_a_fill_has_many_models() -> None:
    grid = Grid.from_rows(["___", "###", "___"])
    puzzle = Puzzle(grid, Vocabulary(["CAT", "DOG"]), allow_repeats=True)
    assert models(Formula(puzzle), by_enumeration) > 4
    assert models(Formula(puzzle, one_model=True), by_enumeration) == 4


@pytest.mark.parametrize("counter", [by_ganak, by_sdd])
def test_other_peoples_counters_agree_with_count(counter: Counter) -> None:
    words = ["CAT", "CUB", "BED", "TOD", "TAD", "BAD", "CAB", "TUB", "CAD", "BUD", "COD", "COB"]
    for rows in (["___", "_#_", "___"], ["___", "___"], ["__#___", "_##_##", "_#####"]):
        for theme, lowest in ((frozenset[str](), None), (frozenset(words[:4]), 2)):
            for repeats in (False, True):
                puzzle = Puzzle(
                    Grid.from_rows(rows),
                    Vocabulary([*words, "AT", "BE", "CA", "DO", "TA", "UB"]),
                    allow_repeats=repeats,
                    theme=theme,
                    min_theme_words=lowest,
                )
                found = models(Formula(puzzle, one_model=True, reduce=True), counter)
                assert found == count(puzzle).count


def test_a_real_grid_counted_by_ganak() -> None:
    puzzle = example(0, 0)
    assert models(Formula(puzzle, one_model=True), by_ganak) == count(puzzle).count


def test_the_command(tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("___\n#_#\n#_#\n")
    (tmp_path / "w.txt").write_text("cat\nant\nare\nape\n")
    arguments = ("encode", "g.txt", "w.txt", "--one-model-per-fill", "-o")
    assert run(tmp_path, *arguments, "g.cnf").returncode == 0
    variables, clauses = read_dimacs(StringIO((tmp_path / "g.cnf").read_text()).read())
    fills = run(tmp_path, "count", "g.txt", "w.txt").stdout.decode()
    assert str(by_enumeration(variables, clauses)) in fills
    assert "One model per fill" in (tmp_path / "g.cnf").read_text()
    refused = run(tmp_path, *arguments, "g.pb.txt")
    assert refused.returncode == 2
    assert b"--one-model-per-fill is for .cnf and .wcnf" in refused.stderr
