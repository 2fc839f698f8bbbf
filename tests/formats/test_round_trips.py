"""Crosswords written in a format and read again."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import puz
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import PLAIN_LETTERS, TEXT_CHARACTERS, crosswords

from satcross import Crossword, Grid, InputError, read_crossword, write_crossword
from satcross.formats.registry import FORMATS, WRITE_ONLY

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # of its own regular expressions, when it is first compiled
    import ipuz

GOLDEN = Path(__file__).parent / "golden"
ABOUT = ("title", "author", "copyright", "notes")
READABLE = tuple(e for e in FORMATS if e not in (*WRITE_ONLY, ".html", ".txt"))

SAMPLE = Crossword(
    Grid(("__C#", "_#__", "____", "#___"), circled=frozenset({(0, 1), (2, 0), (3, 3)})),
    (*((*"RÉC", None), ("O", None, *"AB")), *((*"DATA",), (None, *"EEL"))),
    {
        "1A": "Make a record of it: <short> & \u201csweet\u201d",
        "1D": "Fishing ~ pole",
        "5A": "{*} numbers, {braces} and a \\ stroke",
        "7A": "Two\nlines",
    },
    title="A Sample & Its Title",
    author="N. N.",
    copyright="\N{COPYRIGHT SIGN} nobody",
    notes="First paragraph.\n\n\nSecond paragraph.",
    date="2024-02-29",
)


@pytest.mark.parametrize("golden", sorted(GOLDEN.glob("sample.*")), ids=lambda path: path.name)
def test_golden(folder: Path, golden: Path) -> None:
    write_crossword(SAMPLE, folder / golden.name)
    assert (folder / golden.name).read_bytes() == golden.read_bytes()


@pytest.mark.parametrize(
    ("extension", "lost"),
    [
        (".puz", ["the date"]),
        (".ipuz", []),
        (".xd", ["letters the grid gives", "the exact clues of 5A"]),
        (".json", []),
        (".jpz", ["the date"]),
        (".exolve", ["the date"]),
    ],
)
def test_what_a_format_does_not_keep_is_told(folder: Path, extension: str, lost: list[str]) -> None:
    path = folder / f"sample{extension}"
    assert write_crossword(SAMPLE, path) == lost
    assert SAMPLE.differences(read_crossword(path)) == lost


@given(crossword=crosswords(letters=PLAIN_LETTERS + "ÉÑЯ中01'&@:-", bars=True))
def test_exolve_keeps_the_grid_and_the_solution(folder: Path, crossword: Crossword) -> None:
    path = folder / "a.exolve"
    lost = write_crossword(crossword, path)
    back = read_crossword(path)
    assert back.solution == crossword.solution
    assert replace(crossword.grid, holes=back.grid.holes).with_rows(back.grid.rows) == back.grid
    exact = {text for text in lost if text.startswith("the ")}
    assert set(lost) - exact <= {"letters the grid gives", "holes", "clues for no slot"}


@given(crossword=crosswords())
def test_what_each_format_keeps(folder: Path, crossword: Crossword) -> None:
    for extension in (".json", ".ipuz", ".html"):  # everything
        path = folder / f"a{extension}"
        assert write_crossword(crossword, path) == []
        assert read_crossword(path) == crossword
    ipuz.read((folder / "a.ipuz").read_text(encoding="utf-8"))  # an invalid one raises an error
    write_crossword(crossword, folder / "a.jpz")
    stripped = {key: getattr(crossword, key).strip() for key in ABOUT}
    clues = {name: clue.strip() for name, clue in crossword.clues.items() if clue.strip()}
    same = replace(crossword, clues=clues, date="", **stripped)
    assert read_crossword(folder / "a.jpz") == same
    marks = {"shaded cells": "shaded", "holes": "holes"}
    lacking = [text for text, mark in marks.items() if getattr(crossword.grid, mark)]
    lacking += ["the date"] if crossword.date else []
    path = folder / "a.puz"
    assert write_crossword(crossword, path) == lacking
    written = path.read_bytes()
    back = read_crossword(path)
    grid = replace(crossword.grid, shaded=frozenset(), holes=frozenset())
    assert back == replace(crossword, grid=grid, date="")
    write_crossword(back, path)
    assert path.read_bytes() == written
    compare_with_puzpy(crossword, puz.load(written))


def compare_with_puzpy(crossword: Crossword, puzzle: puz.Puzzle) -> None:
    """Check that puzpy sees the same crossword."""
    assert (puzzle.width, puzzle.height) == (crossword.grid.width, crossword.grid.height)
    assert [getattr(puzzle, key) for key in ABOUT] == [getattr(crossword, key) for key in ABOUT]
    numbering = puzzle.clue_numbering()
    listed = [
        (f"{entry['num']}{letter}", entry["clue"], entry["len"])
        for letter, entries in (("A", numbering.across), ("D", numbering.down))
        for entry in entries
    ]
    slots = [(s.name, crossword.clues.get(s.name, ""), s.length) for s in crossword.grid.slots]
    assert sorted(listed) == sorted(slots)
    circled = puzzle.markup().get_markup_squares(puz.GridMarkup.Circled)
    assert {divmod(index, puzzle.width) for index in circled} == crossword.grid.circled
    rebus = puzzle.rebus()
    for index, letter in enumerate(letter for row in crossword.solution for letter in row):
        if crossword.grid.structure[index // puzzle.width][index % puzzle.width]:
            cell = rebus.get_rebus_solution(index) or puzzle.solution[index]
            assert cell == ("-" if letter is None else letter)


XD_LINES = st.text(TEXT_CHARACTERS, max_size=12).filter(lambda text: not set(text) & set("\\{"))


@given(
    crossword=crosswords(
        letters=PLAIN_LETTERS + "ÉÑЯ中01'&@:-",
        text=XD_LINES.map(str.strip),
        notes=st.lists(XD_LINES, max_size=5).map("\n".join).map(lambda text: text.strip()),
    )
)
def test_xd_keeps_everything_but_given_letters(folder: Path, crossword: Crossword) -> None:
    opened = [["_" if cell != "#" else "#" for cell in row] for row in crossword.grid.rows]
    # .xd can't store a circle in a cell without a letter, or both circles and shades.
    kind = "circled" if crossword.grid.circled else "shaded"
    marks: dict[str, Any] = {"circled": frozenset(), "shaded": frozenset()}
    marks[kind] = frozenset(
        at for at in getattr(crossword.grid, kind) if crossword.solution[at[0]][at[1]] is not None
    )
    grid = replace(crossword.grid.with_rows(map("".join, opened)), **marks)
    path = folder / "a.xd"
    lost = write_crossword(crossword, path)
    assert read_crossword(path) == replace(crossword, grid=grid)
    assert set(lost) <= {"letters the grid gives", "circled cells", "shaded cells"}
    write_crossword(read_crossword(path), folder / "b.xd")
    assert (folder / "b.xd").read_bytes() == path.read_bytes()


@given(crossword=crosswords(text=st.text(max_size=12), letters="AßŉÉЯ\u0301;#_. \0", bars=True))
def test_nothing_is_lost_without_a_word(folder: Path, crossword: Crossword) -> None:
    for extension in READABLE:
        path = folder / f"a{extension}"
        try:
            lost = write_crossword(crossword, path)
        except InputError:
            continue
        assert bool(lost) == (read_crossword(path) != crossword)


def test_what_can_not_be_written_leaves_nothing(folder: Path) -> None:
    for name in ("a.doc", "a", "a.words"):
        with pytest.raises(InputError, match=r"can't write .*; choose .*\.puz, \.ipuz, \.xd"):
            write_crossword(SAMPLE, folder / name)
        assert not (folder / name).exists()
    (folder / "large.puz").write_bytes(b"precious")
    for crossword, said in (
        (Crossword.of(Grid(("_" * 256,))), r"large\.puz: a grid of 1 rows and 256 columns"),
        (replace(SAMPLE, title="\ud800"), "half a character"),
        (Crossword(Grid(("_Я",)), (("A", ";"),)), "can't store the letter ';'"),
    ):
        with pytest.raises(InputError, match=said):
            write_crossword(crossword, folder / "large.puz")
    assert (folder / "large.puz").read_bytes() == b"precious"
    assert not list(folder.glob(".large*"))


@pytest.mark.parametrize("extension", [".ipuz", ".jpz"])
def test_colours_are_kept_and_enumerations_stay_apart(folder: Path, extension: str) -> None:
    grid = Grid(("__", "__"), shaded=frozenset({(0, 1)}))
    clues = {"1A": "Taxi (2)"}
    crossword = replace(Crossword.of(grid, clues=clues), colours=frozenset({((0, 1), "ffcc00")}))
    path = folder / f"out{extension}"
    assert write_crossword(crossword, path) == []
    assert read_crossword(path) == crossword
    if extension == ".ipuz":
        [first, _] = json.loads(path.read_text())["clues"]["Across"]
        assert first == {"number": 1, "clue": "Taxi", "enumeration": "2"}
    assert "the colours of shaded cells" in write_crossword(crossword, folder / "out.xd")


def test_slots_left_out(folder: Path) -> None:
    crossword = Crossword.of(Grid(("__", "__"), frozenset({"1D"})), {"1A": "AB"})
    assert write_crossword(crossword, folder / "a.json") == []
    assert read_crossword(folder / "a.json") == crossword
    assert write_crossword(crossword, folder / "a.ipuz") == ["which slots are left out"]


def test_text_with_given_letters(folder: Path) -> None:
    (folder / "a.txt").write_text("__T\n#a_\n", encoding="utf-8")
    crossword = read_crossword(folder / "a.txt", letters=True)
    assert crossword.grid.rows == ("__T", "#A_")
    assert crossword.solution == ((None, None, "T"), (None, "A", None))


@given(crossword=crosswords(letters=PLAIN_LETTERS + "ÉЯ中"))
def test_text_keeps_pattern_and_solution(folder: Path, crossword: Crossword) -> None:
    lost = write_crossword(crossword, folder / "b.txt")
    back = read_crossword(folder / "b.txt")
    assert (back.grid.structure, back.solution) == (crossword.grid.structure, crossword.solution)
    assert ("the clues" in lost) == bool(crossword.clues)
    assert ("the title" in lost) == bool(crossword.title)


@pytest.mark.parametrize("extension", [*READABLE, ".html"])
def test_rebus_cells(folder: Path, extension: str) -> None:
    grid = Grid(("___", "_#_"), circled=frozenset({(0, 0)}))
    solution = (("ICE", "AG", "E"), ("D", None, "A"))
    crossword = Crossword(grid, solution, {"1A": "Long time"})
    path = folder / f"rebus{extension}"
    lost = write_crossword(crossword, path)
    if "letters of the solution" not in lost:
        assert read_crossword(path).solution == solution
