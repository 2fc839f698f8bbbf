"""``encode``, ``solve --proof``, ``solve --format sat`` and ``check --proof`` at a shell."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest
from commands import run_as_text
from helpers import DATA

from encoders import read_dimacs
from satcross.cli import UNFILLABLE, UNKNOWN

HARD = DATA / "unfillable" / "needs-search.structure.txt"
HARD_WORDS = DATA / "unfillable" / "needs-search.words.txt"


@pytest.fixture
def folder(folder: Path) -> Path:
    (folder / "w.txt").write_text("cat\ncub\nbed\ntod;60\n")
    (folder / "hs.txt").write_bytes(HARD.read_bytes())
    (folder / "hw.txt").write_bytes(HARD_WORDS.read_bytes())
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run_as_text(arguments, folder)


@pytest.mark.parametrize("name", ["f.opb", "f.mzn.gz", "f.xml"])
def test_models_for_other_solvers(folder: Path, name: str) -> None:
    result = run(folder, "encode", "s.txt", "w.txt", "-o", name)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    data = (folder / name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode()
    [form] = [form for form in ("opb", "mzn", "xml") if f".{form}" in name]
    assert {"opb": "* #variable= ", "mzn": "solve ", "xml": "<allDifferent>"}[form] in text
    (folder / "theme.txt").write_text("cat\n")
    rule = ("--theme", "theme.txt")
    refused = run(folder, "encode", "s.txt", "w.txt", "-o", f"none.{form}", *rule)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "write .cnf" in refused.stderr
    assert not (folder / f"none.{form}").exists()


def test_a_wcnf_without_costs_says_so(folder: Path) -> None:
    (folder / "w.txt").write_text("cat\ncub\nbed\ntod\n")
    result = run(folder, "encode", "s.txt", "w.txt", "-o", "f.wcnf")
    assert (result.returncode, result.stdout) == (0, "")
    assert "no soft clause" in result.stderr
    assert run(folder, "encode", "s.txt", "w.txt", "-o", "f.wcnf", "--quiet").stderr == ""


@pytest.mark.parametrize("encoding", ["full", "direct"])
def test_format_sat_speaks_of_the_formula_that_encode_writes(folder: Path, encoding: str) -> None:
    rules = ["s.txt", "w.txt", "--lock", "1A=CUB", "--encoding", encoding]
    result = run(folder, "solve", *rules, "--format", "sat", "--backend", "sat")
    assert result.returncode == 10
    lines = result.stdout.splitlines()
    assert "s SATISFIABLE" in lines
    values = [int(x) for line in lines if line.startswith("v ") for x in line[2:].split()]
    assert values[-1] == 0
    variables, clauses = read_dimacs(run(folder, "encode", *rules, "-o", "-").stdout)
    assert [abs(value) for value in values[:-1]] == list(range(1, variables + 1))
    assert all(set(values).intersection(clause) for clause in clauses)


def test_format_sat_without_a_fill(folder: Path) -> None:
    result = run(folder, "solve", "hs.txt", "hw.txt", "--format", "sat")
    assert result.returncode == 20
    assert result.stdout.splitlines()[-1] == "s UNSATISFIABLE"
    grid = str(DATA / "grids" / "15x15-72.txt")
    result = run(folder, "solve", grid, "--format", "sat", "--time-limit", "0.01", "--quiet")
    assert (result.returncode, result.stdout) == (0, "s UNKNOWN\n")


def test_compressed_proofs(folder: Path) -> None:
    assert run(folder, "solve", "hs.txt", "hw.txt", "--proof", "p.drat.gz").returncode == UNFILLABLE
    result = run(folder, "check", "--proof", "p.cnf.gz", "p.drat.gz", "--json")
    assert result.returncode == 0
    assert json.loads(result.stdout)["valid"] is True
    # A right proof, but of another puzzle, and the formula of a puzzle with fills.
    result = run(folder, "check", "--proof", "p.cnf.gz", "p.drat.gz", "s.txt", "w.txt")
    assert result.returncode == UNFILLABLE
    assert "p.cnf.gz is not this puzzle's formula" in result.stdout
    run(folder, "encode", "s.txt", "w.txt", "-o", "s.cnf")
    result = run(folder, "check", "--proof", "s.cnf", "p.drat.gz")
    assert result.returncode == UNFILLABLE
    assert result.stdout.startswith("REJECTED: ")


def test_no_answer_yields_no_proof(folder: Path) -> None:
    grid = str(DATA / "grids" / "15x15-72.txt")
    result = run(folder, "solve", grid, "--proof", "p.drat", "--time-limit", "0.01")
    assert result.returncode == UNKNOWN
    assert not list(folder.glob("p.*"))
