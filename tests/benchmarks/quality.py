"""Quality of default fills: seeded fills in numbers, and the CPU time they took.

    python tests/benchmarks/quality.py [FILLS [GRID...]] [--seed N] [--show] [--slow]

Prints for each grid the CPU seconds (median, worst, number above three), the mean and the lowest
mean score of a fill, the lowest score of all words, how many fills have words below 60 and below
50, and how many plain plurals, abbreviations, pairs of similar words and entries of offensive
tiers the fills have. The default is 25 fills of four grids, with the seeds from 0 on. ``--show``
prints the fills, too, and ``--slow`` the seeds of fills that took more than three seconds, with
what the search did.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import dataclass
from pathlib import Path

from satcross import Grid, Outcome, Puzzle, Vocabulary, solve, verify
from satcross.formats.packed import default_list, tiers_of
from satcross.outcome import FillQuality

GRIDS = Path(__file__).parents[2] / "data" / "grids"
NAMES = ("15x15-78", "15x15-72", "15x15-76", "21x21-140")
SLOW = 3.0
HEADING = (
    "grid       CPU s  worst  slow   mean lowest | lowest <60 <50 | plurals (most) abbrs (most) "
    "pairs tiered"
)


@dataclass(frozen=True)
class Fill:
    """A seeded fill, the CPU seconds it took, and the scores of its words."""

    seed: int
    seconds: float
    outcome: Outcome
    quality: FillQuality
    scores: list[int]


def main() -> None:
    """Fill each grid with some seeds and print a row for it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("number", nargs="?", type=int, default=25, metavar="FILLS")
    parser.add_argument("grids", nargs="*", default=NAMES, metavar="GRID")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--show", action="store_true", help="print the fills")
    parser.add_argument("--slow", action="store_true", help="say what slow searches did")
    options = parser.parse_args()
    vocabulary = Vocabulary.read()
    print(HEADING)
    for name in options.grids:
        path = Path(name) if name.endswith(".txt") else GRIDS / f"{name}.txt"
        puzzle = Puzzle(Grid.read(path), vocabulary)
        seeds = range(options.seed, options.seed + options.number)
        fills = [fill(puzzle, seed) for seed in seeds]
        for item in fills if options.show else ():
            print(f"seed {item.seed}\n{item.outcome}\n{item.quality}\n")
        for item in fills if options.slow else ():
            if item.seconds > SLOW:
                print(f"seed {item.seed}: {item.seconds:.1f} s, {dict(item.outcome.stats)}")
        print(row(Path(name).stem, fills), flush=True)


def fill(puzzle: Puzzle, seed: int) -> Fill:
    """Return the fill of one seed."""
    started = time.process_time()
    outcome = solve(puzzle, seed=seed, workers=1)
    seconds = time.process_time() - started
    if outcome.fill is None or outcome.quality is None:
        raise SystemExit(f"seed {seed}: {outcome.summary}")
    assert not verify(puzzle, outcome.fill)
    scores = list(map(puzzle.vocabulary.score, outcome.fill.values()))
    return Fill(seed, seconds, outcome, outcome.quality, scores)


def count(fill: Fill, preference: str) -> int:
    """Return how many words, or pairs of words, of a fill an editors' preference is about."""
    found = fill.quality.of(preference)
    assert found is not None
    return len(found.words) + len(found.pairs)


def row(name: str, fills: list[Fill]) -> str:
    """Return the figures of the fills of a grid."""
    seconds = [one.seconds for one in fills]
    means = [statistics.mean(one.scores) for one in fills]
    plurals = [count(one, "plurals") for one in fills]
    abbreviations = [count(one, "abbreviations") for one in fills]
    pairs = sum(count(one, name) for one in fills for name in ("same_stem", "shared"))
    tiers = tiers_of(default_list())
    tiered = sum(word in tiers for one in fills for word in (one.outcome.fill or {}).values())
    return (
        f"{name:10} {statistics.median(seconds):5.2f} {max(seconds):6.2f} "
        f"{sum(one > SLOW for one in seconds):5} "
        f"{statistics.mean(means):6.1f} {min(means):6.1f} | "
        f"{min(min(one.scores) for one in fills):6} "
        f"{sum(min(one.scores) < 60 for one in fills):3} "
        f"{sum(min(one.scores) < 50 for one in fills):3} | "
        f"{statistics.mean(plurals):7.1f} {max(plurals):6} "
        f"{statistics.mean(abbreviations):5.1f} {max(abbreviations):6} {pairs:5} {tiered:6}"
    )


if __name__ == "__main__":
    main()
