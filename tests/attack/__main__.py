"""Attack satcross for some minutes: ``python -m tests.attack --minutes 10``.

Random puzzles with every rule against trying everything, formulas through other SAT solvers,
proofs, puzzles seen otherwise, mutated files, signals. Every case has a seed, which is printed when
the case shows a fault; the case is made smaller and saved in ``tests/attack/found``, where the test
suite runs it from then on. Exit code: 0 without a fault, 1 with one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from itertools import count, cycle
from pathlib import Path
from random import Random, SystemRandom

sys.path.insert(0, str(Path(__file__).parents[1]))

from attack.attacks import ATTACKS, fault, shrink

FOUND = Path(__file__).parent / "found"

USUAL = [*(name for name in ATTACKS if name != "signals")] * 10 + ["signals"]
"""The order of the attacks; those with signals take a second each."""


def main() -> int:
    """Attack, and report."""
    options = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    options.add_argument("--minutes", type=float, default=10)
    options.add_argument("--seed", type=int, help="Of the first case; the next one has one more.")
    options.add_argument("--only", choices=ATTACKS, action="append", help="May be repeated.")
    options.add_argument("--cases", type=int, help="Stop after so many cases.")
    options.add_argument("--found", type=Path, default=FOUND, help="Where faults are saved.")
    chosen = options.parse_args()
    first = SystemRandom().randrange(10**9) if chosen.seed is None else chosen.seed
    print(f"first seed {first}", flush=True)
    until = time.monotonic() + 60 * chosen.minutes
    done: Counter[str] = Counter()
    faults = 0
    for seed, name in zip(count(first), cycle(chosen.only or USUAL), strict=False):
        if time.monotonic() > until or (chosen.cases and done.total() >= chosen.cases):
            break
        attack = ATTACKS[name]
        case = attack.make(Random(seed))
        told = fault(attack, case)
        done[name] += 1
        if told:
            faults += 1
            small = shrink(attack, case, told)
            path = chosen.found / f"{name}-{seed}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            told = fault(attack, small) or told
            path.write_text(json.dumps({"attack": name, "told": told, "case": small}, indent=1))
            print(f"FAULT, --only {name} --seed {seed}: {told}\n  saved as {path}", flush=True)
    figures = ", ".join(f"{number:,} {name}" for name, number in done.items())
    print(f"{done.total():,} cases ({figures}): {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
