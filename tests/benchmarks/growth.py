"""Measure the cost of the backends as lists and grids grow; make a table and a plot.

    python data/build_scowl_list.py --max-size 95 -o scowl95.txt
    python tests/benchmarks/growth.py scowl95.txt --out growth.jsonl --plot docs/growth.svg
    python tests/benchmarks/growth.py --from growth.jsonl --plot docs/growth.svg

Lists are the best N words of the scored list, for the grid 15x15-78; grids are newspaper-like ones
and lattices of patterns.py, for the default list. Each run is a process of its own; its CPU seconds
and memory include the start of Python and reading the list. The picture needs matplotlib.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from statistics import median

from patterns import lattice, newspaper

from satcross.compare.command_lines import Program
from satcross.compare.contenders import Instance, Run
from satcross.compare.limits import RunLimits
from satcross.compare.records import Record, RecordFile, read_records
from satcross.compare.runs import execute
from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary

GRID = Path(__file__).parents[2] / "data" / "grids" / "15x15-78.txt"
BACKENDS = ("auto", "backtrack", "sat", "cpsat")
LISTS = (10_000, 20_000, 50_000, 100_000, 200_000, 350_000, 500_000)
SIZES = (9, 15, 21, 25, 33, 41, 50)
SLOTS_PER_CELL = 0.34
"""Of a newspaper-like grid; a 15x15 then has 76."""
KINDS = {
    "list": "words in the list (15x15, 78 slots)",
    "newspaper": "rows of a newspaper-like grid",
    "lattice": "rows of a lattice",
}


def main() -> None:
    options = read_options()
    runs = list(read_records(options.source) if options.source else run_all(options))
    print(tables(runs))
    if options.plot:
        plot(runs, options.plot)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("words", nargs="?", help="a scored list with at least 500,000 words")
    parser.add_argument("--backend", default=",".join(BACKENDS))
    parser.add_argument("--kinds", default=",".join(KINDS), help="of what to let grow")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--time-limit", type=float, default=60, help="CPU seconds a process")
    parser.add_argument("--out", default=os.devnull, help="append the records to this file")
    parser.add_argument("--from", dest="source", help="show the runs of such a file")
    parser.add_argument("--plot", type=Path, help="draw into this file (.svg or .png)")
    options = parser.parse_args()
    if not options.words and not options.source and "list" in options.kinds:
        parser.error("name a list, or choose --kinds newspaper,lattice")
    return options


def run_all(options: argparse.Namespace) -> Iterator[Record]:
    clock = 10 * options.time_limit  # generous, since other programs may use the same processors
    limits = RunLimits(clock + 5, options.time_limit)
    with RecordFile(options.out) as file:
        for kind, size, puzzle in puzzles(options):
            instance = Instance(puzzle, kind, "", str(size), kind)
            words = " {scored}" if kind == "list" else ""
            for seed, backend in product(range(options.seeds), options.backend.split(",")):
                command = f"{sys.executable} -m satcross solve {{structure}}{words} --json"
                command += f" --backend={backend} --seed={seed} --time-limit={clock:g}"
                run = Run(instance, Program(f"{backend}={command}"), limits, seed)
                record = execute(run)
                print(kind, size, backend, seed, record.status, record.cpu, file=sys.stderr)
                file.add(record)
                yield record


def puzzles(options: argparse.Namespace) -> Iterator[tuple[str, int, Puzzle]]:
    """Yield kind, size and puzzle."""
    if "list" in options.kinds:
        every = Vocabulary.read(options.words)
        words = sorted(every, key=lambda word: (-every.score(word), word))
        for number in LISTS:
            if number > len(words):
                raise SystemExit(f"{options.words} has only {len(words):,} words, not {number:,}")
            best = {word: every.score(word) for word in words[:number]}
            yield "list", number, Puzzle(Grid.read(GRID), Vocabulary(best))
    default = Vocabulary.read()
    for kind in ("newspaper", "lattice"):
        for size in SIZES if kind in options.kinds else ():
            rows = (
                newspaper(size, round(SLOTS_PER_CELL * size * size / 2) * 2, 15, seed=1)
                if kind == "newspaper"
                else lattice(size, longest=9)
            )
            yield kind, size, Puzzle(Grid.from_rows(rows), default)


Values = dict[tuple[str, int, str], list[Record]]


def grouped(runs: list[Record]) -> Values:
    groups: Values = defaultdict(list)
    for run in runs:
        groups[run.family, int(run.name), run.contender].append(run)
    return groups


def tables(runs: list[Record]) -> str:
    """Return Markdown tables of CPU seconds and MiB, medians over the seeds."""
    groups = grouped(runs)
    backends = list(dict.fromkeys(run.contender for run in runs))
    parts = []
    for kind, title in KINDS.items():
        sizes = list(dict.fromkeys(int(run.name) for run in runs if run.family == kind))
        if not sizes:
            continue
        lines = ["| " + " | ".join([title, *backends]) + " |", "|---" * (len(backends) + 1) + "|"]
        for size in sizes:
            cells = [cell(groups[kind, size, backend]) for backend in backends]
            lines.append(f"| {size:,} | " + " | ".join(cells) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def cell(runs: list[Record]) -> str:
    if not runs:
        return ""
    memory = f"{median(run.memory for run in runs):.0f} MiB"
    cpu = f"{median(run.cpu for run in runs):.2f} s"
    outcomes = {run.status for run in runs}
    if outcomes == {"filled"}:
        return f"{cpu}, {memory}"
    return f"{', '.join(sorted(outcomes))}: {cpu}, {memory}"


def plot(runs: list[Record], path: Path) -> None:
    """Plot CPU seconds above and memory below, one column per kind; hollow marks: no answer."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    # Text stays text, and equal runs give equal files.
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "satcross"})
    groups = grouped(runs)
    kinds = [kind for kind in KINDS if any(run.family == kind for run in runs)]
    backends = list(dict.fromkeys(run.contender for run in runs))
    figure, axes = pyplot.subplots(
        2, len(kinds), figsize=(4 * len(kinds), 6), sharex="col", sharey="row", squeeze=False
    )
    for column, kind in enumerate(kinds):
        sizes = sorted({int(run.name) for run in runs if run.family == kind})
        for row, (what, unit) in enumerate((("cpu", "CPU seconds"), ("memory", "MiB"))):
            axis = axes[row][column]
            for color, backend in enumerate(backends):
                here = [(size, groups[kind, size, backend]) for size in sizes]
                points = [
                    (size, median(getattr(run, what) for run in some), some)
                    for size, some in here
                    if some
                ]
                xs, ys = [point[0] for point in points], [point[1] for point in points]
                axis.plot(xs, ys, color=f"C{color}", label=backend, linewidth=1)
                for x, y, some in points:
                    answered = all(run.status in ("filled", "unfillable") for run in some)
                    face = f"C{color}" if answered else "white"
                    axis.plot(x, y, "o", color=f"C{color}", markerfacecolor=face, markersize=5)
            axis.set_yscale("log")
            axis.grid(alpha=0.3)
            if kind == "list":
                axis.set_xscale("log")
            if column == 0:
                axis.set_ylabel(unit)
        axes[1][column].set_xlabel(KINDS[kind])
    axes[0][0].legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


if __name__ == "__main__":
    main()
