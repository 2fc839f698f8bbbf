"""Write and check a proof for every unfillable puzzle of a folder; prints a Markdown table.

    python tests/benchmarks/proofs.py FOLDER --select vg-08,h --time-limit 120

FOLDER is as for known.py. Each of the two steps is a process of its own, as a user would start it,
with its own limit; seconds are CPU seconds of the whole process. The exit code is 1 if a proof was
written and then rejected.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from measure import Classic, read_classics, satcross


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
    for row in read_classics(options.folder, options.select, options.list):
        if row.status != "unfillable" or time.monotonic() - started > options.total:
            continue
        rows += 1
        with tempfile.TemporaryDirectory() as folder:
            cells, verdict = one(options, row, Path(folder))
        proved += verdict == "valid"
        rejected += verdict == "REJECTED"
        line = [f"`{row.grid}`", f"`{row.list}`", *cells, verdict]
        print(f"| {' | '.join(line)} |", flush=True)
    print(f"\n{proved} of {rows} proved and checked, {rejected} rejected")
    return 1 if rejected else 0


def one(options: argparse.Namespace, row: Classic, work: Path) -> tuple[list[str], str]:
    proof, formula = work / "proof.drat", work / "proof.cnf"
    flags = ["--json", f"--time-limit={options.time_limit}"]
    limits = {"limit": 10 * options.time_limit, "clock": 20 * options.time_limit}
    solver = [f"--solver={options.solver}"] if options.solver else []
    done = satcross("solve", *row.files, "--quiet", f"--proof={proof}", *solver, *flags, **limits)
    if done.code != 20:
        verdict = "no proof in time" if done.code == 30 else "failed"
        return ["", "", "", f"{done.cpu:.1f}", ""], verdict
    lemmas = json.loads(done.output)["proof"]["lemmas"]
    with formula.open(encoding="utf-8") as file:
        clauses = next(line for line in file if line.startswith("p ")).split()[3]
    cells = [clauses, str(lemmas), f"{proof.stat().st_size / 1000:.1f}", f"{done.cpu:.1f}"]
    done = satcross("check", *row.files, "--proof", str(formula), str(proof), *flags, **limits)
    verdict = {0: "valid", 20: "REJECTED", 30: "not checked in time"}.get(done.code, "failed")
    return [*cells, f"{done.cpu:.1f}"], verdict


if __name__ == "__main__":
    sys.exit(main())
