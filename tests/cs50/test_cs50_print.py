"""letter_grid and print, byte for byte."""

from __future__ import annotations

import hashlib
import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from satcross.cs50 import CrosswordCreator, Variable

Make = Callable[..., CrosswordCreator]

ROWS = ["____", "_##_", "_#__"]
TOP = Variable(0, 0, "across", 4)
LEFT = Variable(0, 0, "down", 3)

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SAMPLE_ROWS = ["_" * 26, "#" * 26, "_" * 26]
SAMPLE = {Variable(0, 0, "across", 26): LETTERS, Variable(2, 0, "across", 26): LETTERS[::-1]}


def test_letter_grid(make: Make) -> None:
    grid = make(ROWS).letter_grid({LEFT: "CAT"})
    assert grid == [["C", None, None, None], ["A", None, None, None], ["T", None, None, None]]


def test_later_words_overwrite(make: Make) -> None:
    grid = make(ROWS).letter_grid({LEFT: "CAT", TOP: "WORD"})
    assert [row[0] for row in grid] == ["W", "A", "T"]
    assert grid[0] == list("WORD")


def test_letter_grid_follows_the_word_not_the_variable(make: Make) -> None:
    assert make(ROWS).letter_grid({TOP: "AB"})[0] == ["A", "B", None, None]


@pytest.mark.parametrize(("var", "word"), [(TOP, "WORDS"), (LEFT, "CATS")])
def test_a_word_over_the_edge_raises(make: Make, var: Variable, word: str) -> None:
    with pytest.raises(IndexError):
        make(ROWS).letter_grid({var: word})


def test_none_lays_no_letters(make: Make) -> None:
    assert make(ROWS).letter_grid({TOP: None}) == [[None] * 4] * 3


def test_print(make: Make, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    make(ROWS).print({TOP: "WORD"})
    assert capsysbinary.readouterr().out == "WORD\n ██ \n █  \n".encode()


def test_print_of_an_empty_assignment_keeps_spaces(
    make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    make(["#__", "__#"]).print({})
    assert capsys.readouterr().out == "█  \n  █\n"


def test_print_hides_letters_on_blocked_cells(
    make: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    make(["__#"]).print({Variable(0, 0, "across", 2): "ABC"})
    assert capsys.readouterr().out == "AB█\n"


def test_print_takes_letters_as_they_are(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    make(["___"]).print({Variable(0, 0, "across", 3): "n't"})
    assert capsys.readouterr().out == "n't\n"


def test_print_on_an_output_without_full_blocks_raises(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="cp1252"))
    make(["___"]).print({Variable(0, 0, "across", 3): "CAT"})
    with pytest.raises(UnicodeEncodeError):
        make(["__#"]).print({Variable(0, 0, "across", 2): "AB"})


def test_the_known_text(make: Make, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    make(SAMPLE_ROWS).print(SAMPLE)
    assert (
        hashlib.sha256(capsysbinary.readouterr().out).hexdigest()
        == "6fbb98ff3d2d743b79d3c002a1b9f03d6937dea44b09614f79fd6ea421154646"
    )


def test_the_trace_says_each_step_in_words(tmp_path: Path) -> None:
    from satcross import Grid, Puzzle, Vocabulary
    from satcross.cs50.trace import write_trace

    ring = Grid.from_rows(["___", "_#_", "___"])
    write_trace(Puzzle(ring, Vocabulary(["CAT", "CUB", "BED", "TOD"])), str(tmp_path / "trace"))
    lines = (tmp_path / "trace").read_text().splitlines()
    assert lines[0] == "start: 4 words, 4 slots"
    revised = [line for line in lines if line.startswith("revise")]
    assert revised[0] == (
        "revise 1A by 2D: 2 fewer (BED, TOD); "
        "7 arcs in the queue: 1D-1A, 1D-3A, 2D-1A, 2D-3A, 3A-1D, 3A-2D, ..."
    )
    assert any(line.strip().startswith("try 1A = C") for line in lines)
    assert any(line.startswith("    revise") for line in lines)
    words = sorted(lines[-1].removeprefix("filled: ").split(", "))
    assert words in (
        ["1A CAT", "1D CUB", "2D TOD", "3A BED"],
        ["1A CUB", "1D CAT", "2D BED", "3A TOD"],
    )
    write_trace(Puzzle(ring, Vocabulary(["CAT", "DOG"])), str(tmp_path / "none"))
    assert (
        (tmp_path / "none")
        .read_text()
        .endswith("AC-3 is done: a domain is empty\nevery choice has failed: there is no fill\n")
    )


def test_an_interrupted_trace_has_the_steps_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satcross import Grid, Puzzle, Vocabulary
    from satcross.cs50 import crossword, trace

    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(crossword.CrosswordCreator, "infer", interrupted)
    puzzle = Puzzle(Grid.from_rows(["___"]), Vocabulary(["CAT", "DOG"]))
    with pytest.raises(KeyboardInterrupt):
        trace.write_trace(puzzle, str(tmp_path / "trace"))
    assert (tmp_path / "trace").read_text().splitlines()[-2:] == [
        "  try 1A = CAT, of 2",
        "stopped: interrupted",
    ]
