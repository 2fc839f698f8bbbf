"""Bars, circles, shades, holes, rebus cells and digits on the page."""

from __future__ import annotations

from pathlib import Path

from web.bench import Bench

from satcross.formats.readers import read_crossword

DECORATED = """satcross grid
({HEART})  _|[_]
              -
    _     _  _
    _     _  ~
"""
WORDS = "HEARTS\nHEARTY\nHEARTED\nSTO\nETA\nDO\nYET\n"


def test_a_decorated_grid_is_opened_filled_and_saved(page: Bench, tmp_path: Path) -> None:
    page.use_list(WORDS)
    page.open_file("drawn.txt", DECORATED, "drawn.txt: 3 rows")
    assert page.rows() == ["HEART__", "___", "__#"]
    assert page.count(".circled") == page.count(".shaded") == page.count(".hole") == 1
    assert (page.count(".bar-right"), page.count(".bar-below")) == (1, 1)
    page.click("#cell-0-0")
    assert "HEART·, 6 letters" in page.text("#here")
    page.has(1, "#candidates .candidate")
    page.click("#candidates .candidate")
    assert page.fill() == ["HEARTS_", "ETA", "DO#"]
    crossword = read_crossword(page.save_as(".ipuz", tmp_path))
    assert crossword.rebus == {((0, 0), "HEART")}
    assert crossword.grid.bars == {((0, 1), (0, 2)), ((0, 2), (1, 2))}
    assert crossword.grid.circled == {(0, 0)}
    assert crossword.grid.shaded == {(0, 2)}
    assert crossword.grid.holes == {(2, 2)}
    page.choose("#unlock-all")  # a rebus cell is part of the grid
    page.reload()
    assert page.rows()[0].startswith("HEART")
    assert page.count(".bar-right") == 1


def test_everything_is_drawn(page: Bench) -> None:
    page.make_grid(4, 4)
    page.click("#blocks")
    page.give("pen", "bar")
    page.click("#cell-0-1", (0.9, 0.5))
    assert (page.count(".bar-right"), page.count(".cell.blocked")) == (2, 0)  # and its image
    assert "2 letters" in page.text("#here")
    page.press(" ")  # the bar behind the cell at the cursor, in its direction
    assert page.count(".bar-right") == 0
    page.click("#undo")
    for name, mark in (("circle", "circled"), ("shade", "shaded"), ("hole", "hole")):
        page.give("pen", name)
        page.click("#cell-1-1")
        assert page.count(f".{mark}") == (2 if name == "hole" else 1)
    assert page.rows() == ["____", "_#__", "__#_", "____"]
    assert (page.count(".circled"), page.count(".shaded")) == (0, 0)  # a block has none
    page.click("#cell-1-1")
    assert (page.count(".circled"), page.count(".hole")) == (1, 0)
    page.click("#blocks")
    page.click("#cell-3-0")
    page.press("Insert")
    page.type("h2o")
    page.press("Enter")
    page.status("H2O is locked")
    assert page.rows()[3] == "H2O___"
    assert "4 letters" in page.text("#here")
    page.problem("No word fits")
    page.type("7")  # replaces the selected letters
    assert page.rows()[3] == "7___"
