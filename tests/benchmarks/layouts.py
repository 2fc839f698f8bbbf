"""Layouts of 20 seeded word lists beside crossword-layout-generator (npm) and genxword (PyPI).

    npm install crossword-layout-generator
    pip download --no-deps --no-binary :all: genxword && tar xzf genxword-*.tar.gz
    python tests/benchmarks/layouts.py NODE_MODULES GENXWORD [--lists 20] [--seconds 10]

Each list has 8 to 40 words of 3 to 10 letters of the course's common English. For each program: the
area of the box around all words, and the CPU seconds (of satcross, ``--seconds`` and what it needs
to stop). The other two are given every list in several
random orders, and the best result counts; genxword, which fills a square of a given size, gets ever
smaller squares until it no longer places all words. A dash means that words were left over.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

from satcross import lay_out

WORDS = Path(__file__).parents[2] / "data" / "words2.txt"
SEED, FEWEST, MOST = 2026, 8, 40
ORDERS = 10
"""Random orders of a list for the other programs."""
SCRIPT = """
const clg = require(process.argv[1]);
const best = JSON.parse(process.argv[2]).map(words => {
  const made = clg.generateLayout(words.map(answer => ({answer, clue: ""})));
  const placed = made.result.filter(one => one.orientation !== "none").length;
  return placed === words.length ? made.rows * made.cols : Infinity;
});
console.log(JSON.stringify(Math.min(...best)));
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("modules", type=Path)
    parser.add_argument("genxword", type=Path)
    parser.add_argument("--lists", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    signal.signal(signal.SIGPROF, _interrupt)
    module = _genxword(options.genxword)
    print("words  satcross bound  CPU s     npm  CPU s  genxword  CPU s")
    for number in range(options.first, options.lists):
        words = word_list(number)
        started = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, options.seconds)
        result = lay_out(words)
        signal.setitimer(signal.ITIMER_PROF, 0)
        own = time.process_time() - started
        assert result.layout is not None
        orders = [random.Random(order).sample(words, len(words)) for order in range(ORDERS)]
        npm, npm_seconds = run_npm(options.modules, orders)
        started = time.process_time()
        square = run_genxword(module, orders)
        seconds = time.process_time() - started
        print(
            f"{len(words):5} {result.layout.area:9} {result.bound:5} {own:6.1f} "
            f"{npm or '-':>7} {npm_seconds:6.1f} {square or '-':>9} {seconds:6.1f}",
            flush=True,
        )


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def word_list(number: int) -> list[str]:
    """Return a list: the sizes grow evenly from the first to the twentieth."""
    rng = random.Random(SEED + number)
    words = sorted({line.strip().upper() for line in WORDS.read_text("utf-8").splitlines()})
    fitting = [word for word in words if word.isalpha() and 3 <= len(word) <= 10]
    return rng.sample(fitting, FEWEST + round(number * (MOST - FEWEST) / 19))


def run_npm(modules: Path, orders: list[list[str]]) -> tuple[int | None, float]:
    """Return the smallest area of crossword-layout-generator, and its CPU seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    path = (modules / "crossword-layout-generator").resolve()
    done = subprocess.run(
        ["node", "-e", SCRIPT, str(path), json.dumps(orders)],
        capture_output=True,
        check=True,
        text=True,
        timeout=300,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(done.stdout.splitlines()[-1]), after.ru_utime - before.ru_utime


def run_genxword(module: Any, orders: list[list[str]]) -> int | None:
    """Return the area of the box around the words in the smallest square that genxword fills."""
    best = None
    size = max(max(map(len, orders[0])) + 1, len(orders[0])) + 12
    while True:
        areas = [
            area for order in orders if (area := _genxword_area(module, order, size)) is not None
        ]
        if not areas:
            return best
        best = min([*areas, *([best] if best else [])])
        size -= 1
        if size <= max(map(len, orders[0])):
            return best


def _genxword_area(module: Any, words: list[str], size: int) -> int | None:
    random.seed(0)
    made = module.Crossword(size, size, "-", [[word, ""] for word in words])
    made.prep_grid_words()
    for _ in range(2):
        for word in made.available_words:
            if word not in made.current_wordlist:
                made.add_words(word)
    if len(made.current_wordlist) < len(words):
        return None
    cells = [(r, c) for r in range(size) for c in range(size) if made.grid[r][c] != "-"]
    rows, columns = zip(*cells, strict=True)
    return int((max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1))


def _genxword(folder: Path) -> ModuleType:
    """Import the part of genxword that makes layouts, without the libraries that draw them."""
    for name in ("gi", "gi.repository", "cairo"):
        sys.modules[name] = ModuleType(name)
    sys.modules["gi"].require_version = lambda *_: None  # type: ignore[attr-defined]
    for name in ("Pango", "PangoCairo"):
        setattr(sys.modules["gi.repository"], name, None)
    sys.path.insert(0, str(folder))
    return importlib.import_module("genxword.calculate")


if __name__ == "__main__":
    main()
