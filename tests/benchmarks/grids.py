"""Time the backends on the grids of data/grids with the default list; prints a Markdown table.

    python tests/benchmarks/grids.py --seeds 5
    python tests/benchmarks/grids.py --backend auto,letters,backtrack,sat,cpsat --quality any

A GRID is a name there or a file. A figure is the median over the seeds of the CPU seconds of a
whole run of ``satcross solve``, including the start of Python and reading the list; ``>60`` if the
median run had no answer in time. The ratio is the first backend's figure by the lowest of the
others. The backends take turns, so that a busy period affects all of them.
"""

from __future__ import annotations

import argparse
from math import inf
from pathlib import Path
from statistics import median

from measure import satcross

GRIDS = Path(__file__).parents[2] / "data" / "grids"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--backend", default="backtrack,sat,cpsat,auto")
    parser.add_argument("--words", type=Path, help="another list")
    parser.add_argument("--quality", default="edited", help="as of satcross solve")
    parser.add_argument(
        "grids", metavar="GRID", nargs="*", default=["9x9-a", "15x15-80", "15x15-78", "21x21-140"]
    )
    options = parser.parse_args()
    backends = options.backend.split(",")
    print("| grid |" + "".join(f" `{backend}` |" for backend in backends) + " ratio |")
    print("|---" * (len(backends) + 2) + "|")
    for grid in options.grids:
        seconds: dict[str, list[float]] = {backend: [] for backend in backends}
        for seed in range(options.seeds):
            for backend in backends:
                seconds[backend].append(time_once(options, grid, backend, seed))
        medians = [median(seconds[backend]) for backend in backends]
        limit = float(options.time_limit)
        cells = [f" {value:.2f} |" if value < inf else f" >{limit:g} |" for value in medians]
        ratio = f" {medians[0] / min(medians[1:], default=inf):.2f} |"
        print(f"| `{Path(grid).stem}` |" + "".join(cells) + ratio, flush=True)


def time_once(options: argparse.Namespace, grid: str, backend: str, seed: int) -> float:
    path = Path(grid) if Path(grid).suffix else GRIDS / f"{grid}.txt"
    flags = [] if options.words is None else [f"--words={options.words}"]
    flags += [f"--backend={backend}", f"--seed={seed}", f"--quality={options.quality}"]
    flags += ["--quiet", f"--time-limit={options.time_limit}"]
    done = satcross("solve", str(path), *flags, clock=20 * options.time_limit)
    if done.code not in (0, 30):
        raise SystemExit(f"{grid}, {backend} ended with exit code {done.code}: {done.errors}")
    return done.cpu if done.code == 0 else inf


if __name__ == "__main__":
    main()
