"""Time the backends on the grids of data/grids with the default list; prints a Markdown table.

    python tests/benchmarks/grids.py --seeds 5

A figure is the median over the seeds of the CPU seconds of a whole run of ``satcross solve``,
including the start of Python and reading the list; ``>60`` if the median run had no answer in time.
The backends take turns, so that a busy period affects all of them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median

from measure import measure

GRIDS = Path(__file__).parents[2] / "data" / "grids"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--backend", default="backtrack,sat,cpsat,auto")
    parser.add_argument("grids", nargs="*", default=["9x9-a", "15x15-80", "15x15-78", "21x21-140"])
    options = parser.parse_args()
    backends = options.backend.split(",")
    print("| grid |" + "".join(f" `{backend}` |" for backend in backends))
    print("|---" * (len(backends) + 1) + "|")
    for grid in options.grids:
        seconds: dict[str, list[float]] = {backend: [] for backend in backends}
        for seed in range(options.seeds):
            for backend in backends:
                seconds[backend].append(time_once(grid, backend, seed, options.time_limit))
        cells = [
            f" {value:.2f} |"
            if (value := median(seconds[backend])) != float("inf")
            else f" >{options.time_limit:g} |"
            for backend in backends
        ]
        print(f"| `{grid}` |" + "".join(cells), flush=True)


def time_once(grid: str, backend: str, seed: int, limit: float) -> float:
    command = [sys.executable, "-m", "satcross", "solve", str(GRIDS / f"{grid}.txt"), "--quiet"]
    command += [f"--backend={backend}", f"--seed={seed}", f"--time-limit={limit}"]
    done = measure(command, 10 * limit, 20 * limit)  # which satcross ends in time
    if done.code not in (0, 30):
        raise SystemExit(f"{' '.join(command)} ended with exit code {done.code}: {done.errors}")
    return done.cpu if done.code == 0 else float("inf")


if __name__ == "__main__":
    main()
