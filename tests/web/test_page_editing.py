"""What helps an editor: figures, warnings, candidates, rules, clues, the keyboard of a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Browser
from web.bench import Bench
from web.conftest import serving

TWO_SLOTS = "____\n####\n___#\n"


@pytest.fixture
def with_edits(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bench]:
    """Yield a page of a server that stores edits of words."""
    monkeypatch.setenv("SATCROSS_EDITS", str(tmp_path / "edits.txt"))
    with serving(tmp_path) as (_, address), Bench(browser).begin(address) as page:
        yield page


def open_structure(page: Bench, structure: str, words: str) -> None:
    page.use_list(words)
    page.open_file("grid.txt", structure, "grid.txt: ")


def test_words_are_judged_excluded_and_given_other_scores(with_edits: Bench) -> None:
    page = with_edits
    open_structure(page, TWO_SLOTS, "CATS;90\nEMU;20\nDOG;10\n")
    page.type_at("2-0", "dog")
    assert page.fill() == ["CATS", "####", "DOG#"]
    page.click("#tab-check")
    page.says("quality", "2 words of 2 placed: mean score 50, lowest 10.")
    assert page.count("#weak li") == 1
    assert page.count(".cell.weak") == 3

    page.click("#weak input")
    page.evaluate("document.activeElement.select()")
    page.type("60")
    page.press("Tab")
    page.status("DOG has the score 60 in all crosswords")
    page.says("quality", "lowest 60")
    assert page.count("#weak li, .cell.weak") == 0

    page.click("#tab-words")  # the word at the cursor, weak or not
    page.click("#cell-0-0")
    page.wait_for("document.querySelector('#word-here button')?.textContent === 'CATS'")
    page.write("#candidates .score", "77")
    page.press("Enter")
    page.status("CATS has the score 77 in all crosswords")
    page.wait_for("document.querySelector('#word-here input').value === '77'")
    page.focus("#candidates .candidate")
    page.type("66")
    page.press("Tab")
    page.status("CATS has the score 66 in all crosswords")
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
    page.status("CATS is excluded")
    assert page.rows()[0] == "____"


def test_the_pattern_is_checked_and_measured_while_it_is_drawn(page: Bench) -> None:
    page.make_grid(5, 5)
    page.click("#tab-grid")
    page.wait_for("document.getElementById('warnings').textContent === 'Nothing unusual.'")
    page.click("#blocks")
    page.drag("#cell-2-0", "#cell-2-1")
    page.says("warnings", "two-letter words")
    figures = page.text("#statistics").split("\n")
    assert figures[figures.index("blocks") + 1] == "4 (16 %)"
    assert figures[figures.index("symmetry") + 1].startswith("half turn")
    page.click("#warnings button")
    assert page.count("#board .warned") > 0
    page.click("#cell-2-0")
    assert page.count("#board .warned") == 0  # the warning was about another pattern


def test_candidates_are_shown_for_both_directions_and_in_the_grid(page: Bench) -> None:
    open_structure(page, "___\n_#_\n___\n", "CAT\nCUB\nBED\nTOD\nCOB\n")
    page.give("preferred", "cob")
    page.click("#tab-words")
    page.click("#cell-0-0")
    page.wait_for("!document.getElementById('crossing-title').hidden")
    assert sorted(page.candidates()) == ["CAT", "COB", "CUB"]
    assert sorted(page.candidates("crossing-candidates")) == ["CAT", "COB", "CUB"]
    assert page.count("#candidates .preferred") == 1
    page.hover(*page.place("#candidates .preferred"))
    page.wait_for("document.getElementById('cell-0-2').value === 'B'")
    assert page.count(".cell.live") == 3
    assert page.evaluate("document.getElementById('undo').disabled") is False
    page.hover(5, 5)
    page.wait_for("document.getElementById('cell-0-2').value === ''")
    page.type_at("0-2", "t")
    page.click("#cell-0-0")
    page.candidates()
    page.press("/")
    page.status("has 1 candidate, the fewest")
    assert page.text("#here").startswith("1 across")
    page.type("cat")
    page.candidates()
    page.click("#tightest")
    page.status("has 1 candidate, the fewest")
    assert not page.text("#here").startswith("1 across")


def test_every_rule_of_the_command_line_is_followed(page: Bench) -> None:
    open_structure(page, TWO_SLOTS, "CATS;90\nCAT;70\nDOG;60\n")
    page.open_panel("lists")
    for field, value, word in (
        ("endings", "S", "DOG"),
        ("max-shared", "2", "DOG"),
        ("floors", "3=65", "CAT"),
        ("excluded", "cat", "DOG"),
        ("min-score", "65", "CAT"),
        ("theme-words", "dog", "DOG"),
        ("preferred", "dog", "DOG"),
    ):
        page.give(field, value)
        assert page.fill()[2] == f"{word}#", field
        page.give(field, "")

    # what helps where there is no fill changes the rule
    for field, value, offer, changed in (
        ("theme-words", "dog, emu", "ask for fewer theme words", "theme-least"),
        ("max-shared", "1", "let words share 3 letters", "max-shared"),
        ("floors", "3=95 4=10", "drop the minimum score of 95", "floors"),
        ("endings", "S", "let words have the same stem", "endings"),
    ):
        page.give("excluded", "dog" if field in ("max-shared", "endings") else "")
        page.give(field, value)
        page.choose("#why")
        page.has_more(0, "#why-help button")
        before = page.value(f"#{changed}")
        assert "--" not in page.text("#why-help")
        helps = page.texts("#why-help button")
        at = next(at for at, text in enumerate(helps) if text.startswith(offer))
        page.evaluate(f"document.querySelectorAll('#why-help button')[{at}].click()")
        page.status(f"Done: {offer}")
        assert page.value(f"#{changed}") != before
        assert "_" not in "".join(page.rows())
        page.give(field, "")
        page.give(changed, "")


def test_the_best_fill_is_looked_for_with_progress(page: Bench) -> None:
    open_structure(page, "___\n_#_\n___\n", "CAT;90\nCUB;60\nBED;70\nTOD;10\nCOB;90\nTAD;80\n")
    for objective in ("mean", "min"):
        page.give("objective", objective)
        page.fill()
        assert "proved to be the best" in page.text("#status")
        assert "TAD" in "".join(page.rows())
        page.choose("#clear-fill")
    page.open_panel("lists")
    page.click("#list-0")
    page.make_grid(6, 6)
    page.click("#fill")
    page.wait_for("/best|bound|score/.test(document.getElementById('progress').textContent)")
    page.press("Escape")
    page.job("idle")


def test_clues_are_written_one_after_the_other_beside_the_grid(page: Bench) -> None:
    page.click("#begin-open")
    page.has_more(20, "#stock button")
    assert "70 words" in page.text("#stock button:nth-child(4)")
    page.click("#stock button:nth-child(4)")
    page.has(225, ".cell")
    page.click("#tab-clues")
    assert page.count("#panel-clues .clues li") == 70
    page.click("#begin-open")
    page.give("stock-kind", "empty")
    page.click("#stock button:nth-child(6)")
    page.has(0, ".cell.blocked")
    page.click("#clues-across input")
    for clue in ("One", "Two"):
        page.type(clue)
        page.press("Enter")
    assert page.evaluate("document.activeElement.dataset.slot") == "17A"
    assert page.text("#here").startswith("17 across")
    written = [page.value(f"#clues-across li:nth-child({place}) input") for place in (1, 2)]
    assert written == ["One", "Two"]
    page.focus("#clues-across input")
    page.evaluate("document.activeElement.select()")
    page.press("i", control=True)
    assert page.evaluate("document.activeElement.value") == "<i>One</i>"
    page.focus("#clues-down li:last-child input")
    box = page.evaluate("document.getElementById('board').getBoundingClientRect().toJSON()")
    assert (box["top"] > 0, box["bottom"] < 900) == (True, True)


def test_a_phone_has_a_keyboard_an_enlarged_grid_and_a_sheet(
    browser: Browser, address: str
) -> None:
    page = Bench(browser, 390, 844, phone=True).begin(address)
    page.make_grid(25, 25)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.tap("#cell-0-0")
    page.wait_for("document.activeElement.id === 'cell-0-0'")
    page.insert("k")  # a phone's keyboard sends text without key events
    assert page.rows()[0] == "K" + "_" * 24
    assert page.focused == "cell-0-1"
    page.make_grid(15, 15)
    page.tap("#cell-2-3")
    for key in ("Q", "Across or down", "A", "Delete the letter", "Block or open the cell"):
        page.tap(f"#keyboard [aria-label='{key}']")
    assert page.rows()[2:4] == ["___Q#" + "_" * 10, "_" * 15]
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
    page.has_more(5, "#candidates li")
    assert page.evaluate(keys) == "none"
    page.tap("#tab-words")
    assert page.evaluate("document.getElementById('panel-words').hidden")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.complaints == []
    page.close()
