"""Measure how far each command exceeds its time limit, as a table.

Each row is a process of its own that makes one call of the library, without racing processes, and
reports the seconds of CPU time that the call took beyond the limit. A call that has not returned
after ``PATIENCE`` seconds is stopped and shown as ``never``. Run it with::

    python -m tests.benchmarks.overrun [--limit SECONDS] [COMMAND ...]
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

ROWS = (
    ("several auto", "15x15-78"),
    ("several sat", "15x15-78"),
    ("several backtrack", "15x15-72"),
    ("several cpsat", "15x15-78"),
    ("solve sat", "15x15-72"),
    ("solve sat", "21x21-138"),
    ("solve sat", "tiles-103"),
    ("solve sat solver=glucose4", "15x15-72"),
    ("solve sat encoding=full", "15x15-72"),
    ("solve sat encoding=full", "21x21-138"),
    ("solve sat encoding=full", "tiles-103"),
    ("solve sat encoding=direct", "15x15-72"),
    ("solve cpsat", "21x21-138"),
    ("solve backtrack", "21x21-138"),
    ("solve backtrack", "tiles-255"),
    ("solve backtrack", "uncrossed-9000"),
    ("solve auto", "21x21-138"),
    ("solve auto", "tiles-255"),
    ("count sat", "15x15-78"),
    ("count sat", "uncrossed-18"),
    ("count sat", "lettered-18"),
    ("count backtrack", "uncrossed-18"),
    ("count auto", "15x15-78"),
    ("best auto", "15x15-72"),
    ("best auto measure=min", "15x15-72"),
    ("best backtrack", "15x15-72"),
    ("best sat", "15x15-72"),
    ("best sat measure=min", "15x15-72"),
    ("best cpsat", "15x15-72"),
    ("explain auto", "unfillable"),
    ("explain auto", "15x15-66"),
    ("prove search", "unfillable"),
    ("prove cadical153", "unfillable"),
    ("prove cadical153", "15x15-72"),
)
"""Command, backend (or prover) and options; the grid: a file of data/grids or a key of SHAPES."""

SHAPES: dict[str, Callable[[int, int], str]] = {
    "uncrossed": lambda row, column: "#" if row % 2 else "_",
    # Rows without crossings, each with one given letter: their words overlap in part.
    "lettered": lambda row, column: (
        "#" if row % 2 else "AEISRT"[row // 10 % 6] if column == row // 2 % 5 else "_"
    ),
    # Lattices of 7x7 side by side.
    "tiles": lambda row, column: (
        "#" if 7 in (row % 8, column % 8) or (row % 2 and column % 2) else "_"
    ),
    "unfillable": lambda row, column: "_",
}
"""Name -> the cell of a row and column."""


def puzzle_of(grid: str) -> Puzzle:
    """Return the puzzle of a grid, with the default list or with few words."""
    vocabulary, (shape, _, number) = Vocabulary.read(), grid.partition("-")
    if shape not in SHAPES:
        structure = Grid.read(GRIDS / f"{grid}.txt")
    else:
        size = int(number or 7)
        height, width = (size, size) if shape in ("tiles", "unfillable") else (2 * size - 1, 5)
        cell = SHAPES[shape]
        structure = Grid.from_rows(
            ["".join(cell(r, c) for c in range(width)) for r in range(height)], letters=True
        )
    if shape == "unfillable":
        vocabulary = Vocabulary(sorted(vocabulary.group(7).words)[::12])
    puzzle = Puzzle(structure, vocabulary)
    for length in {slot.length for slot in structure.slots}:
        group = puzzle.lexicon(length)
        for position in range(length):
            group.masks(position)  # reading the list, to which no limit applies
    return puzzle


def call(command: str, puzzle: Puzzle, limit: float) -> object:
    """Make the call of a row."""
    name, backend, *given = command.split()
    options = dict(option.split("=") for option in given)
    match name:
        case "solve":
            return satcross.solve(puzzle, backend, time_limit=limit, workers=1, options=options)
        case "count":
            return satcross.count(puzzle, backend, time_limit=limit, workers=1)
        case "several":
            return satcross.several(puzzle, 20, backend, diverse=True, time_limit=limit, workers=1)
        case "best":
            measure = options.get("measure", "total")
            return satcross.best(puzzle, measure, backend, time_limit=limit, workers=1)
        case "explain":
            return satcross.explain(puzzle, backend, time_limit=limit, workers=1)
        case _:
            return satcross.prove(puzzle, backend, time_limit=limit)


def measure(command: str, grid: str, limit: float) -> None:
    """Print the CPU and wall-clock seconds beyond the limit, and the result."""
    puzzle = puzzle_of(grid)
    cpu, wall = time.process_time(), time.monotonic()
    answer = call(command, puzzle, limit)
    cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    status = getattr(answer, "status", type(answer).__name__)
    print(f"{max(0, cpu - limit):.2f} {max(0, wall - limit):.2f} {status}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = ", ".join(dict.fromkeys(command for command, _ in ROWS))
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help=commands)
    parser.add_argument("--limit", type=float, default=1.0)
    parser.add_argument("--row", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.row:
        command, grid = arguments.row
        measure(command, grid, arguments.limit)
        return
    print(f"{'command':28} {'grid':16} {'CPU':>7} {'wall':>7}  answer at {arguments.limit} s")
    for row in ROWS:
        if arguments.commands and row[0] not in arguments.commands:
            continue
        program = [sys.executable, "-m", __spec__.name, "--row", *row]
        program += ["--limit", str(arguments.limit)]
        try:
            run = subprocess.run(
                program, capture_output=True, text=True, timeout=PATIENCE + arguments.limit
            )
            cells = run.stdout.split() or ["error", "", run.stderr.strip().splitlines()[-1]]
        except subprocess.TimeoutExpired:
            cells = ["never", "", ""]
        late = cells[0] in ("never", "error") or float(cells[0]) > ALLOWED
        print(
            f"{row[0]:28} {row[1]:16} {cells[0]:>7} {cells[1]:>7}  "
            f"{' '.join(cells[2:])}{'  LATE' if late else ''}",
            flush=True,
        )


if __name__ == "__main__":
    main()
