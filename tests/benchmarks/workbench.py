"""Response times of the web page's server with 577,000 words.

Usage: python tests/benchmarks/workbench.py [ROUNDS]    (default: 20 looks of each kind)

The list is the default list and, up to 577,000 words, made-up ones of the same lengths: the first
half of one word and the second half of another. A server of its own answers over HTTP, as it does
in the page, and then Chromium, where there is one, shows the page itself. Prints wall-clock
milliseconds: the upload; the first look, which reads the list and makes its index; looks after the
cursor has moved, in an empty and in a partly filled grid; looks after a letter was typed; and a
fill. In the page: from a letter typed to the next frame that shows it, beside a frame for which
nothing was done, from the key press that moves the cursor to the candidates, from choosing the file
of the list to the first candidates, and from the click on "Fill" to the fill.
"""

from __future__ import annotations

import json
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from satcross.formats.packed import default_list_path
from satcross.formats.word_cache import read_words
from satcross.grid import BLOCKED, Grid

sys.path.insert(0, str(Path(__file__).parents[1]))
from browser import Browser, find_browser

SIZE = 577_000
STRUCTURE = Path(__file__).parents[2] / "data" / "grids" / "15x15-78.txt"


def big_list(size: int) -> str:
    """Return the text of a list of that many words, each with a score."""
    vocabulary = read_words([default_list_path()]).vocabulary
    scores = {word: vocabulary.score(word) for word in vocabulary}
    words = sorted(scores)
    chance = random.Random(0)
    while len(scores) < size:
        one, other = chance.choice(words), chance.choice(words)
        made = one[: len(one) // 2] + other[len(other) // 2 :]
        scores.setdefault(made, chance.choice((30, 40, 50)))
    return "".join(f"{word};{score}\n" for word, score in scores.items())


class Server:
    """A running ``satcross serve``."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "satcross", "serve", "--port", "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.address = self._process.stdout.readline().split()[3]

    def post(self, path: str, content: bytes, kind: str = "application/json") -> Any:
        request = urllib.request.Request(
            self.address + path[1:], content, {"content-type": kind}, method="POST"
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(self.address + path[1:], timeout=120) as answer:
            return json.load(answer)

    def close(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.wait(timeout=20)


def main(arguments: list[str]) -> None:
    """Measure each action and print a row for it."""
    rounds = int(arguments[0]) if arguments else 20
    words = big_list(SIZE)
    server = Server()
    try:
        _measure(server, words, rounds)
        program = find_browser()
        if program is not None:
            _measure_page(program, server.address, words, rounds)
    finally:
        server.close()


def _measure(server: Server, words: str, rounds: int) -> None:
    grid = Grid.from_rows(STRUCTURE.read_text().splitlines())
    empty = list(grid.rows)
    print(f"{'action':44} {'median':>8} {'worst':>8}  ms")
    stored: dict[str, Any] = {}

    def send_list() -> None:
        kind = "application/octet-stream"
        stored.update(server.post("/api/lists?title=big", words.encode(), kind))

    _row("upload of the list", [_milliseconds(send_list)])
    print(f"  ({stored['words']:,} words)")
    question = {"rows": empty, "lists": [stored["name"]]}
    names = [slot.name for slot in grid.slots]

    def look(rows: list[str], across: str, down: str) -> None:
        asked = {**question, "rows": rows}
        request = {
            "question": asked,
            "slot": across,
            "crossing": down,
            "max_candidates": 80,
        }
        server.post("/api/look", json.dumps(request).encode())

    _row("first candidates", [_milliseconds(lambda: look(empty, "1A", "1D"))])
    look(empty, "1A", "2D")
    chance = random.Random(1)
    moves = [(chance.choice(names), chance.choice(names)) for _ in range(rounds)]
    _row(
        "the cursor moves, empty grid", [_milliseconds(partial(look, empty, *one)) for one in moves]
    )
    job = {"kind": "fill", "question": question, "seconds": 60}
    filled: dict[str, Any] = {}
    _row("a fill", [_milliseconds(lambda: filled.update(_job(server, job)))])
    half = [
        "".join(
            BLOCKED if cell == BLOCKED else letter if row % 5 == 0 else "_"
            for cell, letter in zip(line, letters, strict=True)
        )
        for row, (line, letters) in enumerate(zip(empty, filled["grid"], strict=True))
    ]
    look(half, "1A", "1D")
    _row(
        "the cursor moves, some words", [_milliseconds(partial(look, half, *one)) for one in moves]
    )
    typed = [_typed(empty, filled["grid"], number) for number in range(1, rounds + 1)]
    _row("a letter is typed", [_milliseconds(partial(look, one, *moves[0])) for one in typed])


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
window.addEventListener('keydown', (event) => requestAnimationFrame(() => setTimeout(() =>
  painted.push(performance.now() - event.timeStamp))), true)"""
_NO_KEY = """new Promise((done) => {
  const began = performance.now();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - began)));
})"""

_COUNTED = "/ across: [1-9]/.test(document.getElementById('candidates-title').textContent)"


def _measure_page(program: str, address: str, words: str, rounds: int) -> None:
    browser = Browser(program)
    try:
        page = browser.new_page(1280, 900)
        page.open(address)
        page.wait_for("document.body.classList.contains('ready')")
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write(words + "NEWWORD;60\n")  # the server does not have this list yet
            file.flush()
            root = page.call("DOM.getDocument")["root"]["nodeId"]
            field = page.call("DOM.querySelector", nodeId=root, selector="#list-file")["nodeId"]
            started = time.perf_counter()
            page.call("DOM.setFileInputFiles", files=[file.name], nodeId=field)
            page.wait_for("/577,001 words/.test(document.getElementById('status').textContent)")
            page.wait_for(f"{_COUNTED} && !document.getElementById('candidates').inert")
            shown = time.perf_counter()
        _row("page: list chosen to first candidates", [(shown - started) * 1000])
        page.evaluate(_WATCH)
        page.click(".cell.here")
        for number in range(rounds):
            page.type("aeionrst"[number % 8])
            page.wait_for(f"painted.length > {number}")
        _row("page: a letter typed to its paint", page.evaluate("painted"))
        _row("page: a frame without a key", [page.evaluate(_NO_KEY) for _ in range(rounds)])
        found = [page.evaluate(_KEY_TO_CANDIDATES) for _ in range(rounds)]
        _row("page: key to candidates", found)
        started = time.perf_counter()
        page.click("#fill")
        page.wait_for("/^Filled/.test(document.getElementById('status').textContent)")
        _row("page: a fill", [(time.perf_counter() - started) * 1000])
    finally:
        browser.close()


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


def _row(name: str, found: list[float]) -> None:
    print(f"{name:44} {statistics.median(found):8.0f} {max(found):8.0f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
