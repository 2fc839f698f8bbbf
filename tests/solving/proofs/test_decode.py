"""From a model of a formula back to the grid."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from satcross import Grid, InputError, Puzzle, Vocabulary
from satcross.solving.proofs import Formula
from satcross.solving.proofs.decode import decode_model

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
