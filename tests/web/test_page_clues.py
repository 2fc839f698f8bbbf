"""Clues on the page: drafts, old clues and definitions, enumerations, and answering."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, Page
from dictionaries import write_all
from web.conftest import serving
from web.page_actions import (
    begin,
    choose_format,
    choose_language,
    make_grid,
    ready,
    rows,
    saved,
    status,
    upload,
)

from satcross.answer.dictionaries.prepare import DICTIONARIES
from satcross.answer.dictionaries.store import VARIABLE
from satcross.answer.sources.clue_database import add_clues
from satcross.formats.readers import read_crossword

OLD = """pubid\tyear\tanswer\tclue
a\t2010\tCAT\tIt purrs
a\t2012\tCAT\tIt purrs
a\t2012\tCAT\tPet
a\t2012\tBED\tPlace to sleep
a\t2012\tCUB\tYoung bear
a\t2012\tTOD\tFox
a\t2011\tGOOSE\tIt honks
"""


@pytest.fixture(scope="module")
def with_sources(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server with a tiny dictionary and a tiny database of clues."""
    folder = tmp_path_factory.mktemp("sources")
    published = tmp_path_factory.mktemp("published")
    write_all(published)
    (published / "old.tsv").write_text(OLD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(folder))
        DICTIONARIES["wordnet"].make(published, lambda line: None)
        add_clues([published / "old.tsv"], lambda line: None)
        with serving(published) as (_, address):
            yield address


@pytest.fixture
def page(browser: Browser, with_sources: str) -> Iterator[Page]:
    found = browser.new_page(1280, 900)
    begin(found, with_sources)
    yield found
    assert [one for one in found.complaints if "status of 4" not in one] == []
    found.close()


def test_clues_are_answered_and_shaded(page: Page) -> None:
    upload(page, "#list-file", "mine.txt", "CAT\nCUB\nBED\nTOD\nCAR\nRID\n")
    status(page, "mine.txt: 6 words")
    clues = {"1A": "It purrs", "1D": "Young bear", "2D": "Fox", "3A": "Place to sleep"}
    slots = [{"name": name, "clue": clue} for name, clue in clues.items()]
    puzzle = {"grid": ["...", ".#.", "..."], "slots": slots}
    upload(page, "#import", "clued.json", json.dumps(puzzle))
    status(page, "looks for the answers")
    assert rows(page) == ["___", "_#_", "___"]
    page.click("#tab-clues")
    page.click("#answer")
    status(page, "of 4 are sure")
    assert rows(page) == ["CAT", "U#O", "BED"]
    assert page.count(".cell.sure, .cell.likely, .cell.doubtful") == 8
    assert page.count(".cell.sure") > 0
    assert page.count("#answers li") == 4
    assert "1A CAT" in page.text("#answers")
    assert not page.evaluate("document.getElementById('answers-legend').hidden")
    page.click("#cell-0-0")
    page.type("x")  # the answers are about letters that are no longer there
    assert page.count(".cell.sure, .cell.likely, .cell.doubtful, #answers li") == 0


def test_dictionaries_can_be_set_up(page: Page) -> None:
    page.click("#tab-clues")
    page.evaluate("document.getElementById('sources-box').open = true")
    page.wait_for("document.querySelectorAll('#sources li').length > 2")
    assert "WordNet 3.0 (the WordNet licence) ✓" in page.text("#sources")
    assert page.count("#sources button[aria-label='Set up the Moby thesaurus']") == 1


def test_old_clues_and_definitions_help_to_write(page: Page) -> None:
    make_grid(page, 5, 5)
    page.click("#cell-0-0")
    page.type("goose")
    page.click("#tab-clues")
    page.click("#clues-across input")
    page.wait_for("document.querySelectorAll('#facts-clues li').length === 1")
    top = "document.querySelector('#clues-across input').getBoundingClientRect().top"
    shown = page.evaluate(top)
    page.evaluate("document.getElementById('facts').hidden = true")
    assert page.evaluate(top) == shown  # an answer that comes late sends no click astray
    page.evaluate("document.getElementById('facts').hidden = false")
    assert "It honks 2011" in page.text("#facts-clues")
    assert "a bird that honks" in page.text("#facts-definitions")
    page.click("#facts-clues button")
    assert page.evaluate("document.querySelector('#clues-across input').value") == "It honks"
    assert "9 words without a clue, 1 draft" in page.text("#clues-about")
    page.click("#clues-across .draft")
    assert "draft" not in page.text("#clues-about")
    page.click("#clues-across .draft")
    page.reload()
    ready(page)
    assert "1 draft" in page.text("#clues-about")


def test_parts_of_an_answer_are_counted(page: Page, tmp_path: Path) -> None:
    make_grid(page, 2, 8)
    page.click("#cell-0-0")
    page.type("icecream")
    page.click("#tab-clues")
    page.click("#clues-across input")
    page.type("Cold")
    page.wait_for(
        "document.getElementById('facts-title').textContent.toUpperCase() === 'ICE-CREAM'"
    )
    # Facts come before the view of the whole grid, which has the parts for the file.
    page.wait_for(
        "import('./board.js').then((board) =>"
        " board.currentView()?.words.some((one) => one.enumeration === '3-5'))"
    )
    page.click("#tab-publish")
    page.click("#with-enumerations")
    choose_format(page, ".ipuz")
    assert list(read_crossword(saved(page, tmp_path)).clues.values()) == ["Cold (3-5)"]
    assert "Not finished: 9 words without a clue." in page.text("#status")


def test_clues_are_checked_and_follow_the_numbers(page: Page) -> None:
    make_grid(page, 3, 5)
    page.click("#cell-2-0")
    page.type("trace")
    page.click("#tab-clues")
    row = "#clues-across li:last-child"
    page.click(f"{row} input")
    page.insert("React, as 5-Down (4)")
    page.wait_for(f"document.querySelector('{row} .fault').textContent.includes('5 letters')")
    page.wait_for("document.querySelectorAll('#facts-wordplay li').length > 0")
    assert "anagram: " in page.text("#facts-wordplay")
    assert "CATER" in page.text("#facts-wordplay")
    page.evaluate(
        "import('./store.js').then((s) => s.change((next) => void (next.cells[0][1] = '#')))"
    )
    shown = page.evaluate(f"document.querySelector('{row} input').value")
    assert shown == "React, as 4-Down (4)"
    choose_language(page, "de")  # anagrams are those of the English list
    page.wait_for("document.querySelectorAll('#facts-wordplay li').length === 0")
