"""Response times of the web page with the default list, and with an uploaded one of 300,000 words.

Usage: python tests/benchmarks/workbench.py [ROUNDS]    (default: 20 of each kind)

The uploaded list has the 300,000 best words of the default list, with their scores. A server of
its own answers over HTTP, as it does in the page: looks with the cursor elsewhere, in an empty and
in a partly filled grid; looks after a letter was typed; and fills, each with another seed.
Chromium, where there is one, then shows the page itself: from a letter typed to the frame that
shows it, from the key press that moves the cursor to the candidates, and from the click on "Fill"
to the fill. Over HTTP, both lists take turns, so that other work of the machine slows both. Prints
medians and worst cases in wall-clock milliseconds, and the ratio of the medians.
"""

from __future__ import annotations

import json
import random
import statistics
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from satcross.formats.resources import default_list_path
from satcross.formats.word_cache import read_words
from satcross.grid import BLOCKED, Grid

sys.path.insert(0, str(Path(__file__).parents[1]))
from browser import find_browser, open_browser
from web.bench import Bench
from web.conftest import serving

SIZE = 300_000
STRUCTURE = Path(__file__).parents[2] / "data" / "grids" / "15x15-78.txt"


def big_list() -> str:
    """Return the text of the list that is uploaded."""
    vocabulary = read_words([default_list_path()]).vocabulary
    words = sorted(vocabulary, key=vocabulary.score, reverse=True)[:SIZE]
    return "".join(f"{word};{vocabulary.score(word)}\n" for word in words)


@dataclass(frozen=True)
class Server:
    """A running ``satcross serve``."""

    address: str

    def post(self, path: str, content: bytes, kind: str = "application/json") -> Any:
        request = urllib.request.Request(
            self.address + path[1:], content, {"content-type": kind}, method="POST"
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.address + path[1:], timeout=120) as answer:
            return json.load(answer)


def main(arguments: list[str]) -> None:
    """Measure each action and print a row for it."""
    rounds = int(arguments[0]) if arguments else 20
    words = big_list()
    with serving(Path.cwd()) as (_, address):
        _measure(Server(address), words, rounds)
        if find_browser() is not None:
            _measure_page(address, words, rounds)


def _measure(server: Server, words: str, rounds: int) -> None:
    grid = Grid.from_rows(STRUCTURE.read_text().splitlines())
    empty = list(grid.rows)
    stored = server.post("/api/lists?title=big", words.encode(), "application/octet-stream")
    lists = [["default"], [stored["name"]]]
    print(f"{'milliseconds: median (worst)':36} {'default list':>15} {'300,000 words':>15}  ratio")
    names = [slot.name for slot in grid.slots]

    def look(chosen: list[str], rows: list[str], across: str, down: str) -> None:
        request = {
            "question": {"rows": rows, "lists": chosen},
            "slot": across,
            "crossing": down,
            "max_candidates": 80,
        }
        server.post("/api/look", json.dumps(request).encode())

    def fill(chosen: list[str], seed: int) -> list[str]:
        question = {"rows": empty, "lists": chosen}
        letters: list[str] = _job(
            server, {"kind": "fill", "question": question, "seconds": 60, "seed": seed}
        )["grid"]
        return letters

    def row(name: str, act: Callable[[list[str], int], object]) -> None:
        for chosen in lists:
            act(chosen, 0)  # reads the list and makes its index
        taken = [[_milliseconds(partial(act, one, n)) for one in lists] for n in range(1, rounds)]
        _row(name, *zip(*taken, strict=True))

    filled = fill(lists[0], 0)
    half = [
        "".join(
            BLOCKED if cell == BLOCKED else letter if row % 5 == 0 else "_"
            for cell, letter in zip(line, letters, strict=True)
        )
        for row, (line, letters) in enumerate(zip(empty, filled, strict=True))
    ]
    chance = random.Random(1)
    moves = [(chance.choice(names), chance.choice(names)) for _ in range(rounds)]
    row("the cursor moves, empty grid", lambda chosen, n: look(chosen, empty, *moves[n]))
    row("the cursor moves, some words", lambda chosen, n: look(chosen, half, *moves[n]))
    row("a letter is typed", lambda chosen, n: look(chosen, _typed(empty, filled, n), *moves[0]))
    row("a fill", fill)


_KEY_TO_CANDIDATES = """new Promise((done) => {
  const began = performance.now();
  const here = document.querySelector('.cell.here input');
  here.dispatchEvent(new KeyboardEvent('keydown', {key: 'PageDown', bubbles: true}));
  const check = () => {
    const slot = document.getElementById('here').textContent.split(':')[0];
    const shown = document.getElementById('candidates-title').textContent.split(':')[0];
    const busy = document.getElementById('panel-words').getAttribute('aria-busy') === 'true';
    if (slot === shown && !busy) done(performance.now() - began);
    else requestAnimationFrame(check);
  };
  requestAnimationFrame(check);
})"""

_WATCH = """window.painted = [];
const watch = ({key, timeStamp}) => key.length > 1 || requestAnimationFrame(() =>
  setTimeout(() => painted.push(performance.now() - timeStamp)));
window.addEventListener('keydown', watch, true)"""
_NO_KEY = """new Promise((done) => {
  const began = performance.now();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
})"""

_FRESH = """!document.getElementById('candidates').inert
  && document.querySelectorAll('#candidates li').length > 0"""


def _measure_page(address: str, words: str, rounds: int) -> None:
    found: list[list[list[float]]] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "big.txt")
        file.write_text(words)
        for files in ([], [str(file)]):
            with open_browser() as browser:
                page = Bench(browser, tab=True).begin(address)
                page.open_file("grid.txt", STRUCTURE.read_text(), "grid.txt: 15 rows")
                if files:
                    root = page.call("DOM.getDocument")["root"]["nodeId"]
                    field = page.call("DOM.querySelector", nodeId=root, selector="#list-file")
                    page.call("DOM.setFileInputFiles", files=files, nodeId=field["nodeId"])
                    page.status("big.txt: 300,000 words")
                page.wait_for(_FRESH)
                found.append(_page_times(page, rounds))
    names = (
        "page: a letter to its paint",
        "page: a frame without a key",
        "page: key to candidates",
        "page: a fill",
    )
    for name, *both in zip(names, *found, strict=True):
        _row(name, *both)


def _page_times(page: Bench, rounds: int) -> list[list[float]]:
    """Return the milliseconds of each kind, for the grid and list on the page."""
    page.evaluate(_WATCH)
    page.click(".cell.here")
    for number in range(rounds):
        page.wait_for(_FRESH)  # the answer to the letter before is drawn
        page.type("aeionrst"[number % 8])
        page.wait_for(f"painted.length > {number}")
        page.press("Backspace")
    painted: list[float] = page.evaluate("painted")
    frames = [page.evaluate(_NO_KEY) for _ in range(rounds)]
    page.wait_for(_FRESH)
    candidates = [page.evaluate(_KEY_TO_CANDIDATES) for _ in range(rounds)]
    fills = []
    for _ in range(max(rounds // 4, 1)):
        page.choose("#clear-letters")
        page.wait_for(_FRESH)
        started = time.perf_counter()
        page.click("#fill")
        page.status("Filled")
        fills.append((time.perf_counter() - started) * 1000)
    return [painted, frames, candidates, fills]


def _typed(rows: list[str], letters: list[str], number: int) -> list[str]:
    """Return the rows with the first ``number`` letters of a fill."""
    found = []
    for row, line in zip(rows, letters, strict=True):
        cells = []
        for cell, letter in zip(row, line, strict=True):
            take = cell != BLOCKED and number > 0
            number -= take
            cells.append(letter if take else cell)
        found.append("".join(cells))
    return found


def _job(server: Server, request: dict[str, Any]) -> Any:
    """Run a job to its end, as the page does: by its event stream."""
    job = server.post("/api/jobs", json.dumps(request).encode())
    until = time.monotonic() + 90
    while time.monotonic() < until:
        state = server.get(f"/api/jobs/{job['id']}")
        if state["state"] in ("done", "cancelled", "failed"):
            return state["result"]
        time.sleep(0.02)
    raise SystemExit("the job does not end")


def _milliseconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return (time.perf_counter() - started) * 1000


def _row(name: str, default: Sequence[float], big: Sequence[float]) -> None:
    medians = [statistics.median(one) for one in (default, big)]
    cells = [
        f"{median:6.0f} ({max(one):5.0f})"
        for median, one in zip(medians, (default, big), strict=True)
    ]
    print(f"{name:36} {cells[0]:>15} {cells[1]:>15}  {medians[1] / medians[0]:5.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
