"""``python generate.py``: what it prints, its exit codes, and which files it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT
from PIL import Image

STRUCTURE = "_____\n#_#_#\n_____\n"
WORDS = "mouse\ntrays\noar\nspy\nnorth\nant\n"
GRID = "MOUSE\n█A█P█\nTRAYS\n"
USAGE = "Usage: python generate.py structure words [output]\n"

# A crossword.py with only what the course promises.
PLAIN_CROSSWORD = """
from satcross.cs50 import crossword as ours

class Variable(ours.Variable):
    pass

class Crossword:
    def __init__(self, structure_file, words_file):
        vars(self).update(vars(ours.Crossword(structure_file, words_file)))

    def neighbors(self, var):
        return {v for v in self.variables if v != var and self.overlaps[v, var]}
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "structure.txt").write_text(STRUCTURE)
    (tmp_path / "words.txt").write_text(WORDS)
    return [str(tmp_path / "structure.txt"), str(tmp_path / "words.txt")]


@pytest.fixture(scope="module")
def luggage(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the Python files that generate.py may need, and nothing else."""

    def others(_: str, names: list[str]) -> list[str]:
        return [name for name in names if "." in name and not name.endswith(".py")]

    copy = tmp_path_factory.mktemp("luggage")
    for package in ("satcross", "encoders"):
        shutil.copytree(ROOT / package, copy / package, ignore=others)
    shutil.copy(ROOT / "generate.py", copy)
    return copy


def run(
    *arguments: str, folder: Path = ROOT, flags: tuple[str, ...] = (), encoding: str = "utf-8"
) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error of generate.py, or of Python's flags."""
    program = [] if "-c" in flags else [str(folder / "generate.py")]
    done = subprocess.run(
        [sys.executable, *flags, *program, *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        encoding=encoding,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_no_solution(files: list[str], tmp_path: Path) -> None:
    Path(files[1]).write_text("mouse\n")
    picture = tmp_path / "out.png"
    assert run(*files, str(picture)) == (0, "No solution.\n", "")
    assert not picture.exists()


@pytest.mark.parametrize("count", [1, 4])
def test_usage(count: int) -> None:
    assert run(*["x"] * count) == (1, "", USAGE)


def test_prints_the_grid_and_writes_the_picture(files: list[str], tmp_path: Path) -> None:
    picture = tmp_path / "out.png"
    assert run(*files, str(picture)) == (0, GRID, "")
    with Image.open(picture) as image:
        assert image.size == (500, 300)


def test_the_text_is_out_even_if_saving_fails(files: list[str], tmp_path: Path) -> None:
    picture = str(tmp_path / "no folder" / "out.png")
    assert run(*files, picture) == (1, GRID, f"{picture}: No such file or directory\n")


@pytest.mark.parametrize(
    ("number", "content", "said"),
    [
        (0, None, "{0}: No such file or directory\n"),
        (1, None, "{1}: No such file or directory\n"),
        (0, b"", "{0}: the structure is empty\n"),
        (1, b"caf\xe9\n", "{0} or {1}: not text in utf-8\n"),
    ],
)
def test_an_unusable_file_is_one_line_on_stderr(
    files: list[str], number: int, content: bytes | None, said: str
) -> None:
    if content is None:
        Path(files[number]).unlink()
    else:
        Path(files[number]).write_bytes(content)
    assert run(*files, flags=("-X", "utf8")) == (1, "", said.format(*files))


def test_its_own_folder_comes_first(tmp_path: Path) -> None:
    (tmp_path / "satcross").mkdir()
    (tmp_path / "satcross" / "__init__.py").write_text("raise ValueError('not this one')\n")
    code = "import sys; sys.path[:0] = sys.argv[1:]; import runpy; runpy.run_path('generate.py')"
    assert run(str(tmp_path), str(ROOT), flags=("-c", code)) == (0, "", "")


def test_a_console_without_full_blocks_still_gets_the_letters(files: list[str]) -> None:
    assert run(*files, encoding="cp1252")[:2] == (0, GRID.replace("█", "?"))
    assert run(*files, encoding="cp437")[:2] == (0, GRID)


# Only .py files, only the standard library: -S leaves out installed packages, -I the folder of the
# script and the environment.


def test_travels_without_data_and_packages(luggage: Path, files: list[str]) -> None:
    assert run(*files, folder=luggage, flags=("-S", "-I", "-X", "utf8")) == (0, GRID, "")


def test_a_picture_without_pillow_is_one_line_on_stderr(
    luggage: Path, files: list[str], tmp_path: Path
) -> None:
    code, output, errors = run(*files, str(tmp_path / "out.png"), folder=luggage, flags=("-S",))
    assert (code, output, errors.count("\n")) == (1, GRID, 1)
    assert "install Pillow" in errors


def test_works_with_the_graders_crossword(luggage: Path, files: list[str]) -> None:
    """A grader puts its own crossword.py beside generate.py, whose path it imports."""
    (luggage / "crossword.py").write_text(PLAIN_CROSSWORD)
    code = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("generate", "generate.py")
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)
assert generate.Variable.__module__ == generate.Crossword.__module__ == "crossword"
crossword = generate.Crossword(*sys.argv[1:3])
assert set(vars(crossword)) == {"height", "width", "structure", "words", "variables", "overlaps"}
creator = generate.CrosswordCreator(crossword)
top = generate.Variable(0, 0, "across", 5)
assert creator.domains[top] == crossword.words
creator.enforce_node_consistency()
assert creator.ac3([]) and creator.ac3()
assert creator.select_unassigned_variable({top: {"MOUSE"}}).direction in ("across", "down")
assert creator.solve()[top] == "MOUSE"
"""
    try:
        assert run(*files, folder=luggage) == (0, GRID, "")
        assert run(*files, folder=luggage, flags=("-S", "-I", "-c", code)) == (0, "", "")
    finally:
        (luggage / "crossword.py").unlink()


def test_has_our_classes_and_imports_nothing_heavy(files: list[str]) -> None:
    code = """
import sys, generate, satcross.cs50
for name in ("Variable", "Crossword", "CrosswordCreator"):
    assert getattr(generate, name) is getattr(satcross.cs50, name)
sys.argv[0] = "generate.py"
generate.main()
sys.exit(bool({"PIL", "numpy", "pysat", "ortools", "click"} & set(sys.modules)))
"""
    assert run(*files, flags=("-c", code)) == (0, GRID, "")
