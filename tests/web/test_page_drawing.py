"""Bars, circles, shades, holes, rebus cells and digits on the page."""

from __future__ import annotations

from pathlib import Path

from browser import Page
from web.page_actions import (
    choose,
    choose_format,
    make_grid,
    problem,
    ready,
    rows,
    saved,
    status,
    upload,
)

from satcross.formats.readers import read_crossword

DECORATED = """satcross grid
({HEART})  _|[_]
              -
    _     _  _
    _     _  ~
"""
WORDS = "HEARTS\nHEARTY\nHEARTED\nSTO\nETA\nDO\nYET\n"


def pen(page: Page, name: str) -> None:
    page.evaluate(
        f"""(() => {{ const pen = document.getElementById('pen'); pen.value = '{name}';
             pen.dispatchEvent(new Event('change')); }})()"""
    )


def test_a_decorated_grid_is_opened_filled_and_saved(bench: Page, tmp_path: Path) -> None:
    page = bench
    upload(page, "#list-file", "mine.txt", WORDS)
    status(page, "mine.txt: 7 words")
    upload(page, "#import", "drawn.txt", DECORATED)
    status(page, "drawn.txt: 3 rows")
    assert rows(page) == ["HEART__", "___", "__#"]
    assert page.count(".circled") == page.count(".shaded") == page.count(".hole") == 1
    assert (page.count(".bar-right"), page.count(".bar-below")) == (1, 1)
    page.click("#cell-0-0")
    assert "HEART·, 6 letters" in page.text("#here")
    page.wait_for("document.querySelectorAll('#candidates .candidate').length === 1")
    page.click("#candidates .candidate")
    page.click("#fill")
    status(page, "Filled by")
    assert rows(page) == ["HEARTS_", "ETA", "DO#"]
    page.click("#tab-publish")
    choose_format(page, ".ipuz")
    crossword = read_crossword(saved(page, tmp_path))
    assert crossword.rebus == {((0, 0), "HEART")}
    assert crossword.grid.bars == {((0, 1), (0, 2)), ((0, 2), (1, 2))}
    assert crossword.grid.circled == {(0, 0)}
    assert crossword.grid.shaded == {(0, 2)}
    assert crossword.grid.holes == {(2, 2)}
    choose(page, "#unlock-all")  # a rebus cell is part of the grid
    page.reload()
    ready(page)
    assert rows(page)[0].startswith("HEART")
    assert page.count(".bar-right") == 1


def test_everything_is_drawn(bench: Page) -> None:
    page = bench
    make_grid(page, 4, 4)
    page.click("#blocks")
    pen(page, "bar")
    page.click("#cell-0-1", (0.9, 0.5))
    assert (page.count(".bar-right"), page.count(".cell.blocked")) == (2, 0)  # and its image
    assert "2 letters" in page.text("#here")
    page.press(" ")  # the bar behind the cell at the cursor, in its direction
    assert page.count(".bar-right") == 0
    page.click("#undo")
    for name, mark in (("circle", "circled"), ("shade", "shaded"), ("hole", "hole")):
        pen(page, name)
        page.click("#cell-1-1")
        assert page.count(f".{mark}") == (2 if name == "hole" else 1)
    assert rows(page) == ["____", "_#__", "__#_", "____"]
    assert (page.count(".circled"), page.count(".shaded")) == (0, 0)  # a block has none
    page.click("#cell-1-1")
    assert (page.count(".circled"), page.count(".hole")) == (1, 0)
    page.click("#blocks")
    page.click("#cell-3-0")
    page.press("Insert")
    page.type("h2o")
    page.press("Enter")
    status(page, "H2O is locked")
    assert rows(page)[3] == "H2O___"
    assert "4 letters" in page.text("#here")
    problem(page, "No word fits")
    page.type("7")  # replaces the selected letters
    assert rows(page)[3] == "7___"
