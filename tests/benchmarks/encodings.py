"""Measure the encodings of the backend sat: sizes and CPU seconds on six puzzles of public-1.

    python tests/benchmarks/encodings.py [--cpu-limit 20] [--out runs.jsonl]

Prints the rows of the table in docs/encoders.md: variables, clauses, and CPU seconds of whole runs
by three solvers, without narrowing. A run that is in the file is not repeated.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from satcross.backends.registry import ENCODINGS
from satcross.compare.backend_contenders import BackendContender
from satcross.compare.contenders import Instance, Run
from satcross.compare.limits import RunLimits
from satcross.compare.records import Record, RecordFile, read_records
from satcross.compare.runs import execute
from satcross.compare.suite import read_chosen, read_suite

SUITE = Path(__file__).parents[2] / "data" / "bench" / "public-1.toml"
PUZZLES = (
    "classic-5-1-scowl70",
    "open-4x4-half-scowl70",
    "open-4x4-few-scowl70",
    "open-4x5-few-scowl70",
    "lattice-7x7-half-scowl70",
    "barred-7-1-scowl70",
)
SOLVERS = ("cadical195", "glucose4", "minisat22")


def row(instance: Instance, encoding: str, runs: list[Record]) -> str:
    sizes = next(([run.variables, run.clauses] for run in runs if run.clauses), ["-", "-"])
    times = [f"{run.cpu:.1f}" if run.answered else run.reason for run in runs]
    return "| " + " | ".join(map(str, [instance.name, encoding, *sizes, *times])) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cpu-limit", type=float, default=20)
    parser.add_argument("--out", default="encodings.jsonl")
    given = parser.parse_args()
    limits = RunLimits(20 * given.cpu_limit, given.cpu_limit, 4000)
    print("| puzzle | encoding | variables | clauses |", " | ".join(SOLVERS), "|")
    print("|---|---|" + "---|" * (2 + len(SOLVERS)))
    with RecordFile(given.out) as file:
        known = {record.key: record for record in read_records(given.out)}
        for instance in read_chosen(read_suite(str(SUITE)), (), PUZZLES):
            for encoding in ENCODINGS:
                found = []
                for solver in SOLVERS:
                    contender = BackendContender("sat", solver, encoding, "none")
                    run = Run(instance, contender, limits)
                    if run.key not in known:
                        known[run.key] = execute(run)
                        file.add(known[run.key])
                    found.append(known[run.key])
                print(row(instance, encoding, found), flush=True)


if __name__ == "__main__":
    main()
