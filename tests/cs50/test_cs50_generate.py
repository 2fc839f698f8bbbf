"""``python generate.py``: what it prints, its exit codes, and which files it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import ROOT

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
    copy = tmp_path_factory.mktemp("luggage")
    for package in ("satcross", "encoders"):
        for file in (ROOT / package).rglob("*.py"):
            target = copy / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    shutil.copy(ROOT / "generate.py", copy)
    return copy


def run(
    folder: Path, *arguments: str, flags: tuple[str, ...] = (), encoding: str = "utf-8"
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *flags, str(folder / "generate.py"), *arguments],
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )


def lines(output: bytes) -> str:
    """Return the text of an output with the same line ends on every platform."""
    return output.decode().replace("\r\n", "\n")


def test_no_solution(files: list[str], tmp_path: Path) -> None:
    Path(files[1]).write_text("mouse\n")
    picture = tmp_path / "out.png"
    done = run(ROOT, *files, str(picture))
    assert (done.returncode, lines(done.stdout), done.stderr) == (0, "No solution.\n", b"")
    assert not picture.exists()


@pytest.mark.parametrize("count", [0, 1, 4, 5])
def test_usage(count: int) -> None:
    done = run(ROOT, *["x"] * count)
    assert (done.returncode, done.stdout, lines(done.stderr)) == (1, b"", USAGE)


def test_prints_the_grid_and_writes_the_picture(files: list[str], tmp_path: Path) -> None:
    images = pytest.importorskip("PIL.Image")
    picture = tmp_path / "out.png"
    done = run(ROOT, *files, str(picture))
    assert (done.returncode, lines(done.stdout), done.stderr) == (0, GRID, b"")
    with images.open(picture) as image:
        assert image.size == (500, 300)


def test_the_text_is_out_even_if_saving_fails(files: list[str], tmp_path: Path) -> None:
    picture = str(tmp_path / "no folder" / "out.png")
    done = run(ROOT, *files, picture)
    assert (done.returncode, lines(done.stdout)) == (1, GRID)
    assert lines(done.stderr) == f"{picture}: No such file or directory\n"


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
    done = run(ROOT, *files, flags=("-X", "utf8"))
    assert (done.returncode, done.stdout, lines(done.stderr)) == (1, b"", said.format(*files))


def test_its_own_folder_comes_first(tmp_path: Path) -> None:
    (tmp_path / "satcross").mkdir()
    (tmp_path / "satcross" / "__init__.py").write_text("raise ValueError('not this one')\n")
    code = "import sys; sys.path[:0] = sys.argv[1:]; import runpy; runpy.run_path('generate.py')"
    command = [sys.executable, "-c", code, str(tmp_path), str(ROOT)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_console_without_full_blocks_still_gets_the_letters(files: list[str]) -> None:
    done = run(ROOT, *files, encoding="cp1252")
    assert (done.returncode, lines(done.stdout)) == (0, GRID.replace("█", "?"))
    done = run(ROOT, *files, encoding="cp437")
    assert done.stdout.decode("cp437").replace("\r\n", "\n") == GRID


# Only .py files, only the standard library: -S leaves out installed packages, -I the folder of the
# script and the environment.


@pytest.mark.parametrize("flags", [(), ("-S",), ("-S", "-I", "-X", "utf8")])
def test_travels_without_data_and_packages(
    luggage: Path, files: list[str], flags: tuple[str, ...]
) -> None:
    done = run(luggage, *files, flags=flags)
    assert (done.returncode, lines(done.stdout), lines(done.stderr)) == (0, GRID, "")


def test_a_picture_without_pillow_is_one_line_on_stderr(
    luggage: Path, files: list[str], tmp_path: Path
) -> None:
    done = run(luggage, *files, str(tmp_path / "out.png"), flags=("-S",))
    assert (done.returncode, lines(done.stdout)) == (1, GRID)
    assert len(done.stderr.splitlines()) == 1
    assert b"install Pillow" in done.stderr


@pytest.fixture(scope="module")
def with_crossword(luggage: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the copied files after a grader has put its own crossword.py beside generate.py."""
    copy = tmp_path_factory.mktemp("graded") / "copy"
    shutil.copytree(luggage, copy)
    (copy / "crossword.py").write_text(PLAIN_CROSSWORD)
    return copy


@pytest.mark.parametrize("flags", [(), ("-S", "-X", "utf8", "-I")])
def test_works_with_the_graders_crossword(
    with_crossword: Path, files: list[str], flags: tuple[str, ...]
) -> None:
    done = run(with_crossword, *files, flags=flags)
    assert (done.returncode, lines(done.stdout), done.stderr) == (0, GRID, b"")


def test_offers_the_graders_classes(with_crossword: Path, files: list[str]) -> None:
    code = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("generate", sys.argv[1] + "/generate.py")
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)
assert generate.Variable.__module__ == generate.Crossword.__module__ == "crossword"
crossword = generate.Crossword(*sys.argv[2:4])
assert set(vars(crossword)) == {"height", "width", "structure", "words", "variables", "overlaps"}
creator = generate.CrosswordCreator(crossword)
top = generate.Variable(0, 0, "across", 5)
assert creator.domains[top] == crossword.words
creator.enforce_node_consistency()
assert creator.ac3([]) and creator.ac3()
assert creator.select_unassigned_variable({top: {"MOUSE"}}).direction in ("across", "down")
assert creator.solve()[top] == "MOUSE"
"""
    command = [sys.executable, "-S", "-I", "-c", code, str(with_crossword), *files]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_offers_our_classes() -> None:
    code = """
import generate, satcross.cs50
assert generate.Variable is satcross.cs50.Variable
assert generate.Crossword is satcross.cs50.Crossword
assert generate.CrosswordCreator is satcross.cs50.CrosswordCreator
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_imports_nothing_heavy(files: list[str]) -> None:
    code = """
import sys, generate
sys.argv[0] = "generate.py"
generate.main()
sys.exit(bool({"PIL", "numpy", "pysat", "ortools", "click"} & set(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, *files], cwd=ROOT, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
