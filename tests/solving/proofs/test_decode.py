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

from encoders.models import word_numbers
from satcross import Crossword, Grid, InputError, Puzzle, Vocabulary
from satcross.errors import UnavailableError
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


def printed(formula: Formula, form: str, words: tuple[str, ...]) -> str:
    """What a solver of the format prints of a fill: an earlier solution, then this one."""
    if form in ("cnf", "wcnf"):
        literals = formula.model(words)
        if form == "cnf":
            return f"v {' '.join(map(str, literals))} 0\n"
        return f"o 3\ns OPTIMUM FOUND\nv {''.join(str(int(item > 0)) for item in literals)}\n"
    candidates = formula.instance.candidates
    if form == "pb":
        named = zip(formula.puzzle.grid.slots, words, strict=True)
        return "".join(f"{slot.name}={word} 1\n" for slot, word in named)
    if form == "opb":
        pairs = [(slot, word) for slot, listed in enumerate(candidates) for word in listed]
        signs = ["" if words[slot] == word else "-" for slot, word in pairs]
        return f"v {' '.join(f'{sign}x{n}' for n, sign in enumerate(signs, 1))}\n"
    numbers = [
        next(number for number, word in known.items() if word == chosen)
        for known, chosen in zip(word_numbers(formula.instance), words, strict=True)
    ]
    if form == "xml":
        names = " ".join(f"w{slot}" for slot in range(len(words)))
        values = " ".join(map(str, numbers))
        block = f"<list> {names} </list> <values> {values} </values>"
        return f"s OPTIMUM FOUND\nv <instantiation> {block} </instantiation>\n"
    sign = " = {};" if form == "fzn" else "={}"
    lines = [f"w{slot}" + sign.format(number) for slot, number in enumerate(numbers)]
    first = [f"w{slot}" + sign.format(1) for slot in range(len(words))]
    return "\n".join([*first, "----------", *lines, "----------", "==========", ""])


@settings(max_examples=60, deadline=None)
@given(
    small_puzzles(rebus=True),
    st.sampled_from(["cnf", "wcnf", "opb", "mzn", "fzn", "xml", "pb"]),
    st.booleans(),
    st.booleans(),
)
def test_encode_solve_decode_is_a_fill(
    small: SmallPuzzle, form: str, reduce: bool, best: bool
) -> None:
    """Over rebus cells, bars and shapes: each word stands in the cells of its slot."""
    formula = Formula(small.puzzle, reduce=reduce)
    stream = io.StringIO()
    if form in ("cnf", "wcnf"):
        (formula.write_dimacs if form == "cnf" else formula.write_wcnf)(stream)
    elif form == "pb":
        formula.write_cpsat(stream)
    else:
        try:
            formula.write_model(stream, form, best=best)
        except UnavailableError:
            return
    with Solver(bootstrap_with=formula.clauses()) as solver:
        if not solver.solve():
            return
        words = tuple(formula.complete.decode(solver.get_model()))
    with tempfile.TemporaryDirectory() as folder:
        path, answer = Path(folder, f"p.{form}"), Path(folder, "model")
        path.write_text(stream.getvalue(), encoding="utf-8")
        answer.write_text(printed(formula, form, words))
        decoded = decode_model(str(path), str(answer))
    grid = small.puzzle.grid
    assert tuple(decoded.words.values()) == words
    assert verify(small.puzzle, decoded.words) == []
    solution = Crossword.of(grid, decoded.words).solution
    for line, row, cells in zip(grid.rows, solution, decoded.cells, strict=True):
        expected = [
            "#" if cell == "#" else content or "?" for cell, content in zip(line, row, strict=True)
        ]
        assert list(cells) == expected


def test_a_model_for_cp_sat_is_read_as_the_docs_say(tmp_path: Path) -> None:
    from ortools.sat.python import cp_model

    path, answer = tmp_path / "p.pb.txt", tmp_path / "answer"
    with path.open("w") as file:
        Formula(Puzzle(Grid(("___", "_##")), Vocabulary(["CAT", "CUB", "CB"]))).write_cpsat(file)
    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    model.Proto().parse_text_format(path.read_text())
    assert solver.status_name(solver.solve(model)) == "OPTIMAL"
    values = zip(model.Proto().variables, solver.ResponseProto().solution, strict=True)
    answer.write_text("OPTIMAL\n" + "".join(f"{v.name} {value}\n" for v, value in values))
    assert decode_model(str(path), str(answer)).words["1D"] == "CB"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("s UNSATISFIABLE\n", "no model"),
        ("v one two\n", "has no model"),
        ("", "has no model"),
        ("v 0\n", "gives 1A no word"),
        ("p cnf 3 1\n1 2 3 0\n", "is a formula; give what a solver has printed"),
        ("v 1 0\n", "gives 1[AD] no word; give the answer to .*p.cnf"),
    ],
)
def test_what_is_no_model(cnf: str, tmp_path: Path, text: str, message: str) -> None:
    model = tmp_path / "model"
    model.write_text(text)
    with pytest.raises(InputError, match=message):
        decode_model(cnf, str(model))
    with pytest.raises(InputError, match="no comments about its grid"):
        decode_model(str(model), str(model))
