"""What the page stores: crosswords in several pages, earlier versions, backups, full storage."""

from __future__ import annotations

import json
from pathlib import Path

from browser import Browser
from helpers import until
from web.bench import FOUR, Bench, written

REFUSE = """(() => {
  window.put = Storage.prototype.setItem;
  Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
})()"""
REFUSE_IN_LIBRARY = """(() => {
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
})()"""
FORGET = """new Promise((done) => {
  localStorage.clear();
  sessionStorage.clear();
  indexedDB.deleteDatabase('satcross').onsuccess = () => done();
})"""
IN_LIBRARY = """new Promise(async (done) => {
  if (!(await indexedDB.databases()).length) return done('');
  const request = indexedDB.open('satcross', 2);
  request.onupgradeneeded = () => request.transaction.abort(); // making it is up to the page
  request.onerror = () => done('');
  request.onsuccess = ({target}) => {
    const base = target.result;
    base.transaction('puzzles').objectStore('puzzles').getAll().onsuccess = ({target}) => {
      base.close();
      done(target.result.map((one) => one.doc.cells[0].join('')).join(' '));
    };
  };
})"""


def wait_for_names(page: Bench, *expected: str) -> None:
    """Wait for the names of the stored crosswords, the one changed last first."""
    until(lambda: page.texts("#library b") == [*expected], " and ".join(expected))


def wait_for_letters(page: Bench, letters: str) -> None:
    """Wait until a stored crossword has these letters in its first row."""
    page.wait_for(f"{IN_LIBRARY}.then((found) => found.includes('{letters}'))")


def write_crossword(page: Bench, title: str, letters: str) -> None:
    """Start a grid of 4 by 4, and give it a title and the first letters."""
    page.make_grid(4, 4)
    page.click("#tab-clues")
    page.write("#crossword-title", title)
    page.type_at("0-0", letters)


def press_in_row(page: Bench, title: str, text: str) -> None:
    """Click a button of a stored crossword."""
    page.evaluate(
        f"""[...document.querySelectorAll('#library .puzzle, #deleted .puzzle')]
            .find((row) => row.querySelector('b').textContent === {json.dumps(title)})
            .querySelectorAll('button').forEach((one) =>
              one.textContent === {json.dumps(text)} && one.click())"""
    )


def test_crosswords_are_stored_opened_deleted_and_restored(page: Bench, tmp_path: Path) -> None:
    write_crossword(page, "one", "a")
    wait_for_names(page, "one")
    write_crossword(page, "two", "b")
    wait_for_names(page, "two", "one")
    press_in_row(page, "one", "Open")
    assert page.rows()[0] == "A___"
    page.click("#undo")
    assert page.rows()[0] == "B___"
    press_in_row(page, "one", "Delete")
    wait_for_names(page, "two")
    page.reload()
    wait_for_names(page, "two")
    press_in_row(page, "one", "Restore")
    page.has(2, "#library b")
    assert sorted(page.texts("#library b")) == ["one", "two"]

    # a backup brings everything back
    page.use_list(FOUR)
    page.downloads(tmp_path)
    page.evaluate("document.getElementById('backup').click()")
    page.status("Saved as crosswords.satcross-backup. It has 2 crosswords")
    text = written(tmp_path / "crosswords.satcross-backup").read_text()
    page.clear_stores("puzzles", "lists")
    page.reload()
    assert page.texts("#library b") == []
    for added, known in ((2, 0), (0, 2)):
        said = f"old.satcross-backup: {added} crosswords added; {known} were here already"
        page.open_file("old.satcross-backup", text, said)
        page.has(2, "#library b")
        assert sorted(page.texts("#library b")) == ["one", "two"]
    broken = text.replace('"cells"', '"sells"')
    page.open_file("bad.satcross-backup", broken, "bad.satcross-backup: the field")


def test_what_is_written_before_the_server_answers_is_stored(
    browser: Browser, address: str
) -> None:
    page = Bench(browser)
    page.call(
        "Page.addScriptToEvaluateOnNewDocument",
        source="""{
          const ask = window.fetch;
          window.fetch = (...given) =>
            String(given[0]).includes("/api/about") ? new Promise(() => {}) : ask(...given);
        }""",
    )
    page.begin(address)
    write_crossword(page, "early", "a")
    wait_for_names(page, "early")
    page.close()


def test_two_pages_with_one_crossword_do_not_overwrite_each_other(
    browser: Browser, address: str
) -> None:
    first = Bench(browser).begin(address)
    write_crossword(first, "shared", "a")
    wait_for_names(first, "shared")
    second = Bench(browser)
    second.open(address)
    second.ready()
    second.status("this page works on a copy")
    assert second.rows()[0] == "A___"
    second.type_at("1-0", "zz")
    wait_for_names(second, "shared", "shared")
    first.type_at("2-0", "yy")
    first.reload()
    first.has(2, "#library b")
    assert first.rows() == ["A___", "____", "YY__", "____"]
    first.close()
    second.close()


def test_an_earlier_version_is_kept(page: Bench) -> None:
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
    page.type_at("0-1", "b")
    page.has(1, "#library details")
    page.evaluate("document.querySelector('#library details button').click()")
    assert page.rows()[0] == "A___"


def test_full_storage_is_no_loss_or_is_said(page: Bench) -> None:
    page.make_grid(4, 4)
    page.type_at("0-0", "a")
    page.wait_for("sessionStorage.getItem('satcross.workbench').includes('[[\"A\"')")
    page.evaluate(REFUSE)
    page.type("bcd")
    wait_for_letters(page, "ABCD")  # the library has what the page's own storage has not
    assert page.evaluate("document.getElementById('unsaved').hidden")
    page.reload()
    page.wait_for("document.getElementById('cell-0-3').value === 'D'")
    assert page.rows()[0] == "ABCD"

    page.make_grid(4, 4)
    page.evaluate(REFUSE)
    page.evaluate(REFUSE_IN_LIBRARY)
    page.type_at("0-0", "a")
    page.wait_for("!document.getElementById('unsaved').hidden")
    page.evaluate("Storage.prototype.setItem = window.put")
    page.type("b")
    page.wait_for("document.getElementById('unsaved').hidden")
    page.reload()
    assert page.rows()[0] == "AB__"


def test_storage_that_was_thrown_away_is_written_again(page: Bench) -> None:
    page.make_grid(4, 4)
    page.type_at("0-0", "a")
    wait_for_letters(page, "A")
    page.evaluate(FORGET)
    page.type("b")
    wait_for_letters(page, "AB")
    page.reload()
    assert page.rows()[0] == "AB__"
