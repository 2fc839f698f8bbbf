"""Count the fills of puzzles whose number of fills is known, and compare.

    python tests/benchmarks/counts.py FOLDER --select vg-04 --most 10000 --time-limit 600

FOLDER is as for known.py; only the rows of ``known.csv`` with a number in the column ``fills`` are
counted, each by ``satcross count`` in a process of its own. The exit code is 1 if any count is
wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from measure import read_classics, satcross


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--select", default="", help="beginnings of grid names, comma-separated")
    parser.add_argument("--list", help="only this list")
    parser.add_argument("--most", type=int, default=10**9, help="maximum number of fills of a row")
    parser.add_argument("--time-limit", type=float, default=600)
    options = parser.parse_args()
    rows = [
        row
        for row in read_classics(options.folder, options.select, options.list)
        if row.fills and int(row.fills) <= options.most
    ]
    flags = ("--json", f"--backend={options.backend}", f"--time-limit={options.time_limit}")
    wrong = answered = 0
    for row in rows:
        done = satcross("count", *row.files, *flags, clock=10 * options.time_limit)
        if done.code not in (0, 30):
            raise SystemExit(f"{row.grid}, {row.list}: {done.errors.strip()}")
        data, known = json.loads(done.output), int(row.fills)
        right = data["count"] == known if data["exact"] else data["count"] <= known
        wrong += not right
        answered += data["exact"]
        print(
            f"{row.grid:9} {row.list:6} {options.backend:10} "
            f"{'' if data['exact'] else '>='}{data['count']:<10} {done.wall:8.2f} {done.cpu:8.2f}  "
            f"{known}{'' if right else '  WRONG'}",
            flush=True,
        )
    print(f"{answered} of {len(rows)} counted, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
