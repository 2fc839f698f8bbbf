"""The classic puzzles with known answers: a suite of them for ``satcross bench``, and their counts.

    python tests/benchmarks/known.py FOLDER
    python tests/benchmarks/known.py FOLDER --count vg-04 --max-fills 10000

FOLDER holds ``known.csv`` (columns grid, list and status, perhaps fills), ``grids/NAME.txt`` and
``lists/NAME.txt``. The first command writes ``FOLDER/known.toml``, in which a family is the letters
that a grid's name begins with. The second counts the fills of the rows that have a number of fills,
each in CPU seconds without reading the files; the exit code is 1 if any count is wrong.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from pathlib import Path
from string import digits

from satcross import Grid, Puzzle, Vocabulary, count

PUZZLE = """
[[puzzle]]
name = "{grid}, {list}"
family = "{family}"
structure = "grids/{grid}.txt"
words = ["lists/{list}.txt"]
"""

Row = dict[str, str]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", metavar="NAME", help="count where the grid's name begins so")
    parser.add_argument("--max-fills", type=int, default=10**9, help="of the rows that are counted")
    parser.add_argument("--time-limit", type=float, default=600)
    options = parser.parse_args()
    with (options.folder / "known.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if all(map(Path.exists, files(options, row)))]
    if options.count is None:
        suite = 'suite = 1\ntitle = "classic puzzles"\n' + "".join(map(entry, rows))
        (options.folder / "known.toml").write_text(suite, encoding="utf-8")
        return 0
    counted = [
        is_right(options, row)
        for row in rows
        if row["grid"].startswith(options.count)
        and 0 <= int(row.get("fills") or -1) <= options.max_fills
    ]
    return 0 if all(counted) else 1


def files(options: argparse.Namespace, row: Row) -> tuple[Path, Path]:
    """Return the structure and the list of a row."""
    folder: Path = options.folder
    return folder / "grids" / f"{row['grid']}.txt", folder / "lists" / f"{row['list']}.txt"


def entry(row: Row) -> str:
    """Return a row as the table of a suite."""
    known = row["status"] in ("filled", "unfillable")
    expected = f'expected = "{row["status"]}"\n' if known else ""
    family = row["grid"].partition("-")[0].rstrip(digits)
    return PUZZLE.format(**row, family=family) + expected


def is_right(options: argparse.Namespace, row: Row) -> bool:
    """Count the fills of a row, print a line, and return whether the number can be the known."""
    structure, words = files(options, row)
    puzzle, known = Puzzle(Grid.read(structure), Vocabulary.read(words)), int(row["fills"])
    started = time.process_time()
    found = count(puzzle, workers=1, time_limit=options.time_limit)
    right = found.count == known if found.exact else found.count <= known
    number = f"{'' if found.exact else '>='}{found.count}"
    print(
        f"{row['grid']:9} {row['list']:6} {number:<12} {time.process_time() - started:8.2f} s  "
        f"{known}{'' if right else '  WRONG'}",
        flush=True,
    )
    return right


if __name__ == "__main__":
    sys.exit(main())
