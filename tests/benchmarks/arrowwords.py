"""Sixty arrowwords by seeds, each checked by code that shares nothing with satcross.

    python tests/benchmarks/arrowwords.py [--seeds 12] [--records FILE]

With a file of records, a run goes on where an earlier one was ended.

For each size and list: how many were made within five CPU minutes, their CPU seconds (median and
most), the share of clue cells, the mean length of words, and the faults, of which there are to be
none. The puzzles of a row are to be different. Whether other words of the list have the clues and
fit is asked of SAT, of CP-SAT and of a search without satcross, which all have to find a second
answer that is planted in one cell. English words are the default list's of three to nine letters
with a score of 60 and more, and the 34 common ones of two letters, without which a grid rarely
closes; their clues are made up.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from satcross.formats.resources import resource_path
from satcross.make.puzzles.arrow_making import ClueBook, make_arrowword, read_picture
from satcross.make.puzzles.arrowword import Arrowword
from satcross.make.puzzles.files import puzzle_to_data
from satcross.run_settings import NEVER, RunSettings
from satcross.vocabulary import Vocabulary

# After these imports: the folder tests/encoders would be taken for the package of this name.
sys.path.insert(0, str(Path(__file__).parent.parent))

from arrowword_faults import answers, faults, picture_faults, runs

Row = tuple[str, tuple[int, int], tuple[int, int, int, int] | None]

ROWS: list[Row] = [
    ("de", (9, 9), None),
    ("fr", (12, 10), None),
    ("de", (14, 12), (1, 8, 4, 5)),
    ("fr", (14, 12), (1, 1, 5, 4)),
    ("en", (16, 14), None),
]
_LIMIT = 300
"""CPU seconds that one arrowword may take; they do not depend on what else the machine does."""
_TWO_LETTERS = 52
"""Lowest score of common words of two letters."""


def read(name: str) -> dict[str, list[str]]:
    if name == "en":
        words = Vocabulary.read()
        good = [
            word
            for word in words
            if len(word) <= 9 and words.score(word) >= (_TWO_LETTERS if len(word) == 2 else 60)
        ]
        return {word: [f"clue of {word.lower()}"] for word in good}
    clues: dict[str, list[str]] = {}
    for line in resource_path(f"arrowword-{name}.tsv").read_text(encoding="utf-8").splitlines():
        word, clue = line.split("\t")
        clues.setdefault(word, []).append(clue)
    return clues


def ambiguities(
    puzzle: Arrowword, data: dict[str, Any], clues: dict[str, list[str]], seed: int
) -> Iterator[str]:
    """Yield the engines that find a second answer, or do not find one that is planted."""
    question = puzzle.question()
    if answers(data, clues) != 1:
        yield "trying all finds a second answer"
    cell = Random(seed).choice(sorted(question.sizes))
    spelled = question.letters(dict(enumerate(question.answer))) | {cell: "?"}
    changed = tuple("".join(spelled[each] for each in cells) for cells in question.slots)
    pairs = zip(question.tables, changed, strict=True)
    planted = replace(
        question, tables=tuple((*table, *({word} - {*table})) for table, word in pairs)
    )
    for engine in ("sat", "cpsat"):
        if question.another(engine, NEVER) is not None:
            yield f"{engine} finds a second answer"
        if planted.another(engine, NEVER) is None:
            yield f"{engine} does not find the planted answer"
    own = dict(zip(question.answer, changed, strict=True))
    more = {**clues, **{new: [*clues.get(new, ()), *clues[word]] for word, new in own.items()}}
    if answers(data, more) < 2:
        yield "trying all does not find the planted answer"


def make(row: Row, seed: int) -> dict[str, Any]:
    """Make an arrowword and check it; what the table says of it."""
    name, size, picture = row
    written = read(name)
    clues = {word: own[0] for word, own in written.items()}
    started = time.process_time()
    limits = RunSettings(seed=seed, should_stop=lambda: time.process_time() > started + _LIMIT)
    place = "{2}x{3}@r{0}c{1}".format(*picture) if picture else ""
    cells = read_picture(place, size) if picture else frozenset()
    puzzle = make_arrowword(size, ClueBook(clues, written), limits, cells)
    record: dict[str, Any] = {"seconds": time.process_time() - started}
    if puzzle is None:
        return record
    data = json.loads(json.dumps(puzzle_to_data(puzzle)))
    found = [*faults(data, written), *ambiguities(puzzle, data, written, seed)]
    if picture is not None:
        found += picture_faults(data, picture[0] - 1, picture[1] - 1, picture[2:])
    free = size[0] * size[1] - (picture[2] * picture[3] if picture else 0)
    return record | {
        "rows": data["grid"],
        "share": len(puzzle.clue_cells) / free,
        "lengths": list(map(len, runs(data["grid"]).values())),
        "faults": found,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--records", type=Path)
    options = parser.parse_args()
    records: dict[str, dict[str, Any]] = {}
    if options.records and options.records.exists():
        lines = options.records.read_text(encoding="utf-8").splitlines()
        records = dict(map(json.loads, lines))
    print(
        "list      size   picture  made  CPU s (median, most)  clue cells  letters a word  faults"
    )
    for row in ROWS:
        name, size, picture = row
        own = []
        for seed in range(options.seeds):
            key = f"{name} {size} {picture} {seed}"
            if key not in records:
                records[key] = make(row, seed)
                if options.records:
                    with options.records.open("a", encoding="utf-8") as file:
                        print(json.dumps([key, records[key]]), file=file)
            own.append(records[key])
        seconds = [each["seconds"] for each in own]
        made = [each for each in own if "rows" in each]
        found = [text for each in made for text in each["faults"]]
        lengths = [length for each in made for length in each["lengths"]]
        different = len({tuple(each["rows"]) for each in made})
        shown = f"{picture[2]}x{picture[3]}" if picture else "-"
        print(
            f"{name:9} {size[0]}x{size[1]:<4} {shown:7} {different:3} of {options.seeds} "
            f"{statistics.median(seconds):6.1f} {max(seconds):6.1f} "
            f"{100 * statistics.mean(each['share'] for each in made):10.0f} % "
            f"{statistics.mean(lengths):10.1f} {len(found):12}",
            *found[:3],
            flush=True,
        )


if __name__ == "__main__":
    main()
