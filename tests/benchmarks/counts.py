"""Count the fills of puzzles whose number of fills is known, and compare.

    python tests/benchmarks/counts.py FOLDER --select vg-04 --most 10000 --time-limit 600

FOLDER is as for known.py; only the rows of ``known.csv`` with a number in the column ``fills`` are
counted, each by ``satcross count`` in a process of its own. The exit code is 1 if any count is
wrong.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from pathlib import Path

from measure import Measured, measure


def main() -> int:
    options = read_options()
    with (options.folder / "known.csv").open(encoding="utf-8") as file:
        rows = [
            row
            for row in csv.DictReader(file)
            if row["fills"]
            and int(row["fills"]) <= options.most
            and row["grid"].startswith(tuple(options.select.split(",")))
            and options.list in (None, row["list"])
        ]
    wrong = answered = 0
    for row in rows:
        known = int(row["fills"])
        done = run(options, row)
        data = json.loads(done.output)
        right = data["count"] == known if data["exact"] else data["count"] <= known
        wrong += not right
        answered += data["exact"]
        print(
            f"{row['grid']:9} {row['list']:6} {options.backend:10} "
            f"{'' if data['exact'] else '>='}{data['count']:<10} {done.wall:8.2f} {done.cpu:8.2f}  "
            f"{known}{'' if right else '  WRONG'}",
            flush=True,
        )
    print(f"{answered} of {len(rows)} counted, {wrong} wrong")
    return 1 if wrong else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--select", default="", help="beginnings of grid names, comma-separated")
    parser.add_argument("--list", help="only this list")
    parser.add_argument("--most", type=int, default=10**9, help="maximum number of fills of a row")
    parser.add_argument("--time-limit", type=float, default=600)
    return parser.parse_args()


def run(options: argparse.Namespace, row: dict[str, str]) -> Measured:
    command = [
        sys.executable,
        "-m",
        "satcross",
        "count",
        str(options.folder / "grids" / f"{row['grid']}.txt"),
        str(options.folder / "lists" / f"{row['list']}.txt"),
        "--json",
        f"--backend={options.backend}",
        f"--time-limit={options.time_limit}",
    ]
    limit = 10 * options.time_limit  # which satcross ends long before
    done = measure(command, limit, limit)
    if done.code not in (0, 30):
        raise SystemExit(f"{' '.join(command)}: {done.errors.strip()}")
    return done


if __name__ == "__main__":
    sys.exit(main())
