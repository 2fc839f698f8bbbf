"""Filled grids around random themes: how many of the sets get one, and the CPU time.

    python tests/benchmarks/construct.py OUT.jsonl [--sets 50] [--lengths pairs|any] [--show]

A set has four phrases of 11 to 13 letters from the default list with a score of 60 or more, drawn
from a seed: two pairs of equal lengths, or with ``--lengths any`` any lengths, as under rotational
symmetry an entry without a partner costs another long slot. A 15x15 is made by one process within
60 seconds of CPU time: symmetric, at most 40 blocks and 78 words, every word 55 or more. Each grid
is checked here. Results are appended to OUT; sets that it has already are not run again.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import signal
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from satcross import Puzzle, Vocabulary, make_grid, verify

SIZE, BLOCKS, FLOOR, SECONDS = 15, 40, 55, 60.0
LENGTHS, LEAST_SCORE, SEED = (11, 12, 13), 60, 2026
WRITTEN = Path(__file__).parents[2] / "satcross/resources/english-written.txt.gz"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--sets", type=int, default=50)
    parser.add_argument("--lengths", choices=("pairs", "any"), default="pairs")
    parser.add_argument("--show", action="store_true", help="print the grids")
    options = parser.parse_args()
    signal.signal(signal.SIGPROF, _interrupt)
    vocabulary = Vocabulary.read()
    text = options.out.read_text() if options.out.exists() else ""
    done = {tuple(row["entries"]): row for row in map(json.loads, text.splitlines())}
    rows = []
    for entries in theme_sets(vocabulary, options.sets, paired=options.lengths == "pairs"):
        row = done.get(entries) or run(entries, vocabulary)
        if entries not in done:
            with options.out.open("a") as file:
                file.write(json.dumps(row) + "\n")
        rows.append(row)
        print(_line(row), flush=True)
        if options.show and row["grid"]:
            print("\n".join(row["grid"]), end="\n\n")
    made = [row for row in rows if row["grid"]]
    seconds = sorted(row["seconds"] for row in rows)
    print(f"{len(made)} of {len(rows)} sets have a grid; CPU s: median", end=" ")
    print(f"{statistics.median(seconds):.1f}, worst {seconds[-1]:.1f}")


def theme_sets(vocabulary: Vocabulary, number: int, *, paired: bool) -> list[tuple[str, ...]]:
    """Return seeded sets of four phrases."""
    with gzip.open(WRITTEN, "rt", encoding="utf-8") as file:
        lines = [line.strip().upper() for line in file if " " in line.strip()]
    words = {"".join(filter(str.isalpha, line)) for line in lines}
    phrases = sorted(
        word
        for word in words
        if word.isascii()
        and len(word) in LENGTHS
        and word in vocabulary
        and vocabulary.score(word) >= LEAST_SCORE
    )
    rng = random.Random(SEED)
    sets: list[tuple[str, ...]] = []
    while len(sets) < number:
        chosen = rng.sample(phrases, 4)
        if not paired or is_paired(chosen):
            sets.append(tuple(chosen))
    return sets


def is_paired(words: Sequence[str]) -> bool:
    lengths = sorted(map(len, words))
    return lengths[0] == lengths[1] and lengths[2] == lengths[3]


def run(entries: tuple[str, ...], vocabulary: Vocabulary) -> dict[str, Any]:
    """Make a grid around the entries and check it by its definition."""
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    demands = {"entries": entries, "max_blocks": BLOCKS}
    result = make_grid(SIZE, vocabulary, min_score=FLOOR, demands=demands)
    signal.setitimer(signal.ITIMER_PROF, 0)
    row: dict[str, Any] = {
        "entries": entries,
        "seconds": round(time.process_time() - started, 2),
        "tried": result.tried,
        "grid": None,
    }
    if result.grids:
        made = result.grids[0]
        assert made.outcome is not None
        assert made.outcome.fill is not None
        fill, rows = made.outcome.fill, made.grid.rows
        assert not verify(Puzzle(made.grid, vocabulary, made.locks, min_score=FLOOR), fill)
        assert set(entries) <= set(fill.values())
        assert [row[::-1] for row in rows[::-1]] == list(rows)
        assert min(len(slot.cells) for slot in made.grid.slots) >= 3
        blocks = sum(row.count("#") for row in rows)
        crossed = sum(len(slot.cells) for slot in made.grid.slots)
        assert crossed == 2 * (SIZE * SIZE - blocks)
        assert blocks <= BLOCKS
        assert len(fill) <= 78
        assert min(map(vocabulary.score, fill.values())) >= FLOOR
        letters = made.grid.letters([fill[slot.name] for slot in made.grid.slots])
        row["grid"] = made.grid.draw(letters).splitlines()
        row |= {"words": len(fill), "blocks": blocks, "quality": str(made.outcome.quality)}
    return row


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _line(row: dict[str, Any]) -> str:
    entries = " ".join(row["entries"])
    if not row["grid"]:
        return f"{row['seconds']:6} none  {entries}"
    return f"{row['seconds']:6} {row['words']} words {row['blocks']} blocks  {entries}"


if __name__ == "__main__":
    main()
