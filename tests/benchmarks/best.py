"""Measure how well the best fill is found and proved: the figures of docs/best.md.

    python tests/benchmarks/best.py agree                  (a table of optima, per backend)
    python tests/benchmarks/best.py large 15x15-78         (scores and bound over time)

``agree`` makes small and mid-size puzzles with a fixed seed, asks every backend for the best fill
of each, and ends with exit code 1 when two have proved different optima. ``large`` runs one of
data/grids with the default list and prints how score and bound converge, then how
good the words of the fill are, beside those of the fill of ``solve``.
"""

from __future__ import annotations

import argparse
import sys
import time
from bisect import bisect_left
from collections import defaultdict
from pathlib import Path
from random import Random
from statistics import fmean

from satcross import Grid, Puzzle, Status, Vocabulary, solve
from satcross.formats.files import read_text
from satcross.formats.resources import default_list_path
from satcross.formats.structure import parse_structure
from satcross.formats.word_cache import read_words
from satcross.outcome import Outcome
from satcross.solving.best import best

BACKENDS = ("backtrack", "sat", "cpsat")

SHAPES = {
    "ring 5x5": ["_____", "_###_", "_###_", "_###_", "_____"],
    "stairs 6x6": ["____##", "###_##", "###____", "######_", "######_", "######_"],
    "comb 4x7": ["_______", "_#_#_#_", "_#_#_#_", "_#_#_#_"],
    "lattice 5x5": ["_____", "_#_#_", "_____", "_#_#_", "_____"],
    "open 3x3": ["___"] * 3,
    "lattice 7x7": ["_______", "_#_#_#_"] * 3 + ["_______"],
}


def words_of(source: Vocabulary, number: int, random: Random, spread: int) -> Vocabulary:
    """Return the given number of words of each length, with random scores in 0..spread."""
    chosen: dict[str, int] = {}
    by_length: defaultdict[int, list[str]] = defaultdict(list)
    for word in source:
        by_length[len(word)].append(word)
    for _, words in sorted(by_length.items()):
        for word in random.sample(words, min(number, len(words))):
            chosen[word] = random.randint(0, spread)
    return Vocabulary(chosen)


def puzzles(source: Vocabulary) -> list[tuple[str, Puzzle]]:
    """Yield fillable puzzles of each shape and size of list."""
    made = []
    random = Random(7)
    for name, rows in SHAPES.items():
        for number, spread in ((250, 100), (600, 20), (1200, 1000)):
            found = 0
            for _ in range(25):
                puzzle = Puzzle(Grid.from_rows(rows), words_of(source, number, random, spread))
                if found < 5 and solve(puzzle, time_limit=5).status is Status.FILLED:
                    found += 1
                    made.append((f"{name}, {number} words a length, scores to {spread}", puzzle))
    return made


def agree(seconds: float) -> int:
    source = read_words([default_list_path()]).vocabulary
    proved: defaultdict[str, int] = defaultdict(int)
    spent: defaultdict[str, float] = defaultdict(float)
    both = wrong = 0
    for name, puzzle in puzzles(source):
        outcomes: dict[str, Outcome] = {}
        cells = []
        for backend in BACKENDS:
            started = time.process_time()
            outcomes[backend] = outcome = best(
                puzzle, "total", backend, time_limit=seconds, workers=1
            )
            used = time.process_time() - started
            spent[backend] += used
            proved[backend] += bool(outcome.optimal)
            mark = "" if outcome.optimal else f" of at most {outcome.bound}"
            cells.append(f"{backend} {outcome.score}{mark} {used:.2f} s")
        optima = {one.score for one in outcomes.values() if one.optimal}
        both += bool(outcomes["sat"].optimal and outcomes["cpsat"].optimal)
        wrong += len(optima) > 1
        print(f"{name}: {'; '.join(cells)}{'  DIFFERENT' if len(optima) > 1 else ''}", flush=True)
    for backend in BACKENDS:
        print(f"{backend}: {proved[backend]} proved, {spent[backend]:.0f} s of CPU")
    print(f"RC2 and CP-SAT both proved {both}; different optima: {wrong}")
    return 1 if wrong else 0


def large(name: str, objective: str, seconds: float, backend: str, seed: int) -> int:
    path = Path(__file__).parents[2] / "data" / "grids" / f"{name}.txt"
    grid = parse_structure(read_text(str(path))).grid
    puzzle = Puzzle(grid, read_words([default_list_path()]).vocabulary)
    started = time.monotonic()
    plain = solve(puzzle, backend, time_limit=seconds, seed=seed)
    print(f"plain fill: {plain.score} after {time.monotonic() - started:.1f} s")
    started = time.monotonic()
    shown: list[str] = []

    def report(line: str) -> None:
        if line.startswith("best ") and line not in shown:
            shown.append(line)
            print(f"{time.monotonic() - started:7.1f} s  {line}", flush=True)

    cpu = time.process_time()
    outcome = best(
        puzzle, objective, backend, time_limit=seconds, seed=seed, workers=1, on_progress=report
    )
    for what, one in (("solve", plain), ("best", outcome)):
        scores = sorted(puzzle.vocabulary.score(word) for word in (one.fill or {}).values())
        print(
            f"{what}: mean {fmean(scores):.1f}, lowest {scores[0]}, "
            f"below 50 {bisect_left(scores, 50)}, below 60 {bisect_left(scores, 60)}"
        )
    print(f"{name}: {outcome.score} of at most {outcome.bound}, optimal: {outcome.optimal}")
    used = time.process_time() - cpu
    print(f"{time.monotonic() - started:.1f} s, {used:.1f} s of CPU; {dict(outcome.stats)}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("agree", "large"))
    parser.add_argument("name", nargs="?", default="15x15-78")
    parser.add_argument("--objective", default="quality")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    if given.what == "agree":
        return agree(given.seconds)
    return large(given.name, given.objective, given.seconds, given.backend, given.seed)


if __name__ == "__main__":
    sys.exit(main())
