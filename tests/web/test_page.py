"""The page in a real browser, as a person who makes a crossword uses it."""

from __future__ import annotations

import json
from pathlib import Path

from browser import Browser
from helpers import SINGLE_BACKENDS
from pypdf import PdfReader
from web.bench import Bench, written

from satcross.formats.readers import read_crossword


def test_draw_lock_fill_ask_why_choose_and_export(page: Bench, tmp_path: Path) -> None:
    page.make_grid(5, 5)

    # draw: a click blocks the cell and the one opposite
    page.click("#blocks")
    page.click("#cell-0-0")
    page.click("#cell-1-1")
    assert page.rows() == ["#____", "_#___", "_____", "___#_", "____#"]
    page.click("#undo")
    assert page.rows() == ["#____", "_____", "_____", "_____", "____#"]
    page.click("#blocks")

    # lock: letters are typed, and stay through a fill
    page.type_at("2-0", "a")
    assert page.rows()[2] == "A____"
    filled = page.fill()
    assert filled[2][0] == "A"
    assert "_" not in "".join(filled)
    assert page.count(".cell.pencil") == 22
    assert page.count(".cell.locked") == 1

    # why not: a letter pattern that no word has
    page.choose("#clear-fill")
    page.type_at("2-0", "zx")
    page.problem("No word fits 6 across")
    assert page.count(".cell.dead") >= 5
    page.choose("#why")
    page.has_more(0, "#why-steps li")
    assert "6A" in page.text("#why-about")
    assert page.count("#board :is(.why, .why-crossing, .why-letter)") == 5
    page.click("#why-help button")
    page.status("Done: ")
    assert "_" not in "".join(page.rows())
    page.click("#undo")
    assert page.rows()[2] == "ZX___"

    # alternatives: three fills, one is chosen
    page.choose("#clear-letters")
    page.open_panel("fills")
    page.click("#several")
    page.has(3, "#fills li")
    first = page.rows()
    page.click("#fills li:nth-child(2) button")
    second = page.rows()
    assert first != second
    assert page.count("#fills li:nth-child(2) button[aria-pressed=true]") == 1

    # a clue, and the whole crossword as a file
    page.click("#tab-clues")
    page.write("#crossword-title", "My own")
    page.write("#clues-across input", "The first")
    crossword = read_crossword(page.save_as(".ipuz", tmp_path))
    assert crossword.title == "My own"
    assert list(crossword.clues.values()) == ["The first"]
    solution = ["".join(letter or "#" for letter in row) for row in crossword.solution]
    assert solution == second


def test_the_page_asks_nobody_else(browser: Browser, address: str) -> None:
    page = Bench(browser)
    page.watch_requests()
    page.begin(address)
    page.fill()
    for tab in ("grid", "words", "clues", "check", "publish"):
        page.click(f"#tab-{tab}")
    assert all(url.startswith((address, "blob:")) for url in page.requests)
    assert page.complaints == []  # other tests rely on a request elsewhere being a complaint
    page.evaluate("fetch('http://192.0.2.1/').catch(() => null)")
    assert all("Content Security Policy" in complaint for complaint in page.complaints)
    assert page.complaints != []
    page.close()


def test_a_reload_loses_nothing(page: Bench) -> None:
    page.make_grid(4, 4)
    page.type_at("0-0", "wo")
    page.write_clue("Kept")
    page.use_list("WORD\nONES\n")
    page.reload()
    assert page.rows() == ["WO__", "____", "____", "____"]
    assert page.value("#clues-across input") == "Kept"
    page.open_panel("lists")
    assert "mine.txt (2 words)" in page.text("#lists")
    page.click("#undo")  # the list, then the clue, then the letters
    page.click("#undo")
    page.click("#undo")
    assert page.rows()[0] == "W___"
    page.click("#redo")
    assert page.rows()[0] == "WO__"


def test_two_pages_do_not_overwrite_each_other(browser: Browser, address: str) -> None:
    pages = [Bench(browser).begin(address), Bench(browser).begin(address)]
    for page, letter in zip(pages, "XY", strict=True):
        page.make_grid(2, 2)
        page.type_at("0-0", letter)
        # until the document is stored; the other page may overwrite what both share
        page.wait_for(f"""(sessionStorage["satcross.workbench"] ?? "").includes('"{letter}"')""")
    for page, letter in zip(pages, "XY", strict=True):
        page.reload()
        assert page.rows() == [f"{letter}_", "__"]
        page.close()


def test_another_size_drops_the_fill_and_keeps_the_letters(page: Bench) -> None:
    page.make_grid(3, 4)
    page.type_at("0-0", "a")
    page.fill()
    for name, value in (("rows", 4), ("columns", 3)):
        page.evaluate(f"document.getElementById('{name}').value = {value}")
    page.click("#resize")
    page.has(4, "#board [role=row]")
    assert page.rows() == ["A__", "___", "___", "___"]
    page.evaluate("document.getElementById('rows').value = 7")
    page.type_at("1-0", "a")
    assert page.value("#rows") == "7"  # until the grid has another size
    page.click("#new")
    page.has(21, ".cell")


def test_rules_are_told_and_loosened(page: Bench, tmp_path: Path) -> None:
    page.make_grid(2, 2)
    page.upload("#list-file", "mine.txt", "ON;90\nAT;90\nOA;40\nNT;90\n")
    page.status("mine.txt: 4 words. It replaces the default list; tick that one, under Lists")
    assert page.evaluate("document.getElementById('list-0').checked") is False
    page.give("min-score", "99999999")  # out of range, and therefore ignored
    assert page.value("#min-score") == ""
    page.give("min-score", "60")
    page.choose("#why")
    page.has_more(0, "#why-help li")
    assert "accept words with a score of 40" in page.text("#why-help").split("\n")
    page.evaluate("[...document.querySelectorAll('#why-help button')].at(-1).click()")
    assert page.value("#min-score") == "40"
    assert page.rows() in (["ON", "AT"], ["OA", "NT"])

    page.give("excluded", " ".join(f"W{number}" for number in range(2001)))
    page.problem("At most 2,000 words can be excluded")
    page.click("#fill")
    page.status("At most 2,000 words can be excluded")

    page.make_grid(2, 2)  # what needs no list is done without
    page.open_panel("lists")
    page.click("#lists [type=checkbox]:checked")
    page.problem("Choose a word list")
    rows = read_crossword(page.save_as(".ipuz", tmp_path)).grid.rows
    assert rows == ("__", "__")


def test_the_keyboard_is_enough_and_a_screen_reader_hears_what_is_where(page: Bench) -> None:
    heard = page.accessible()
    assert {("grid", "Crossword grid"), ("tab", "Publish")} <= {*heard}
    names = [name for _, name in heard]
    assert "row 1, column 4, blocked" in names
    assert any(name.startswith("row 1, column 1, empty, 1 across and 1 down") for name in names)
    page.reload()
    page.press("Tab")
    assert page.text(":focus") == "To the grid"
    page.make_grid(3, 4)
    page.focus("#cell-0-0")
    page.press("ArrowRight", "ArrowDown")
    page.press(".")
    assert page.rows() == ["____", "_##_", "____"]
    page.press("z", control=True)
    page.press("ArrowUp", "ArrowLeft")
    page.press(" ")
    page.type("ab")
    assert page.rows() == ["A___", "B___", "____"]
    page.press("Backspace")
    assert page.rows() == ["A___", "____", "____"]
    page.press("Backspace", "Home")
    assert page.rows() == ["____", "____", "____"]
    page.press("Enter", control=True)
    page.status("Filled by")
    page.press("Enter")  # locks the word
    assert page.count(".cell.locked") == 4
    page.press("PageDown")
    assert page.focused == "cell-1-0"
    page.press("Tab")
    assert page.focused != "cell-1-1"


def test_candidates_are_offered_and_taken(page: Bench) -> None:
    page.has_more(5, "#candidates li")
    assert page.count("#candidates button[tabindex='0']") == 1  # one stop of the Tab key
    page.focus("#candidates button")
    first = page.evaluate("document.activeElement.dataset.key")
    page.press("ArrowRight")
    second = page.evaluate("document.activeElement.dataset.key")
    page.press("ArrowDown", "ArrowUp", "ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.key") == first != second
    word = page.text("#candidates .text")
    page.click("#candidates button")
    page.wait_for(f"document.getElementById('cell-0-0').value === {json.dumps(word[0])}")
    assert page.rows()[0].startswith(word)
    page.make_ring()  # few words: every cell is tight
    page.has_more(5, "#board [class*=heat-]")
    page.choose("#heat")
    assert page.count("#board [class*=heat-]") == 0


def test_backends_are_compared_and_steps_told(page: Bench) -> None:
    page.make_ring()
    page.open_panel("teach")
    page.click("#compare")
    page.status("The answers agree")
    compared = len(SINGLE_BACKENDS)
    assert page.count("#compare-rows th") == compared
    assert page.count("#compare-rows .room") == 4 * compared
    page.click("#steps")
    page.wait_for("!document.getElementById('stepper').hidden")
    assert "4 words" in page.text("#step-text")
    page.click("#step-last")
    assert "That is a fill" in page.text("#step-text")
    assert "_" not in "".join(page.rows())
    page.click("#step-close")
    assert "_" in "".join(page.rows())
    page.type_at("0-0", "b")
    assert page.count("#compare-rows th") == 0  # another puzzle was compared
    assert page.text("#compare-about") == ""


def test_a_job_outlives_a_reload_and_is_stopped(page: Bench) -> None:
    page.make_grid(9, 8)
    page.click("#fill")
    page.wait_for("!document.getElementById('stop').disabled")
    page.wait_for("parseInt(document.getElementById('clock').textContent) >= 1")
    page.reload()  # the page continues to listen
    page.wait_for("!document.getElementById('stop').disabled")
    page.job("running")
    page.press("Escape")
    page.status("Filling was stopped")
    assert page.evaluate("document.getElementById('stop').disabled")


def test_the_menu_of_fill_says_what_is_avoided(page: Bench) -> None:
    page.choose("#avoid [value=plurals]")
    page.click("#fill")
    page.says("verdict", "All words 60 or")
    assert "abbreviation" in page.text("#verdict")
    assert "plural" not in page.text("#status")
    before = page.rows()
    page.reload()
    assert page.evaluate("document.querySelector('#avoid [value=plurals]').checked") is False
    assert page.fill() != before


def test_it_is_printed(page: Bench, tmp_path: Path) -> None:
    answer = page.fill()[0].replace("#", " ").split()[0]
    page.write_clue("A clue")
    page.click("#tab-publish")
    for option in ("enumerations", "name-line", "answers"):
        page.click(f"#with-{option}")
    page.downloads(tmp_path)
    page.click("#print-puzzle")
    page.status("Saved as crossword.pdf")
    puzzle, key = PdfReader(written(tmp_path / "crossword.pdf")).pages
    assert f"A clue ({len(answer)})" in puzzle.extract_text()
    assert "Name ____" in puzzle.extract_text()
    assert "Solution" in key.extract_text()
    page.click("#print-submission")
    page.status("Saved as crossword-submission.pdf")
    _, *clues = PdfReader(written(tmp_path / "crossword-submission.pdf")).pages
    assert answer in clues[0].extract_text()


TINTS = ("cell", "word", "here", "why", "why-crossing", "dead", "other", "step-bad", "shade")
EDGES = ("heat", "word-edge", "here-edge", "why-edge", "dead-edge", "other-edge", "step-bad-edge")


def test_cells_are_read_on_every_tint(page: Bench) -> None:
    """Letters and numbers have a contrast of 4.5 to 1 (WCAG 2, AA), marks and blocks of 3 to 1."""
    texts = [(text, tint) for text in ("ink", "number", "pencil") for tint in TINTS]
    marks = [("heat", "word"), *((edge, "cell") for edge in (*EDGES, "block"))]
    for theme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        assert [pair for pair in texts if page.contrast(*pair) < 4.5] == []
        assert [pair for pair in marks if page.contrast(*pair) < 3.0] == []


def test_the_page_fits_the_window(page: Bench) -> None:
    page.make_grid(15, 15)
    page.click("#tab-words")
    page.has_more(5, "#candidates li")
    for width, height in ((1280, 720), (1440, 900), (1920, 1080)):
        page.resize(width, height)
        box = page.evaluate("document.getElementById('board').getBoundingClientRect().toJSON()")
        assert box["bottom"] <= height
        assert box["width"] > 0.45 * height
        assert page.evaluate("document.documentElement.scrollHeight") <= height + 2


def test_a_stroke_is_drawn_whole_and_alone(page: Bench) -> None:
    page.make_grid(3, 3)
    page.click("#blocks")
    page.drag("#cell-0-0", "#cell-0-1", "#here")
    drawn = page.rows()
    assert drawn == ["##_", "___", "_##"]
    page.drag("#here", "#cell-1-1", "#cell-1-2")
    assert page.rows() == drawn
    page.evaluate("document.getElementById('cell-1-1').click()")  # as a screen reader clicks
    assert page.rows() == ["##_", "_#_", "_##"]

    # timers are late
    page.make_grid(5, 5)
    page.evaluate(
        """(() => {
          const real = window.setTimeout;
          window.setTimeout = (run, delay = 0) =>
            real(() => { run(); window.late = true; }, delay + 200);
        })()"""
    )
    page.click("#blocks")
    page.click("#blocks")
    page.mouse("mousePressed", *page.place("#cell-0-0"))
    page.wait_for("window.late")  # what the click before has begun is over only now
    page.mouse("mouseMoved", *page.place("#cell-0-1"))
    page.mouse("mouseReleased", *page.place("#cell-0-1"))
    assert page.rows() == ["##___", "_____", "_____", "_____", "___##"]


def test_no_usual_message_and_no_job_moves_the_grid(page: Bench) -> None:
    page.make_grid(5, 5)
    page.evaluate(
        """(() => {
          const top = () => document.getElementById("board").getBoundingClientRect().top;
          window.tops = new Set([top()]);
          new MutationObserver(() => tops.add(top())).observe(
            document.body, {subtree: true, childList: true, attributes: true, characterData: true});
        })()"""
    )
    page.click("#blocks")
    page.click("#blocks")
    page.fill()
    page.evaluate("document.getElementById('status').textContent += ' And more.'.repeat(6)")
    page.type_at("0-0", "zx")
    page.problem("No word fits")
    assert page.evaluate("tops.size") == 1


def test_an_editor_draws_pastes_filters_selects_and_takes_suggestions(page: Bench) -> None:
    page.make_grid(5, 5)

    # dragging draws blocks, here in the symmetry of a quarter turn
    page.give("symmetry", "quarter")
    page.click("#blocks")
    page.drag("#cell-0-0", "#cell-0-1")
    assert page.rows() == ["##__#", "____#", "_____", "#____", "#__##"]
    page.click("#undo")  # the stroke is one step
    assert page.rows() == ["_____"] * 5
    page.click("#blocks")

    # a pasted word, and the candidates of a text
    page.click("#cell-2-2")
    page.paste("Crane")
    assert page.rows()[2] == "CRANE"
    page.click("#tab-words")
    page.click("#cell-0-0")
    page.write("#filter", "s??r*")
    page.wait_for(
        """!document.getElementById('candidates').inert
           && [...document.querySelectorAll('#candidates .text')].length > 0
           && [...document.querySelectorAll('#candidates .text')]
             .every((one) => /^S..R/.test(one.textContent))"""
    )
    word = page.text("#candidates .text")
    page.focus("#candidates button")
    assert page.rows()[0] == word  # shown for a moment
    page.press("Delete")
    page.status(f"{word} is excluded")
    assert page.rows()[0] == "_____"

    # selected cells are filled alone; a suggestion is taken by Fill
    page.click("#cell-4-0")
    page.press("ArrowRight", "ArrowRight", shift=True)
    assert page.count("#board .selected") == 3
    page.press("Enter", control=True)
    page.status("Filled by")
    assert [row.count("_") for row in page.rows()] == [5, 5, 0, 5, 0]  # words are whole
    page.choose("#suggest")
    page.has(15, "#board [data-faint=yes]")
    page.click("#fill")
    page.status("Filled as suggested")
    assert "_" not in "".join(page.rows())
