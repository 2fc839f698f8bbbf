"""letter_grid and print byte for byte, save pixel for pixel, and the trace."""

from __future__ import annotations

import hashlib
import io
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers import ROOT
from PIL import Image

from satcross import Grid, Puzzle, Vocabulary
from satcross.cs50 import CrosswordCreator, Variable
from satcross.cs50.trace import write_trace

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


# The picture

BLACK, WHITE = (0, 0, 0, 255), (255, 255, 255, 255)


def test_the_known_picture(make: Make, tmp_path: Path) -> None:
    name = tmp_path / "sample.png"
    make(SAMPLE_ROWS).save(SAMPLE, str(name))
    with Image.open(name) as picture:
        assert (picture.size, picture.mode) == ((2600, 300), "RGBA")
        assert (
            hashlib.sha256(picture.tobytes()).hexdigest()
            == "3e1d3a76e303e6e72a455ab6f9bdd381ad8aa5e59e00e72438236e6c7667972a"
        )


def test_cells_without_letters(make: Make, tmp_path: Path) -> None:
    name = tmp_path / "blank.png"
    make(["__", "#_"]).save({}, str(name))
    with Image.open(name) as picture:
        assert (picture.size, picture.mode) == ((200, 200), "RGBA")
        # An open cell is white from 2 to 98, both included; between two of them lie three pixels.
        line = [picture.getpixel((x, 50)) for x in range(200)]
        assert line == [WHITE if 2 <= x % 100 <= 98 else BLACK for x in range(200)]
        assert {picture.getpixel((x, 150)) for x in range(100)} == {BLACK}
        column = [picture.getpixel((150, y)) for y in range(200)]
        assert column == [WHITE if 2 <= y % 100 <= 98 else BLACK for y in range(200)]


def test_the_working_directory_does_not_matter(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    creator = make(["__"])
    monkeypatch.chdir(tmp_path)
    creator.save({Variable(0, 0, "across", 2): "AB"}, "here.png")
    assert (tmp_path / "here.png").exists()


def test_without_our_font_the_course_s_own_copy_serves(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from satcross.formats.drawing import lettering as fonts_module

    creator = make(["__"])
    fill = {Variable(0, 0, "across", 2): "AB"}
    creator.save(fill, str(tmp_path / "ours.png"))
    monkeypatch.setattr(fonts_module, "files", lambda package: tmp_path / "only .py files")
    monkeypatch.chdir(tmp_path)
    fonts_module.use_font(None)  # forgets the fonts that are open
    try:
        fonts = tmp_path / "assets" / "fonts"
        fonts.mkdir(parents=True)
        font = "OpenSans-Regular.ttf"
        shutil.copy(ROOT / "satcross" / "resources" / font, fonts / font)
        creator.save(fill, "theirs.png")
    finally:
        fonts_module.use_font(None)  # forgets the fonts that are open
    with Image.open("ours.png") as ours, Image.open("theirs.png") as theirs:
        assert ours.tobytes() == theirs.tobytes()


def test_the_extension_chooses_the_format(make: Make, tmp_path: Path) -> None:
    creator = make(["__"])
    creator.save({}, str(tmp_path / "grid.gif"))
    with Image.open(tmp_path / "grid.gif") as picture:
        assert picture.format == "GIF"
    with pytest.raises(OSError, match="JPEG"):  # JPEG has no transparency
        creator.save({}, str(tmp_path / "grid.jpg"))
    with pytest.raises(ValueError, match="extension"):
        creator.save({}, str(tmp_path / "grid.unknown"))


# The trace


def test_the_trace_says_each_step_in_words(tmp_path: Path) -> None:
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
    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(CrosswordCreator, "infer", interrupted)
    puzzle = Puzzle(Grid.from_rows(["___"]), Vocabulary(["CAT", "DOG"]))
    with pytest.raises(KeyboardInterrupt):
        write_trace(puzzle, str(tmp_path / "trace"))
    assert (tmp_path / "trace").read_text().splitlines()[-2:] == [
        "  try 1A = CAT, of 2",
        "stopped: interrupted",
    ]
