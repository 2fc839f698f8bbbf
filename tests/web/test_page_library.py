"""The crosswords that the page stores: several pages, earlier versions, deletion and backups."""

from __future__ import annotations

import json
from pathlib import Path

from browser import Browser, Page
from web.page_actions import begin, make_grid, ready, rows, status, upload, written


def names(page: Page) -> list[str]:
    """The names of the stored crosswords, the one changed last first."""
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('#library b')].map((one) => one.textContent)"
    )
    return found


def wait_for_names(page: Page, *expected: str) -> None:
    page.wait_for(
        f"""[...document.querySelectorAll('#library b')].map((one) => one.textContent).join("|")
            === {json.dumps("|".join(expected))}"""
    )


def write_crossword(page: Page, title: str, letters: str) -> None:
    """Start a grid of 4 by 4, and give it a title and the first letters."""
    make_grid(page, 4, 4)
    page.click("#tab-clues")
    page.click("#crossword-title")
    page.type(title)
    page.click("#cell-0-0")
    page.type(letters)


def press_in_row(page: Page, title: str, text: str) -> None:
    """Click a button of a stored crossword."""
    page.evaluate(
        f"""[...document.querySelectorAll('#library .puzzle, #deleted .puzzle')]
            .find((row) => row.querySelector('b').textContent === {json.dumps(title)})
            .querySelectorAll('button').forEach((one) =>
              one.textContent === {json.dumps(text)} && one.click())"""
    )


def test_crosswords_are_stored_opened_deleted_and_restored(bench: Page) -> None:
    page = bench
    write_crossword(page, "one", "a")
    wait_for_names(page, "one")
    write_crossword(page, "two", "b")
    wait_for_names(page, "two", "one")
    press_in_row(page, "one", "Open")
    assert rows(page)[0] == "A___"
    page.click("#undo")
    assert rows(page)[0] == "B___"
    press_in_row(page, "one", "Delete")
    wait_for_names(page, "two")
    page.reload()
    ready(page)
    wait_for_names(page, "two")
    press_in_row(page, "one", "Restore")
    page.wait_for("document.querySelectorAll('#library b').length === 2")
    assert sorted(names(page)) == ["one", "two"]


def test_what_is_written_before_the_server_answers_is_stored(
    browser: Browser, address: str
) -> None:
    page = browser.new_page()
    page.call(
        "Page.addScriptToEvaluateOnNewDocument",
        source="""{
          const ask = window.fetch;
          window.fetch = (...given) =>
            String(given[0]).includes("/api/about") ? new Promise(() => {}) : ask(...given);
        }""",
    )
    begin(page, address)
    write_crossword(page, "early", "a")
    wait_for_names(page, "early")
    page.close()


def test_two_pages_with_one_crossword_do_not_overwrite_each_other(
    browser: Browser, address: str
) -> None:
    first = browser.new_page()
    begin(first, address)
    write_crossword(first, "shared", "a")
    wait_for_names(first, "shared")
    second = browser.new_page()
    second.open(address)
    ready(second)
    status(second, "this page works on a copy")
    assert rows(second)[0] == "A___"
    second.click("#cell-1-0")
    second.type("zz")
    wait_for_names(second, "shared", "shared")
    first.click("#cell-2-0")
    first.type("yy")
    first.reload()
    first.wait_for("document.querySelectorAll('#library b').length === 2")
    assert rows(first) == ["A___", "____", "YY__", "____"]
    first.close()
    second.close()


def test_an_earlier_version_is_kept(bench: Page) -> None:
    page = bench
    write_crossword(page, "kept", "a")
    wait_for_names(page, "kept")
    page.wait_for("document.querySelector('#library .thumbnail').textContent === 'A'")
    # As if the crossword had last been changed an hour ago.
    page.evaluate(
        """new Promise((done) => {
          indexedDB.open('satcross', 2).onsuccess = (event) => {
            const base = event.target.result;
            const store = base.transaction('puzzles', 'readwrite').objectStore('puzzles');
            store.getAll().onsuccess = (all) => {
              const record = all.target.result[0];
              record.created = record.changed -= 3600000;
              store.put(record, record.id).onsuccess = () => { base.close(); done(); };
            };
          };
        })"""
    )
    page.click("#cell-0-1")
    page.type("b")
    page.wait_for("document.querySelectorAll('#library details').length === 1")
    page.evaluate("document.querySelector('#library details button').click()")
    assert rows(page)[0] == "A___"


def test_a_backup_brings_everything_back(bench: Page, tmp_path: Path) -> None:
    page = bench
    write_crossword(page, "one", "a")
    upload(page, "#list-file", "mine.txt", "CAT\nCUB\nBED\nTOD\n")
    status(page, "mine.txt: 4 words")
    write_crossword(page, "two", "b")
    wait_for_names(page, "two", "one")
    page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.evaluate("document.getElementById('backup').click()")
    status(page, "Saved as crosswords.satcross-backup. It has 2 crosswords")
    text = written(tmp_path / "crosswords.satcross-backup").read_text()
    page.evaluate(
        """new Promise((done) => {
          indexedDB.open('satcross', 2).onsuccess = (event) => {
            const base = event.target.result;
            const transaction = base.transaction(['puzzles', 'lists'], 'readwrite');
            transaction.objectStore('puzzles').clear();
            transaction.objectStore('lists').clear();
            transaction.oncomplete = () => { base.close(); done(); };
          };
        })"""
    )
    page.reload()
    ready(page)
    assert names(page) == []
    upload(page, "#import", "old.satcross-backup", text)
    status(page, "old.satcross-backup: 2 crosswords added; 0 were here already")
    wait_for_names(page, "two", "one")
    upload(page, "#import", "old.satcross-backup", text)
    status(page, "old.satcross-backup: 0 crosswords added; 2 were here already")
    upload(page, "#import", "bad.satcross-backup", text.replace('"cells"', '"sells"'))
    status(page, "bad.satcross-backup: the field")
