"""Program that answers a puzzle in JSON with a backend, for benchmark systems such as BenchExec.

    python -m satcross.compare.run_puzzle PUZZLE.json --backend NAME [--solver NAME]
        [--encoding NAME] [--narrowing NAME] [--seed N] [--workers N]

It prints "filled" and the grid, "unfillable" or "unknown" with the reason; a fill is verified
before. The exit codes are those of ``satcross solve``: 0, 20 and 30, and 1 for a wrong fill.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

OPTIONS = ("solver", "encoding", "narrowing")
"""Options of backends, which the command line has under the same names."""
_EXIT_CODES = {"filled": 0, "unfillable": 20, "unknown": 30}


def main() -> int:
    """Answer the puzzle of the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m satcross.compare.run_puzzle")
    parser.add_argument("puzzle", type=Path)
    parser.add_argument("--backend", required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    for name in OPTIONS:
        parser.add_argument(f"--{name}")
    given = parser.parse_args()
    from satcross.formats.json import grid_rows
    from satcross.formats.puzzle_json import puzzle_from_data
    from satcross.solving.solve import attempt
    from satcross.verify import verify

    puzzle = puzzle_from_data(json.loads(given.puzzle.read_text(encoding="utf-8")))
    options = {name: value for name in OPTIONS if (value := getattr(given, name))}
    outcome = attempt(
        puzzle, given.backend, seed=given.seed, workers=given.workers, options=options
    )
    if outcome.fill is not None and (problems := verify(puzzle, outcome.fill)):
        print(f"wrong fill: {problems[0]}")
        return 1
    print(" ".join(filter(None, [outcome.status.value, outcome.reason])))
    if outcome.fill is not None:
        print("\n".join(grid_rows(puzzle.grid, outcome.fill)))
    return _EXIT_CODES[outcome.status.value]


if __name__ == "__main__":
    sys.exit(main())
