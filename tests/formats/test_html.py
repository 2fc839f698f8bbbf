"""The page for playing a crossword: its HTML, and in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from browser import Browser, Page
from helpers import DATA, load_grid
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader
from strategies import crosswords

from satcross import Crossword, Grid, write_crossword
from satcross.formats.html import crossword_page

GOLDEN = Path(__file__).parent / "golden"

SMALL = Crossword(
    Grid(("__#", "___", "#__"), circled=frozenset({(1, 1)})),
    (("A", "S", None), ("É", "T", "É"), (None, "A", "N")),
    {
        "1A": "Like & <b>so</b>",
        "1D": "First",
        "2D": "Second",
        "3A": "Summer in Paris </script><img src=x onerror=alert(1)>",
    },
    title="Small </title><script>alert(1)</script>",
    author="N. N.",
)
LARGE = load_grid(DATA / "grids" / "15x15-78.txt")


# As HTML


class Reader(HTMLParser):
    """Collects the elements and texts of a page, and checks that it is well formed."""

    EMPTY = ("meta", "link", "input")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    def count(self, tag: str) -> int:
        return sum(one == tag for one, _ in self.elements)


def test_golden_page() -> None:
    """The page is the recorded one except script and style, which have tests of their own."""
    page = crossword_page(SMALL)
    head, _, rest = page.partition("<style>")
    middle = rest.partition("</style>")[2].rpartition("<script>")[0]
    policy, _, about = head.partition('<meta name="viewport"')
    assert policy.count("'sha256-") == 2
    assert about + middle == (GOLDEN / "small-page.txt").read_text(encoding="utf-8")


@given(
    crossword=crosswords(text=st.text(max_size=12) | st.sampled_from(["</script>", "<!--", "&lt;"]))
)
def test_whatever_it_says_the_page_is_well_formed(crossword: Crossword) -> None:
    found = Reader(crossword_page(crossword).encode("utf-8").decode("utf-8"))
    assert not found.open
    assert (found.count("script"), found.count("style")) == (3, 1)
    assert found.count("li") == len(crossword.grid.slots)
    assert found.count("input") == sum(cell != "#" for row in crossword.grid.rows for cell in row)
    assert not [name for _, attributes in found.elements for name in attributes if name[:2] == "on"]


# In a browser


@pytest.fixture
def small(page: Page, tmp_path: Path) -> Iterator[Page]:
    """Open the page of the small crossword; in the end it has made no request and met no error."""
    path, other = tmp_path / "small.html", tmp_path / "other.html"
    write_crossword(SMALL, path)
    other.write_text("<!DOCTYPE html>")
    page.open(other)
    page.evaluate("localStorage.clear()")  # pages opened from files share one storage
    page.watch_requests()
    page.open(path)
    yield page
    assert page.complaints == []
    assert set(page.requests) == {path.as_uri()}


def open_page(page: Page, folder: Path, crossword: Crossword) -> None:
    write_crossword(crossword, folder / "page.html")
    page.open(folder / "page.html")


def shown(page: Page) -> str:
    """Return the letters in the grid in reading order, ``.`` for none."""
    letters: str = page.evaluate(
        "[...document.querySelectorAll('#grid input')].map((it) => it.value || '.').join('')"
    )
    return letters


def cell(row: int, column: int) -> str:
    return f'#grid input[data-row="{row}"][data-column="{column}"]'


def here(page: Page) -> tuple[int, int]:
    """Return the row and column of the cell that has the focus."""
    row, column = page.evaluate(
        "[document.activeElement.dataset.row, document.activeElement.dataset.column]"
    )
    return int(row), int(column)


def choose(page: Page, menu: str, what: str) -> None:
    page.click(f"#{menu} summary")
    page.click(f'button[data-do="{menu} {what}"]')


def test_played_to_the_end_by_keyboard(small: Page) -> None:
    small.press("Tab")  # to the tools
    small.click(cell(0, 0))
    assert small.text("#clue") == "1 across: Like & <b>so</b>"
    small.type("as")  # the word is complete, so the cursor moves to the next incomplete one
    assert here(small) == (1, 0)
    small.type("Éte")  # E is accepted where the solution has É
    assert shown(small) == "ASÉTE.."
    small.press("ArrowDown")
    small.type("x")
    choose(small, "check", "grid")
    assert small.text("#status") == "1 letter is wrong. 1 cell still empty."
    assert small.evaluate(f"document.querySelector('{cell(2, 1)}').ariaInvalid") == "true"
    small.click(cell(2, 1))
    small.type("an")
    assert shown(small) == "ASÉTEAN"
    assert small.text("#status").startswith("Solved in 0:")
    assert small.evaluate("document.body.classList.contains('done')")


def test_after_the_last_letter_of_a_word(small: Page) -> None:
    small.click(cell(0, 0))
    small.type("as")
    small.click(cell(1, 0))  # where the cursor has gone to by itself
    assert small.text("#clue").startswith("3 across")
    small.type("éta")
    small.press("Backspace")
    assert (shown(small), here(small)) == ("ASÉT...", (1, 2))
    small.type("e1")  # no digit stands in the solution
    assert (shown(small), here(small)) == ("ASÉTE..", (2, 1))
    small.click(cell(2, 1))
    small.type("a")
    small.click(cell(1, 2))
    small.click(cell(1, 2))
    assert small.text("#clue").startswith("4 down")
    small.type("en")
    assert small.text("#status").startswith("Solved")


def test_moving(small: Page) -> None:
    small.click(cell(1, 1))
    assert small.text("#clue").startswith("3 across")
    small.press(" ")
    assert small.text("#clue").startswith("2 down")
    small.press(" ", "ArrowRight", "ArrowUp")  # at a block, only the direction changes
    assert here(small) == (1, 2)
    assert small.text("#clue").startswith("4 down")
    small.press("ArrowLeft", "ArrowLeft", "ArrowUp")
    assert here(small) == (0, 0)
    assert small.text("#clue").startswith("1 down")
    small.press("End")
    assert here(small) == (1, 0)
    small.press("Home")
    assert here(small) == (0, 0)
    small.click(cell(0, 0))  # the same key again changes the direction
    assert small.text("#clue").startswith("1 across")


def test_from_clue_to_clue(small: Page) -> None:
    small.click(cell(0, 0))
    names = []
    for _ in range(6):
        names.append(small.text("#clue").partition(":")[0])
        small.press("Enter")
    assert names == ["1 across", "3 across", "5 across", "1 down", "2 down", "4 down"]
    small.press("Enter")
    assert small.text("#told").startswith("3 across")
    small.press("Tab", "Tab", "Tab")
    assert small.text("#clue").startswith("2 down")
    small.press("Tab", shift=True)
    assert small.text("#clue").startswith("1 down")
    small.press("Tab", "Tab", "Tab")  # after the last clue, the focus leaves the grid
    assert small.evaluate("document.activeElement.closest('#clues') !== null")
    small.click('li[data-name="5A"] button')
    assert here(small) == (2, 1)


def test_erasing_and_undoing(small: Page) -> None:
    small.click(cell(1, 0))
    small.type("abc")
    small.click(cell(1, 2))
    small.press("Backspace")
    assert shown(small) == "..AB..."
    small.press("Backspace")  # the cell is empty, so the one before is erased
    assert shown(small) == "..A...."
    assert here(small) == (1, 1)
    small.press("z", control=True)
    assert shown(small) == "..AB..."
    small.press("ArrowLeft", "Delete")
    assert shown(small) == "...B..."
    choose(small, "clear", "grid")
    assert shown(small) == "......."
    small.click('button[data-do="undo"]')
    assert shown(small) == "...B..."


def test_check_and_reveal(small: Page) -> None:
    small.click(cell(0, 0))
    small.type("asxtean")
    assert small.text("#status") == "The grid is full, but some letters are wrong."
    choose(small, "clear", "grid")
    small.click(cell(1, 0))
    choose(small, "check", "letter")
    assert small.text("#status") == "Nothing to check yet."
    small.type("xt")
    small.click(cell(1, 0))
    choose(small, "check", "word")
    assert small.text("#status") == "1 letter is wrong. 1 cell still empty."
    assert small.count("td.wrong") == 1
    choose(small, "reveal", "letter")
    assert (shown(small), small.count("td.wrong")) == ("..ÉT...", 0)
    assert small.count("td.revealed") == 1
    choose(small, "check", "grid")
    assert small.text("#status") == "No mistakes. 5 cells still empty."
    choose(small, "reveal", "word")
    assert shown(small) == "..ÉTÉ.."
    choose(small, "reveal", "grid")
    assert shown(small) == "ASÉTÉAN"
    assert small.text("#status").startswith("Solved in")


def test_what_was_typed_is_still_there_later(small: Page) -> None:
    small.click(cell(0, 0))
    small.type("ax")
    choose(small, "reveal", "letter")
    choose(small, "check", "grid")
    small.reload()
    assert shown(small)[:2] == "AX"
    assert (small.count("td.revealed"), small.count("td.wrong")) == (1, 1)
    small.evaluate("localStorage.setItem(localStorage.key(0), '{damaged')")
    small.reload()
    assert shown(small) == "......."


def test_a_page_that_can_keep_nothing_is_played_all_the_same(small: Page) -> None:
    small.call(
        "Page.addScriptToEvaluateOnNewDocument",
        source="Object.defineProperty(window, 'localStorage', "
        "{ get() { throw new DOMException('no', 'SecurityError'); } });",
    )
    small.reload()
    small.click(cell(0, 0))
    small.type("as")
    assert shown(small)[:2] == "AS"


def test_text_that_comes_without_keys(small: Page) -> None:
    small.click(cell(1, 0))
    small.insert("é")
    small.call("Input.imeSetComposition", text="\N{ACUTE ACCENT}", selectionStart=1, selectionEnd=1)
    small.call("Input.imeSetComposition", text="é", selectionStart=1, selectionEnd=1)
    assert shown(small) == "..ÉÉ..."
    choose(small, "clear", "grid")
    small.click(cell(1, 0))
    small.insert("été")  # pasted
    assert shown(small) == "..ÉTÉ.."
    small.click(cell(1, 0))
    small.insert("ß")
    assert shown(small) == "..SSÉ.."


def test_given_letters_stay(page: Page, tmp_path: Path) -> None:
    open_page(page, tmp_path, replace(SMALL, grid=Grid(("_S#", "___", "#__"))))
    assert shown(page) == ".S....."
    page.click(cell(0, 1))
    page.type("x")
    page.press("Delete")
    choose(page, "clear", "grid")
    choose(page, "check", "grid")
    assert shown(page) == ".S....."


def test_given_letters_may_be_typed_or_left_out(page: Page, tmp_path: Path) -> None:
    open_page(page, tmp_path, replace(SMALL, grid=Grid(("__#", "_B_", "#__"))))
    for typed in ("abc", "ac"):
        choose(page, "clear", "grid")
        assert shown(page) == "...B..."
        page.click('li[data-name="3A"] button')
        page.type(typed)
        assert shown(page) == "..ABC.."


def test_without_a_solution_there_is_nothing_to_check(page: Page, tmp_path: Path) -> None:
    open_page(page, tmp_path, replace(Crossword.of(SMALL.grid), language="de"))
    assert not page.evaluate("document.querySelector('#check').checkVisibility()")
    page.click(cell(0, 0))
    page.type("abcdefg")
    assert page.text("#status") == "Das Gitter ist voll."


def test_on_a_phone(browser: Browser, tmp_path: Path) -> None:
    solution = tuple(tuple(None if c == "#" else "Ñ" for c in row) for row in LARGE.rows)
    page = Page(browser, 360, 640, phone=True)
    open_page(page, tmp_path, Crossword(LARGE, solution, title="Large"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    box = page.evaluate("document.querySelector('#grid').getBoundingClientRect().toJSON()")
    assert box["width"] >= 330
    keys = page.evaluate(
        "[...document.querySelectorAll('#keys button')].map((it) => it.textContent).join('')"
    )
    assert keys.endswith("Ñ\N{ERASE TO THE LEFT}")
    page.tap(cell(1, 1))
    page.tap("#keys div:last-child button")
    assert (shown(page)[14], here(page)) == ("Ñ", (1, 2))
    assert page.evaluate("document.activeElement.inputMode") == "none"  # no keyboard over the grid
    page.tap("#keys div:last-child button:last-child")
    assert (shown(page)[14], here(page)) == (".", (1, 1))
    page.tap("#clue")  # switches the direction
    assert page.text("#clue").startswith("2 down")
    page.tap('.bar button[data-do="next"]')
    assert page.text("#clue").startswith("3 down")
    page.tap("#switch")
    assert page.evaluate("document.activeElement.inputMode") == "text"
    assert not page.evaluate("document.querySelector('#keys').checkVisibility()")
    assert page.complaints == []
    page.close()


def test_the_grid_is_seen_whole_and_nothing_is_wider(page: Page, tmp_path: Path) -> None:
    crossword = Crossword.of(LARGE, {}, {"1A": "long" * 30})
    for width, notes in ((320, ""), (700, ""), (900, ""), (1400, ""), (1200, "A line\n" * 5)):
        page.resize(width, 800)
        open_page(page, tmp_path, replace(crossword, notes=notes))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.click('.bar button[data-do="next"]')  # a short clue again
        bottom = page.evaluate("document.querySelector('#grid').getBoundingClientRect().bottom")
        assert bottom <= 800


def test_without_javascript_it_shows_grid_and_clues(page: Page, tmp_path: Path) -> None:
    write_crossword(SMALL, tmp_path / "plain.html")
    page.disable_scripts()
    page.call("Page.navigate", url=(tmp_path / "plain.html").as_uri())
    page.wait_for("document.readyState === 'complete' && !!document.querySelector('main')")
    assert "Summer in Paris </script><img" in page.text("#clues")
    assert "takes JavaScript" in page.text("body")
    assert not page.evaluate("document.querySelector('#tools').checkVisibility()")
    page.click(cell(0, 0))
    page.type("xy")
    assert page.evaluate(f"document.querySelector('{cell(0, 0)}').value") == "x"


def test_what_a_screen_reader_is_told(small: Page) -> None:
    tree = small.accessible()
    assert ("grid", "Crossword grid, 3 rows, 3 columns") in tree
    assert ("textbox", "3 across letter 2, 2 down letter 2, row 2 column 2, circled") in tree
    assert ("button", "First") in tree
    assert sum(role == "gridcell" for role, _ in tree) == 9
    assert ("status", "") in tree
    assert [name for role, name in tree if role == "heading"][1:] == ["ACROSS", "DOWN"]


PAIRS = (
    *(("ink", ground) for ground in ("paper", "cell-paper", "word", "here", "crossing")),
    *(("soft", "paper"), ("good", "paper")),
    *((text, ground) for text in ("wrong", "revealed") for ground in ("cell-paper", "word")),
)
"""Texts and what is below them."""


def test_colours_can_be_told_apart(small: Page) -> None:
    """The contrast of text is at least 4.5 to 1, as WCAG 2.2 requires."""
    for scheme in ("light", "dark"):
        small.prefer(prefers_color_scheme=scheme)
        assert [pair for pair in PAIRS if small.contrast(*pair) < 4.5] == []
        assert (small.luminance("paper") > 0.5) == (scheme == "light")


@pytest.mark.parametrize("page", [True], indirect=True)
def test_printed(small: Page, tmp_path: Path) -> None:
    small.prefer(prefers_color_scheme="dark")
    small.print_pdf(tmp_path / "printed.pdf")
    (printed,) = PdfReader(tmp_path / "printed.pdf").pages
    text = printed.extract_text()
    assert "Summer in Paris" in text
    assert "Check" not in text
    assert "Undo" not in text


def test_what_is_printed_has_no_marks_and_whole_numbers(small: Page) -> None:
    small.click(cell(0, 0))
    small.type("x")
    choose(small, "check", "grid")
    assert small.count("td.wrong") == 1
    marked = "getComputedStyle(document.querySelector('td.wrong')).backgroundImage"
    assert "gradient" in small.evaluate(marked)
    small.call("Emulation.setEmulatedMedia", media="print")
    assert small.evaluate(marked) == "none"
    room, need = small.evaluate(
        """(() => {
          const list = document.querySelector('#clues ol');
          const item = document.createElement('b');
          item.textContent = '8. ';
          item.style.cssText = 'position: absolute; white-space: pre';
          list.parentElement.append(item);
          const wide = item.getBoundingClientRect().width;
          item.remove();
          return [parseFloat(getComputedStyle(list).paddingLeft), wide];
        })()"""
    )
    assert need <= room


def test_nothing_else_may_run(page: Page, tmp_path: Path) -> None:
    """The content security policy blocks scripts even in HTML that was injected into the page."""
    open_page(page, tmp_path, SMALL)
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.bad = 1\">')"
    )
    page.wait_for("document.images[0].complete")
    assert page.evaluate("window.bad") is None
    assert any("Content Security Policy" in one for one in page.complaints)
