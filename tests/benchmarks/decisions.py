"""Decisions per second of the search in Python and in compiled code; prints a Markdown table.

    python tests/benchmarks/decisions.py [FOLDER]

Both search the same candidates with the same seed for some seconds of CPU time, alternately; a
figure is the median over the seeds. The grids are those of data/grids with the default list and,
given the FOLDER of ``known.py``, some of the classic ones; ``narrowed`` is the puzzle that the
first narrowed search begins with. The last column is the letters per second of the compiled sweep.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from satcross import Grid, Puzzle, Vocabulary, engine
from satcross.backends.search.cell_sweep import CellSweep
from satcross.backends.search.portfolio import Portfolio
from satcross.backends.search.search import Search
from satcross.network.arc_consistency import Candidates, arc_consistent
from satcross.network.belief_propagation import Marginals
from satcross.network.narrowing import LEFT_OUT, ROUNDS
from satcross.run_settings import Deadline

GRIDS = Path(__file__).parents[2] / "data" / "grids"
OURS = ("9x9-a", "15x15-78", "15x15-72", "21x21-138")
CLASSIC = (("h1506", "lex"), ("h2110", "words"), ("h2304", "lex"), ("vg-06-07", "words"))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    if not engine.available():
        parser.error("this installation has no compiled code")
    print(
        "| puzzle | | Python | compiled | ratio | letters of the sweep |\n|---|---|---|---|---|---|"
    )
    for name, puzzle in puzzles(options.folder):
        candidates = arc_consistent(puzzle)
        swept = letters(candidates, options.seconds) if Portfolio.sweeps(candidates) else ""
        estimate = Marginals(candidates, rounds=ROUNDS[0])
        narrowed = estimate.narrowed(LEFT_OUT)
        print(f"| {name} | whole |" + compare(candidates, estimate, options) + f" {swept} |")
        if narrowed is not None:
            print(f"| | narrowed |{compare(narrowed, Marginals(narrowed), options)} |", flush=True)


def puzzles(folder: Path | None) -> Iterator[tuple[str, Puzzle]]:
    default = Vocabulary.read()
    for grid in OURS:
        yield grid, Puzzle(Grid.read(GRIDS / f"{grid}.txt"), default)
    if folder is not None:
        for grid, words in CLASSIC:
            listed = Vocabulary.read(folder / "lists" / f"{words}.txt")
            yield f"{grid}, {words}", Puzzle(Grid.read(folder / "grids" / f"{grid}.txt"), listed)


def compare(candidates: Candidates, estimate: Marginals, options: argparse.Namespace) -> str:
    rates: tuple[list[float], list[float]] = ([], [])
    for seed in range(options.seeds):
        for compiled, found in zip((False, True), rates, strict=True):
            found.append(rate(candidates, estimate, seed, compiled, options.seconds))
    slow, fast = map(median, rates)
    return f" {slow:,.0f} | {fast:,.0f} | {fast / slow:.1f} |"


def rate(
    candidates: Candidates, estimate: Marginals, seed: int, compiled: bool, seconds: float
) -> float:
    """Return decisions per second of CPU time; after a fill, the search goes on to other fills."""
    search = Search(candidates, seed=seed, marginals=estimate, compiled=compiled)
    assert search.is_compiled is compiled
    search.run(Deadline(), 1)
    before, started = search.nodes, time.process_time()
    while (used := time.process_time() - started) < seconds:
        status = search.run(Deadline(), 100)
        if status != "unknown" and not search.leave():
            break
    return (search.nodes - before) / max(used, 1e-9)


def letters(candidates: Candidates, seconds: float) -> str:
    sweep = CellSweep(candidates)
    started = time.process_time()
    while (used := time.process_time() - started) < seconds:
        if sweep.count_on(Deadline(), 1_000_000):
            break
    return f"{sweep.nodes / used / 1e6:.0f} million"


if __name__ == "__main__":
    main()
