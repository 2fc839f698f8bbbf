"""axe-core finds no fault in any state of the page.

axe-core comes with the package axe-core-python. The browser's protocol injects it, since the page's
security policy admits no script but its own.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from importlib.resources import files

from web.asking import workers
from web.bench import Bench

AXE = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
TABS = "[...document.querySelectorAll('[role=tab]')].map((tab) => tab.dataset.tab)"


CONTRAST = ("color-contrast",)
"""The rule that takes half of the time of all, wherever it looks."""


class Examiner:
    """Collects the faults that axe-core finds in states of a page."""

    def __init__(self, page: Bench) -> None:
        self._page = page
        self.faults: list[str] = []
        page.evaluate(AXE + "; 0")
        # Single letters count, too: the keyboard's, and those of the grid.
        page.evaluate("axe._audit.checks['color-contrast'].options.ignoreLength = true")

    def __call__(self, state: str, part: str = "html", without: Sequence[str] = ()) -> None:
        options = {
            "resultTypes": ["violations"],
            "preload": False,  # what it loads no rule of ours needs
            "rules": {rule: {"enabled": False} for rule in without},
        }
        found = self._page.evaluate(
            f"""axe.run({json.dumps(part)}, {json.dumps(options)}).then((result) =>
                 result.violations.flatMap((one) => one.nodes.map((node) =>
                   `${{one.id}}: ${{node.html.slice(0, 150)}} ${{node.failureSummary}}`)))"""
        )
        self.faults += [f"{state}: {fault}" for fault in found]

    def panels(self, state: str, without: Sequence[str] = ()) -> None:
        """Examine all panels at once, as if there were room for them, each once it was opened."""
        for tab in self._page.evaluate(TABS):
            self._page.open_panel(tab)
        show = "for (const panel of document.querySelectorAll('[role=tabpanel]')) panel.hidden ="
        self._page.evaluate(f"{show} false")
        self(f"{state}, all panels", "html", without)
        self._page.open_panel("words")

    def dialog(self, state: str, without: Sequence[str] = ()) -> None:
        """Examine the ways to begin, without what axe-core would take to be in front of them."""
        behind = (
            "for (const part of document.querySelectorAll('header, main')) part.style.display ="
        )
        self._page.evaluate(f"document.getElementById('begin-open').click(); {behind} 'none'")
        self(f"{state}, ways to begin", "dialog", without)
        self._page.evaluate(f"document.getElementById('begin').close(); {behind} ''")


SCREENS = {
    "phone": (390, 844, True),
    "phone on its side": (844, 390, True),
    "tablet": (820, 1180, True),
    "tablet on its side": (1180, 820, True),
    "enlarged to 200 %": (640, 400, False),
    "enlarged to 400 %": (320, 256, False),
}


def test_axe_finds_no_fault_in_any_state_and_on_any_screen(page: Bench) -> None:
    examine = Examiner(page)
    show_marks_and_answers(page)
    examine.panels("drawn grid, compared, fills")
    page.open_panel("teach")
    page.click("#steps")
    page.wait_for("!document.getElementById('stepper').hidden")
    page.click("#step-last")
    examine("steps", "#panel-teach, .making")
    page.click("#step-close")

    # On phones the keyboard and the sheet have colours of their own, other screens only sizes.
    for number, (screen, size) in enumerate(SCREENS.items()):
        scheme, without = ("light", "dark")[number % 2], CONTRAST if number > 1 else ()
        page.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        page.resize(*size[:2], phone=size[2])
        examine.panels(f"{screen}, {scheme}", without)
        if size == SCREENS["phone"]:
            page.evaluate("import('./tabs.js').then(({closeSheet}) => closeSheet())")
            examine(f"{screen}, keyboard", ".making")
        examine.dialog(f"{screen}, {scheme}", without)
    page.resize(1280, 900)

    page.type_at("0-0", "zx")
    page.choose("#why")
    page.has_more(0, "#why-help li")
    for scheme in ("dark", "light"):
        page.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        examine(f"reason, {scheme}", "#panel-why, .making")
    page.prefer(forced_colors="active", prefers_reduced_motion="reduce")
    examine("forced colours", "#panel-why, .making")
    page.prefer(prefers_reduced_motion="reduce")
    page.evaluate(
        "for (const menu of document.querySelectorAll('details.menu'))"
        " menu.open = menu.lastElementChild.style.position = 'static'"  # none covers another
    )
    examine("menus", "details.menu")
    page.press("Escape")
    page.choose_language("he")
    page.open_panel("clues")
    page.evaluate("document.getElementById('sources-box').open = true")
    page.has_more(2, "#sources li")
    examine("dictionaries, a grid from right to left", "#panel-clues, #board")
    page.choose_language("en")
    page.make_grid(9, 8)
    page.open_panel("lists")
    page.click("#list-0")
    page.give("backend", "backtrack")
    page.click("#fill")
    page.wait_for("document.getElementById('progress').textContent")
    examine("a job runs", ".making")
    for worker in workers():
        os.kill(worker, signal.SIGKILL)
    page.job("idle")
    page.evaluate("document.getElementById('verdict').textContent = 'More. '.repeat(90)")
    examine("a job has failed, and messages are scrolled", ".making")
    assert "\n".join(examine.faults) == ""


def show_marks_and_answers(page: Bench) -> None:
    """Draw a grid with few letters possible, and have fills, a comparison and facts of a word."""
    page.make_ring()
    page.has_more(5, "#board [class*=heat-]")
    page.open_panel("fills")
    page.click("#several")
    page.has_more(0, "#fills li")
    page.click("#cell-0-0")
    page.open_panel("clues")
    page.wait_for("!document.getElementById('facts').hidden")  # ACT is an anagram
    page.open_panel("teach")
    page.click("#compare")
    page.status("The answers agree")


def test_forced_colours_tell_the_marks_of_a_step_apart(page: Bench) -> None:
    page.prefer(forced_colors="active")
    page.click("#begin-open")
    page.click("#example")
    page.wait_for("!document.getElementById('stepper').hidden")
    page.click("#step-next")
    page.click("#step-next")

    def outline(selector: str) -> str:
        style = f"getComputedStyle(document.querySelector('{selector}')).outline"
        return str(page.evaluate(style))

    marks = {outline(f"#board .{name}") for name in ("step-here", "step-other")}
    assert len(marks) == 2
    assert not any("none" in mark for mark in marks)
    assert {outline("#stepper i.step-here"), outline("#stepper i.step-other")} == marks
    assert {outline("#domains .here"), outline("#domains .other")} == marks

    page.evaluate("document.getElementById('cell-0-1').parentElement.classList.add('shaded')")
    shade = "getComputedStyle(document.querySelector('.shaded')).backgroundImage"
    assert "gradient" in page.evaluate(shade)
