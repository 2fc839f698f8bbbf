"""The page in a browser: actions of a person on it, and what it shows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Self

from browser import Browser, Page
from helpers import until

FOUR = "CAT\nCUB\nBED\nTOD\n"
"""Words with two fills of a ring: three rows and columns, whose middle is blocked."""


class Bench(Page):
    """The workbench in a new page of the browser.

    Left as a context, it is closed, and no error may have occurred in it.
    """

    def __init__(
        self, browser: Browser, width: int = 1280, height: int = 900, **more: bool
    ) -> None:
        """``more`` is as for Page."""
        super().__init__(browser, width, height, **more)

    def begin(self, address: str) -> Self:
        """Open the page of a server, without stored data."""
        self.call("Storage.clearDataForOrigin", origin=address.rstrip("/"), storageTypes="all")
        self.open(address)
        self.ready()
        # Without a tab, Chromium leaves the focus in a dialog that is closed before it is drawn.
        self.evaluate("document.getElementById('begin').close(); document.activeElement.blur()")
        return self

    def __exit__(self, *error: object) -> None:
        # The browser reports rejected requests, which some tests cause on purpose.
        if error[0] is None:
            assert [text for text in self.complaints if "with a status of 4" not in text] == []
        self.close()

    def ready(self) -> None:
        """Wait until the page has begun."""
        self.wait_for("document.body.classList.contains('started')")

    def reload(self) -> None:
        super().reload()
        self.ready()

    # What the page shows

    def rows(self) -> list[str]:
        """Return the rows that the grid shows."""
        found: list[str] = self.evaluate(
            """[...document.querySelectorAll('#board [role=row]')].map((row) =>
                 [...row.children].map((cell) => cell.classList.contains('blocked') ? '#'
                   : cell.querySelector('input').value || '_').join(''))"""
        )
        return found

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all elements that a CSS selector finds, also of hidden ones."""
        found: list[str] = self.evaluate(
            f"[...document.querySelectorAll({json.dumps(selector)})].map((one) => one.textContent)"
        )
        return found

    def value(self, selector: str) -> str:
        """Return what is in the first field that a CSS selector finds."""
        return str(self.evaluate(f"document.querySelector({json.dumps(selector)}).value"))

    @property
    def focused(self) -> str:
        """The id of the element with the focus, or else the name of its kind."""
        return str(self.evaluate("document.activeElement.id || document.activeElement.tagName"))

    def says(self, element: str, text: str) -> None:
        """Wait until a text is in the element with an id."""
        self.wait_for(
            f"document.getElementById('{element}').textContent.includes({json.dumps(text)})"
        )

    def status(self, text: str) -> None:
        """Wait for an answer to an action."""
        self.says("status", text)

    def problem(self, text: str) -> None:
        """Wait for a problem of the crossword on the page."""
        self.says("problem", text)

    def has(self, number: int, selector: str) -> None:
        """Wait until there are as many elements."""
        self.wait_for(f"document.querySelectorAll({json.dumps(selector)}).length === {number}")

    def has_more(self, number: int, selector: str) -> None:
        """Wait until there are more elements than a number."""
        self.wait_for(f"document.querySelectorAll({json.dumps(selector)}).length > {number}")

    def candidates(self, name: str = "candidates") -> list[str]:
        """Wait for the candidates of the slot at the cursor; return them in the page's order."""
        self.has(1, "#panel-words[aria-busy=false]")
        return self.texts(f"#{name} .text")

    def offers_candidates(self) -> None:
        """Wait until some candidates can be chosen."""
        self.has_more(5, "#candidates:not([inert]) li")

    def job(self, state: str) -> None:
        """Wait until a job is "running", or none is: "idle"."""
        self.wait_for(f"document.body.dataset.job === '{state}'")

    # What a person does

    def open_panel(self, name: str) -> None:
        """Open a panel, even one whose tab is shown only while the panel is open."""
        self.evaluate(f"import('./tabs.js').then(({{openTab}}) => openTab('{name}'))")

    def make_grid(self, height: int, width: int) -> None:
        self.click("#tab-grid")
        # In one go: an answer that comes in between may draw the panel anew, or move the button.
        self.evaluate(
            f"(() => {{ document.getElementById('rows').value = {height};"
            f" document.getElementById('columns').value = {width};"
            " document.getElementById('new').click(); })()"
        )
        self.has(height * width, ".cell")

    def make_ring(self, words: str = FOUR) -> None:
        """Take a list of words, and make a grid of 3 by 3 whose middle is blocked."""
        self.use_list(words)
        self.make_grid(3, 3)
        self.click("#cell-1-1")
        self.press(".")

    def type_at(self, cell: str, text: str) -> None:
        """Type into the grid, from a cell such as ``0-3`` on."""
        self.click(f"#cell-{cell}")
        self.type(text)

    def write(self, selector: str, text: str) -> None:
        """Click into a field and type."""
        self.click(selector)
        self.type(text)

    def write_clue(self, text: str) -> None:
        """Write the first clue."""
        self.click("#tab-clues")
        self.write("#clues-across input", text)

    def give(self, field: str, value: str) -> None:
        """Set a field or a list, by its id, to a value, and leave it."""
        self.evaluate(
            f"""(() => {{
              const field = document.getElementById({json.dumps(field)});
              field.value = {json.dumps(value)};
              for (const kind of ["input", "change"]) field.dispatchEvent(new Event(kind));
            }})()"""
        )

    def focus(self, selector: str) -> None:
        """Give the focus to an element as a script does, without a click."""
        self.evaluate(f"document.querySelector({json.dumps(selector)}).focus()")

    def fill(self) -> list[str]:
        """Press Fill, and wait for the fill; return its rows."""
        self.evaluate("document.getElementById('status').textContent = ''")
        self.click("#fill")
        self.status("Filled by")
        return self.rows()

    def choose(self, item: str) -> None:
        """Open the menu that a button is in, and click the button."""
        self.evaluate(f"document.querySelector({json.dumps(item)}).closest('details').open = true")
        self.click(item)

    def choose_language(self, code: str) -> None:
        """Choose the crossword's language, once the server has said which ones there are."""
        self.has_more(20, "#language option")
        self.give("language", code)

    def paste(self, text: str) -> None:
        """Paste a text where the focus is."""
        self.evaluate(
            f"""(() => {{
              const clipboardData = new DataTransfer();
              clipboardData.setData("text/plain", {json.dumps(text)});
              document.activeElement.dispatchEvent(
                new ClipboardEvent("paste", {{clipboardData, bubbles: true, cancelable: true}}));
            }})()"""
        )

    def upload(self, selector: str, name: str, content: str) -> None:
        """Choose a file in a file input."""
        self.evaluate(
            f"""(() => {{
              const files = new DataTransfer();
              files.items.add(new File([{json.dumps(content)}], {json.dumps(name)}));
              const input = document.querySelector({json.dumps(selector)});
              input.files = files.files;
              input.dispatchEvent(new Event('change', {{bubbles: true}}));
            }})()"""
        )

    def use_list(self, words: str, name: str = "mine.txt") -> None:
        """Add a list of words, each on a line of its own."""
        self.upload("#list-file", name, words)
        self.status(f"{name}: {len({*words.split()})} words")

    def open_file(self, name: str, content: str, said: str) -> None:
        """Open a crossword's file, and wait until this is said."""
        self.upload("#import", name, content)
        self.status(said)

    def clear_stores(self, *names: str) -> None:
        """Empty stores of the database that the page keeps in the browser."""
        self.evaluate(
            f"""new Promise((done) => {{
              indexedDB.open('satcross', 2).onsuccess = ({{target}}) => {{
                const base = target.result, all = base.transaction({[*names]}, 'readwrite');
                for (const name of {[*names]}) all.objectStore(name).clear();
                all.oncomplete = () => {{ base.close(); done(); }};
              }};
            }})"""
        )

    def save_as(self, extension: str, folder: Path) -> Path:
        """Save the crossword in a format, as soon as the server has said which ones there are."""
        self.click("#tab-publish")
        self.wait_for(
            f"(document.getElementById('format').value = '{extension}') &&"
            f" document.getElementById('format').value === '{extension}'"
        )
        return self.saved(folder)

    def downloads(self, folder: Path) -> None:
        """Let the browser write what it saves into a folder."""
        self.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def saved(self, folder: Path, press: Callable[[str], None] | None = None) -> Path:
        """Return the file that Save writes; ``press`` presses a button, by default by mouse."""
        self.downloads(folder)
        (press or self.click)("#export")
        self.status("Saved as")
        name = self.text("#status").split("Saved as ")[1].split(". ")[0].rstrip(".")
        return written(folder / name)


def written(path: Path) -> Path:
    """Wait for a file that the browser downloads; it gets its name when it is whole."""
    until(path.exists, f"{path.name} is written")
    return path
