"""Clues on the page: drafts, old clues and definitions, enumerations, and answering."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser
from dictionaries import write_all
from web.bench import Bench
from web.conftest import serving

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
def page(browser: Browser, with_sources: str) -> Iterator[Bench]:
    with Bench(browser).begin(with_sources) as begun:
        yield begun


def test_clues_are_answered_and_shaded(page: Bench) -> None:
    page.use_list("CAT\nCUB\nBED\nTOD\nCAR\nRID\n")
    clues = {"1A": "It purrs", "1D": "Young bear", "2D": "Fox", "3A": "Place to sleep"}
    slots = [{"name": name, "clue": clue} for name, clue in clues.items()]
    puzzle = {"grid": ["...", ".#.", "..."], "slots": slots}
    page.open_file("clued.json", json.dumps(puzzle), "looks for the answers")
    assert page.rows() == ["___", "_#_", "___"]
    page.click("#tab-clues")
    page.click("#answer")
    page.status("of 4 are sure")
    assert page.rows() == ["CAT", "U#O", "BED"]
    assert page.count(".cell.sure, .cell.likely, .cell.doubtful") == 8
    assert page.count(".cell.sure") > 0
    assert page.count("#answers li") == 4
    assert "1A CAT" in page.text("#answers")
    assert not page.evaluate("document.getElementById('answers-legend').hidden")
    page.type_at("0-0", "x")  # the answers are about letters that are no longer there
    assert page.count(".cell.sure, .cell.likely, .cell.doubtful, #answers li") == 0
    page.evaluate("document.getElementById('sources-box').open = true")
    page.has_more(2, "#sources li")
    assert "WordNet 3.0 (the WordNet licence) ✓" in page.text("#sources")
    assert page.count("#sources button[aria-label='Set up the Moby thesaurus']") == 1


def test_old_clues_and_definitions_help_to_write(page: Bench) -> None:
    page.make_grid(5, 5)
    page.type_at("0-0", "goose")
    page.click("#tab-clues")
    page.click("#clues-across input")
    page.has(1, "#facts-clues li")
    top = "document.querySelector('#clues-across input').getBoundingClientRect().top"
    shown = page.evaluate(top)
    page.evaluate("document.getElementById('facts').hidden = true")
    assert page.evaluate(top) == shown  # an answer that comes late sends no click astray
    page.evaluate("document.getElementById('facts').hidden = false")
    assert "It honks 2011" in page.text("#facts-clues")
    assert "a bird that honks" in page.text("#facts-definitions")
    page.click("#facts-clues button")
    assert page.value("#clues-across input") == "It honks"
    assert "9 words without a clue, 1 draft" in page.text("#clues-about")
    page.click("#clues-across .draft")
    assert "draft" not in page.text("#clues-about")
    page.click("#clues-across .draft")
    page.reload()
    assert "1 draft" in page.text("#clues-about")


def test_parts_of_an_answer_are_counted(page: Bench, tmp_path: Path) -> None:
    page.make_grid(2, 8)
    page.type_at("0-0", "icecream")
    page.write_clue("Cold")
    page.wait_for("document.getElementById('facts-title').innerText.toUpperCase() === 'ICE-CREAM'")
    # Facts come before the view of the whole grid, which has the parts for the file.
    page.wait_for(
        "import('./board.js').then((board) =>"
        " board.currentView()?.words.some((one) => one.enumeration === '3-5'))"
    )
    page.click("#tab-publish")
    page.click("#with-enumerations")
    assert list(read_crossword(page.save_as(".ipuz", tmp_path)).clues.values()) == ["Cold (3-5)"]
    assert "Not finished: 9 words without a clue." in page.text("#status")


def test_clues_are_checked_and_follow_the_numbers(page: Bench) -> None:
    page.make_grid(3, 5)
    page.type_at("2-0", "trace")
    page.click("#tab-clues")
    row = "#clues-across li:last-child"
    page.click(f"{row} input")
    page.insert("React, as 5-Down (4)")
    page.wait_for(f"document.querySelector('{row} .fault').textContent.includes('5 letters')")
    page.has_more(0, "#facts-wordplay li")
    assert "anagram: " in page.text("#facts-wordplay")
    assert "CATER" in page.text("#facts-wordplay")
    page.evaluate(
        "import('./store.js').then((s) => s.change((next) => void (next.cells[0][1] = '#')))"
    )
    assert page.value(f"{row} input") == "React, as 4-Down (4)"
    page.choose_language("de")  # anagrams are those of the English list
    page.has(0, "#facts-wordplay li")
