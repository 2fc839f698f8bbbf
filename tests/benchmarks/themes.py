"""Grids around thirty themes of all shapes, with default options, and what an editor would change.

    python tests/benchmarks/themes.py [--only N,N] [--seed N] [--model] [--show]

``themes.txt`` has the themes. Each is asked for as ``satcross grid`` does, in a process of its own:
CPU seconds, words, blocks, what was loosened, and the quality of the fill. ``--model`` has CP-SAT
propose the patterns instead of annealing.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import statistics
import time
from pathlib import Path

from satcross import Vocabulary
from satcross.grid.styles import Style
from satcross.make import Demands, MadeGrid, default_words, make_grids
from satcross.make.commands.grid import default_seconds
from satcross.make.pattern import fillable

THEMES = Path(__file__).with_suffix(".txt")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", help="numbers of themes, counted from 1")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", action="store_true", help="patterns by CP-SAT")
    parser.add_argument("--show", action="store_true", help="print the grids")
    options = parser.parse_args()
    if options.model:
        fillable._ANNEALED_AREAS = range(1)
    lines = [line for line in THEMES.read_text().splitlines() if not line.startswith("#")]
    numbers = map(int, options.only.split(",")) if options.only else range(1, len(lines) + 1)
    rows = []
    for number in numbers:
        with multiprocessing.get_context("fork").Pool(1) as pool:
            made, seconds, text = pool.apply(run, (lines[number - 1], options.seed, options.show))
        rows.append((made, seconds))
        print(f"{number:2} {seconds:5.1f} s  {text}", flush=True)
    each = [seconds for _, seconds in rows]
    print(f"{sum(made for made, _ in rows)} of {len(rows)} have a grid; CPU s: median", end=" ")
    print(f"{statistics.median(each):.1f}, worst {max(each):.1f}")


def run(line: str, seed: int, show: bool) -> tuple[bool, float, str]:
    """Return whether a theme has a grid, the CPU seconds, and what to print."""
    size, _, phrases = line.partition(" ")
    written = {re.sub(r"\W", "", phrase): phrase.strip() for phrase in phrases.split(";")}
    started, side = time.process_time(), int(size)
    words = default_words(Style.AMERICAN, side, side)
    demands = Demands(side, side, words, entries=tuple(written), written=written)
    vocabulary = Vocabulary.read()
    result = make_grids(demands, vocabulary, seed=seed, time_limit=default_seconds(side, side))
    seconds = time.process_time() - started
    lengths = "-".join(str(len(word)) for word in written)
    if not result.grids:
        return False, seconds, f"{size} {lengths}: none, {result.tried} patterns; {result.reason}"
    made = result.grids[0]
    assert made.outcome is not None
    blocks = sum(row.count("#") for row in made.pattern.rows)
    text = (
        f"{size} {lengths}: {len(made.grid.slots)} words, {blocks} blocks; {made.outcome.quality}"
    )
    if made.loosened:
        text += f"; accepting {', '.join(made.loosened)}"
    if show:
        text += f"\n{made}\n{entries(made, vocabulary)}"
    return True, seconds, text


def entries(made: MadeGrid, vocabulary: Vocabulary) -> str:
    """Return the words across and down, those below 60 with their scores, the theme in brackets."""
    assert made.outcome is not None
    assert made.outcome.fill is not None
    lines = {"across": "", "down": ""}
    for slot in made.grid.slots:
        word = made.outcome.fill[slot.name]
        score = vocabulary.score(word)
        shown = f"[{word}]" if slot.name in made.locks else word
        lines[slot.direction] += f" {shown} {score}" if score < 60 else f" {shown}"
    return "\n".join(f"{direction}:{words}" for direction, words in lines.items())


if __name__ == "__main__":
    main()
