"""Measure how often answers of ``satcross answer`` are right, by range of posterior.

Puzzles with solutions are answered from all sources that are set up and, to have doubtful answers,
from each of three small sets.

    python tests/benchmarks/sureness.py data/minis/dev/*.xd
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import pairwise

from satcross.clues.answer import answer_crossword, measure_accuracy
from satcross.clues.clue import SourceSettings
from satcross.formats.readers import read_crossword
from satcross.formats.word_cache import read_words
from satcross.formats.words import default_list_path

SETS = (
    None,
    ("wordnet", "vocabulary"),
    ("moby", "vocabulary", "short-words"),
    ("gcide", "phrases", "vocabulary"),
)
RANGES = (0.0, 0.2, 0.5, 0.8, 0.95, 0.995, 1.0)
SECONDS = 3.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("puzzles", nargs="+")
    options = parser.parse_args()
    settings = SourceSettings(read_words([default_list_path()]).vocabulary)
    said: defaultdict[str, list[tuple[float, bool]]] = defaultdict(list)
    for path in options.puzzles:
        crossword = read_crossword(path)
        for names in SETS:
            for method in ("cpsat", "bp"):
                session = answer_crossword(
                    crossword, settings, sources=names, method=method, seconds=SECONDS
                )
                accuracy = measure_accuracy(session, crossword)
                if accuracy is None:
                    parser.error(f"{path} has no solution")
                for slot, sure in zip(session.clues, session.answers.posterior, strict=True):
                    said[method].append((sure, accuracy.slots[slot.slot]))
    for method, answers in said.items():
        for low, high in pairwise(RANGES):
            right = [one for sure, one in answers if low <= sure < high + (high == 1.0)]
            share = f"{sum(right) / len(right):.0%}" if right else "-"
            print(f"{method:6} {low:6.1%} to {high:6.1%}: {len(right):4} answers, {share} right")


if __name__ == "__main__":
    main()
