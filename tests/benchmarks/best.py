"""Fillable puzzles with random scores, as a suite for ``satcross bench --best``.

    python tests/benchmarks/best.py FOLDER
    satcross bench FOLDER/best.toml -o runs.jsonl --best --backend backtrack,sat,cpsat

The words are drawn from the default list. The same grids and lists are made each time.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random

from satcross import Grid, Puzzle, Status, Vocabulary, solve

SHAPES = {
    "ring 5x5": ["_____", "_###_", "_###_", "_###_", "_____"],
    "stairs 6x6": ["____##", "###_##", "###____", "######_", "######_", "######_"],
    "comb 4x7": ["_______", "_#_#_#_", "_#_#_#_", "_#_#_#_"],
    "lattice 5x5": ["_____", "_#_#_", "_____", "_#_#_", "_____"],
    "open 3x3": ["___"] * 3,
    "lattice 7x7": ["_______", "_#_#_#_"] * 3 + ["_______"],
}
PER_LIST = 5
"""Puzzles of each shape and size of list: fewer where fewer of ATTEMPTS lists fill the grid."""
ATTEMPTS = 25

PUZZLE = """
[[puzzle]]
name = "{name}"
family = "{family}"
structure = '''
{rows}
'''
words = ["{name}.txt"]
"""


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


def puzzles() -> Iterator[tuple[str, str, Vocabulary]]:
    """Yield name, shape and list of each puzzle."""
    source, random = Vocabulary.read(), Random(7)
    for shape, rows in SHAPES.items():
        for number, spread in ((250, 100), (600, 20), (1200, 1000)):
            found = 0
            for _ in range(ATTEMPTS):
                words = words_of(source, number, random, spread)
                puzzle = Puzzle(Grid.from_rows(rows), words)
                if found < PER_LIST and solve(puzzle, time_limit=5).status is Status.FILLED:
                    found += 1
                    yield f"{shape} {number} words {found}", shape, words


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    suite = 'suite = 1\ntitle = "random scores"\n'
    for name, shape, words in puzzles():
        lines = "".join(f"{word};{words.score(word)}\n" for word in words)
        (folder / f"{name}.txt").write_text(lines, "utf-8")
        suite += PUZZLE.format(name=name, family=shape, rows="\n".join(SHAPES[shape]))
    (folder / "best.toml").write_text(suite, "utf-8")


if __name__ == "__main__":
    main()
