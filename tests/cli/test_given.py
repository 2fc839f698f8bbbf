"""What ``solve`` gives away: letters that its crossword's author prefilled, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from satcross import Crossword, read_crossword
from satcross.cli import cli
from satcross.grid import Grid

THEMED = """satcross grid
_ _ _ # _ _ _ _ _
_ _ _ # _ _ _ _ _
_ _ _ # _ _ _ _ _
# P E N G U I N S
# # # _ _ _ # # #
_ _ _ _ _ _ _ _ #
_ _ _ _ _ # _ _ _
_ _ _ _ _ # _ _ _
_ _ _ _ _ # _ _ _
"""


def run(*arguments: str) -> None:
    result = CliRunner().invoke(cli, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output


def given(crossword: Crossword) -> str:
    """The prefilled letters, in reading order."""
    return "".join(crossword.grid.rows).replace("#", "").replace("_", "")


@pytest.fixture
def folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def themed(folder: Path) -> Path:
    """A grid with the entry PENGUINS, as ``grid`` writes it."""
    Path("themed.txt").write_text(THEMED)
    return folder


def test_a_theme_is_not_given_away(themed: Path) -> None:
    for name in ("out.ipuz", "out.puz", "out.json", "out.html"):
        run("solve", "themed.txt", name, "--letters", "--quiet")
        crossword = read_crossword(name)
        assert "PENGUINS" in crossword.words.values()
        assert given(crossword) == ""
    run("solve", "themed.txt", "out.svg", "--letters", "--quiet", "--style", "puzzle")
    structure = Grid.read("themed.txt", letters=True)
    empty = Grid(tuple(structure.rows)).with_given(())
    Crossword.of(empty).write("empty.svg", "puzzle")
    assert Path("out.svg").read_bytes() == Path("empty.svg").read_bytes()


def test_a_printed_puzzle_shows_no_answer(themed: Path) -> None:
    pdf = pytest.importorskip("pypdf")
    run("solve", "themed.txt", "out.pdf", "--letters", "--quiet")
    pages = [page.extract_text() for page in pdf.PdfReader("out.pdf").pages]
    letters = "".join(filter(str.isalpha, pages[0].replace("Across", "").replace("Down", "")))
    assert "P" not in letters
    assert "P" in pages[-1]


def test_letters_are_shown_when_asked_for(folder: Path) -> None:
    Path("s.txt").write_text("C__\n_#_\n___\n")
    run("solve", "s.txt", "w.txt", "out.ipuz", "--letters", "--lock", "r3c1=B", "--quiet")
    assert given(read_crossword("out.ipuz")) == ""
    run("solve", "s.txt", "w.txt", "out.ipuz", "--letters", "--lock", "r3c1=B", "--show-given")
    assert given(read_crossword("out.ipuz")) == "CB"


@pytest.mark.parametrize("extension", [".ipuz", ".json", ".puz"])
def test_letters_that_a_crossword_has_prefilled_stay(folder: Path, extension: str) -> None:
    Crossword.of(Grid(("C__", "_#_", "___"))).write(f"in{extension}")
    run("solve", f"in{extension}", "w.txt", "out.ipuz", "--letters", "--quiet")
    assert given(read_crossword("out.ipuz")) == "C"


def test_letters_of_an_unfinished_solution_are_not_given_away(folder: Path) -> None:
    Crossword(Grid(("___", "_#_", "___")), (("C", "A", "T"), (None,) * 3, (None,) * 3)).write(
        "in.json"
    )
    run("solve", "in.json", "w.txt", "out.json", "--letters", "--quiet")
    crossword = read_crossword("out.json")
    assert crossword.words["1A"] == "CAT"
    assert given(crossword) == ""
