"""Program that answers a puzzle in JSON with a backend, for benchmark systems such as BenchExec.

    python -m satcross.compare.run_puzzle --backend=NAME [--solver=NAME] [--encoding=NAME]
        [--narrowing=NAME] [--seed=N] [--workers=N] PUZZLE.json

It prints "filled" and the grid, "unfillable" or "unknown" with the reason; a fill is verified
before. The exit codes are those of ``satcross solve``: 0, 20 and 30, and 1 for a wrong fill.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from satcross.formats.json import grid_rows, puzzle_from_data
from satcross.solving.solve import attempt
from satcross.verify import verify

_EXIT_CODES = {"filled": 0, "unfillable": 20, "unknown": 30}


def main(*arguments: str) -> int:
    """Answer the puzzle of the command line and return the exit code."""
    *given, path = arguments
    options = dict(text.removeprefix("--").split("=", 1) for text in given)
    backend, seed = options.pop("backend"), int(options.pop("seed", "0"))
    workers = int(options.pop("workers", "1"))
    puzzle = puzzle_from_data(json.loads(Path(path).read_text(encoding="utf-8")))
    outcome = attempt(puzzle, backend, seed=seed, workers=workers, options=options)
    if outcome.fill is not None and (problems := verify(puzzle, outcome.fill)):
        print(f"wrong fill: {problems[0]}")
        return 1
    print(" ".join(filter(None, [outcome.status.value, outcome.reason])))
    if outcome.fill is not None:
        print("\n".join(grid_rows(puzzle.grid, outcome.fill)))
    return _EXIT_CODES[outcome.status.value]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
