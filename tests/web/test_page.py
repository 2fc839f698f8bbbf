"""The page in a real browser, as a person who makes a crossword uses it."""

from __future__ import annotations

import json
from pathlib import Path

from browser import Browser, Page
from helpers import SINGLE_BACKENDS
from pypdf import PdfReader
from web.conftest import serving
from web.page_actions import (
    begin,
    choose,
    choose_format,
    make_grid,
    open_panel,
    problem,
    ready,
    rows,
    saved,
    status,
    upload,
    written,
)

from satcross.formats.readers import read_crossword


def test_draw_lock_fill_ask_why_choose_and_export(bench: Page, tmp_path: Path) -> None:
    page = bench
    make_grid(page, 5, 5)

    # draw: a click blocks the cell and the one opposite
    page.click("#blocks")
    page.click("#cell-0-0")
    page.click("#cell-1-1")
    assert rows(page) == ["#____", "_#___", "_____", "___#_", "____#"]
    page.click("#undo")
    assert rows(page) == ["#____", "_____", "_____", "_____", "____#"]
    page.click("#blocks")

    # lock: letters are typed, and stay through a fill
    page.click("#cell-2-0")
    page.type("a")
    assert rows(page)[2] == "A____"
    page.click("#fill")
    status(page, "Filled by")
    filled = rows(page)
    assert filled[2][0] == "A"
    assert "_" not in "".join(filled)
    assert page.count(".cell.pencil") == 22
    assert page.count(".cell.locked") == 1

    # why not: a letter pattern that no word has
    choose(page, "#clear-fill")
    page.click("#cell-2-0")
    page.type("zx")
    problem(page, "No word fits 6 across")
    assert page.count(".cell.dead") >= 5
    choose(page, "#why")
    page.wait_for("document.querySelectorAll('#why-steps li').length > 0")
    assert "6A" in page.text("#why-about")
    assert page.count("#board :is(.why, .why-crossing, .why-letter)") == 5
    page.click("#why-help button")
    status(page, "Done: ")
    assert "_" not in "".join(rows(page))
    page.click("#undo")
    assert rows(page)[2] == "ZX___"

    # alternatives: three fills, one is chosen
    choose(page, "#clear-letters")
    open_panel(page, "fills")
    page.click("#several")
    page.wait_for("document.querySelectorAll('#fills li').length === 3")
    first = rows(page)
    page.click("#fills li:nth-child(2) button")
    second = rows(page)
    assert first != second
    assert (
        page.evaluate(
            "document.querySelector('#fills li:nth-child(2) button').getAttribute('aria-pressed')"
        )
        == "true"
    )

    # a clue, and the whole crossword as a file
    page.click("#tab-clues")
    page.click("#crossword-title")
    page.type("My own")
    page.click("#clues-across input")
    page.type("The first")
    page.click("#tab-publish")
    choose_format(page, ".ipuz")
    crossword = read_crossword(saved(page, tmp_path))
    assert crossword.title == "My own"
    assert list(crossword.clues.values()) == ["The first"]
    solution = ["".join(letter or "#" for letter in row) for row in crossword.solution]
    assert solution == second


def test_the_page_asks_nobody_else(browser: Browser, address: str) -> None:
    page = browser.new_page(1280, 900)
    page.watch_requests()
    begin(page, address)
    page.click("#fill")
    status(page, "Filled by")
    for tab in ("grid", "words", "clues", "check", "publish"):
        page.click(f"#tab-{tab}")
    assert all(url.startswith((address, "blob:")) for url in page.requests)
    assert page.complaints == []  # other tests rely on a request elsewhere being a complaint
    page.evaluate("fetch('http://192.0.2.1/').catch(() => null)")
    assert all("Content Security Policy" in complaint for complaint in page.complaints)
    assert page.complaints != []
    page.close()


def test_a_reload_loses_nothing(bench: Page) -> None:
    page = bench
    make_grid(page, 4, 4)
    page.click("#cell-0-0")
    page.type("wo")
    page.click("#tab-clues")
    page.click("#clues-across input")
    page.type("Kept")
    upload(page, "#list-file", "mine.txt", "WORD\nONES\n")
    status(page, "mine.txt: 2 words")
    page.reload()
    ready(page)
    assert rows(page) == ["WO__", "____", "____", "____"]
    assert page.evaluate("document.querySelector('#clues-across input').value") == "Kept"
    open_panel(page, "lists")
    assert "mine.txt (2 words)" in page.text("#lists")
    page.click("#undo")  # the list, then the clue, then the letters
    page.click("#undo")
    page.click("#undo")
    assert rows(page)[0] == "W___"
    page.click("#redo")
    assert rows(page)[0] == "WO__"


def test_a_server_that_was_started_anew_gets_the_lists_again(
    browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_page(1280, 900)
    with serving(tmp_path) as (_, address):
        begin(page, address)
        upload(page, "#list-file", "mine.txt", "CAT\nCUB\nBED\nTOD\n")
        status(page, "mine.txt: 4 words")
        make_grid(page, 3, 3)
        page.click("#blocks")
        page.click("#cell-1-1")
        open_panel(page, "lists")
        page.click("#lists button")  # removes the list
        page.click("#undo")
    page.click("#fill")
    status(page, "The server does not answer")
    port = address.rstrip("/").rpartition(":")[2]
    with serving(tmp_path, "--port", port) as (_, again):
        assert again == address
        page.reload()
        page.click("#fill")
        status(page, "Filled by")
    assert rows(page) in (["CAT", "U#O", "BED"], ["CUB", "A#E", "TOD"])
    page.close()


def test_two_pages_do_not_overwrite_each_other(browser: Browser, address: str) -> None:
    pages = [browser.new_page(), browser.new_page()]
    begin(pages[0], address)
    begin(pages[1], address)
    for page, letter in zip(pages, "XY", strict=True):
        make_grid(page, 2, 2)
        page.click("#cell-0-0")
        page.type(letter)
        # until the document is stored; the other page may overwrite what both share
        page.wait_for(f"""(sessionStorage["satcross.workbench"] ?? "").includes('"{letter}"')""")
    for page, letter in zip(pages, "XY", strict=True):
        page.reload()
        ready(page)
        assert rows(page) == [f"{letter}_", "__"]
        page.close()


def test_another_size_drops_the_fill_and_keeps_the_letters(bench: Page) -> None:
    page = bench
    make_grid(page, 3, 4)
    page.click("#cell-0-0")
    page.type("a")
    page.click("#fill")
    status(page, "Filled by")
    for name, value in (("rows", 4), ("columns", 3)):
        page.evaluate(f"document.getElementById('{name}').value = {value}")
    page.click("#resize")
    page.wait_for("document.querySelectorAll('#board [role=row]').length === 4")
    assert rows(page) == ["A__", "___", "___", "___"]


def test_rules_are_told_and_loosened(bench: Page) -> None:
    page = bench
    make_grid(page, 2, 2)
    upload(page, "#list-file", "mine.txt", "ON;90\nAT;90\nOA;40\nNT;90\n")
    status(page, "mine.txt: 4 words. It replaces the default list; tick that one, under Lists")
    assert page.evaluate("document.getElementById('list-0').checked") is False

    def give(field: str, value: str) -> None:
        page.evaluate(
            f"""(() => {{
              const field = document.getElementById({json.dumps(field)});
              field.value = {json.dumps(value)};
              field.dispatchEvent(new Event("input"));
              field.dispatchEvent(new Event("change"));
            }})()"""
        )

    give("min-score", "99999999")  # out of range, and therefore ignored
    assert page.evaluate("document.getElementById('min-score').value") == ""
    give("min-score", "60")
    choose(page, "#why")
    page.wait_for("document.querySelectorAll('#why-help li').length > 0")
    assert "accept words with a score of 40" in page.text("#why-help").split("\n")
    page.evaluate("[...document.querySelectorAll('#why-help button')].at(-1).click()")
    assert page.evaluate("document.getElementById('min-score').value") == "40"
    assert rows(page) in (["ON", "AT"], ["OA", "NT"])

    give("excluded", " ".join(f"W{number}" for number in range(2001)))
    problem(page, "At most 2,000 words can be excluded")
    page.click("#fill")
    status(page, "At most 2,000 words can be excluded")


def test_what_needs_no_list_is_done_without(bench: Page, tmp_path: Path) -> None:
    page = bench
    make_grid(page, 2, 2)
    open_panel(page, "lists")
    page.click("#list-0")
    problem(page, "Choose a word list")
    page.click("#tab-publish")
    choose_format(page, ".ipuz")
    assert read_crossword(saved(page, tmp_path)).grid.rows == ("__", "__")


def test_the_keyboard_is_enough(bench: Page) -> None:
    page = bench
    page.reload()
    ready(page)
    page.press("Tab")
    assert page.text(":focus") == "To the grid"
    make_grid(page, 3, 4)
    page.evaluate("document.getElementById('cell-0-0').focus()")
    page.press("ArrowRight", "ArrowDown")
    page.press(".")
    assert rows(page) == ["____", "_##_", "____"]
    page.press("z", control=True)
    page.press("ArrowUp", "ArrowLeft")
    page.press(" ")
    page.type("ab")
    assert rows(page) == ["A___", "B___", "____"]
    page.press("Backspace")
    assert rows(page) == ["A___", "____", "____"]
    page.press("Backspace", "Home")
    assert rows(page) == ["____", "____", "____"]
    page.press("Enter", control=True)
    status(page, "Filled by")
    page.press("Enter")  # locks the word
    assert page.count(".cell.locked") == 4
    page.press("PageDown")
    assert page.evaluate("document.activeElement.id") == "cell-1-0"
    page.press("Tab")
    assert page.evaluate("document.activeElement.id") != "cell-1-1"


def test_candidates_are_offered_and_taken(bench: Page) -> None:
    page = bench
    page.wait_for("document.querySelectorAll('#candidates li').length > 5")
    word = page.text("#candidates .text")
    page.click("#candidates button")
    page.wait_for(f"document.getElementById('cell-0-0').value === {json.dumps(word[0])}")
    assert rows(page)[0].startswith(word)
    upload(page, "#list-file", "few.txt", "CAT\nCUB\nBED\nTOD\n")  # few words: every cell is tight
    status(page, "few.txt: 4 words")
    make_grid(page, 3, 3)
    page.click("#blocks")
    page.click("#cell-1-1")
    page.wait_for("document.querySelectorAll('#board [class*=heat-]').length > 5")
    choose(page, "#heat")
    assert page.count("#board [class*=heat-]") == 0


def test_backends_are_compared_and_steps_told(bench: Page) -> None:
    page = bench
    upload(page, "#list-file", "mine.txt", "CAT\nCUB\nBED\nTOD\n")
    status(page, "mine.txt: 4 words")
    make_grid(page, 3, 3)
    page.click("#blocks")
    page.click("#cell-1-1")
    open_panel(page, "teach")
    page.click("#compare")
    status(page, "The answers agree")
    compared = len(SINGLE_BACKENDS)
    assert page.count("#compare-rows th") == compared
    assert page.count("#compare-rows .room") == 4 * compared
    page.click("#steps")
    page.wait_for("!document.getElementById('stepper').hidden")
    assert "4 words" in page.text("#step-text")
    page.click("#step-last")
    assert "That is a fill" in page.text("#step-text")
    assert "_" not in "".join(rows(page))
    page.click("#step-close")
    assert "_" in "".join(rows(page))
    page.click("#cell-0-0")
    page.type("b")
    assert page.count("#compare-rows th") == 0  # another puzzle was compared
    assert page.text("#compare-about") == ""


def test_a_job_outlives_a_reload_and_is_stopped(bench: Page) -> None:
    page = bench
    make_grid(page, 9, 8)
    page.click("#fill")
    page.wait_for("!document.getElementById('stop').disabled")
    page.wait_for("parseInt(document.getElementById('clock').textContent) >= 1")
    page.reload()  # the page continues to listen
    page.wait_for("!document.getElementById('stop').disabled")
    page.wait_for("document.body.dataset.job === 'running'")
    page.press("Escape")
    status(page, "Filling was stopped")
    assert page.evaluate("document.getElementById('stop').disabled")


def test_a_structure_is_imported(bench: Page) -> None:
    page = bench
    page.click("#tab-publish")
    upload(page, "#import", "grid.txt", "__A\n_#_\n___\n")
    status(page, "3 rows")
    assert rows(page) == ["__A", "_#_", "___"]
    upload(page, "#import", "broken.puz", "nonsense")
    status(page, "broken.puz: is not a .puz file")
    assert rows(page) == ["__A", "_#_", "___"]


def test_a_screen_reader_is_told_what_is_where(bench: Page) -> None:
    page = bench
    told = page.accessible()
    assert ("grid", "Crossword grid") in told
    assert any(
        role == "textbox" and name.startswith("row 1, column 1, empty, 1 across and 1 down")
        for role, name in told
    )
    assert any(name == "row 1, column 4, blocked" for _, name in told)
    unnamed = [
        role
        for role, name in told
        if role in ("button", "textbox", "combobox", "checkbox", "tab", "spinbutton") and not name
    ]
    assert unnamed == []
    assert ("tab", "Publish") in told


def test_a_phone_shows_it_all(browser: Browser, address: str) -> None:
    page = browser.new_page(390, 844, phone=True)
    begin(page, address)
    make_grid(page, 25, 25)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.tap("#cell-0-0")
    page.wait_for("document.activeElement.id === 'cell-0-0'")
    page.insert("k")  # a phone's keyboard sends text without key events
    assert rows(page)[0] == "K" + "_" * 24
    assert page.evaluate("document.activeElement.id") == "cell-0-1"
    assert page.complaints == []
    page.close()


def test_the_menu_of_fill_says_what_is_avoided(bench: Page) -> None:
    page = bench
    choose(page, "#avoid [value=plurals]")
    page.click("#fill")
    page.wait_for("document.getElementById('verdict').textContent.includes('All words 60 or')")
    assert "abbreviation" in page.text("#verdict")
    assert "plural" not in page.text("#status")
    before = rows(page)
    page.reload()
    ready(page)
    assert page.evaluate("document.querySelector('#avoid [value=plurals]').checked") is False
    page.click("#fill")  # another fill than before
    status(page, "Filled by")
    assert rows(page) != before


def test_it_is_printed(bench: Page, tmp_path: Path) -> None:
    page = bench
    page.click("#fill")
    status(page, "Filled by")
    answer = rows(page)[0].replace("#", " ").split()[0]
    page.click("#tab-clues")
    page.click("#clues-across input")
    page.type("A clue")
    page.click("#tab-publish")
    for option in ("enumerations", "name-line", "answers"):
        page.click(f"#with-{option}")
    page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.click("#print-puzzle")
    status(page, "Saved as crossword.pdf")
    puzzle, key = PdfReader(written(tmp_path / "crossword.pdf")).pages
    assert f"A clue ({len(answer)})" in puzzle.extract_text()
    assert "Name ____" in puzzle.extract_text()
    assert "Solution" in key.extract_text()
    page.click("#print-submission")
    status(page, "Saved as crossword-submission.pdf")
    _, *clues = PdfReader(written(tmp_path / "crossword-submission.pdf")).pages
    assert answer in clues[0].extract_text()


TINTS = ("cell", "word", "here", "why", "why-crossing", "dead", "other", "step-bad", "shade")
EDGES = ("heat", "word-edge", "here-edge", "why-edge", "dead-edge", "other-edge", "step-bad-edge")


def test_cells_are_read_on_every_tint(bench: Page) -> None:
    """Letters and numbers have a contrast of 4.5 to 1 (WCAG 2, AA), marks and blocks of 3 to 1."""
    for theme in ("light", "dark"):
        bench.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
        look_at_tints(bench)


def look_at_tints(page: Page) -> None:
    names = {*TINTS, *EDGES, "ink", "pencil", "number", "block"}
    light = {
        name: page.evaluate(
            f"""(() => {{
              const probe = document.createElement("i");
              probe.style.color = "var(--{name})";
              document.body.append(probe);
              const [r, g, b] = getComputedStyle(probe).color.match(/[\\d.]+/g).map((value) => {{
                const share = Number(value) / 255;
                return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
              }});
              probe.remove();
              return 0.2126 * r + 0.7152 * g + 0.0722 * b;
            }})()"""
        )
        for name in names
    }

    def contrast(one: str, other: str) -> float:
        low, high = sorted((float(light[one]), float(light[other])))
        return (high + 0.05) / (low + 0.05)

    texts = {(text, tint): contrast(text, tint) for text in ("ink", "number") for tint in TINTS}
    texts |= {("pencil", tint): contrast("pencil", tint) for tint in TINTS}
    marks = {(edge, "cell"): contrast(edge, "cell") for edge in (*EDGES, "block")}
    marks[("heat", "word")] = contrast("heat", "word")
    assert {pair: value for pair, value in texts.items() if value < 4.5} == {}
    assert {pair: value for pair, value in marks.items() if value < 3.0} == {}


def test_the_page_fits_the_window(browser: Browser, address: str) -> None:
    for width, height in ((1280, 720), (1440, 900), (1920, 1080)):
        page = browser.new_page(width, height)
        begin(page, address)
        make_grid(page, 15, 15)
        page.click("#tab-words")
        page.wait_for("document.querySelectorAll('#candidates li').length > 5")
        box = page.evaluate("document.getElementById('board').getBoundingClientRect().toJSON()")
        assert box["bottom"] <= height
        assert box["width"] > 0.45 * height
        assert page.evaluate("document.documentElement.scrollHeight") <= height + 2
        page.close()


def test_candidates_are_one_stop_of_the_tab_key(bench: Page) -> None:
    page = bench
    page.wait_for("document.querySelectorAll('#candidates li').length > 5")
    assert page.count("#candidates button[tabindex='0']") == 1
    page.evaluate("document.querySelector('#candidates button').focus()")
    first = page.evaluate("document.activeElement.dataset.key")
    page.press("ArrowRight")
    second = page.evaluate("document.activeElement.dataset.key")
    page.press("ArrowDown", "ArrowUp", "ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.key") == first != second


def test_a_stroke_is_drawn_when_timers_are_late(bench: Page) -> None:
    page = bench
    make_grid(page, 5, 5)
    page.evaluate(
        """(() => {
          const real = window.setTimeout;
          window.setTimeout = (run, delay = 0) =>
            real(() => { run(); window.late = true; }, delay + 200);
        })()"""
    )
    page.click("#blocks")
    page.mouse("mousePressed", *page.place("#cell-0-0"))
    page.wait_for("window.late")  # what the click before has begun is over only now
    page.mouse("mouseMoved", *page.place("#cell-0-1"))
    page.mouse("mouseReleased", *page.place("#cell-0-1"))
    assert rows(page) == ["##___", "_____", "_____", "_____", "___##"]


def test_a_stroke_that_ends_or_begins_elsewhere_draws_nothing_later(bench: Page) -> None:
    page = bench
    make_grid(page, 3, 3)
    page.click("#blocks")
    page.drag("#cell-0-0", "#cell-0-1", "#here")
    drawn = rows(page)
    assert drawn == ["##_", "___", "_##"]
    page.drag("#here", "#cell-1-1", "#cell-1-2")
    assert rows(page) == drawn
    page.evaluate("document.getElementById('cell-1-1').click()")  # as a screen reader clicks
    assert rows(page) == ["##_", "_#_", "_##"]


def test_no_usual_message_and_no_job_moves_the_grid(bench: Page) -> None:
    page = bench
    make_grid(page, 5, 5)
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
    page.click("#fill")
    status(page, "Filled by")
    page.evaluate("document.getElementById('status').textContent += ' And more.'.repeat(6)")
    page.click("#cell-0-0")
    page.type("zx")
    problem(page, "No word fits")
    assert page.evaluate("tops.size") == 1


def test_an_editor_draws_pastes_filters_selects_and_takes_suggestions(bench: Page) -> None:
    page = bench
    make_grid(page, 5, 5)

    # dragging draws blocks, here in the symmetry of a quarter turn
    page.evaluate(
        "(() => { const list = document.getElementById('symmetry'); list.value = 'quarter';"
        " list.dispatchEvent(new Event('change')); })()"
    )
    page.click("#blocks")
    page.drag("#cell-0-0", "#cell-0-1")
    assert rows(page) == ["##__#", "____#", "_____", "#____", "#__##"]
    page.click("#undo")  # the stroke is one step
    assert rows(page) == ["_____"] * 5
    page.click("#blocks")

    # a pasted word, and the candidates of a text
    page.click("#cell-2-2")
    page.evaluate(
        """(() => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", "Crane");
          document.activeElement.dispatchEvent(
            new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true}));
        })()"""
    )
    assert rows(page)[2] == "CRANE"
    page.click("#tab-words")
    page.click("#cell-0-0")
    page.click("#filter")
    page.type("s??r*")
    page.wait_for(
        """!document.getElementById('candidates').inert
           && [...document.querySelectorAll('#candidates .text')].length > 0
           && [...document.querySelectorAll('#candidates .text')]
             .every((one) => /^S..R/.test(one.textContent))"""
    )
    word = page.text("#candidates .text")
    page.evaluate("document.querySelector('#candidates button').focus()")
    assert rows(page)[0] == word  # shown for a moment
    page.press("Delete")
    status(page, f"{word} is excluded")
    assert rows(page)[0] == "_____"

    # selected cells are filled alone; a suggestion is taken by Fill
    page.click("#cell-4-0")
    page.press("ArrowRight", "ArrowRight", shift=True)
    assert page.count("#board .selected") == 3
    page.press("Enter", control=True)
    status(page, "Filled by")
    assert [row.count("_") for row in rows(page)] == [5, 5, 0, 5, 0]  # words are whole
    choose(page, "#suggest")
    page.wait_for("document.querySelectorAll('#board [data-faint=yes]').length === 15")
    page.click("#fill")
    status(page, "Filled as suggested")
    assert "_" not in "".join(rows(page))
