"""Whole jobs on the page, from nothing to the result, by mouse, keyboard and touch."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, Page
from pypdf import PdfReader
from web.bench import Bench, written

from satcross.formats.readers import read_crossword

MAX_STOPS = 200
VOCABULARY = """cell; smallest unit of life
enzyme; speeds up a reaction
osmosis; water through a membrane
tissue; group of cells"""


class Hand:
    """How a person uses the page; the methods are those of a mouse."""

    def __init__(self, page: Bench) -> None:
        self.page = page

    def press(self, selector: str) -> None:
        self.page.click(selector)

    def open_tab(self, name: str) -> None:
        if self.page.evaluate(f"document.getElementById('panel-{name}').hidden"):
            self.press(f"#tab-{name}")

    def write(self, selector: str, text: str) -> None:
        """Put the focus into a field and type."""
        self.press(selector)
        self.page.wait_for(f"document.activeElement.matches({json.dumps(selector)})")
        self.page.insert(text)

    def choose(self, selector: str, value: str) -> None:
        """Choose in a list; Chromium draws the open list outside the page, where no test clicks."""
        self.page.focus(selector)
        self.page.give(selector.removeprefix("#"), value)

    def tick(self, selector: str) -> None:
        self.press(selector)


class Finger(Hand):
    """Touches the page of a phone or tablet."""

    def press(self, selector: str) -> None:
        self.page.tap(selector)


class Keyboard(Hand):
    """Goes to everything with the Tab key, and to tabs with arrow keys."""

    def go(self, key: str, test: str) -> None:
        """Press a key until the focus is on an element of which the test is true."""
        for _ in range(MAX_STOPS):
            if self.page.evaluate(f"document.activeElement.{test}"):
                return
            self.page.press(key)
        raise AssertionError(f"{key} does not reach what {test}")

    def reach(self, selector: str) -> None:
        self.go("Tab", f"matches({json.dumps(selector)})")

    def press(self, selector: str) -> None:
        self.reach(selector)
        self.page.press("Enter")

    def open_tab(self, name: str) -> None:
        self.reach("[role=tab]")
        self.go("ArrowRight", f"dataset.tab === '{name}'")

    def write(self, selector: str, text: str) -> None:
        self.reach(selector)
        self.page.insert(text)

    def choose(self, selector: str, value: str) -> None:
        self.reach(selector)
        self.page.press("Home")
        self.go("ArrowDown", f"value === '{value}'")

    def tick(self, selector: str) -> None:
        self.reach(selector)
        self.page.press(" ")


# Each hand does each kind of action once, and each journey is made by hands of several kinds.
HANDS = {
    "mouse": (Hand, 1280, 800),
    "keyboard": (Keyboard, 640, 400),  # 1280 by 800, enlarged to 200 %
    "phone": (Finger, 390, 844),
    "phone on its side": (Finger, 844, 390),
    "tablet": (Finger, 820, 1180),
    "tablet on its side": (Finger, 1180, 820),
}


@pytest.fixture
def hand(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Hand]:
    kind, width, height = HANDS[request.param]
    with Bench(browser, width, height, phone=kind is Finger).begin(address) as page:
        yield kind(page)


def printed(hand: Hand, folder: Path, what: str) -> PdfReader:
    """Return the PDF that a button of the panel “Publish” saves."""
    page = hand.page
    page.downloads(folder)
    page.evaluate("document.getElementById('status').textContent = ''")
    hand.press(f"#print-{what}")
    page.status("to be printed")
    return PdfReader(written(folder / page.text("#status").split("Saved as ")[1].split(",")[0]))


def open_begin(hand: Hand) -> None:
    """Open the ways to begin, which the server describes."""
    hand.press("#begin-open")
    hand.page.has(1, "#arrowword-words")


def letters(page: Bench) -> str:
    return "".join(page.rows()).replace("#", "")


@pytest.mark.parametrize("hand", ["keyboard", "tablet"], indirect=True)
def test_a_themed_crossword_from_nothing_to_a_pdf(hand: Hand, tmp_path: Path) -> None:
    page = hand.page
    open_begin(hand)
    hand.write("#pattern-entries", "PROPAGATION\nSATISFIABLE")
    for side in ("height", "width"):
        page.evaluate(f"document.getElementById('pattern-{side}').value = 11")
    hand.write("#pattern-max_blocks", "28")
    hand.press("[data-schema=Pattern] button")
    page.status("A pattern that the lists can fill")
    assert page.count("#board .cell") == 121
    assert page.count("#board .blocked") <= 28
    assert page.count(".cell.locked") >= 20
    assert page.count(".cell.here:not(.blocked)") == 1  # the first letter cell has the cursor
    assert page.text("#here").startswith("1 across")
    hand.press("#fill")
    page.status("Filled by")
    assert "The fill was verified." in page.text("#status")
    page.says("verdict", "All words ")
    assert "_" not in letters(page)
    hand.open_tab("clues")
    hand.write("#crossword-title", "Logic")
    hand.write("#clues-across input", "First clue")
    hand.open_tab("check")
    page.says("quality", "mean score")
    hand.open_tab("publish")
    hand.choose("#format", ".puz")
    assert read_crossword(page.saved(tmp_path, hand.press)).title == "Logic"
    _, *sheets = printed(hand, tmp_path, "submission").pages
    assert any("PROPAGATION" in sheet.extract_text() for sheet in sheets)
    hand.tick("#with-answers")
    *puzzle, key = (sheet.extract_text() for sheet in printed(hand, tmp_path, "puzzle").pages)
    assert "Logic" in puzzle[0]
    assert "First clue" in puzzle[0]
    assert "Logic: solution" in key


@pytest.mark.parametrize("hand", ["mouse", "phone", "tablet on its side"], indirect=True)
def test_a_teachers_words_become_a_worksheet(hand: Hand, tmp_path: Path) -> None:
    page = hand.page
    open_begin(hand)
    hand.write("#layout-words", VOCABULARY)
    hand.press("[data-schema=Layout] button")
    page.status("4 words in")
    assert page.count("#clues-across li") + page.count("#clues-down li") == 4
    hand.open_tab("publish")
    for box in ("#with-bank", "#with-answers"):
        hand.tick(box)
    sheets = [sheet.extract_text() for sheet in printed(hand, tmp_path, "puzzle").pages]
    assert len(sheets) == 2
    assert "smallest unit of life" in sheets[0]
    assert "OSMOSIS" in sheets[0]  # in the word bank
    assert "Solution" in sheets[1]
    page.evaluate("document.getElementById('new').click()")  # they belong to that worksheet
    unticked = "!document.getElementById('with-bank').checked"
    page.wait_for(f"{unticked} && !document.getElementById('with-answers').checked")


@pytest.mark.parametrize("hand", ["mouse", "phone on its side"], indirect=True)
def test_a_codeword_of_a_standard_grid_is_solved_on_screen(hand: Hand, browser: Browser) -> None:
    page = hand.page
    open_begin(hand)
    hand.press("[name=other] summary")
    hand.choose("#codeword-grid", "american-5")
    hand.choose("#codeword-level", "any")
    hand.write("#codeword-title", "Mine")
    # Some seeds take ten times as long, and on a busy machine longer than the page allows.
    page.evaluate("Math.random = () => 2.5e-6; 0")
    page.give("seconds", "300")
    hand.press("[data-schema=Codeword] button")
    page.status("Exactly one reading")
    answer = page.rows()
    assert "_" not in "".join(answer)
    page.has(2, "#made button")
    page.reload()  # it is kept, also while another crossword is open
    open_begin(hand)
    hand.press("#stock button")
    page.has(0, "#made button")
    hand.press("#begin-open")
    page.says("library", "Mine codeword, ")
    hand.press("[aria-label='Open: Mine']")
    assert page.rows() == answer
    hand.open_tab("publish")
    page.evaluate("window.open = () => (window.tab = { location: {} })")
    hand.press("[aria-label='Solve it on screen: codeword']")
    page.wait_for("window.tab?.location.href")
    solving = Page(browser)
    solving.open(page.evaluate("new URL(tab.location.href, location).href"))
    for row, line in enumerate(answer):
        for column, letter in enumerate(line):
            if letter != "#":
                solving.click(f"[data-row='{row}'][data-column='{column}']")
                solving.type(letter)
    solving.wait_for("document.body.textContent.includes('Solved')")
    assert solving.complaints == []
    solving.close()


@pytest.mark.parametrize("hand", ["keyboard", "phone"], indirect=True)
def test_a_student_follows_the_steps(hand: Hand) -> None:
    page = hand.page
    open_begin(hand)
    hand.press("#example")
    page.wait_for("!document.getElementById('stepper').hidden")
    assert "10 words" in page.text("#step-text")
    for number in (2, 3):
        hand.press("#step-next")
        page.says("step-number", f"step {number} of")
    assert "revise(" in page.text("#step-name")
    assert "arc" in page.text("#step-queue")
    hand.press("#step-last")
    page.says("step-text", "That is a fill")
    assert "_" not in letters(page)
