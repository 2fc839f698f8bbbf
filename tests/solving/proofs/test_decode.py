"""From a model of a formula back to the grid."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver
from strategies import SmallPuzzle, small_puzzles

from satcross import Crossword, Grid, InputError, Puzzle, Vocabulary
from satcross.solving.proofs import Formula
from satcross.solving.proofs.decode import decode_model
from satcross.verify import verify

PUZZLE = Puzzle(Grid.from_rows(["___", "_##", "_#_"]), Vocabulary(["CAT", "CUB"]))


@pytest.fixture
def cnf(tmp_path: Path) -> str:
    stream = io.StringIO()
    Formula(PUZZLE).write_dimacs(stream)
    (tmp_path / "p.cnf").write_text(stream.getvalue())
    return str(tmp_path / "p.cnf")


def variable(cnf: str, meaning: str) -> int:
    lines = Path(cnf).read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.endswith(f" {meaning}"))


@pytest.mark.parametrize("form", ["c solved\ns SATISFIABLE\nv -1 {0}\nv {1} 0\n", "SAT\n{0} {1} 0"])
def test_a_model_becomes_a_grid(cnf: str, tmp_path: Path, form: str) -> None:
    model = tmp_path / "model"
    model.write_text(form.format(variable(cnf, "1A=CAT"), variable(cnf, "1D=CUB")))
    decoded = decode_model(cnf, str(model))
    assert decoded.rows == ("CAT", "U##", "B#?")
    assert decoded.words == {"1A": "CAT", "1D": "CUB"}


@settings(max_examples=40, deadline=None)
@given(small_puzzles(rebus=True), st.sampled_from(["cnf", "wcnf"]), st.booleans())
def test_encode_solve_decode_is_a_fill(small: SmallPuzzle, form: str, reduce: bool) -> None:
    """Over rebus cells, bars and shapes: each word stands in the cells of its slot."""
    formula = Formula(small.puzzle, reduce=reduce)
    stream = io.StringIO()
    (formula.write_dimacs if form == "cnf" else formula.write_wcnf)(stream)
    with Solver(bootstrap_with=formula.clauses()) as solver:
        if not solver.solve():
            return
        model = " ".join(map(str, solver.get_model()))
    with tempfile.TemporaryDirectory() as folder:
        cnf, answer = Path(folder, f"p.{form}"), Path(folder, "model")
        cnf.write_text(stream.getvalue())
        answer.write_text(f"v {model} 0\n")
        decoded = decode_model(str(cnf), str(answer))
    grid = small.puzzle.grid
    assert verify(small.puzzle, decoded.words) == []
    solution = Crossword.of(grid, decoded.words).solution
    for line, row, cells in zip(grid.rows, solution, decoded.cells, strict=True):
        expected = [
            "#" if cell == "#" else content or "?" for cell, content in zip(line, row, strict=True)
        ]
        assert list(cells) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("s UNSATISFIABLE\n", "no model"),
        ("v one two\n", "has no model"),
        ("", "has no model"),
    ],
)
def test_what_is_no_model(cnf: str, tmp_path: Path, text: str, message: str) -> None:
    model = tmp_path / "model"
    model.write_text(text)
    with pytest.raises(InputError, match=message):
        decode_model(cnf, str(model))
    with pytest.raises(InputError, match="no comments about its grid"):
        decode_model(str(model), str(model))
