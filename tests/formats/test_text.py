"""Structure files and the printed grid."""

from __future__ import annotations

import hashlib

import pytest

from satcross import Grid, InputError
from satcross.formats.files import Text
from satcross.formats.text import draw_text, parse_printed, parse_structure


def test_oddities_are_noted() -> None:
    found = parse_structure(Text("s.txt", "___\r\n\r\n_x\r\n", ("the byte order mark is ignored",)))
    assert found.grid.rows == ("___", "###", "_##")
    assert found.notes == (
        "the byte order mark is ignored",
        "line 2 is blank; read as blocked cells",
        "line 3 is short; padded with blocked cells",
        "letters are read as blocked cells, as in CS50; with --letters they are given letters",
    )


@pytest.mark.parametrize("text", ["", "\n", "\n\n"])
def test_an_empty_structure(text: str) -> None:
    with pytest.raises(InputError, match=r"s\.txt: the structure is empty; write _ for"):
        parse_structure(Text("s.txt", text))


def test_a_letter_without_a_single_capital() -> None:
    assert parse_structure(Text("s.txt", "___\n_ß_\n")).grid.rows == ("___", "_#_")
    with pytest.raises(InputError, match=r"s\.txt:2: the capital of ß is SS"):
        parse_structure(Text("s.txt", "___\n_ß_\n"), letters=True)


@pytest.mark.parametrize("text", ["#", "_#_\n###\n", "hello world"])
def test_no_slot(text: str) -> None:
    with pytest.raises(InputError, match=r"s\.txt: the structure has no slot: .* write _ for"):
        parse_structure(Text("s.txt", text))


def test_printed_like_the_course() -> None:
    grid = Grid.from_rows(["___#", "#_#_"])
    letters = grid.letters(["CAT", "AX"])
    assert draw_text(grid.structure, letters) == "CAT█\n█X█ \n"
    assert draw_text(grid.structure, letters, block="#") == "CAT#\n#X# \n"


def test_the_known_print() -> None:
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    grid = Grid.from_rows(["_" * 26, "#" * 26, "_" * 26])
    text = draw_text(grid.structure, grid.letters([alphabet, alphabet[::-1]]))
    assert (
        hashlib.sha256(text.encode()).hexdigest()
        == "6fbb98ff3d2d743b79d3c002a1b9f03d6937dea44b09614f79fd6ea421154646"
    )


def test_a_printed_grid_is_read_back() -> None:
    grid = Grid.from_rows(["___", "_#_", "___"])
    fill = {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}
    printed = draw_text(grid.structure, grid.letters([fill[slot.name] for slot in grid.slots]))
    assert parse_printed(grid, printed) == fill
    earlier = printed.replace("CAT", "COT")
    assert parse_printed(grid, f"trying\n{earlier}better:\n{printed}42 tries") == fill
    assert parse_printed(grid, printed.replace("O", " ")) == fill | {"2D": "T D"}
    for text in ("", "No solution.", printed[:-4], printed.replace("\N{FULL BLOCK}", "#")):
        assert parse_printed(grid, text) is None
