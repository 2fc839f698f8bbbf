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
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from measure import satcross
from patterns import lattice, newspaper

from satcross.formats.files import read_text
from satcross.formats.words import parse_words

GRID = Path(__file__).parents[2] / "data" / "grids" / "15x15-78.txt"
WARM_UP = GRID.with_name("9x9-a.txt")
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


@dataclass(frozen=True, slots=True)
class Run:
    kind: str
    size: int
    backend: str
    seed: int
    outcome: str
    cpu: float
    memory: float


def main() -> None:
    options = read_options()
    if options.source:
        lines = options.source.read_text(encoding="utf-8").splitlines()
        runs = [Run(**json.loads(line)) for line in lines]
    else:
        runs = list(run_all(options))
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
    parser.add_argument("--out", type=Path, help="append a JSON line a run to this file")
    parser.add_argument("--from", dest="source", type=Path, help="show the runs of such a file")
    parser.add_argument("--plot", type=Path, help="draw into this file (.svg or .png)")
    options = parser.parse_args()
    if not options.words and not options.source and "list" in options.kinds:
        parser.error("name a list, or choose --kinds newspaper,lattice")
    return options


def run_all(options: argparse.Namespace) -> Iterator[Run]:
    backends = options.backend.split(",")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for backend in backends:  # not counted: Python compiles the modules
            run_once("list", 0, [str(WARM_UP)], backend, 0, options.time_limit)
        for kind, size, files in puzzles(options, folder):
            for seed in range(options.seeds):
                for backend in backends:
                    run = run_once(kind, size, files, backend, seed, options.time_limit)
                    print(*asdict(run).values(), file=sys.stderr)
                    if options.out:
                        with options.out.open("a", encoding="utf-8") as file:
                            file.write(json.dumps(asdict(run)) + "\n")
                    yield run


def run_once(kind: str, size: int, files: list[str], backend: str, seed: int, limit: float) -> Run:
    clock = 10 * limit  # generous, since other programs may use the same processors
    flags = ("--json", f"--backend={backend}", f"--seed={seed}", f"--time-limit={clock:g}")
    done = satcross("solve", *files, *flags, limit=limit, clock=clock + 5)
    outcome = "unknown" if done.late else f"failed: {done.errors[-200:]}"
    if done.code in (0, 20, 30):
        outcome = json.loads(done.output)["status"]
    return Run(kind, size, backend, seed, outcome, done.cpu, done.memory)


def puzzles(options: argparse.Namespace, folder: Path) -> Iterator[tuple[str, int, list[str]]]:
    """Yield kind, size and files of each puzzle."""
    if "list" in options.kinds:
        write_lists(options.words, folder)
        for number in LISTS:
            yield "list", number, [str(GRID), str(folder / f"{number}.txt")]
    for kind in ("newspaper", "lattice"):
        for size in SIZES if kind in options.kinds else ():
            rows = (
                newspaper(size, round(SLOTS_PER_CELL * size * size / 2) * 2, 15, seed=1)
                if kind == "newspaper"
                else lattice(size, longest=9)
            )
            file = folder / f"{kind}-{size}.txt"
            file.write_text("\n".join([*rows, ""]), encoding="ascii")
            yield kind, size, [str(file)]


def write_lists(source: str, folder: Path) -> None:
    """Write the best words of the list, for each size of LISTS."""
    vocabulary = parse_words([read_text(source)]).vocabulary
    words = sorted(vocabulary, key=lambda word: (-vocabulary.score(word), word))
    for number in LISTS:
        if number > len(words):
            raise SystemExit(f"{source} has only {len(words):,} words, not {number:,}")
        lines = (f"{word};{vocabulary.score(word)}\n" for word in words[:number])
        (folder / f"{number}.txt").write_text("".join(lines), encoding="utf-8")


Values = dict[tuple[str, int, str], list[Run]]


def grouped(runs: list[Run]) -> Values:
    groups: Values = defaultdict(list)
    for run in runs:
        groups[run.kind, run.size, run.backend].append(run)
    return groups


def tables(runs: list[Run]) -> str:
    """Return Markdown tables of CPU seconds and MiB, medians over the seeds."""
    groups = grouped(runs)
    backends = list(dict.fromkeys(run.backend for run in runs))
    parts = []
    for kind, title in KINDS.items():
        sizes = list(dict.fromkeys(run.size for run in runs if run.kind == kind))
        if not sizes:
            continue
        lines = ["| " + " | ".join([title, *backends]) + " |", "|---" * (len(backends) + 1) + "|"]
        for size in sizes:
            cells = [cell(groups[kind, size, backend]) for backend in backends]
            lines.append(f"| {size:,} | " + " | ".join(cells) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def cell(runs: list[Run]) -> str:
    if not runs:
        return ""
    memory = f"{median(run.memory for run in runs):.0f} MiB"
    cpu = f"{median(run.cpu for run in runs):.2f} s"
    outcomes = {run.outcome for run in runs}
    if outcomes == {"filled"}:
        return f"{cpu}, {memory}"
    return f"{', '.join(sorted(outcomes))}: {cpu}, {memory}"


def plot(runs: list[Run], path: Path) -> None:
    """Plot CPU seconds above and memory below, one column per kind; hollow marks: no answer."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    # Text stays text, and equal runs give equal files.
    pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "satcross"})
    groups = grouped(runs)
    kinds = [kind for kind in KINDS if any(run.kind == kind for run in runs)]
    backends = list(dict.fromkeys(run.backend for run in runs))
    figure, axes = pyplot.subplots(
        2, len(kinds), figsize=(4 * len(kinds), 6), sharex="col", sharey="row", squeeze=False
    )
    for column, kind in enumerate(kinds):
        sizes = sorted({run.size for run in runs if run.kind == kind})
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
                    answered = all(run.outcome in ("filled", "unfillable") for run in some)
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
