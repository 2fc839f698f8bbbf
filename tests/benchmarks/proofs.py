"""Write and check a proof for every unfillable puzzle of a folder; prints a Markdown table.

    python tests/benchmarks/proofs.py FOLDER --select vg-08,h --time-limit 120

FOLDER is as for known.py. Each of the two steps is a process of its own, as a user would start it,
with its own limit; seconds are CPU seconds of the whole process. The exit code is 1 if a proof was
written and then rejected.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
import time
from pathlib import Path

from measure import measure


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--select", default="", help="beginnings of grid names, comma-separated")
    parser.add_argument("--list", help="only this list")
    parser.add_argument("--time-limit", type=float, default=120, help="for each step")
    parser.add_argument("--total", type=float, default=float("inf"), help="start no row after that")
    parser.add_argument("--solver", help="a solver of PySAT instead of the search")
    options = parser.parse_args()
    print("| grid | list | clauses | lemmas | proof kB | prove s | check s | verdict |")
    print("|---|---|---:|---:|---:|---:|---:|---|", flush=True)
    proved = rejected = rows = 0
    started = time.monotonic()
    with (options.folder / "known.csv").open(encoding="utf-8") as file:
        unfillable = [row for row in csv.DictReader(file) if row["status"] == "unfillable"]
    for row in unfillable:
        if not row["grid"].startswith(tuple(options.select.split(","))):
            continue
        if options.list not in (None, row["list"]) or time.monotonic() - started > options.total:
            continue
        rows += 1
        with tempfile.TemporaryDirectory() as folder:
            cells, verdict = one(options, row, Path(folder))
        proved += verdict == "valid"
        rejected += verdict == "REJECTED"
        line = [f"`{row['grid']}`", f"`{row['list']}`", *cells, verdict]
        print(f"| {' | '.join(line)} |", flush=True)
    print(f"\n{proved} of {rows} proved and checked, {rejected} rejected")
    return 1 if rejected else 0


def one(options: argparse.Namespace, row: dict[str, str], work: Path) -> tuple[list[str], str]:
    structure = str(options.folder / "grids" / f"{row['grid']}.txt")
    words = str(options.folder / "lists" / f"{row['list']}.txt")
    proof, formula = work / "proof.drat", work / "proof.cnf"
    limit = f"--time-limit={options.time_limit}"
    arguments = ["solve", structure, words, "--json", "--quiet", f"--proof={proof}", limit]
    if options.solver:
        arguments += [f"--solver={options.solver}"]
    code, seconds, text = run(arguments, options.time_limit)
    if code != 20:
        return ["", "", "", f"{seconds:.1f}", ""], "no proof in time" if code == 30 else "failed"
    lemmas = json.loads(text)["proof"]["lemmas"]
    with formula.open(encoding="utf-8") as file:
        clauses = next(line for line in file if line.startswith("p ")).split()[3]
    cells = [clauses, str(lemmas), f"{proof.stat().st_size / 1000:.1f}", f"{seconds:.1f}"]
    arguments = ["check", structure, words, "--proof", str(formula), str(proof)]
    code, seconds, text = run([*arguments, "--json", limit], options.time_limit)
    verdict = {0: "valid", 20: "REJECTED", 30: "not checked in time"}.get(code, "failed")
    return [*cells, f"{seconds:.1f}"], verdict


def run(arguments: list[str], limit: float) -> tuple[int, float, str]:
    """Return exit code, CPU seconds and output of a run of satcross."""
    done = measure([sys.executable, "-m", "satcross", *arguments], 10 * limit, 20 * limit)
    return done.code, done.cpu, done.output


if __name__ == "__main__":
    sys.exit(main())
