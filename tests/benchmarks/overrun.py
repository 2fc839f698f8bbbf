"""Measure how far each command exceeds its time limit, as a table.

Each row is a process of its own that makes one call of the library, without racing processes, and
reports the seconds of CPU time that the call took beyond the limit. A call that has not returned
after ``PATIENCE`` seconds is stopped and shown as ``never``. Run it with::

    python -m tests.benchmarks.overrun [--limit SECONDS] [NAME ...]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import satcross
from satcross.grid import Grid
from satcross.puzzle import Puzzle
from satcross.vocabulary import Vocabulary

GRIDS = Path(__file__).parents[2] / "data" / "grids"
PATIENCE = 60
ALLOWED = 0.5
"""Seconds of CPU time that a call may take beyond its limit."""


def _uncrossed(rows: int) -> Grid:
    return Grid.from_rows([("_____", "#####")[row % 2] for row in range(2 * rows - 1)])


def _lettered(rows: int) -> Grid:
    """Return rows without crossings, each with one given letter: their words overlap in part."""
    given = [
        "".join("AEISRT"[row // 5 % 6] if column == row % 5 else "_" for column in range(5))
        for row in range(rows)
    ]
    return Grid.from_rows([line for row in given for line in (row, "#####")])


def _tiles(side: int) -> Grid:
    """Return lattices of 7x7 side by side."""
    return Grid.from_rows(
        [
            "".join(
                "#" if row % 8 == 7 or column % 8 == 7 or (row % 2 and column % 2) else "_"
                for column in range(side)
            )
            for row in range(side)
        ]
    )


def _puzzle(name: str) -> Puzzle:
    """The puzzle of a row's grid, with the default list."""
    if name.startswith("uncrossed"):
        grid = _uncrossed(int(name.removeprefix("uncrossed-")))
    elif name.startswith("lettered"):
        grid = _lettered(int(name.removeprefix("lettered-")))
    elif name.startswith("tiles"):
        grid = _tiles(int(name.removeprefix("tiles-")))
    elif name.startswith("open"):
        side = int(name.removeprefix("open-"))
        grid = Grid.from_rows(["_" * side] * side)
    else:
        grid = Grid.from_rows((GRIDS / f"{name}.txt").read_text().split())
    puzzle = Puzzle(grid, Vocabulary.read())
    for length in {slot.length for slot in grid.slots}:
        group = puzzle.lexicon(length)
        for position in range(length):
            group.masks(position)  # reading the list, to which no limit applies
    return puzzle


def _unfillable() -> Puzzle:
    words = Vocabulary(word for word in Vocabulary.read() if len(word) == 7)
    few = Vocabulary(sorted(words)[::12])
    return Puzzle(Grid.from_rows(["_______"] * 7), few)


Call = Callable[[Puzzle, float], object]


def _solve(backend: str, **options: str) -> Call:
    return lambda puzzle, limit: satcross.solve(
        puzzle, backend, time_limit=limit, workers=1, options=options
    )


def _count(backend: str) -> Call:
    return lambda puzzle, limit: satcross.count(puzzle, backend, time_limit=limit, workers=1)


def _several(backend: str) -> Call:
    return lambda puzzle, limit: satcross.several(
        puzzle, 20, backend, diverse=True, time_limit=limit, workers=1
    )


def _best(backend: str, measure: str = "total") -> Call:
    return lambda puzzle, limit: satcross.best(
        puzzle, measure, backend, time_limit=limit, workers=1
    )


def _explain(puzzle: Puzzle, limit: float) -> object:
    return satcross.explain(puzzle, time_limit=limit, workers=1)


def _prove(prover: str) -> Call:
    return lambda puzzle, limit: satcross.prove(puzzle, prover, time_limit=limit)


ROWS: dict[str, tuple[str, Call]] = {
    "several auto": ("15x15-78", _several("auto")),
    "several sat": ("15x15-78", _several("sat")),
    "several backtrack": ("15x15-72", _several("backtrack")),
    "several cpsat": ("15x15-78", _several("cpsat")),
    "solve sat lazy": ("15x15-72", _solve("sat")),
    "solve sat lazy 21": ("21x21-138", _solve("sat")),
    "solve sat glucose": ("15x15-72", _solve("sat", solver="glucose4")),
    "solve sat full": ("15x15-72", _solve("sat", encoding="full")),
    "solve sat full 21": ("21x21-138", _solve("sat", encoding="full")),
    "solve sat tiles": ("tiles-103", _solve("sat")),
    "solve sat full tiles": ("tiles-103", _solve("sat", encoding="full")),
    "solve sat direct": ("15x15-72", _solve("sat", encoding="direct")),
    "solve cpsat": ("21x21-138", _solve("cpsat")),
    "solve backtrack": ("21x21-138", _solve("backtrack")),
    "solve auto": ("21x21-138", _solve("auto")),
    "solve auto tiles": ("tiles-255", _solve("auto")),
    "solve backtrack tiles": ("tiles-255", _solve("backtrack")),
    "solve backtrack uncrossed": ("uncrossed-9000", _solve("backtrack")),
    "count sat": ("15x15-78", _count("sat")),
    "count sat uncrossed": ("uncrossed-18", _count("sat")),
    "count sat lettered": ("lettered-18", _count("sat")),
    "count backtrack uncrossed": ("uncrossed-18", _count("backtrack")),
    "count auto": ("15x15-78", _count("auto")),
    "best auto": ("15x15-72", _best("auto")),
    "best auto min": ("15x15-72", _best("auto", "min")),
    "best backtrack": ("15x15-72", _best("backtrack")),
    "best sat": ("15x15-72", _best("sat")),
    "best sat min": ("15x15-72", _best("sat", "min")),
    "best cpsat": ("15x15-72", _best("cpsat")),
    "explain": ("unfillable", _explain),
    "explain 15x15": ("15x15-66", _explain),
    "prove search": ("unfillable", _prove("search")),
    "prove cadical": ("unfillable", _prove("cadical153")),
    "prove cadical 15x15": ("15x15-72", _prove("cadical153")),
}


def _measure(name: str, limit: float) -> None:
    """Print the CPU and wall-clock seconds beyond the limit, and the result."""
    grid, call = ROWS[name]
    puzzle = _unfillable() if grid == "unfillable" else _puzzle(grid)
    cpu, wall = time.process_time(), time.monotonic()
    answer = call(puzzle, limit)
    cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    status = getattr(answer, "status", type(answer).__name__)
    print(f"{max(0, cpu - limit):.2f} {max(0, wall - limit):.2f} {status}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(ROWS))
    parser.add_argument("--limit", type=float, default=1.0)
    parser.add_argument("--row", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.row:
        _measure(arguments.row, arguments.limit)
        return
    print(f"{'command':28} {'grid':16} {'CPU':>7} {'wall':>7}  answer at {arguments.limit} s")
    for name in arguments.names or ROWS:
        command = [sys.executable, "-m", __spec__.name, "--row", name]
        command += ["--limit", str(arguments.limit)]
        try:
            run = subprocess.run(
                command, capture_output=True, text=True, timeout=PATIENCE + arguments.limit
            )
            cells = run.stdout.split() or ["error", "", run.stderr.strip().splitlines()[-1]]
        except subprocess.TimeoutExpired:
            cells = ["never", "", ""]
        late = cells[0] in ("never", "error") or float(cells[0]) > ALLOWED
        print(
            f"{name:28} {ROWS[name][0]:16} {cells[0]:>7} {cells[1]:>7}  "
            f"{' '.join(cells[2:])}{'  LATE' if late else ''}",
            flush=True,
        )


if __name__ == "__main__":
    main()
