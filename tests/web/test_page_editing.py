"""What helps an editor: figures, warnings, candidates, rules, clues, the keyboard of a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser, Page
from web.conftest import serving
from web.page_actions import begin, choose, make_grid, open_panel, rows, status, upload

TWO_SLOTS = "____\n####\n___#\n"


@pytest.fixture
def with_edits(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """Yield a page of a server that stores edits of words."""
    monkeypatch.setenv("SATCROSS_EDITS", str(tmp_path / "edits.txt"))
    page = browser.new_page(1280, 900)
    with serving(tmp_path) as (_, address):
        begin(page, address)
        yield page
    page.close()


def give(page: Page, field: str, value: str) -> None:
    """Write into a field of a panel, and leave it."""
    page.evaluate(
        f"""(() => {{
          const field = document.getElementById({json.dumps(field)});
          field.value = {json.dumps(value)};
          for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind));
        }})()"""
    )


def open_structure(page: Page, structure: str, words: str) -> None:
    upload(page, "#list-file", "mine.txt", words)
    status(page, "mine.txt: ")
    upload(page, "#import", "grid.txt", structure)
    status(page, "grid.txt: ")


def candidates(page: Page, name: str = "candidates") -> list[str]:
    """Wait for the candidates of the slot at the cursor; return them in the order of the page."""
    page.wait_for("document.getElementById('panel-words').getAttribute('aria-busy') === 'false'")
    found: list[str] = page.evaluate(
        f"[...document.querySelectorAll('#{name} .text')].map((one) => one.textContent)"
    )
    return found


def fill(page: Page) -> list[str]:
    page.evaluate("document.getElementById('status').textContent = ''")
    page.click("#fill")
    status(page, "Filled by")
    return rows(page)


def test_words_are_judged_excluded_and_given_other_scores(with_edits: Page) -> None:
    page = with_edits
    open_structure(page, TWO_SLOTS, "CATS;90\nEMU;20\nDOG;10\n")
    page.click("#cell-2-0")
    page.type("dog")
    assert fill(page) == ["CATS", "####", "DOG#"]
    page.click("#tab-check")
    page.wait_for(
        "document.getElementById('quality').textContent"
        " === '2 words of 2 placed: mean score 50, lowest 10.'"
    )
    assert page.count("#weak li") == 1
    assert page.count(".cell.weak") == 3

    give_score = "#weak input"
    page.click(give_score)
    page.evaluate(f"document.querySelector('{give_score}').select()")
    page.type("60")
    page.press("Tab")
    status(page, "DOG has the score 60 in all crosswords")
    page.wait_for("document.getElementById('quality').textContent.includes('lowest 60')")
    assert page.count("#weak li, .cell.weak") == 0

    page.click("#tab-words")  # the word at the cursor, weak or not
    page.click("#cell-0-0")
    page.wait_for("document.querySelector('#word-here button')?.textContent === 'CATS'")
    page.click("#candidates .score")
    page.type("77")
    page.press("Enter")
    status(page, "CATS has the score 77 in all crosswords")
    page.wait_for("document.querySelector('#word-here input').value === '77'")
    page.evaluate("document.querySelector('#candidates .candidate').focus()")
    page.type("66")
    page.press("Tab")
    status(page, "CATS has the score 66 in all crosswords")
    edit = {"word": "CATS", "action": 55}  # as another page or `satcross words` makes it
    page.evaluate(
        "fetch('/api/edits', {method: 'POST', headers: {'content-type': 'application/json'},"
        f" body: '{json.dumps(edit)}'}}).then((answer) => answer.ok)"
    )
    page.click("#cell-2-0")
    page.wait_for("document.querySelector('#word-here button')?.textContent === 'DOG'")
    page.click("#cell-0-0")
    page.wait_for("document.querySelector('#candidates .score')?.value === '55'")
    page.click("#word-here .small")
    status(page, "CATS is excluded")
    assert rows(page)[0] == "____"


def test_the_pattern_is_checked_and_measured_while_it_is_drawn(bench: Page) -> None:
    page = bench
    make_grid(page, 5, 5)
    page.click("#tab-grid")
    page.wait_for("document.getElementById('warnings').textContent === 'Nothing unusual.'")
    page.click("#blocks")
    page.drag("#cell-2-0", "#cell-2-1")
    page.wait_for("document.getElementById('warnings').textContent.includes('two-letter words')")
    figures = page.text("#statistics").split("\n")
    assert figures[figures.index("blocks") + 1] == "4 (16 %)"
    assert figures[figures.index("symmetry") + 1].startswith("half turn")
    page.click("#warnings button")
    assert page.count("#board .warned") > 0
    page.click("#cell-2-0")
    assert page.count("#board .warned") == 0  # the warning was about another pattern


def test_candidates_are_shown_for_both_directions_and_in_the_grid(bench: Page) -> None:
    page = bench
    open_structure(page, "___\n_#_\n___\n", "CAT\nCUB\nBED\nTOD\nCOB\n")
    give(page, "preferred", "cob")
    page.click("#tab-words")
    page.click("#cell-0-0")
    page.wait_for("!document.getElementById('crossing-title').hidden")
    assert sorted(candidates(page)) == ["CAT", "COB", "CUB"]
    assert sorted(candidates(page, "crossing-candidates")) == ["CAT", "COB", "CUB"]
    assert page.count("#candidates .preferred") == 1
    place = page.place("#candidates .preferred")
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])
    page.wait_for("document.getElementById('cell-0-2').value === 'B'")
    assert page.count(".cell.live") == 3
    assert page.evaluate("document.getElementById('undo').disabled") is False
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    page.wait_for("document.getElementById('cell-0-2').value === ''")
    page.click("#cell-0-2")
    page.type("t")
    page.click("#cell-0-0")
    candidates(page)
    page.press("/")
    status(page, "has 1 candidate, the fewest")
    assert page.text("#here").startswith("1 across")
    page.type("cat")
    candidates(page)
    page.click("#tightest")
    status(page, "has 1 candidate, the fewest")
    assert not page.text("#here").startswith("1 across")


def test_every_rule_of_the_command_line_is_followed(bench: Page) -> None:
    page = bench
    open_structure(page, TWO_SLOTS, "CATS;90\nCAT;70\nDOG;60\n")
    open_panel(page, "lists")
    for field, value, word in (
        ("endings", "S", "DOG"),
        ("max-shared", "2", "DOG"),
        ("floors", "3=65", "CAT"),
        ("excluded", "cat", "DOG"),
        ("min-score", "65", "CAT"),
        ("theme-words", "dog", "DOG"),
        ("preferred", "dog", "DOG"),
    ):
        give(page, field, value)
        assert fill(page)[2] == f"{word}#", field
        give(page, field, "")

    # what helps where there is no fill changes the rule
    for field, value, offer, changed in (
        ("theme-words", "dog, emu", "ask for fewer theme words", "theme-least"),
        ("max-shared", "1", "let words share 3 letters", "max-shared"),
        ("floors", "3=95 4=10", "drop the minimum score of 95", "floors"),
        ("endings", "S", "let words have the same stem", "endings"),
    ):
        give(page, "excluded", "dog" if field in ("max-shared", "endings") else "")
        give(page, field, value)
        choose(page, "#why")
        page.wait_for("document.querySelectorAll('#why-help button').length > 0")
        before = page.evaluate(f"document.getElementById('{changed}').value")
        assert "--" not in page.text("#why-help")
        page.evaluate(
            f"""[...document.querySelectorAll('#why-help button')]
                .find((one) => one.textContent.startsWith({json.dumps(offer)})).click()"""
        )
        status(page, f"Done: {offer}")
        assert page.evaluate(f"document.getElementById('{changed}').value") != before
        assert "_" not in "".join(rows(page))
        give(page, field, "")
        give(page, changed, "")


def test_the_best_fill_is_looked_for_with_progress(bench: Page) -> None:
    page = bench
    open_structure(page, "___\n_#_\n___\n", "CAT;90\nCUB;60\nBED;70\nTOD;10\nCOB;90\nTAD;80\n")
    page.evaluate(
        """(() => {
          window.lines = [];
          new MutationObserver(() => lines.push(document.getElementById("progress").textContent))
            .observe(document.getElementById("progress"), {childList: true});
        })()"""
    )
    for objective in ("mean", "min"):
        give(page, "objective", objective)
        fill(page)
        assert "proved to be the best" in page.text("#status")
        assert "TAD" in "".join(rows(page))
        choose(page, "#clear-fill")
    assert page.evaluate("lines.some((one) => /best|bound|score/.test(one))")


def test_clues_are_written_one_after_the_other_beside_the_grid(bench: Page) -> None:
    page = bench
    page.click("#begin-open")
    page.wait_for("document.querySelectorAll('#stock button').length > 20")
    assert "70 words" in page.text("#stock button:nth-child(4)")
    page.click("#stock button:nth-child(4)")
    page.wait_for("document.querySelectorAll('.cell').length === 225")
    page.click("#tab-clues")
    assert page.count("#panel-clues .clues li") == 70
    page.click("#begin-open")
    give(page, "stock-kind", "empty")
    page.click("#stock button:nth-child(6)")
    page.wait_for("document.querySelectorAll('.cell.blocked').length === 0")
    page.click("#clues-across input")
    for clue in ("One", "Two"):
        page.type(clue)
        page.press("Enter")
    assert page.evaluate("document.activeElement.dataset.slot") == "17A"
    assert page.text("#here").startswith("17 across")
    assert (
        page.evaluate(
            "[...document.querySelectorAll('#clues-across input')].slice(0, 2)"
            ".map((one) => one.value).join()"
        )
        == "One,Two"
    )
    page.evaluate("document.querySelector('#clues-across input').focus()")
    page.evaluate("document.activeElement.select()")
    page.press("i", control=True)
    assert page.evaluate("document.activeElement.value") == "<i>One</i>"
    page.evaluate("document.querySelector('#clues-down li:last-child input').focus()")
    box = page.evaluate("document.getElementById('board').getBoundingClientRect().toJSON()")
    assert (box["top"] > 0, box["bottom"] < 900) == (True, True)


def test_a_phone_has_a_keyboard_an_enlarged_grid_and_a_sheet(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(390, 844, phone=True)
    begin(page, address)
    make_grid(page, 15, 15)
    page.tap("#cell-2-3")
    for key in ("Q", "Across or down", "A", "Delete the letter", "Block or open the cell"):
        page.tap(f"#keyboard [aria-label='{key}']")
    assert rows(page)[2:4] == ["___Q#" + "_" * 10, "_" * 15]
    assert page.count(".cell.blocked") == 2
    width = "document.getElementById('cell-0-0').offsetWidth"
    before = page.evaluate(width)
    page.tap("#zoom-in")
    assert page.evaluate(width) > 1.3 * before
    stage = "document.getElementById('stage')"
    page.wait_for(f"{stage}.scrollWidth > {stage}.clientWidth")
    keys = "getComputedStyle(document.getElementById('keyboard')).display"
    assert page.evaluate(keys) == "grid"
    page.tap("#cell-0-0")
    page.tap("#tab-words")
    page.wait_for("document.querySelectorAll('#candidates li').length > 5")
    assert page.evaluate(keys) == "none"
    page.tap("#tab-words")
    assert page.evaluate("document.getElementById('panel-words').hidden")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def test_the_list_of_the_example_serves_no_other_crossword(bench: Page) -> None:
    page = bench
    page.click("#begin-open")
    page.click("#example")
    page.wait_for("!document.getElementById('stepper').hidden")
    page.click("#step-play")
    page.wait_for("document.getElementById('step-number').textContent.startsWith('step 2')")
    page.click("#begin-open")
    page.click("#stock button")
    status(page, "New grid")
    assert page.text("#lists").count("numbers.txt") == 0
    assert page.evaluate("document.getElementById('list-0').checked")
