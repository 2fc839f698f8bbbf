"""The browser for other tests types, clicks and reports errors."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import Browser, BrowserError, Page

PAGE = """<!doctype html><html lang="en"><title>A page</title><meta charset="utf-8">
<p>Hello, café</p><input aria-label="name"><button onclick="document.title = 'pressed'">Go</button>
<script>if (matchMedia('(prefers-color-scheme: dark)').matches) throw new Error('too dark')</script>
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    return tmp_path / "page.html"


def test_keys_mouse_and_text(page: Page, path: Path) -> None:
    page.watch_requests()
    page.open(path)
    assert page.text("p") == "Hello, café"
    page.click("input")
    page.type("ab c")
    page.press("ArrowLeft", "Backspace")
    page.insert("É")
    assert page.evaluate("document.querySelector('input').value") == "abÉc"
    page.click("button")
    assert page.evaluate("document.title") == "pressed"
    assert ("button", "Go") in page.accessible()
    assert page.requests == [path.as_uri()]


def test_a_phone_is_touched(browser: Browser, path: Path) -> None:
    page = Page(browser, 400, 800, phone=True)
    page.open(path)
    page.tap("button")
    page.wait_for("document.title === 'pressed'")
    page.close()


def test_a_closed_page_does_nothing_more(browser: Browser, path: Path) -> None:
    page = Page(browser)
    page.open(path)
    page.evaluate(
        """addEventListener("pagehide", () => {
             const until = performance.now() + 300;
             while (performance.now() < until);
           })"""
    )
    page.close()
    targets = browser.call("Target.getTargets")["targetInfos"]
    assert path.as_uri() not in [one["url"] for one in targets]


def test_what_goes_wrong_is_told(page: Page, path: Path) -> None:
    page.open(path)
    assert page.complaints == []
    page.prefer(prefers_color_scheme="dark")
    page.reload()
    (complaint,) = page.complaints
    assert "too dark" in complaint
    with pytest.raises(BrowserError, match="nothing"):
        page.evaluate("nothing.at.all")
    with pytest.raises(BrowserError, match="p > button"):
        page.click("p > button")
