"""Run puzzles with known answers and compare the statuses.

    python tests/benchmarks/known.py FOLDER --backend backtrack,sat --select h,p --time-limit 60

FOLDER holds ``known.csv`` (columns grid, list, status), ``grids/NAME.txt`` and ``lists/NAME.txt``.
Each run is a process of its own; its CPU time includes starting Python and reading the list. Every
fill is checked against the two files. One line per run is printed and, with ``--out``, written as
JSON; runs that are in this file already are not repeated. The exit code is 1 if any status or fill
is wrong. On a machine that other programs use too, ``--cpu-limit`` with a generous
``--time-limit`` gives a run its seconds however long they take.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from measure import Classic, read_classics, satcross


@dataclass(frozen=True, slots=True)
class Run:
    grid: str
    list: str
    backend: str
    expected: str
    status: str
    wall: float
    cpu: float
    memory: float

    @property
    def wrong(self) -> bool:
        known = {"filled", "unfillable"}
        return self.status not in {*known, "unknown"} or {self.status, self.expected} == known


def main() -> int:
    options = read_options()
    rows = list(read_classics(options.folder, options.select, options.list))
    before = earlier_runs(options.out)
    wrong = answered = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [
            before.get((row.grid, row.list, backend)) or pool.submit(run, options, row, backend)
            for backend in options.backend.split(",")
            for row in rows
        ]
        for job in jobs:
            result = job if isinstance(job, Run) else job.result()
            answered += result.status in ("filled", "unfillable")
            wrong += result.wrong
            print(
                f"{result.grid:10} {result.list:6} {result.backend:10} {result.status:11}"
                f"{result.wall:8.2f}{result.cpu:8.2f}  {result.expected}"
                f"{'  WRONG' if result.wrong else ''}",
                flush=True,
            )
            if options.out and result is not job:
                with options.out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(asdict(result)) + "\n")
    print(f"{answered} of {len(jobs)} answered, {wrong} wrong")
    return 1 if wrong else 0


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--backend", default="auto", help="comma-separated")
    parser.add_argument("--select", default="", help="beginnings of grid names, comma-separated")
    parser.add_argument("--list", help="only this list")
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--cpu-limit", type=float, help="seconds of CPU time of a run")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    parser.add_argument("--out", type=Path, help="append a JSON line a run to this file")
    return parser.parse_args()


def earlier_runs(file: Path | None) -> dict[tuple[str, str, str], Run]:
    if file is None or not file.exists():
        return {}
    runs = [Run(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
    return {(run.grid, run.list, run.backend): run for run in runs}


def run(options: argparse.Namespace, row: Classic, backend: str) -> Run:
    flags = [f"--backend={backend}", f"--workers={options.workers}"]
    flags += ["--json", f"--time-limit={options.time_limit}"]
    clock = 2 * options.time_limit + 60
    done = satcross("solve", *row.files, *flags, limit=options.cpu_limit, clock=clock)
    try:
        answer = json.loads(done.output)
        status = str(answer["status"])
        if status == "filled" and not is_fill(row, answer["grid"]):
            status = "failed: wrong fill"
    except (ValueError, KeyError):
        status = "unknown" if done.late else f"failed: {done.errors.strip()[-200:]}"
    return Run(row.grid, row.list, backend, row.status, status, done.wall, done.cpu, done.memory)


def is_fill(row: Classic, filled: list[str]) -> bool:
    """Whether the rows fill the grid with words of the list, all different."""
    empty, listed = (Path(name).read_text(encoding="utf-8").upper().split() for name in row.files)
    columns = map("".join, zip(*filled, strict=True))
    lines = [part for line in (*filled, *columns) for part in line.split("#")]
    words = [word for word in lines if len(word) > 1]
    same = [[cell == "#" for cell in line] for line in filled] == [
        [cell == "#" for cell in line] for line in empty
    ]
    return same and len(set(words)) == len(words) and set(words) <= set(listed)


if __name__ == "__main__":
    sys.exit(main())
