"""Make ``workbench.png``, the picture of the workbench page, in a real browser.

Usage: PYTHONPATH=. python docs/workbench_picture.py [FILE]    (needs Chromium)

The page imports a themed grid, fills it, gets a few clues, and shows the candidates of a word.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import Browser, find_browser  # noqa: E402
from web.bench import Bench  # noqa: E402
from web.conftest import serving  # noqa: E402

THEMED = """____#_____#____
____#_____#____
____#_____#____
CROSSEXAMINE###
______##___#___
___#____##_____
____#____#_____
##DOUBLECROSS##
_____#____#____
_____##____#___
___#___##______
###CROSSCOUNTRY
____#_____#____
____#_____#____
____#_____#____
"""
CLUES = {
    "20A": "Question, as a hostile witness",
    "39A": "Betray one's partner in crime",
    "58A": "Like some skiing, or a run over fields",
}


def make_crossword(page: Bench) -> None:
    """Import the themed grid, fill it, and write the clues of its entries."""
    page.open_file("themed.txt", THEMED, "themed.txt: 15 rows")
    page.fill()
    page.click("#tab-clues")
    names = page.evaluate(
        "[...document.querySelectorAll('#panel-clues .clues li')].map((one) => one.dataset.slot)"
    )
    for name, clue in CLUES.items():
        assert name in names, f"{name} is no slot: {names}"
        _write(page, f".clues li[data-slot='{name}'] input", clue)
    _write(page, "#crossword-title", "Cross words")
    page.click("#tab-words")


def _write(page: Bench, selector: str, text: str) -> None:
    page.evaluate(
        f"""(() => {{ const field = document.querySelector({json.dumps(selector)});
             field.value = {json.dumps(text)};
             field.dispatchEvent(new Event("input", {{bubbles: true}})); }})()"""
    )


def main(arguments: list[str]) -> None:
    """Write the picture."""
    target = Path(arguments[0]) if arguments else ROOT / "docs" / "workbench.png"
    program = find_browser()
    if program is None:
        raise SystemExit("no Chromium is installed")
    browser = Browser(program)
    try:
        with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (_, address):
            page = Bench(browser, 1440, 900, tab=True).begin(address)
            make_crossword(page)
            page.click("#cell-8-6")
            page.wait_for(
                "document.getElementById('candidates-title').textContent.startsWith('44 ')"
            )
            page.evaluate("new Promise((done) => setTimeout(done, 500))")  # colours fade in
            page.screenshot(target)
    finally:
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
