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
from satcross.cli import FILLED, cli
from satcross.support import plug_ins

HERE = Path(__file__).parent
PUZZLE = Puzzle(Grid.from_rows(["___", "_#_", "___"]), Vocabulary(["CAT", "CUB", "BED", "TOD"]))


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
    assert path.read_text("utf-8").endswith(
        "| C A T\n| U # O\n| B E D\n1A It purrs\n3A Sleep here\n"
    )
    assert Crossword.read(path) == crossword
    converted = CliRunner().invoke(cli, ["convert", str(path), str(tmp_path / "monday.ipuz")])
    assert converted.exit_code == FILLED
    path.write_text("| C A T\n1A: It purrs\n", encoding="utf-8")
    refused = CliRunner().invoke(cli, ["convert", str(path), str(tmp_path / "again.ipuz")])
    assert "monday.rows:2: 1A: It purrs is no row and no clue; write" in str(refused.exception)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tree with the templates added as CONTRIBUTING.md says."""
    tree = tmp_path_factory.mktemp("tree")
    unused = shutil.ignore_patterns("__pycache__", "static", "benchmarks", "node_modules")
    for folder in ("satcross", "encoders", "tests"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=unused)
    shutil.copy(ROOT / "pyproject.toml", tree)
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    copied = re.findall(r"Copy `(tests/templates/\w+\.py)` to\s`([\w/]+)NAME\.py`", text)
    names = ("guess", "no_doubles", "no_doubles", "rows")
    for (template, folder), name in zip(copied, names, strict=True):
        shutil.copy(tree / template, tree / folder / f"{name}.py")
    found = re.search(
        r"field and check -->\n```python\n#[^\n]*\n(.*?)\n\n#[^\n]*\n(.*?)```", text, re.S
    )
    assert found is not None
    field, check = found.groups()
    _insert(tree / "satcross/puzzle.py", f"{field}\n", "    fixed_words: Mapping")
    _insert(tree / "satcross/verify.py", check, "\n\ndef _theme_problems")
    backends, formats = (tree / f"satcross/{part}/registry.py" for part in ("backends", "formats"))
    _insert(backends, '    "guess": "satcross.backends.guess:Guess",\n', '    "auto":')
    _insert(formats, '    ".rows": "satcross.formats.rows",\n', '    ".puz":')
    _insert(formats, "HEADINGS = {'crossword in rows': '.rows'}\n", "\nWRITE_ONLY =")
    return tree


def _insert(path: Path, text: str, before: str) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count(before) == 1
    path.write_text(source.replace(before, text + before), encoding="utf-8")


def test_the_tests_take_the_templates(tree: Path) -> None:
    """A telling part of the tests that CONTRIBUTING.md names is green, and runs the templates."""
    rules, formats = "tests/rules/test_each_rule.py", "tests/formats/test_"
    selected = [
        f"{rules}::test_flags_become_data",
        f"{rules}::test_the_words_that_rules_allow_are_those_of_the_checker",
        "tests/rules/test_data_forms.py",
        "tests/rules/test_rules.py",
        "tests/conformance/test_rules.py",
        f"{formats}round_trips.py",
        f"{formats}broken_files.py::test_damaged_bytes",
    ]
    those = "each_rule or data_forms or damaged or rows or (guess and BALL)"
    options = ["-v", "-n", "0", "-p", "no:cacheprovider", "-k", those]
    done = run_in(tree, "-m", "pytest", *options, *selected)
    assert done.returncode == 0, done.stdout
    for name in ("test_rebus_cells[.rows] PASSED", "[guess-BALL BOLT CART"):
        assert name in done.stdout


def test_answers_name_the_rule(tree: Path) -> None:
    (tree / "s.txt").write_text("____\n", encoding="utf-8")
    (tree / "w.txt").write_text("ball\n", encoding="utf-8")
    question = ("s.txt", "w.txt", "--no-doubles")
    rule = "because of the rule that no word has a doubled letter"
    for command in ("solve", "explain"):
        assert rule in run_in(tree, "-m", "satcross", command, *question).stdout
    assert run_in(tree, "-m", "satcross", "encode", *question, "-o", "p.cnf").returncode == FILLED
    assert "c the rule that no word has" in (tree / "p.cnf").read_text(encoding="utf-8")


def run_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, *arguments]
    return subprocess.run(
        line, cwd=folder, check=False, capture_output=True, text=True, timeout=PATIENCE
    )
