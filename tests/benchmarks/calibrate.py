"""How often does a comparison of a program with itself say "slower" or "faster"? With real runs.

    python tests/benchmarks/calibrate.py runs.jsonl --pairs 40 --repeats 5

Runs the backend ``backtrack`` of this satcross again and again on ten small puzzles, by turns in as
many contenders as are needed, all of them the same program. Every two neighbours are a comparison
of a program with itself, an A/A pair. Prints the verdicts, each a mistake if it is not "no clear
change", and, for a planted slow-down, the verdicts after the times of one side are multiplied by
``--plant``. With an existing file of runs, it continues with what is missing.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from satcross.compare.backend_contenders import BackendContender
from satcross.compare.changes import Change, compare_versions
from satcross.compare.limits import RunLimits
from satcross.compare.records import Record, RecordFile, read_records
from satcross.compare.runs import Run, execute
from satcross.compare.scores import standings
from satcross.compare.suite import Suite, SuitePuzzle, read_puzzles

ROOT = Path(__file__).parents[2]
GRID = str(ROOT / "data" / "grids" / "9x9-a.txt")
WORDS = (str(ROOT / "data" / "bench" / "lists" / "scowl70.txt.gz"),)
PUZZLES = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("file", help="records of the runs; continued if it exists")
    parser.add_argument("--pairs", type=int, default=40, help="A/A comparisons")
    parser.add_argument("--repeats", type=int, default=5, help="repeats of each contender")
    parser.add_argument("--plant", type=float, default=1.1, help="factor of the planted slow-down")
    arguments = parser.parse_args()
    records = measure(arguments.file, arguments.pairs, arguments.repeats)
    same = [compare(pair) for pair in pairs(records, arguments.pairs)]
    planted = [compare(pair, arguments.plant) for pair in pairs(records, arguments.pairs)]
    for title, changes in (("the same", same), (f"{arguments.plant:g} times", planted)):
        verdicts = Counter(one.judgement for one in changes)
        ratios = sorted(one.ratio for one in changes)
        print(f"{title}: {dict(verdicts)}; ratios {ratios[0]:.3f} to {ratios[-1]:.3f}")


def measure(path: str, contenders: int, repeats: int) -> list[Record]:
    """Run what the file does not have yet; return all records."""
    entries = tuple(
        SuitePuzzle(f"p{seed}", GRID, 0, words=WORDS, sample=3000, sample_seed=seed)
        for seed in range(PUZZLES)
    )
    instances = read_puzzles(Suite("", "", entries), entries)
    backend = BackendContender("backtrack")
    with RecordFile(path) as file:
        known = {(one.puzzle, one.repeat) for one in read_records(path)}
        # Repeat number r of contender c is number r * contenders + c of one long series.
        for number in range(repeats * (contenders + 1)):
            for instance in instances:
                run = Run(instance, backend, RunLimits(60, 30, 2048), repeat=number)
                if (instance.hash, number) not in known:
                    file.add(execute(run))
            print(f"\r{number + 1} of {repeats * (contenders + 1)}", end="", file=sys.stderr)
    return list(read_records(path))


def pairs(records: list[Record], number: int) -> Iterator[list[Record]]:
    """Yield the records of two neighbours, as if they were two versions."""
    for first in range(number):
        both = []
        for record in records:
            repeat, contender = divmod(record.repeat, number + 1)
            if contender in (first, first + 1):
                against = "other" if (contender + repeat) % 2 else ""
                both.append(replace(record, repeat=repeat, against=against))
        yield both


def compare(records: list[Record], factor: float = 1.0) -> Change:
    """Return the change between the two, the newer one slower by a factor."""
    slowed = [one if one.against else replace(one, cpu=factor * one.cpu) for one in records]
    [change] = compare_versions(standings(slowed))
    return change


if __name__ == "__main__":
    main()
