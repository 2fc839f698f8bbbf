"""Attack satcross for some minutes: ``python -m tests.attack --minutes 10``.

Random puzzles with every rule against brute force, also cancelled at random moments and in several
threads; compiled code against Python; formulas and proofs through other people's solvers, model
counters and drat-trim; mutated files; crosswords with everything in them through every export;
word lists; signals, kills and broken disks; jobs of the web page and, where there is a browser,
random edits in it. Every case has a seed, which is printed when the case shows
a fault; the case is made smaller and saved in ``tests/attack/found``, where the test suite runs it
from then on. Exit code: 0 without a fault, 1 with one, 130 after Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random, SystemRandom

sys.path.insert(0, str(Path(__file__).parents[1]))

from attack import formulas
from attack.attack import fault, shrink
from attack.attacks import ATTACKS
from attack.temporary import all_in_one_folder

FOUND = Path(__file__).parent / "found"

INTERRUPTED = 130
"""Exit code after Ctrl-C or SIGTERM."""

REPORT_SECONDS = 300
"""Seconds between two tables of what has been done so far."""


def main() -> int:
    """Attack, and report."""
    options = _parse_options()
    if options.drat_trim:
        formulas.drat_trim = options.drat_trim
    print("Also at work: " + ", ".join(_others()), flush=True)
    first = SystemRandom().randrange(10**9) if options.seed is None else options.seed
    print(f"First seed: {first}", flush=True)
    tally = Tally(options.only or list(ATTACKS))
    ended = False
    with suppress(KeyboardInterrupt), all_in_one_folder():
        _attack(options, first, tally)
        ended = True
    tally.report()
    return (1 if tally.faults.total() else 0) if ended else INTERRUPTED


@dataclass
class Tally:
    """The cases, seconds and faults of every attack so far."""

    names: Sequence[str]
    done: Counter[str] = field(default_factory=Counter)
    spent: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)

    def report(self) -> None:
        """Print a line for each attack, and the sums."""
        for name in self.names:
            print(
                f"{name:10} {self.done[name]:9,} cases {self.spent[name]:7.0f} s "
                f"{self.faults[name]:4} faults"
            )
        print(f"{self.done.total():,} cases, {self.faults.total()} faults", flush=True)


def _attack(options: argparse.Namespace, first: int, tally: Tally) -> None:
    """Run cases until the time is over, and count them."""
    started = time.monotonic()
    end = started + 60 * options.minutes
    reported = started
    for seed in count(first):
        if time.monotonic() > end or (options.cases and tally.done.total() >= options.cases):
            break
        name = min(tally.names, key=lambda one: tally.spent[one] / ATTACKS[one].weight)
        begun = time.monotonic()
        tally.faults[name] += _run(name, seed, options.found)
        tally.done[name] += 1
        now = time.monotonic()
        tally.spent[name] += now - begun  # type: ignore[assignment]
        if now > reported + REPORT_SECONDS:  # a case that hangs for good must not take the table
            print(f"After {(now - started) / 60:.0f} minutes, next seed {seed + 1}:")
            tally.report()
            reported = now


def _parse_options() -> argparse.Namespace:
    options = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    options.add_argument("--minutes", type=float, default=10)
    options.add_argument("--seed", type=int, help="Of the first case; the next one has one more.")
    options.add_argument("--only", choices=ATTACKS, action="append", help="Repeatable.")
    options.add_argument("--cases", type=int, help="Stop after this number of cases.")
    options.add_argument("--found", type=Path, default=FOUND, help="Where faults are saved.")
    options.add_argument("--drat-trim", metavar="PROGRAM", help="If it is not on the PATH.")
    return options.parse_args()


def _others() -> list[str]:
    """Return the programs and packages of other people that take part."""
    found = [*formulas.programs(formulas.SAT_PROGRAMS)]
    found += formulas.programs([*formulas.OLD_MAXSAT_PROGRAMS, *formulas.NEW_MAXSAT_PROGRAMS])
    found += [name for name in formulas.COUNTERS if name != "enumeration"]
    return [*dict.fromkeys(found), *(["drat-trim"] if formulas.drat_trim else [])] or ["nobody"]


def _run(name: str, seed: int, folder: Path) -> bool:
    """Run one case; save it if it shows a fault."""
    attack = ATTACKS[name]
    case = attack.make(Random(seed))
    message = fault(attack, case)
    if not message:
        return False
    print(f"FAULT, --only {name} --seed {seed}: {message}", flush=True)
    small = shrink(attack, case, message)
    message = fault(attack, small) or f"not always: {message}"
    path = folder / f"{name}-{seed}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps({"attack": name, "message": message, "case": small}, indent=1) + "\n"
    )
    print(f"  {message}\n  saved as {path}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
