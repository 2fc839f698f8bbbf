"""What is typed survives full storage and storage that the browser throws away."""

from __future__ import annotations

from browser import Page
from web.page_actions import make_grid, ready, rows

REFUSE = """(() => {
  window.put = Storage.prototype.setItem;
  Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
})()"""
REFUSE_IN_LIBRARY = """(() => {
  window.putObject = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
})()"""
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


def reload(page: Page) -> None:
    page.reload()
    ready(page)


def test_the_library_has_what_the_full_storage_of_the_page_has_not(bench: Page) -> None:
    page = bench
    make_grid(page, 4, 4)
    page.click("#cell-0-0")
    page.type("a")
    page.wait_for("sessionStorage.getItem('satcross.workbench').includes('[[\"A\"')")
    page.evaluate(REFUSE)
    page.type("bcd")
    page.wait_for(f"{IN_LIBRARY}.then((found) => found.includes('ABCD'))")
    assert page.evaluate("document.getElementById('unsaved').hidden")
    reload(page)
    page.wait_for("document.getElementById('cell-0-3').value === 'D'")
    assert rows(page)[0] == "ABCD"


def test_work_that_can_not_be_stored_is_said(bench: Page) -> None:
    page = bench
    make_grid(page, 4, 4)
    page.evaluate(REFUSE)
    page.evaluate(REFUSE_IN_LIBRARY)
    page.click("#cell-0-0")
    page.type("a")
    page.wait_for("!document.getElementById('unsaved').hidden")
    page.evaluate("Storage.prototype.setItem = window.put")
    page.type("b")
    page.wait_for("document.getElementById('unsaved').hidden")
    reload(page)
    assert rows(page)[0] == "AB__"


def test_storage_that_was_thrown_away_is_written_again(bench: Page) -> None:
    page = bench
    make_grid(page, 4, 4)
    page.click("#cell-0-0")
    page.type("a")
    page.wait_for(f"{IN_LIBRARY}.then((found) => found.includes('A'))")
    page.evaluate(
        """new Promise((done) => {
          localStorage.clear();
          sessionStorage.clear();
          indexedDB.deleteDatabase('satcross').onsuccess = () => done();
        })"""
    )
    page.type("b")
    page.wait_for(f"{IN_LIBRARY}.then((found) => found.includes('AB'))")
    reload(page)
    assert rows(page)[0] == "AB__"
