"""The page under edits of a filled grid, failing jobs, late answers and damaged data."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest
from browser import Browser
from web.asking import workers
from web.bench import Bench
from web.conftest import serving


def drop(page: Bench, name: str, content: str) -> None:
    """Drop a file on the page."""
    page.evaluate(
        f"""(() => {{
          const dataTransfer = new DataTransfer();
          dataTransfer.items.add(new File([{json.dumps(content)}], {json.dumps(name)}));
          document.dispatchEvent(new DragEvent('drop', {{dataTransfer, bubbles: true}}));
        }})()"""
    )


def filled(page: Bench, height: int, width: int) -> list[str]:
    page.make_grid(height, width)
    found = page.fill()
    assert "_" not in "".join(found)
    return found


def other_than(letter: str) -> str:
    return "e" if letter != "E" else "a"


def test_a_change_in_a_filled_grid_takes_only_the_words_through_its_cell(page: Bench) -> None:
    before = filled(page, 5, 5)

    page.click("#cell-1-1")
    page.press("Delete")
    opened = page.rows()
    assert "".join(opened).count("_") == 1
    assert opened[1][0] + before[1][1] + opened[1][2:] == before[1]
    page.click("#undo")

    page.give("symmetry", "none")
    page.click("#cell-0-0")
    page.press(".")
    after = page.rows()
    assert after[0] == "#____"
    assert [row[0] for row in after[1:]] == ["_"] * 4
    assert [row[1:] for row in after[1:]] == [row[1:] for row in before[1:]]
    page.press(".")  # the cell is open again, and nothing else is lost
    assert [row[1:] for row in page.rows()[1:]] == [row[1:] for row in before[1:]]
    page.click("#undo")
    page.click("#undo")
    assert page.rows() == before

    page.type_at("2-2", other_than(before[2][2]))
    after = page.rows()
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
    page.status("Filled by")
    assert "words kept" in page.text("#status")
    assert page.evaluate(top) == place
    assert page.text("#fill") == "New fill"
    assert page.rows()[2][2] == after[2][2]
    assert "_" not in "".join(page.rows())
    page.click("#undo")
    page.click("#undo")
    assert page.rows() == before


def test_a_candidate_in_a_filled_grid_keeps_the_rest(page: Bench) -> None:
    before = filled(page, 5, 5)
    page.focus("#cell-0-0")
    page.click("#tab-words")
    page.offers_candidates()
    words = page.candidates()
    name = next(word for word in words if word != before[0])
    page.click(f"#candidates li:nth-child({words.index(name) + 1}) .candidate")
    assert page.rows()[0] == name
    kept = [c for c in range(5) if name[c] == before[0][c]]
    assert all(page.rows()[r][c] == before[r][c] for r in range(1, 5) for c in kept)


def test_a_selection_changes_alone_or_it_is_said(page: Bench) -> None:
    before = filled(page, 5, 5)
    page.evaluate(
        "(() => { const send = window.fetch; window.fetch = (path, how) => {"
        " if (path === '/api/jobs') window.asked = JSON.parse(how.body);"
        " return send(path, how); } })()"
    )
    page.focus("#cell-0-0")
    for key in ("ArrowDown", *["ArrowRight"] * 4):
        page.press(key, shift=True)
    page.press("Enter", control=True)
    page.wait_for("window.asked?.avoid && document.body.dataset.job === 'idle'")
    assert page.evaluate("asked.avoid") == before[:2]  # and no word that goes on below
    page.status("Filled by")
    after = page.rows()
    assert after[:2] != before[:2]
    below = zip("".join(before[2:]), "".join(after[2:]), strict=True)
    changed = sum(old != new for old, new in below)
    said = page.text("#status")
    assert (f"{changed} cell" in said) if changed else ("beyond" not in said)


def test_an_imported_solution_is_locked_and_a_fill_keeps_it(page: Bench) -> None:
    page.open_file("mine.xd", "Title: T\n\n\nCAT\nU#O\nBED\n", "locked")
    assert page.rows() == ["CAT", "U#O", "BED"]
    assert page.count(".cell.locked") == 8
    assert page.fill() == ["CAT", "U#O", "BED"]
    page.choose("#unlock-all")
    assert page.count(".cell.locked") == 0
    assert page.rows() == ["CAT", "U#O", "BED"]


def test_a_project_file_keeps_everything(page: Bench, tmp_path: Path) -> None:
    page.make_ring()
    page.type_at("0-0", "c")
    before = page.fill()
    page.write_clue("Pet")
    page.open_panel("lists")
    page.give("min-score", "7")
    text = page.save_as(".satcross", tmp_path).read_text()
    page.make_grid(4, 4)
    page.clear_stores("lists")
    page.open_file("again.satcross", text, "again.satcross is open")
    assert page.rows() == before
    assert page.count(".cell.locked") == 1
    assert page.value("#clues-across input") == "Pet"
    assert page.value("#min-score") == "7"
    page.open_panel("lists")
    assert "mine.txt (4 words)" in page.text("#lists")
    page.click("#undo")  # the minimum score, as in the project's own history
    assert page.value("#min-score") == ""
    broken = text.replace('"cells"', '"sells"')
    page.open_file("broken.satcross", broken, "the field “cells” is not as satcross writes it")
    assert page.rows() == before


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="finds the worker's process in /proc")
def test_a_failed_job_says_so(page: Bench) -> None:
    page.make_grid(8, 8)
    page.click("#fill")
    page.job("running")
    page.wait_for("document.getElementById('progress').textContent")  # by the worker
    for worker in workers():
        os.kill(worker, signal.SIGKILL)
    page.status("the worker process ended unexpectedly")
    assert page.count("#status.bad") == page.count("#stop:disabled") == 1
    assert page.evaluate("document.body.dataset.job") == "idle"


def test_no_job_ends_one_of_another_kind(page: Bench) -> None:
    page.make_grid(9, 8)
    page.choose("#why")
    page.job("running")
    assert page.evaluate("document.getElementById('fill').disabled")
    page.click("#cell-0-0")
    page.press("Enter", control=True)
    said = "Looking for the reason is not finished: wait, or stop it first"
    page.status(said)
    page.click("#begin-open")
    page.has(1, "#pattern-entries")
    page.click("[data-schema=Pattern] button")
    assert said in page.text("#begin-about")
    page.click("#begin-close")
    assert page.evaluate("document.body.dataset.job") == "running"
    page.press("Escape")
    page.job("idle")
    assert not page.evaluate("document.getElementById('fill').disabled")


def test_messages_are_never_cut(page: Bench) -> None:
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
    def lose_while_filling(server: subprocess.Popen[str]) -> None:
        page.click("#fill")
        page.job("running")
        server.kill()
        server.wait()
        page.status("The connection to the server is lost")

    with serving(tmp_path) as (_, address):
        page = Bench(browser).begin(address)
        page.make_ring()
        page.open_panel("lists")
        page.click("#lists button")  # removes the list
        page.click("#undo")
    same_port = ("--port", address.rstrip("/").rpartition(":")[2])
    page.click("#fill")
    page.status("The server does not answer")
    with serving(tmp_path, *same_port) as (server, _):
        page.reload()
        page.fill()  # from the list, which this server gets again
        assert page.rows() in (["CAT", "U#O", "BED"], ["CUB", "A#E", "TOD"])
        page.click("#list-0")
        page.make_grid(8, 8)
        lose_while_filling(server)
    with serving(tmp_path, *same_port) as (server, _):
        page.status("The server was restarted and no longer has the job")
        assert page.evaluate("document.body.dataset.job") == "idle"
        lose_while_filling(server)
    page.click("#stop")
    page.status("The server does not answer")
    assert page.evaluate("document.getElementById('stop').disabled")
    page.click("#tab-words")
    page.type_at("0-0", "ab")
    page.write_clue("Typed alone")
    page.click("#tab-words")
    with serving(tmp_path, *same_port):
        page.has_more(5, "#candidates li")
        page.wait_for("document.getElementById('status').textContent === ''")
        page.reload()
        assert page.rows()[0].startswith("AB__")
        assert page.value("#clues-across input") == "Typed alone"
    page.close()


def delay_answers(page: Bench) -> None:
    """Hold back the answers to looks until the page calls ``letThrough()``."""
    page.evaluate(
        """(() => {
          const ask = window.fetch;
          const gate = new Promise((open) => (window.letThrough = open));
          window.fetch = async (...given) => {
            if (String(given[0]).startsWith("/api/look")) {
              window.heldBack = (window.heldBack ?? 0) + 1;
              await gate;
            }
            return ask(...given);
          };
        })()"""
    )


def test_candidates_of_an_older_puzzle_cannot_be_chosen(page: Bench) -> None:
    page.make_grid(4, 4)
    page.click("#cell-0-0")
    page.click("#tab-words")
    page.offers_candidates()
    delay_answers(page)
    page.click("#cell-2-0")
    assert page.evaluate("document.getElementById('candidates').inert")
    page.evaluate("document.querySelector('#candidates button').click()")
    assert page.rows() == ["____"] * 4
    page.type_at("0-0", "q")
    assert page.count("#board [class*=heat-]") == 0  # the heat belonged to another puzzle
    page.evaluate("document.querySelector('#candidates button').click()")
    assert page.rows()[0] == "Q___"
    page.evaluate("letThrough()")
    page.wait_for("!document.getElementById('candidates').inert")

    # a rule that changes and asks the same leaves them
    page.open_panel("lists")
    page.write("#excluded", " ")
    page.click("#tab-words")
    page.offers_candidates()
    page.says("here", "candidates")
    page.click("#candidates button")
    page.status("is yours in 1 across")


def test_a_held_key_leaves_the_server_free(page: Bench) -> None:
    page.make_grid(8, 8)
    page.click("#tab-words")
    page.click("#cell-0-0")
    page.offers_candidates()
    delay_answers(page)
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


def test_suggestions_and_fills_of_an_older_puzzle_are_removed(page: Bench) -> None:
    page.make_grid(4, 4)
    page.open_panel("fills")
    page.click("#diverse")  # they may share words now, which no card shows
    page.click("#several")
    page.has(3, "#fills li")
    cards = "[...document.querySelectorAll('#fills li')].map((one) => one.innerText)"
    words = [word for card in page.evaluate(cards) for word in card.splitlines()[-1].split(", ")]
    assert len(words) == len({*words})
    page.type_at("0-0", "zx")
    assert page.count("#fills li") == 0
    page.choose("#why")
    page.has_more(0, "#why-help button")
    page.type_at("3-3", "a")
    assert page.count("#why-help button") == 0
    assert page.count("#board :is(.why, .why-crossing, .why-letter)") == 0


def test_the_answer_to_an_older_puzzle_is_dropped(page: Bench) -> None:
    page.make_grid(5, 5)
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
    page.type_at("0-0", "a")
    page.evaluate("letThrough()")
    page.job("idle")
    assert page.rows() == ["A____", *["_____"] * 4]


def test_a_new_grid_shows_nothing_of_the_old_one(page: Bench) -> None:
    page.make_ring()
    page.has_more(0, "#board [data-forced]")
    delay_answers(page)
    page.make_grid(3, 3)
    assert page.count("#board .number[data-forced]:not([data-forced=''])") == 0


def test_the_keyboard_focus_is_never_lost(page: Bench) -> None:
    page.make_grid(4, 4)
    page.click("#tab-words")
    page.candidates()
    page.focus("#candidates button")
    page.press("Enter")
    assert page.focused == "cell-0-0"
    page.open_panel("fills")
    page.click("#several")
    page.has(3, "#fills li")
    page.focus("#fills li:nth-child(2) button")
    page.press("Enter")
    assert page.evaluate("document.activeElement.dataset.key") == "1"
    page.open_panel("lists")
    page.focus("#list-0")
    page.press(" ")
    assert page.focused == "list-0"
    page.press(" ")
    page.make_grid(9, 8)
    page.click("#fill")
    page.job("running")
    page.focus("#stop")
    page.press("Enter")
    page.job("idle")
    assert page.focused == "fill"


def test_a_dropped_word_list_is_added_and_a_structure_is_opened(page: Bench) -> None:
    page.make_grid(3, 3)
    page.type_at("0-0", "a")
    drop(page, "words.txt", "ANT\nBEE\nGOAT\nHORSE\n")
    page.status("words.txt: 4 words")
    assert page.rows()[0] == "A__"
    page.open_panel("lists")
    assert "words.txt" in page.text("#lists")
    drop(page, "grid.txt", "__#\n___\n#__\n")
    page.status("grid.txt: 3 rows")
    assert page.rows() == ["__#", "___", "#__"]


DAMAGED = (
    "nonsense",
    "null",
    '{"doc": {"cells": [["", ""], [""]]}}',
    '{"doc": {"cells": [["", ""], ["", ""]], "pencil": 7}}',
    '{"doc": {"cells": [["", ""], ["", ""]], "lists": [7]}}',
    '{"doc": {"cells": [["", ""], ["", ""]]}, "past": ["{}"], "ui": 3}',
)


def test_damaged_data_leaves_a_page_that_works(page: Bench, address: str) -> None:
    for stored in DAMAGED:
        page.open(f"{address}style.css")
        page.evaluate(
            "sessionStorage.clear(); localStorage.clear();"
            f" localStorage.setItem('satcross.workbench', {json.dumps(stored)})"
        )
        page.open(address)
        page.status("The stored crossword can't be read")
        assert page.evaluate("localStorage.getItem('satcross.workbench.unreadable')") == stored
        page.make_grid(3, 3)
        page.type_at("0-0", "a")
        assert page.rows()[0] == "A__", stored
