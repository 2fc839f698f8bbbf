"""Structure files and the printed grid."""

from __future__ import annotations

from pathlib import Path

import pytest

from satcross import Grid, InputError, Puzzle, Vocabulary, read_crossword, several
from satcross.formats.files import Text
from satcross.formats.json import fill_list_to_data
from satcross.formats.readers import read_structure
from satcross.formats.structure import draw_text, parse_structure
from satcross.formats.text import parse_printed


def test_oddities_are_noted() -> None:
    found = parse_structure(Text("s.txt", "___\r\n\r\n_ß\r\n", ("the byte order mark is ignored",)))
    assert found.grid.rows == ("___", "###", "_##")
    assert found.notes == (
        "the byte order mark is ignored",
        "line 2 is blank; read as blocked cells",
        "line 3 is short; padded with blocked cells",
        "letters are read as blocked cells, as in CS50; with --letters they are given letters",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("_ _ _\n_ # _\n_____\n", "blanks and # are read as blocked cells"),
        ("|___|\n|_#_|\n", "# and | are read as blocked cells"),
        ("1__\n_#_\n2__\n", "#, 1 and 2 are read as blocked cells"),
    ],
)
def test_several_signs_of_blocked_cells_are_noted(text: str, said: str) -> None:
    assert parse_structure(Text("s.txt", text)).notes == (said,)


@pytest.mark.parametrize(
    ("text", "letters", "said"),
    [
        *((text, False, r"s\.txt: the structure is empty; write _ for") for text in ("", "\n\n")),
        ("___\n_ß_\n", True, r"s\.txt:2: the capital of ß is SS"),
        *(
            (text, False, r"s\.txt: the structure has no slot: .* write _ for")
            for text in ("#", "_#_\n###\n", "hello world")
        ),
    ],
)
def test_refused(text: str, letters: bool, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse_structure(Text("s.txt", text), letters=letters)


def test_printed_like_the_course() -> None:
    grid = Grid.from_rows(["___#", "#_#_"])
    letters = grid.letters(["CAT", "AX"])
    assert draw_text(grid.structure, letters) == "CAT█\n█X█ \n"
    assert draw_text(grid.structure, letters, block="#") == "CAT#\n#X# \n"


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


DECORATED = """satcross grid
 C  _|(_) █
    - ---
{#} _ [E] ~
"""


def test_decorated_structure(tmp_path: Path) -> None:
    (tmp_path / "decorated.txt").write_text(DECORATED, encoding="utf-8")
    with pytest.raises(InputError, match="prefilled with #"):
        read_crossword(tmp_path / "decorated.txt")
    (tmp_path / "decorated.txt").write_text(DECORATED.replace("{#}", "{-}"), encoding="utf-8")
    crossword = read_crossword(tmp_path / "decorated.txt")
    assert crossword.grid == Grid(
        ("___#", "___#"),
        bars=frozenset({((0, 1), (0, 2)), ((0, 1), (1, 1)), ((0, 2), (1, 2))}),
        circled=frozenset({(0, 2)}),
        shaded=frozenset({(1, 2)}),
        holes=frozenset({(1, 3)}),
    )
    assert crossword.solution == (("C", None, None, None), ("-", None, "E", None))
    crossword.write(tmp_path / "again.txt")
    assert (tmp_path / "again.txt").read_text(encoding="utf-8") == DECORATED.replace("{#}", "{-}")
    structure = read_structure(str(tmp_path / "decorated.txt"), letters=False)
    assert structure.grid.rows == ("C__#", "-_E#")


def test_letters_in_every_cell_are_a_fill_unless_letters_are_wanted(tmp_path: Path) -> None:
    path = tmp_path / "full.txt"
    path.write_text("satcross grid\nC A\nO {DA}\n", encoding="utf-8")
    kept = read_structure(str(path), letters=True)
    assert (kept.grid.rows, kept.notes) == (("CA", "OD"), ())
    assert kept.grid.rebus == {((1, 1), "DA")}
    replaced = read_structure(str(path), letters=False)
    assert replaced.grid == Grid.from_rows(["__", "__"])
    assert [note.partition(",")[0] for note in replaced.notes] == [
        "every cell has a letter",
        "cells with several letters (1) are filled with one",
    ]
    path.write_text("CA\nO\N{FULL BLOCK}\n", encoding="utf-8")
    assert read_structure(str(path), letters=True).grid.rows == ("CA", "O#")


def test_several_fills_as_data_have_the_seconds_of_their_search() -> None:
    for word, status in (("CAT", "filled"), ("CATS", "unfillable")):
        puzzle = Puzzle(Grid.from_rows(["___"]), Vocabulary([word]))
        found = several(puzzle, 1)
        data = fill_list_to_data(puzzle.grid, found, 0.5)
        assert data["status"] == status
        for outcome in found.outcomes:
            assert outcome.seconds.keys() <= data["seconds"].keys()  # type: ignore[attr-defined]
