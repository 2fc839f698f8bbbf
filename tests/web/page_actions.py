"""Actions of a person on the page, and what the page shows, for browser tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from browser import Page
from helpers import until


def begin(page: Page, address: str) -> None:
    """Open the page of the server in a new page of the browser, without stored data."""
    page.call("Storage.clearDataForOrigin", origin=address.rstrip("/"), storageTypes="all")
    page.open(address)
    ready(page)
    # Without a tab, Chromium leaves the focus in a dialog that is closed before it is drawn.
    page.evaluate("document.getElementById('begin').close(); document.activeElement.blur()")


def ready(page: Page) -> None:
    """Wait until the page has begun."""
    page.wait_for("document.body.classList.contains('started')")


def open_panel(page: Page, name: str) -> None:
    """Open a panel, also of those that have a tab only while they are open."""
    page.evaluate(f"import('./tabs.js').then(({{openTab}}) => openTab('{name}'))")


def make_grid(page: Page, height: int, width: int) -> None:
    page.click("#tab-grid")
    # In one go: an answer that comes in between may draw the panel anew, or move the button.
    page.evaluate(
        f"(() => {{ document.getElementById('rows').value = {height};"
        f" document.getElementById('columns').value = {width};"
        " document.getElementById('new').click(); })()"
    )
    page.wait_for(f"document.querySelectorAll('.cell').length === {height * width}")


def rows(page: Page) -> list[str]:
    """Return the rows that the grid shows."""
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll('#board [role=row]')].map((row) =>
             [...row.children].map((cell) => cell.classList.contains('blocked') ? '#'
               : cell.querySelector('input').value || '_').join(''))"""
    )
    return found


def status(page: Page, text: str) -> None:
    """Wait for an answer to an action."""
    page.wait_for(f"document.getElementById('status').textContent.includes({json.dumps(text)})")


def problem(page: Page, text: str) -> None:
    """Wait for a problem of the crossword on the page."""
    page.wait_for(f"document.getElementById('problem').textContent.includes({json.dumps(text)})")


def choose_language(page: Page, code: str) -> None:
    """Choose the crossword's language, once the server has said which ones there are."""
    page.wait_for("document.querySelectorAll('#language option').length > 20")
    page.evaluate(
        f"{{ const choice = document.getElementById('language'); choice.value = '{code}';"
        " choice.dispatchEvent(new Event('change')) }"
    )


def upload(page: Page, selector: str, name: str, content: str) -> None:
    """Choose a file in a file input."""
    page.evaluate(
        f"""(() => {{
          const files = new DataTransfer();
          files.items.add(new File([{json.dumps(content)}], {json.dumps(name)}));
          const input = document.querySelector({json.dumps(selector)});
          input.files = files.files;
          input.dispatchEvent(new Event('change', {{bubbles: true}}));
        }})()"""
    )


def choose_format(page: Page, extension: str) -> None:
    """Choose a format to save in, as soon as the server has said which ones there are."""
    page.wait_for(
        f"(document.getElementById('format').value = '{extension}') &&"
        f" document.getElementById('format').value === '{extension}'"
    )


def saved(page: Page, folder: Path, press: Callable[[str], None] | None = None) -> Path:
    """Return the file that Save writes; ``press`` presses a button, by default with the mouse."""
    page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    (press or page.click)("#export")
    status(page, "Saved as")
    name = page.text("#status").split("Saved as ")[1].split(". ")[0].rstrip(".")
    return written(folder / name)


def written(path: Path) -> Path:
    """Wait for a file that the browser downloads; it gets its name when it is whole."""
    until(path.exists, f"{path.name} is written")
    return path


def choose(page: Page, item: str) -> None:
    """Open the menu that a button is in, and click the button."""
    page.evaluate(f"document.querySelector({json.dumps(item)}).closest('details').open = true")
    page.click(item)
