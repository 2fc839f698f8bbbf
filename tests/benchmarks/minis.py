"""Answer every puzzle of a folder by several methods and sets of sources, and count what is right.

    python tests/benchmarks/minis.py data/minis/held-out --method cpsat,bp,crosswind \\
        --sources wordnet,moby --sources wordnet,moby,gcide --out answers.jsonl

With several ``--sources``, sets of sources are compared; without it, the default set is used.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from satcross.answer.clue import SourceSettings
from satcross.answer.language.cross_references import crossword_clues
from satcross.answer.session import (
    AnswerSettings,
    choose_words,
    gather_candidates,
    measure_accuracy,
    without_solution,
)
from satcross.answer.sources.clue_database import with_clue_database, word_pairs
from satcross.crossword import Crossword
from satcross.errors import InputError
from satcross.formats.readers import READERS, import_crossword
from satcross.formats.word_cache import read_words

COLUMNS = "{:40} {:10} {:>8} {:>8} {:>8} {:>10} {:>8}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sources", action="append", default=[])
    parser.add_argument("--method", default="auto")
    parser.add_argument("--clues-db")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    records = []
    for names in options.sources or [""]:
        chosen = names.split(",") if names else None
        settings = SourceSettings(read_words([]).vocabulary, options.clues_db, cache="")
        settings = with_clue_database(settings, chosen)
        for path, crossword in puzzles(options.folder):
            for record in answered(crossword, settings, chosen, options.method.split(",")):
                records.append({"puzzle": str(path), "sources": names or "default", **record})
    groups = defaultdict(list)
    for record in records:
        groups[str(record["sources"]), str(record["method"])].append(record)
    print(COLUMNS.format("sources", "method", "puzzles", "letters", "words", "all right", "CPU s"))
    for (names, method), some in groups.items():
        letters, of_letters, words, of_words, right, seconds = (
            sum(float(str(record[key])) for record in some)
            for key in ("letters", "of_letters", "words", "of_words", "all", "seconds")
        )
        shares = f"{letters / of_letters:.1%}", f"{words / of_words:.1%}", f"{right:.0f}"
        print(COLUMNS.format(names, method, len(some), *shares, f"{seconds / len(some):.2f}"))
    if options.out is not None:
        options.out.write_text("".join(f"{json.dumps(record)}\n" for record in records), "utf-8")


def puzzles(folder: Path) -> Iterator[tuple[Path, Crossword]]:
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in READERS):
        try:
            crossword = import_crossword(str(path)).crossword
        except InputError as error:
            print(error)
            continue
        if any(any(row) for row in crossword.solution):
            yield path, crossword


def answered(
    official: Crossword,
    settings: SourceSettings,
    sources: Sequence[str] | None,
    methods: Sequence[str],
) -> Iterator[dict[str, object]]:
    """Yield what is right by each method; the sources are asked once."""
    started = time.process_time()
    crossword = without_solution(official)
    clues = crossword_clues(crossword)
    how = AnswerSettings(sources, seconds=10, pairs=word_pairs(settings))
    gathered = gather_candidates(clues, settings, how)
    asked = time.process_time() - started
    for method in methods:
        started = time.process_time()
        how = AnswerSettings(sources, method, seconds=10, pairs=how.pairs)
        session = choose_words(crossword, clues, gathered, settings.vocabulary, how)
        accuracy = measure_accuracy(session, official)
        if accuracy is not None:
            yield {
                "method": session.answers.method,
                "letters": accuracy.letters[0],
                "of_letters": accuracy.letters[1],
                "words": accuracy.words[0],
                "of_words": accuracy.words[1],
                "all": int(accuracy.solved),
                "optimal": session.answers.optimal,
                "seconds": round(asked + time.process_time() - started, 3),
            }


if __name__ == "__main__":
    main()
