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


@pytest.mark.parametrize(
    ("assignment", "rows"),
    [
        ({LEFT: "CAT"}, ["C...", "A...", "T..."]),
        ({LEFT: "CAT", TOP: "WORD"}, ["WORD", "A...", "T..."]),  # later words overwrite
        ({TOP: "AB"}, ["AB..", "....", "...."]),
        ({TOP: None}, ["....", "....", "...."]),
    ],
)
def test_letter_grid(make: Make, assignment: dict[Variable, str | None], rows: list[str]) -> None:
    wanted = [[None if letter == "." else letter for letter in row] for row in rows]
    assert make(ROWS).letter_grid(assignment) == wanted


@pytest.mark.parametrize(("var", "word"), [(TOP, "WORDS"), (LEFT, "CATS")])
def test_a_word_over_the_edge_raises(make: Make, var: Variable, word: str) -> None:
    with pytest.raises(IndexError):
        make(ROWS).letter_grid({var: word})


@pytest.mark.parametrize(
    ("rows", "words", "text"),
    [
        (ROWS, {4: "WORD"}, "WORD\n ██ \n █  \n"),
        (["#__", "__#"], {}, "█  \n  █\n"),
        (["__#"], {2: "ABC"}, "AB█\n"),  # letters on blocked cells are hidden
        (["___"], {3: "n't"}, "n't\n"),
    ],
)
def test_print(
    make: Make,
    capsysbinary: pytest.CaptureFixture[bytes],
    rows: list[str],
    words: dict[int, str],
    text: str,
) -> None:
    make(rows).print({Variable(0, 0, "across", size): word for size, word in words.items()})
    assert capsysbinary.readouterr().out == text.encode()


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
