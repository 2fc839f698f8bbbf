"""The templates of CONTRIBUTING.md work as they are, in the places that it names."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from click.testing import CliRunner
from helpers import PATIENCE, ROOT

from satcross import Crossword, Grid, Puzzle, Status, UnavailableError, Vocabulary, solve
from satcross.backends import registry
from satcross.cli import FILLED, cli
from satcross.support import plug_ins

HERE = Path(__file__).parent
PUZZLE = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["CAT", "CUB", "BED", "TOD"]))


def test_a_backend_by_a_line_in_the_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.BACKENDS, "guess", "templates.backend:Guess")
    assert solve(PUZZLE, "guess").status is Status.FILLED


@pytest.fixture
def other_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another package adds a backend, a broken backend and a command."""
    added = {
        plug_ins.BACKENDS: {"guess": "templates.backend:Guess", "broken": "templates.nowhere:X"},
        plug_ins.COMMANDS: {"shout": "templates.command:shout"},
        plug_ins.FORMATS: {".rows": "templates.format"},
    }

    def entry_points(*, group: str) -> list[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in added.get(group, {}).items()]

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)


@pytest.mark.usefixtures("other_package")
def test_another_package_adds_a_backend(tmp_path: Path) -> None:
    assert solve(PUZZLE, "guess").status is Status.FILLED
    with pytest.raises(UnavailableError, match=r"broken, which the package \? adds, can't be"):
        solve(PUZZLE, "broken")
    with pytest.raises(UnavailableError, match=r"no backend 'gess'; choose from auto, .*guess"):
        solve(PUZZLE, "gess")
    (tmp_path / "s.txt").write_text("___\n", encoding="utf-8")
    (tmp_path / "w.txt").write_text("cat\n", encoding="utf-8")
    arguments = ["solve", str(tmp_path / "s.txt"), str(tmp_path / "w.txt"), "--backend"]
    assert CliRunner().invoke(cli, [*arguments, "guess,sat"]).exit_code == FILLED
    refused = CliRunner().invoke(cli, [*arguments, "gess"])
    assert "Did you mean 'guess'?" in refused.output


@pytest.mark.usefixtures("other_package")
def test_another_package_adds_a_command() -> None:
    assert "shout  From the package" in CliRunner().invoke(cli, ["--help"]).output
    assert CliRunner().invoke(cli, ["shout", "cat"]).output == "CAT!\n"


@pytest.mark.usefixtures("other_package")
def test_another_package_adds_a_format(tmp_path: Path) -> None:
    path = tmp_path / "monday.rows"
    clues = {"1A": "It purrs", "3A": "Sleep here"}
    crossword = Crossword.of(
        PUZZLE.grid, {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}, clues
    )
    assert crossword.write(path) == []
    assert path.read_text("utf-8").startswith("CAT\nU#O\nBED\n\n1A\tIt purrs\n")
    assert Crossword.read(path) == crossword
    converted = CliRunner().invoke(cli, ["convert", str(path), str(tmp_path / "monday.ipuz")])
    assert converted.exit_code == FILLED
    path.write_text("CAT\nU\n", encoding="utf-8")
    refused = CliRunner().invoke(cli, ["convert", str(path), str(tmp_path / "again.ipuz")])
    assert "its rows differ in length; make them alike" in str(refused.exception)


def test_a_rule_about_single_words(tmp_path: Path) -> None:
    """The field, the module and the check, put where CONTRIBUTING.md says, are a rule."""
    copied = shutil.ignore_patterns("__pycache__", "static")
    for package in ("satcross", "encoders"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=copied)
    shutil.copy(HERE / "rule.py", tmp_path / "satcross/rules/no_doubles.py")
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(
        r"field and check -->\n```python\n#[^\n]*\n(.*?)\n\n#[^\n]*\n(.*?)```", text, re.S
    )
    assert found is not None
    field, check = found.groups()
    _insert(tmp_path / "satcross/puzzle.py", f"{field}\n", before="    fixed_words: Mapping")
    _insert(tmp_path / "satcross/verify.py", check, before="\n\ndef _theme_problems")
    program = """
from satcross import Grid, Puzzle, Vocabulary, count, explain, verify
from satcross.backends.plain_clauses import plain_fills
from satcross.run_settings import NEVER
puzzle = Puzzle(Grid.from_rows(["____"]), Vocabulary(["BALL", "BOLT", "CART"]), no_doubles=True)
for backend in ("sat", "cpsat", "backtrack"):
    assert count(puzzle, backend).count == 2, backend
assert len(list(plain_fills(puzzle, NEVER))) == 2
assert verify(puzzle, {"1A": "BALL"}) == ["1A: BALL has a doubled letter"]
reason = explain(Puzzle(puzzle.grid, Vocabulary(["BALL"]), no_doubles=True))
assert "the rule that no word has a doubled letter" in str(reason), str(reason)
"""
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, timeout=PATIENCE)
    (tmp_path / "s.txt").write_text("____\n", encoding="utf-8")
    (tmp_path / "w.txt").write_text("ball\n", encoding="utf-8")
    line = [
        "-m",
        "satcross",
        "solve",
        "s.txt",
        "w.txt",
        "--no-doubles",
        "--backend",
        "sat,backtrack",
    ]
    done = subprocess.run([sys.executable, *line], cwd=tmp_path, check=False, timeout=PATIENCE)
    assert done.returncode == 20


def _insert(path: Path, text: str, before: str) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count(before) == 1
    path.write_text(source.replace(before, text + before), encoding="utf-8")
