"""Features of files that other programs write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import puz
import pytest
from helpers import small_puz

from satcross import Crossword, Grid, InputError, read_crossword, write_crossword
from satcross.crossword import Clue
from satcross.formats.common import read_date
from satcross.formats.readers import import_crossword
from satcross.support.texts import TextSettings, use_texts

FILL = {"1A": "CAT", "1D": "CUB", "2D": "TOD", "3A": "BED"}


def test_puz_made_by_puzpy_is_written_byte_for_byte(tmp_path: Path) -> None:
    about: dict[str, Any] = {
        "title": "Title",
        "author": "Author",
        "copyright": "\xa9 Nobody",
        "notes": "1,\r\n2",
    }
    puzzle = small_puz(fill="C---.----", **about)
    puzzle.markup().set_markup_squares([0, 8], puz.GridMarkup.Circled)
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    crossword = read_crossword(tmp_path / "a.puz")
    grid = Grid(("C__", "_#_", "___"), circled=frozenset({(0, 0), (2, 2)}))
    clues = dict(zip(FILL, puzzle.clues, strict=True))
    assert crossword == replace(Crossword.of(grid, FILL, clues), **about)
    assert write_crossword(crossword, tmp_path / "b.puz") == []
    assert (tmp_path / "b.puz").read_bytes() == (tmp_path / "a.puz").read_bytes()


def test_puz_with_things_we_do_not_keep(tmp_path: Path) -> None:
    """Old versions, timers, marked mistakes, and extra bytes are read but not written."""
    puzzle = small_puz(preamble=b"hello", postscript=b"\r\n")
    puzzle.set_version("1.2")
    puzzle.timer().elapsed_seconds = 77
    puzzle.markup().set_markup_squares([1], puz.GridMarkup.Revealed)
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    crossword = read_crossword(tmp_path / "a.puz")
    assert (crossword.words, crossword.grid.circled) == (FILL, frozenset())
    write_crossword(crossword, tmp_path / "b.puz")
    assert (tmp_path / "b.puz").read_bytes() == small_puz().tobytes()


def test_scrambled_puz(tmp_path: Path) -> None:
    puzzle = small_puz(fill="C---.----")
    puzzle.lock_solution(1234)
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    found = import_crossword(str(tmp_path / "a.puz"))
    assert any("with the key " in note for note in found.notes)
    use_texts(TextSettings(key="1234"))
    with_key = import_crossword(str(tmp_path / "a.puz"))
    assert (with_key.crossword.words, with_key.notes) == (FILL, ())
    assert with_key.crossword.grid.rows == ("C__", "_#_", "___")
    use_texts(TextSettings(key="4321"))
    with pytest.raises(InputError, match="the key 4321 does not unscramble the solution"):
        import_crossword(str(tmp_path / "a.puz"))
    use_texts(TextSettings())
    puzzle.solution = f"1{puzzle.solution[1:]}"
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    found = import_crossword(str(tmp_path / "a.puz"))
    assert found.solution_problem == "the solution is scrambled, and no key fits"
    assert found.crossword.words == {}
    assert found.crossword.clues["1A"] == "It purrs"


def test_italics_are_kept(tmp_path: Path) -> None:
    (tmp_path / "a.xd").write_text(
        "Title: T\n\n\nCAT\nU#O\nBED\n\n\nA1. See {/The Cat/} & <dog> ~ CAT\nD1. {/all/} ~ CUB\n"
    )
    crossword = read_crossword(tmp_path / "a.xd")
    italics = [clue.italics for clue in map(Clue.of, crossword.clues.values())]
    assert italics == [((4, 11),), ((0, 3),)]
    assert crossword.clues["1A"] == "See The Cat & <dog>"
    for extension in ("ipuz", "jpz", "exolve", "xd", "json", "html"):
        assert write_crossword(crossword, tmp_path / f"b.{extension}") == []
        assert read_crossword(tmp_path / f"b.{extension}").clues == crossword.clues
    assert "<li" in (page := (tmp_path / "b.html").read_text())
    assert "<i>The Cat</i> &amp;" in page
    assert write_crossword(crossword, tmp_path / "b.puz") == ["italics in clues"]


def test_rebus_puz(tmp_path: Path) -> None:
    puzzle = small_puz()
    puzzle.rebus().add_rebus_squares([0], "CHOW")
    (tmp_path / "a.puz").write_bytes(puzzle.tobytes())
    found = import_crossword(str(tmp_path / "a.puz"))
    assert found.solution_problem == ""
    assert found.crossword.words == {**FILL, "1A": "CHOWAT", "1D": "CHOWUB"}


def test_dates() -> None:
    for text in ("31/12/2024", "2024/12/31", "12/31/24", "31.12.2024", "2024-12-31T10:00:00Z"):
        assert read_date(text) == ("2024-12-31", False)
    assert read_date("5/6/2024") == ("2024-05-06", True)
    assert read_date("5.6.2024") == ("2024-06-05", False)
    assert [read_date(text) for text in ("24/12/31", "13/13/2024", "soon")] == [("", False)] * 3
