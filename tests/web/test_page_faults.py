"""The page under edits of a filled grid, failing jobs, late answers and damaged data."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from browser import Browser, Page
from web.asking import workers
from web.conftest import serving
from web.page_actions import (
    begin,
    choose,
    choose_format,
    make_grid,
    open_panel,
    ready,
    rows,
    saved,
    status,
    upload,
)


def pencilled(page: Page) -> int:
    return page.count(".cell.pencil")


def drop(page: Page, name: str, content: str) -> None:
    """Drop a file on the page."""
    page.evaluate(
        f"""(() => {{
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([{json.dumps(content)}], {json.dumps(name)}));
          document.dispatchEvent(new DragEvent('drop', {{dataTransfer, bubbles: true}}));
        }})()"""
    )


def filled(page: Page, height: int, width: int) -> list[str]:
    make_grid(page, height, width)
    page.click("#fill")
    status(page, "Filled by")
    found = rows(page)
    assert "_" not in "".join(found)
    return found


def other_than(letter: str) -> str:
    return "e" if letter != "E" else "a"


def test_a_key_in_a_filled_grid_takes_only_the_words_through_its_cell(bench: Page) -> None:
    page = bench
    before = filled(page, 5, 5)
    page.click("#cell-2-2")
    page.type(other_than(before[2][2]))
    after = rows(page)
    for r in range(5):
        for c in range(5):
            if r != 2 and c != 2:
                assert after[r][c] == before[r][c]
            elif (r, c) != (2, 2):
                assert after[r][c] == "_"
    assert page.text("#status") == ""  # the fill that was verified is no longer there
    assert page.text("#fill") == "Fill gaps"
    top = "document.getElementById('board').getBoundingClientRect().top"
    place = page.evaluate(top)
    page.press("Enter", control=True)  # one key fills the empty cell again
    status(page, "Filled by")
    assert "words kept" in page.text("#status")
    assert page.evaluate(top) == place
    assert page.text("#fill") == "New fill"
    assert rows(page)[2][2] == after[2][2]
    assert "_" not in "".join(rows(page))
    page.click("#undo")
    page.click("#undo")
    assert rows(page) == before


def test_a_block_in_a_filled_grid_takes_only_the_words_through_its_cell(bench: Page) -> None:
    page = bench
    before = filled(page, 5, 5)
    page.evaluate(
        "(() => { const select = document.getElementById('symmetry'); select.value = 'none';"
        " select.dispatchEvent(new Event('change')); })()"
    )
    page.click("#cell-0-0")
    page.press(".")
    after = rows(page)
    assert after[0] == "#____"
    assert [row[0] for row in after[1:]] == ["_"] * 4
    assert [row[1:] for row in after[1:]] == [row[1:] for row in before[1:]]
    page.press(".")  # the cell is open again, and nothing else is lost
    assert [row[1:] for row in rows(page)[1:]] == [row[1:] for row in before[1:]]


def test_deleting_a_letter_takes_only_the_words_through_its_cell(bench: Page) -> None:
    page = bench
    before = filled(page, 5, 5)
    page.click("#cell-1-1")
    page.press("Delete")
    opened = rows(page)
    assert "".join(opened).count("_") == 1
    assert opened[1][0] + before[1][1] + opened[1][2:] == before[1]


def test_a_candidate_in_a_filled_grid_keeps_the_rest(bench: Page) -> None:
    page = bench
    before = filled(page, 5, 5)
    page.evaluate("document.getElementById('cell-0-0').focus()")
    page.click("#tab-words")
    page.wait_for("document.querySelectorAll('#candidates li').length > 5")
    page.wait_for("!document.getElementById('candidates').inert")
    name = page.evaluate(
        f"""[...document.querySelectorAll('#candidates .text')].map((one) => one.textContent)
            .find((word) => word !== {json.dumps(before[0])})"""
    )
    page.evaluate(
        f"""[...document.querySelectorAll('#candidates button')]
            .find((one) => one.innerText.startsWith({json.dumps(name)})).click()"""
    )
    assert rows(page)[0] == name
    kept = [c for c in range(5) if name[c] == before[0][c]]
    assert all(rows(page)[r][c] == before[r][c] for r in range(1, 5) for c in kept)


def test_a_selection_changes_alone_or_it_is_said(bench: Page) -> None:
    page = bench
    before = filled(page, 5, 5)
    page.evaluate(
        "(() => { const send = window.fetch; window.fetch = (path, how) => {"
        " if (path === '/api/jobs') window.asked = JSON.parse(how.body);"
        " return send(path, how); } })()"
    )
    page.evaluate("document.getElementById('cell-0-0').focus()")
    for key in ("ArrowDown", *["ArrowRight"] * 4):
        page.press(key, shift=True)
    page.press("Enter", control=True)
    page.wait_for("window.asked?.avoid && document.body.dataset.job === 'idle'")
    assert page.evaluate("asked.avoid") == before[:2]  # and no word that goes on below
    status(page, "Filled by")
    after = rows(page)
    assert after[:2] != before[:2]
    below = zip("".join(before[2:]), "".join(after[2:]), strict=True)
    changed = sum(old != new for old, new in below)
    said = page.text("#status")
    assert (f"{changed} cell" in said) if changed else ("beyond" not in said)


def test_an_imported_solution_is_locked_and_a_fill_keeps_it(bench: Page) -> None:
    page = bench
    page.click("#tab-publish")
    crossword = {
        "dimensions": {"width": 3, "height": 3},
        "kind": ["http://ipuz.org/crossword#1"],
        "version": "http://ipuz.org/v2",
        "puzzle": [[1, 2, 3], [4, "#", 0], [5, 0, 0]],
        "solution": [["C", "A", "T"], ["U", "#", "O"], ["B", "E", "D"]],
        "clues": {"Across": [], "Down": []},
    }
    upload(page, "#import", "mine.ipuz", json.dumps(crossword))
    status(page, "locked")
    assert rows(page) == ["CAT", "U#O", "BED"]
    assert page.count(".cell.locked") == 8
    page.click("#fill")
    status(page, "Filled by")
    assert rows(page) == ["CAT", "U#O", "BED"]
    choose(page, "#unlock-all")
    assert page.count(".cell.locked") == 0
    assert rows(page) == ["CAT", "U#O", "BED"]


def test_a_project_file_keeps_everything(bench: Page, tmp_path: Path) -> None:
    page = bench
    upload(page, "#list-file", "mine.txt", "CAT\nCUB\nBED\nTOD\n")
    status(page, "mine.txt: 4 words")
    make_grid(page, 3, 3)
    page.click("#cell-1-1")
    page.press(".")
    page.click("#cell-0-0")
    page.type("c")
    page.click("#fill")
    status(page, "Filled by")
    page.click("#tab-clues")
    page.click("#clues-across input")
    page.type("Pet")
    open_panel(page, "lists")
    page.evaluate("document.getElementById('min-score').value = '7'")
    page.evaluate("document.getElementById('min-score').dispatchEvent(new Event('input'))")
    before = rows(page)
    page.click("#tab-publish")
    choose_format(page, ".satcross")
    path = saved(page, tmp_path)
    text = path.read_text()
    make_grid(page, 4, 4)
    page.evaluate(
        """new Promise((done) => {
          indexedDB.open('satcross', 2).onsuccess = (event) => {
            const base = event.target.result;
            const lists = base.transaction('lists', 'readwrite').objectStore('lists');
            lists.clear().onsuccess = () => done();
          };
        })"""
    )
    upload(page, "#import", "again.satcross", text)
    status(page, "again.satcross is open")
    assert rows(page) == before
    assert page.count(".cell.locked") == 1
    assert page.evaluate("document.querySelector('#clues-across input').value") == "Pet"
    assert page.evaluate("document.getElementById('min-score').value") == "7"
    open_panel(page, "lists")
    assert "mine.txt (4 words)" in page.text("#lists")
    page.click("#undo")  # the minimum score, as in the project's own history
    assert page.evaluate("document.getElementById('min-score').value") == ""
    upload(page, "#import", "broken.satcross", text.replace('"cells"', '"sells"'))
    status(page, "broken.satcross: the field “cells” is not as satcross writes it")
    assert rows(page) == before


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the worker's process in /proc")
def test_a_failed_job_says_so(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page(1280, 900)
    with serving(tmp_path) as (_, address):
        begin(page, address)
        make_grid(page, 8, 8)
        before = set(workers())
        page.click("#fill")
        page.wait_for("document.body.dataset.job === 'running'")
        page.wait_for("document.getElementById('progress').textContent")  # by the worker
        working = set(workers()) - before
        assert working
        for worker in working:
            os.kill(worker, signal.SIGKILL)
        status(page, "the worker process ended unexpectedly")
        assert page.evaluate("document.getElementById('status').className") == "bad"
        assert page.evaluate("document.getElementById('stop').disabled")
        assert page.evaluate("document.body.dataset.job") == "idle"
    page.close()


def test_no_job_ends_one_of_another_kind(bench: Page) -> None:
    page = bench
    make_grid(page, 9, 8)
    choose(page, "#why")
    page.wait_for("document.body.dataset.job === 'running'")
    assert page.evaluate("document.getElementById('fill').disabled")
    page.click("#cell-0-0")
    page.press("Enter", control=True)
    said = "Looking for the reason is not finished: wait, or stop it first"
    status(page, said)
    page.click("#begin-open")
    page.wait_for("document.getElementById('pattern-entries') !== null")
    page.click("[data-schema=Pattern] button")
    assert said in page.text("#begin-about")
    page.click("#begin-close")
    assert page.evaluate("document.body.dataset.job") == "running"
    page.press("Escape")
    page.wait_for("document.body.dataset.job === 'idle'")
    assert not page.evaluate("document.getElementById('fill').disabled")


def test_messages_are_never_cut(bench: Page) -> None:
    page = bench
    hidden = "(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)"
    board = "document.querySelector('#stage').getBoundingClientRect().height"
    for size in ((1280, 900), (820, 1180), (390, 844)):
        page.resize(*size, phone=size[0] < 1000)
        page.evaluate(
            "for (const id of ['problem', 'status', 'verdict'])"
            " document.getElementById(id).textContent = 'A sentence of the page. '.repeat(3)"
        )
        assert page.evaluate(f"{hidden}(document.querySelector('.messages'))") <= 0, size
        assert page.evaluate(board) > 90, size


def test_a_lost_server_is_said_at_once_and_found_again(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page(1280, 900)

    def lose_while_filling(server: subprocess.Popen[str]) -> None:
        page.click("#fill")
        page.wait_for("document.body.dataset.job === 'running'")
        server.kill()
        server.wait()
        status(page, "The connection to the server is lost")

    with serving(tmp_path) as (server, address):
        begin(page, address)
        make_grid(page, 8, 8)
        lose_while_filling(server)
    same_port = ("--port", address.rstrip("/").rpartition(":")[2])
    with serving(tmp_path, *same_port) as (server, _):
        status(page, "The server was restarted and no longer has the job")
        assert page.evaluate("document.body.dataset.job") == "idle"
        lose_while_filling(server)
    page.click("#stop")
    status(page, "The server does not answer")
    assert page.evaluate("document.getElementById('stop').disabled")
    page.click("#tab-words")
    page.click("#cell-0-0")
    page.type("ab")
    page.click("#tab-clues")
    page.click("#clues-across input")
    page.type("Typed alone")
    page.click("#tab-words")
    with serving(tmp_path, *same_port):
        page.wait_for("document.querySelectorAll('#candidates li').length > 5")
        page.wait_for("document.getElementById('status').textContent === ''")
        page.reload()
        ready(page)
        assert rows(page)[0].startswith("AB__")
        assert page.evaluate("document.querySelector('#clues-across input').value") == "Typed alone"
    page.close()


def delay_answers(page: Page, path: str) -> None:
    """Hold back the server's answers until the page calls ``letThrough()``."""
    page.evaluate(
        f"""(() => {{
          const ask = window.fetch;
          const gate = new Promise((open) => (window.letThrough = open));
          window.fetch = async (...given) => {{
            if (String(given[0]).startsWith({json.dumps(path)})) {{
              window.heldBack = (window.heldBack ?? 0) + 1;
              await gate;
            }}
            return ask(...given);
          }};
        }})()"""
    )


def test_candidates_of_an_older_puzzle_cannot_be_chosen(bench: Page) -> None:
    page = bench
    make_grid(page, 4, 4)
    page.click("#cell-0-0")
    page.click("#tab-words")
    page.wait_for("document.querySelectorAll('#candidates li').length > 5")
    page.wait_for("!document.getElementById('candidates').inert")
    delay_answers(page, "/api/look")
    page.click("#cell-2-0")
    assert page.evaluate("document.getElementById('candidates').inert")
    page.evaluate("document.querySelector('#candidates button').click()")
    assert rows(page) == ["____"] * 4
    page.click("#cell-0-0")
    page.type("q")
    assert page.count("#board [class*=heat-]") == 0  # the heat belonged to another puzzle
    page.evaluate("document.querySelector('#candidates button').click()")
    assert rows(page)[0] == "Q___"
    page.evaluate("letThrough()")
    page.wait_for("!document.getElementById('candidates').inert")


def test_a_change_of_a_rule_that_asks_the_same_leaves_the_candidates(bench: Page) -> None:
    page = bench
    page.wait_for("document.querySelectorAll('#candidates li').length > 5")
    open_panel(page, "lists")
    page.click("#excluded")
    page.type(" ")
    page.click("#tab-words")
    page.wait_for("!document.getElementById('candidates').inert")
    page.wait_for("document.getElementById('here').textContent.includes('candidates')")
    page.click("#candidates button")
    status(page, "is yours in 1 across")


def test_a_held_key_leaves_the_server_free(bench: Page) -> None:
    page = bench
    make_grid(page, 8, 8)
    page.click("#tab-words")
    page.click("#cell-0-0")
    page.wait_for("document.querySelectorAll('#candidates li').length > 5")
    page.wait_for("!document.getElementById('candidates').inert")
    delay_answers(page, "/api/look")
    for asked in (1, 2):
        page.press("ArrowDown")
        page.wait_for(f"window.heldBack === {asked}")
    for _ in range(4):
        page.press("ArrowDown")
        page.evaluate("new Promise((done) => setTimeout(done, 60))")
    assert page.evaluate("window.heldBack") == 2
    page.evaluate("letThrough()")
    page.wait_for("window.heldBack === 3")  # one request for the four presses
    page.wait_for("!document.getElementById('candidates').inert")
    assert page.evaluate("window.heldBack") == 3


def test_suggestions_and_fills_of_an_older_puzzle_are_removed(bench: Page) -> None:
    page = bench
    make_grid(page, 4, 4)
    open_panel(page, "fills")
    page.click("#diverse")  # they may share words now, which no card shows
    page.click("#several")
    page.wait_for("document.querySelectorAll('#fills li').length === 3")
    cards = "[...document.querySelectorAll('#fills li')].map((one) => one.innerText)"
    words = [word for card in page.evaluate(cards) for word in card.splitlines()[-1].split(", ")]
    assert len(words) == len({*words})
    page.click("#cell-0-0")
    page.type("zx")
    assert page.count("#fills li") == 0
    choose(page, "#why")
    page.wait_for("document.querySelectorAll('#why-help button').length > 0")
    page.click("#cell-3-3")
    page.type("a")
    assert page.count("#why-help button") == 0
    assert page.count("#board :is(.why, .why-crossing, .why-letter)") == 0


def test_the_answer_to_an_older_puzzle_is_dropped(bench: Page) -> None:
    page = bench
    make_grid(page, 5, 5)
    page.evaluate(
        """(() => {  // the event "end" is held back
          const Real = window.EventSource;
          window.EventSource = class extends Real {
            addEventListener(name, listener) {
              super.addEventListener(name, name === "end" || name === "state"
                ? async (event) => {
                    if (JSON.parse(event.data).state === "done") {
                      window.held = true;
                      await window.gate;
                    }
                    listener(event);
                  }
                : listener);
            }
          };
          window.gate = new Promise((open) => (window.letThrough = open));
        })()"""
    )
    page.click("#fill")
    page.wait_for("window.held")
    page.click("#cell-0-0")
    page.type("a")
    page.evaluate("letThrough()")
    page.wait_for("document.body.dataset.job === 'idle'")
    assert rows(page) == ["A____", *["_____"] * 4]


def test_a_new_grid_shows_nothing_of_the_old_one(bench: Page) -> None:
    page = bench
    upload(page, "#list-file", "mine.txt", "CAT\nCUB\nBED\nTOD\n")
    status(page, "mine.txt: 4 words")
    make_grid(page, 3, 3)
    page.click("#cell-1-1")
    page.press(".")
    page.wait_for("document.querySelectorAll('#board [data-forced]').length > 0")
    delay_answers(page, "/api/look")
    make_grid(page, 3, 3)
    shown = page.evaluate(
        "[...document.querySelectorAll('#board .number')].map((one) => one.dataset.forced).join('')"
    )
    assert shown == ""


def test_the_keyboard_focus_is_never_lost(bench: Page) -> None:
    page = bench
    focus = "document.activeElement.id || document.activeElement.tagName"
    make_grid(page, 4, 4)
    page.click("#tab-words")
    page.wait_for("document.getElementById('panel-words').getAttribute('aria-busy') === 'false'")
    page.evaluate("document.querySelector('#candidates button').focus()")
    page.press("Enter")
    assert page.evaluate(focus) == "cell-0-0"
    open_panel(page, "fills")
    page.click("#several")
    page.wait_for("document.querySelectorAll('#fills li').length === 3")
    page.evaluate("document.querySelector('#fills li:nth-child(2) button').focus()")
    page.press("Enter")
    assert page.evaluate("document.activeElement.dataset.key") == "1"
    open_panel(page, "lists")
    page.evaluate("document.getElementById('list-0').focus()")
    page.press(" ")
    assert page.evaluate(focus) == "list-0"
    page.press(" ")
    make_grid(page, 9, 8)
    page.click("#fill")
    page.wait_for("document.body.dataset.job === 'running'")
    page.evaluate("document.getElementById('stop').focus()")
    page.press("Enter")
    page.wait_for("document.body.dataset.job === 'idle'")
    assert page.evaluate(focus) == "fill"


def test_a_dropped_word_list_is_added_and_a_structure_is_opened(bench: Page) -> None:
    page = bench
    make_grid(page, 3, 3)
    page.click("#cell-0-0")
    page.type("a")
    drop(page, "words.txt", "ANT\nBEE\nGOAT\nHORSE\n")
    status(page, "words.txt: 4 words")
    assert rows(page)[0] == "A__"
    open_panel(page, "lists")
    assert "words.txt" in page.text("#lists")
    drop(page, "grid.txt", "__#\n___\n#__\n")
    status(page, "grid.txt: 3 rows")
    assert rows(page) == ["__#", "___", "#__"]


DAMAGED = (
    "nonsense",
    "null",
    '{"doc": {"cells": [["", ""], [""]]}}',
    '{"doc": {"cells": [["", ""], ["", ""]], "pencil": 7}}',
    '{"doc": {"cells": [["", ""], ["", ""]], "lists": [7]}}',
    '{"doc": {"cells": [["", ""], ["", ""]]}, "past": ["{}"], "ui": 3}',
)


def test_damaged_data_leaves_a_page_that_works(bench: Page, address: str) -> None:
    page = bench
    for stored in DAMAGED:
        page.open(f"{address}style.css")
        page.evaluate(
            "sessionStorage.clear(); localStorage.clear();"
            f" localStorage.setItem('satcross.workbench', {json.dumps(stored)})"
        )
        page.open(address)
        status(page, "The stored crossword can't be read")
        assert page.evaluate("localStorage.getItem('satcross.workbench.unreadable')") == stored
        make_grid(page, 3, 3)
        page.click("#cell-0-0")
        page.type("a")
        assert rows(page)[0] == "A__", stored


def test_a_typed_size_stays_until_the_grid_has_another(bench: Page) -> None:
    page = bench
    make_grid(page, 4, 4)
    page.evaluate("document.getElementById('rows').value = 7")
    page.click("#cell-0-0")
    page.type("a")
    assert page.evaluate("document.getElementById('rows').value") == "7"
    page.click("#new")
    page.wait_for("document.querySelectorAll('.cell').length === 28")
