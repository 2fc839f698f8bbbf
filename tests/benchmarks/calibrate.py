"""How often are the verdicts and intervals of comparisons wrong?

    python tests/benchmarks/calibrate.py runs.jsonl --pairs 40 --repeats 5

Runs the backend ``backtrack`` on ten small puzzles, by turns in as many contenders as
are needed, of two copies of this satcross. The process of the second copy works ``--plant`` times
as long: before it ends, it spends the rest of that CPU time in a loop. Contenders of both copies
alternate, so neighbours are a real planted difference, and contenders two apart are a comparison of
a program with itself, an A/A pair. It prints the verdicts for each kind. With an existing file of
runs, it continues with what is missing, until ``--minutes`` are over.
"""

from __future__ import annotations

import argparse
import compileall
import math
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from satcross.compare.backend_contenders import BackendContender, Installation
from satcross.compare.changes import Change, compare_versions
from satcross.compare.contenders import Run
from satcross.compare.limits import RunLimits
from satcross.compare.records import Record, RecordFile, read_records
from satcross.compare.runs import execute
from satcross.compare.scores import standings
from satcross.compare.suite import Suite, SuitePuzzle, read_puzzles

ROOT = Path(__file__).parents[2]
GRID = str(ROOT / "data" / "grids" / "9x9-a.txt")
WORDS = (str(ROOT / "data" / "bench" / "lists" / "scowl70.txt.gz"),)
PUZZLES = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", help="records of the runs; continued if it exists")
    parser.add_argument("--pairs", type=int, default=40, help="comparisons of neighbours")
    parser.add_argument("--repeats", type=int, default=20, help="repeats of each contender")
    parser.add_argument("--plant", type=float, default=1.1, help="factor of the planted slow-down")
    parser.add_argument("--minutes", type=float, default=math.inf, help="when to stop measuring")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(arguments, copies(Path(folder), arguments.plant))
    records = list(read_records(arguments.file))
    for title, distance in (("the same", 2), (f"{arguments.plant:g} times", 1)):
        changes = [compare(pair) for pair in pairs(records, arguments, distance)]
        if changes:
            print_verdicts(title, changes)


def print_verdicts(title: str, changes: list[Change]) -> None:
    verdicts = Counter(change.judgement for change in changes)
    ratios = sorted(change.ratio for change in changes)
    covered = sum(change.low <= 1 <= change.high for change in changes)
    print(f"{title}: {dict(verdicts)}; ratios {ratios[0]:.3f} to {ratios[-1]:.3f}", end="; ")
    print(f"{covered} of {len(changes)} intervals contain 1")


def copies(folder: Path, factor: float) -> list[BackendContender]:
    """Return the backend of a copy of this satcross, and of one that works longer by a factor."""
    plain, slowed = folder / "plain", folder / "slowed"
    for name in ("satcross", "encoders"):
        shutil.copytree(ROOT / name, plain / name)
    compileall.compile_dir(plain, quiet=1)
    shutil.copytree(plain, slowed)
    worker = slowed / "satcross" / "compare" / "worker.py"
    loop = f"    _end = {factor} * time.process_time()\n"
    loop += "    while time.process_time() < _end:\n        pass\n"
    worker.write_text(worker.read_text(encoding="utf-8") + loop, encoding="utf-8")
    return [
        BackendContender("backtrack", installation=Installation(str(copy)))
        for copy in (plain, slowed)
    ]


def measure(arguments: argparse.Namespace, both: Sequence[BackendContender]) -> None:
    """Run what the file does not have yet, while there is time."""
    deadline = time.monotonic() + 60 * arguments.minutes
    entries = tuple(
        SuitePuzzle(f"p{seed}", GRID, 0, words=WORDS, sample=3000, sample_seed=seed)
        for seed in range(PUZZLES)
    )
    instances = read_puzzles(Suite("", entries), entries)
    contenders = arguments.pairs + 1
    with RecordFile(arguments.file) as file:
        known = {(one.puzzle, one.repeat) for one in read_records(arguments.file)}
        # Repeat number r of contender c is number r * contenders + c of one long series.
        for number in range(arguments.repeats * contenders):
            backend = both[number % contenders % 2]
            for instance in instances:
                run = Run(instance, backend, RunLimits(60, 30, 2048), repeat=number)
                if (instance.hash, number) not in known:
                    if time.monotonic() > deadline:
                        return
                    file.add(execute(run))
            print(f"\r{number + 1} of {arguments.repeats * contenders}", end="", file=sys.stderr)


def pairs(
    records: list[Record], arguments: argparse.Namespace, distance: int
) -> Iterator[list[Record]]:
    """Yield the records of two contenders, as if they were two versions, the slower one newer."""
    for first in range(arguments.pairs + 1 - distance):
        newer = first if first % 2 else first + distance
        both = []
        for record in records:
            repeat, contender = divmod(record.repeat, arguments.pairs + 1)
            if contender in (first, first + distance):
                against = "" if contender == newer else "other"
                both.append(replace(record, repeat=repeat, against=against, program=None))
        yield both


def compare(records: list[Record]) -> Change:
    """Return the change between the two."""
    [change] = compare_versions(standings(records))
    return change


if __name__ == "__main__":
    main()
