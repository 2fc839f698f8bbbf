"""Sixty arrowwords by seeds, each checked by code that shares nothing with satcross.

    python tests/benchmarks/arrowwords.py [--seeds 12] [--save FOLDER]

For each size and list: how many were made within a minute, the CPU seconds (median and most), the
share of clue cells, the mean length of words, and the faults, of which there are to be none. The
puzzles of a row are to be different. English words are the default list's of three to nine letters
with a score of 60 and more, and the 34 common ones of two letters, without which a grid rarely
closes; their clues are made up.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from arrowword_faults import faults, picture_faults, runs

from satcross.formats.resources import resource_path
from satcross.make.puzzles.arrow_sweep import Picture
from satcross.make.puzzles.arrowword import make_arrowword
from satcross.make.puzzles.files import puzzle_to_data
from satcross.run_settings import RunSettings
from satcross.vocabulary import Vocabulary

ROWS: list[tuple[str, tuple[int, int], tuple[int, int, int, int] | None]] = [
    ("de", (9, 9), None),
    ("fr", (12, 10), None),
    ("de", (14, 12), (0, 7, 4, 5)),
    ("fr", (14, 12), (0, 0, 5, 4)),
    ("en", (16, 14), None),
]
_TWO_LETTERS = 52
"""Lowest score of common words of two letters."""


def read(name: str) -> dict[str, str]:
    if name == "en":
        words = Vocabulary.read()
        good = [
            word
            for word in words
            if len(word) <= 9 and words.score(word) >= (_TWO_LETTERS if len(word) == 2 else 60)
        ]
        return {word: f"clue of {word.lower()}" for word in good}
    lines = resource_path(f"arrowword-{name}.tsv").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in reversed(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--save", type=Path)
    options = parser.parse_args()
    print(
        "list      size   picture  made  CPU s (median, most)  clue cells  letters a word  faults"
    )
    for name, size, picture in ROWS:
        clues = read(name)
        seconds: list[float] = []
        shares: list[float] = []
        lengths: list[int] = []
        seen: set[tuple[str, ...]] = set()
        found: list[str] = []
        for seed in range(options.seeds):
            started = time.process_time()
            limits = RunSettings(seed=seed, time_limit=300)
            place = None if picture is None else Picture(*picture)
            puzzle = make_arrowword(size, clues, limits, picture=place)
            seconds.append(time.process_time() - started)
            if puzzle is None:
                continue
            data = json.loads(json.dumps(puzzle_to_data(puzzle)))
            found += faults(data, {word: [clue] for word, clue in clues.items()})
            if picture is not None:
                found += picture_faults(data, *picture[:2], picture[2:])
            seen.add(tuple(data["grid"]))
            free = size[0] * size[1] - (picture[2] * picture[3] if picture else 0)
            shares.append(len(puzzle.in_cells()) / free)
            lengths += map(len, runs(data["grid"]).values())
            if options.save:
                text = json.dumps(data, ensure_ascii=False)
                file = options.save / f"{name}-{size[0]}x{size[1]}-{seed}.json"
                file.write_text(text, encoding="utf-8")
        shown = f"{picture[2]}x{picture[3]}" if picture else "-"
        print(
            f"{name:9} {size[0]}x{size[1]:<4} {shown:7} {len(seen):3} of {options.seeds} "
            f"{statistics.median(seconds):6.1f} {max(seconds):6.1f} "
            f"{100 * statistics.mean(shares):10.0f} % {statistics.mean(lengths):10.1f} "
            f"{len(found):12}",
            *found[:3],
            flush=True,
        )


if __name__ == "__main__":
    main()
