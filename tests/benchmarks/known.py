"""Run puzzles with known answers and compare the statuses.

    python tests/benchmarks/known.py FOLDER --backend backtrack,sat --select h,p --time-limit 60

FOLDER holds ``known.csv`` (columns grid, list, status), ``grids/NAME.txt`` and ``lists/NAME.txt``.
Each run is a process of its own; its CPU time includes starting Python and reading the list. Every
fill is checked against the two files. One line per run is printed and, with ``--out``, written as
JSON; runs that are in this file already are not repeated. The exit code is 1 if any status or fill
is wrong. On a machine that other programs use too, ``--cpu-limit`` with a generous
``--time-limit`` gives each process of a run its seconds however long they take.
"""

from __future__ import annotations

import argparse
import csv
import json
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Run:
    grid: str
    list: str
    backend: str
    expected: str
    status: str
    wall: float
    cpu: float | None
    memory: int | None

    @property
    def wrong(self) -> bool:
        known = {"filled", "unfillable"}
        return self.status not in {*known, "unknown"} or {self.status, self.expected} == known


def main() -> int:
    options = read_options()
    rows = list(select(options.folder, options.select, options.list))
    before = earlier_runs(options.out)
    wrong = answered = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        jobs = [
            before.get((row["grid"], row["list"], backend))
            or pool.submit(run, options, row, backend)
            for backend in options.backend.split(",")
            for row in rows
        ]
        for job in jobs:
            result = job if isinstance(job, Run) else job.result()
            answered += result.status in ("filled", "unfillable")
            wrong += result.wrong
            cpu = "" if result.cpu is None else f"{result.cpu:8.2f}"
            print(
                f"{result.grid:10} {result.list:6} {result.backend:10} {result.status:11}"
                f"{result.wall:8.2f}{cpu}  {result.expected}{'  WRONG' if result.wrong else ''}",
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
    parser.add_argument(
        "--cpu-limit",
        type=int,
        help="seconds of CPU time of each process of a run: with N workers, N times as many",
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    parser.add_argument("--out", type=Path, help="append a JSON line a run to this file")
    return parser.parse_args()


def earlier_runs(file: Path | None) -> dict[tuple[str, str, str], Run]:
    if file is None or not file.exists():
        return {}
    runs = [Run(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]
    return {(run.grid, run.list, run.backend): run for run in runs}


def select(folder: Path, names: str, only: str | None) -> Iterator[dict[str, str]]:
    with (folder / "known.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            chosen = row["grid"].startswith(tuple(names.split(",")))
            there = (folder / "lists" / f"{row['list']}.txt").exists()
            if chosen and there and only in (None, row["list"]):
                yield row


def run(options: argparse.Namespace, row: dict[str, str], backend: str) -> Run:
    command = [
        sys.executable,
        "-m",
        "satcross",
        "solve",
        str(options.folder / "grids" / f"{row['grid']}.txt"),
        str(options.folder / "lists" / f"{row['list']}.txt"),
        "--json",
        f"--backend={backend}",
        f"--time-limit={options.time_limit}",
        f"--workers={options.workers}",
    ]
    started = time.perf_counter()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=partial(limit_cpu, options.cpu_limit) if options.cpu_limit else None,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = time.perf_counter() - started
    alone = options.jobs == 1  # the sum over all children
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        answer = json.loads(done.stdout)
        status = str(answer["status"])
        if status == "filled" and not is_fill(options.folder, row, answer["grid"]):
            status = "failed: wrong fill"
    except (ValueError, KeyError):
        out_of_time = done.returncode == -signal.SIGXCPU
        status = "unknown" if out_of_time else f"failed: {done.stderr.strip()[-200:]}"
    return Run(
        row["grid"],
        row["list"],
        backend,
        row["status"],
        status,
        round(wall, 3),
        round(cpu, 3) if alone else None,
        after.ru_maxrss if alone else None,
    )


def is_fill(folder: Path, row: dict[str, str], filled: list[str]) -> bool:
    """Whether the rows fill the grid with words of the list, all different."""
    empty = (folder / "grids" / f"{row['grid']}.txt").read_text(encoding="utf-8").split()
    listed = (folder / "lists" / f"{row['list']}.txt").read_text(encoding="utf-8").upper().split()
    columns = map("".join, zip(*filled, strict=True))
    lines = [part for line in (*filled, *columns) for part in line.split("#")]
    words = [word for word in lines if len(word) > 1]
    same = [[cell == "#" for cell in line] for line in filled] == [
        [cell == "#" for cell in line] for line in empty
    ]
    return same and len(set(words)) == len(words) and set(words) <= set(listed)


def limit_cpu(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


if __name__ == "__main__":
    sys.exit(main())
