"""Measure whole runs of ``satcross answer``: a 5x5 and a 15x15 with clues.

The grids are filled from the default list; a word's clue is one of ``clues.tsv`` for that word, or,
for most of them, one for another word of its length, which is harder than any published puzzle:
hardly any answer is among the candidates.

    python tests/benchmarks/answers.py [--seed 1] [--method cpsat,bp]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from random import Random

from measure import measure

from satcross import Grid, Puzzle, solve
from satcross.crossword import Crossword
from satcross.formats.ipuz import write_crossword
from satcross.formats.resources import default_list_path
from satcross.formats.word_cache import read_words

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 3600.0
"""Seconds after which a run is stopped."""
GRIDS = {
    "5x5": ["#___#", "_____", "_____", "_____", "#___#"],
    "15x15-78": (ROOT / "data/grids/15x15-78.txt").read_text("utf-8").split(),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--method", default="cpsat,bp,crosswind")
    options = parser.parse_args()
    print(f"{'grid':10} {'method':10} {'wall s':>7} {'CPU s':>7} {'MiB':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in GRIDS.items():
            path = Path(folder) / f"{name}.ipuz"
            write_crossword(_clued(Grid.from_rows(rows), Random(options.seed)), path, "fill")
            for method in options.method.split(","):
                command = [sys.executable, "-m", "satcross", "answer", str(path), "--quiet"]
                done = measure([*command, "--method", method], PATIENCE, PATIENCE)
                if done.code:
                    raise SystemExit(f"satcross answer ended with {done.code}: {done.errors}")
                row = f"{done.wall:7.1f} {done.cpu:7.1f} {done.memory:6.0f}"
                print(f"{name:10} {method:10} {row}", flush=True)


def _clued(grid: Grid, random: Random) -> Crossword:
    vocabulary = read_words([default_list_path()]).vocabulary
    fill = solve(Puzzle(grid, vocabulary, min_score=60), seed=random.randrange(1 << 30)).fill
    assert fill is not None
    exact: defaultdict[str, list[str]] = defaultdict(list)
    by_length: defaultdict[int, list[str]] = defaultdict(list)
    table = Path(__file__).parent / "clues.tsv"
    for line in table.read_text("utf-8").splitlines():
        word, clue = line.split("\t")[2:4]
        exact[word.upper()].append(clue)
        by_length[len(word)].append(clue)
    everything = [clue for clues in by_length.values() for clue in clues]
    clues = {
        name: random.choice(exact[word] or by_length[len(word)] or everything)
        for name, word in fill.items()
    }
    return Crossword.of(grid, fill, clues)


if __name__ == "__main__":
    main()
