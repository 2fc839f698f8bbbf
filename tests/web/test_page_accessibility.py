"""axe-core finds no fault in any state of the page.

axe-core comes with the package axe-core-python. The browser's protocol injects it, since the page's
security policy admits no script but its own.
"""

from __future__ import annotations

import json
import os
import signal
from importlib.resources import files

from web.asking import workers
from web.bench import Bench

AXE = (files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8")
TABS = "[...document.querySelectorAll('[role=tab]')].map((tab) => tab.dataset.tab)"


class Examiner:
    """Collects the faults that axe-core finds in states of a page."""

    def __init__(self, page: Bench) -> None:
        self._page = page
        self.faults: list[str] = []
        self.states = 0

    def __call__(self, state: str, part: str = "html") -> None:
        found = self._page.evaluate(
            f"""axe.run({json.dumps(part)}, {{resultTypes: ["violations"]}}).then((result) =>
                 result.violations.flatMap((one) => one.nodes.map((node) =>
                   `${{one.id}}: ${{node.html.slice(0, 150)}} ${{node.failureSummary}}`)))"""
        )
        self.states += 1
        self.faults += [f"{state}: {fault}" for fault in found]


def test_axe_finds_no_fault_in_any_state(page: Bench) -> None:
    examine = Examiner(page)
    page.evaluate(AXE + "; 0")
    page.has_more(5, "#candidates li")
    examine("empty grid, candidates")
    page.make_ring()
    page.has_more(5, "#board [class*=heat-]")
    for tab in page.evaluate(TABS):
        page.open_panel(tab)
        examine(f"drawn grid, {tab}", ".panels")
    page.open_panel("teach")
    page.click("#compare")
    page.status("The answers agree")
    examine("compared", ".panels")
    page.click("#steps")
    page.wait_for("!document.getElementById('stepper').hidden")
    page.click("#step-last")
    examine("steps")
    page.click("#step-close")
    page.open_panel("fills")
    page.click("#several")
    page.has_more(0, "#fills li")
    examine("fills")
    page.prefer(prefers_color_scheme="dark", prefers_reduced_motion="reduce")
    for tab in ("words", "clues", "lists", "publish"):
        page.open_panel(tab)
        examine(f"filled grid, dark, {tab}", ".panels")
    examine("filled grid, dark")
    page.type_at("0-0", "zx")
    page.choose("#why")
    page.has_more(0, "#why-help li")
    examine("reason, dark")
    page.prefer(forced_colors="active", prefers_reduced_motion="reduce")
    examine("forced colours")
    page.prefer(prefers_reduced_motion="reduce")
    examine("reason, light")
    page.choose("#clear-letters")
    for menu in ("#keys", "#show-menu", "#letters-menu", "#fill-menu"):
        page.click(f"{menu} summary")
        examine(f"menu {menu}", menu)
        page.press("Escape")
    page.click("#begin-open")
    examine("dialog", "dialog")
    page.click("#begin-close")
    page.choose_language("he")
    page.open_panel("clues")
    page.evaluate("document.getElementById('sources-box').open = true")
    page.has_more(2, "#sources li")
    examine("dictionaries, a grid from right to left")
    page.choose_language("en")
    page.make_grid(9, 8)
    page.open_panel("lists")
    page.click("#list-0")
    page.click("#fill")
    page.job("running")
    examine("a job runs", ".making")
    for worker in workers():
        os.kill(worker, signal.SIGKILL)
    page.job("idle")
    examine("a job has failed", ".making")
    page.evaluate("document.getElementById('status').textContent = 'More. '.repeat(90)")
    examine("messages that are scrolled", ".making")
    assert "\n".join(examine.faults) == ""
    assert examine.states == 30


SCREENS = {
    "phone": (390, 844, True),
    "phone on its side": (844, 390, True),
    "tablet": (820, 1180, True),
    "tablet on its side": (1180, 820, True),
    "enlarged to 200 %": (640, 400, False),
    "enlarged to 400 %": (320, 256, False),
}


def test_axe_finds_no_fault_on_any_screen(page: Bench) -> None:
    examine = Examiner(page)
    page.evaluate(AXE + "; 0")
    page.make_grid(3, 3)
    page.use_list("CAT\nARE\nPEN\nCAP\nARE\nTEN\n")
    page.type_at("0-0", "cat")
    page.click("#cell-0-0")
    page.click("#tab-clues")
    page.wait_for("!document.getElementById('facts').hidden")  # ACT is an anagram
    for number, (screen, size) in enumerate(SCREENS.items()):
        scheme = ("light", "dark")[number % 2]
        page.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
        page.resize(*size[:2], phone=size[2])
        for tab, part in (("words", "html"), ("clues", ".panels"), ("publish", ".panels")):
            page.open_panel(tab)
            examine(f"{screen}, {scheme}, {tab}", part)
        page.evaluate("document.getElementById('begin-open').click()")
        examine(f"{screen}, {scheme}, ways to begin", "dialog")
        page.evaluate("document.getElementById('begin').close()")
    assert "\n".join(examine.faults) == ""
    assert examine.states == 24


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
