"""The 72 grids of Gecode's crossword example with its own list of words, solved by satcross.

    git clone https://github.com/Gecode/gecode
    python tests/benchmarks/gecode_grids.py gecode/examples OUT.jsonl [--seconds 300]

``crossword.cpp`` has the grids, ``scowl.hpp`` the words, a part of SCOWL. Each grid gets a process
of its own and so many CPU seconds. A fill is checked here; that there is none is what an exhaustive
search says. Results are appended to OUT; grids that it has already are not run again.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import resource
import signal
import statistics
import time
from pathlib import Path
from typing import Any

from satcross import Grid, Puzzle, Vocabulary, solve, verify


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("examples", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seconds", type=int, default=300)
    options = parser.parse_args()
    vocabulary = Vocabulary(words(options.examples / "scowl.hpp"))
    print(f"{len(vocabulary):,} words")
    text = options.out.read_text() if options.out.exists() else ""
    rows = {row["grid"]: row for row in map(json.loads, text.splitlines())}
    for name, grid in grids(options.examples / "crossword.cpp"):
        if name not in rows:
            with multiprocessing.get_context("fork").Pool(1) as pool:
                status, seconds = pool.apply(run, (grid, vocabulary, options.seconds))
            rows[name] = {"grid": name, "size": len(grid.rows), "status": status, "s": seconds}
            with options.out.open("a") as file:
                file.write(json.dumps(rows[name]) + "\n")
        print(*rows[name].values(), flush=True)
    summarise(list(rows.values()))


def summarise(rows: list[dict[str, Any]]) -> None:
    for status in sorted({row["status"] for row in rows}):
        seconds = sorted(row["s"] for row in rows if row["status"] == status)
        median = statistics.median(seconds)
        print(f"{len(seconds)} {status}; CPU s: median {median:.2f}, worst {seconds[-1]:.2f}")


def words(path: Path) -> list[str]:
    """Return the words of two or more letters of the example's list."""
    # Older releases are in Latin-1; words with accents are left out in either encoding.
    found = re.findall(r'"([a-z]{2,})"', path.read_text(encoding="latin-1"))
    return sorted({word.upper() for word in found})


def grids(path: Path) -> list[tuple[str, Grid]]:
    """Return the example's grids by name: each has its size and its blocks as (column, row)."""
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"Name: (\S+),.*?const int g\d+\[\] = \{(.*?)\};", text, re.DOTALL)
    made = []
    for name, body in named:
        width, height, number, *rest = map(int, re.findall(r"\d+", re.sub(r"//.*", "", body)))
        blocks = set(zip(rest[: 2 * number : 2], rest[1 : 2 * number : 2], strict=True))
        rows = (
            "".join("#" if (column, row) in blocks else "_" for column in range(width))
            for row in range(height)
        )
        made.append((name, Grid(tuple(rows))))
    return made


def run(grid: Grid, vocabulary: Vocabulary, seconds: int) -> tuple[str, float]:
    """Return the answer, and the CPU seconds of this process and its children."""
    signal.signal(signal.SIGPROF, _interrupt)
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, seconds)
    puzzle = Puzzle(grid, vocabulary)
    outcome = solve(puzzle, "backtrack")
    signal.setitimer(signal.ITIMER_PROF, 0)
    if outcome.fill is not None:
        assert not verify(puzzle, outcome.fill)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = time.process_time() - started
    return outcome.status.value, round(own + children.ru_utime + children.ru_stime, 2)


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
