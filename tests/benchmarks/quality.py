"""Quality of default fills: seeded fills in numbers, and the CPU time they took.

Usage: python tests/benchmarks/quality.py [FILLS [GRID...]]    (default: 25 fills of four grids)

Prints for each grid the CPU seconds (median, worst), the mean score, the lowest score of the worst
fill, plain plurals, pairs of similar words, and how many entries of offensive tiers were used.
``--show`` as first argument prints the fills, too.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path

from satcross.formats.packed import tiers_of
from satcross.formats.readers import read_structure
from satcross.formats.words import default_list
from satcross.puzzle import Puzzle
from satcross.solving import solve
from satcross.verify import verify
from satcross.vocabulary import Vocabulary

GRIDS = Path(__file__).parents[2] / "data" / "grids"
NAMES = ("15x15-78", "15x15-72", "15x15-76", "21x21-140")


def main(arguments: list[str]) -> None:
    """Fill each grid with the seeds 0, 1, ... and print a row for it."""
    shown = arguments[:1] == ["--show"]
    arguments = arguments[shown:]
    number = int(arguments[0]) if arguments else 25
    vocabulary, tiers = Vocabulary.read(), tiers_of(default_list())
    print(f"{'grid':12} CPU s  worst   mean lowest plurals (most) pairs tiered")
    for name in arguments[1:] or NAMES:
        puzzle = Puzzle(read_structure(str(GRIDS / f"{name}.txt"), letters=False).grid, vocabulary)
        seconds, means, lowest, plurals, pairs, tiered = [], [], [], [], 0, 0
        for seed in range(number):
            started = time.process_time()
            outcome = solve(puzzle, seed=seed)
            seconds.append(time.process_time() - started)
            if outcome.fill is None or outcome.quality is None:
                raise SystemExit(f"{name}, seed {seed}: {outcome.summary}")
            assert not verify(puzzle, outcome.fill)
            words = list(outcome.fill.values())
            means.append(statistics.mean(map(vocabulary.score, words)))
            lowest.append(min(map(vocabulary.score, words)))
            plurals.append(outcome.quality.plurals)
            pairs += len(outcome.quality.same_stem) + len(outcome.quality.shared)
            tiered += sum(word in tiers for word in words)
            if shown:
                print(f"{outcome}\n{outcome.quality}\n")
        print(
            f"{name:12} {statistics.median(seconds):5.2f} {max(seconds):6.2f} "
            f"{statistics.mean(means):6.1f} {min(lowest):6} {statistics.mean(plurals):7.1f} "
            f"{max(plurals):6} {pairs:5} {tiered:6}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
