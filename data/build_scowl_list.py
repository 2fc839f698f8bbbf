"""Build scored word lists from SCOWL alone: those of the examples and of the benchmark suite.

Source: SCOWL (Spell Checker Oriented Word Lists) by Kevin Atkinson,
http://wordlist.aspell.net/, as installed by Debian's `scowl` package in
/usr/share/dict/scowl.  SCOWL ships one file per (spelling, category, size);
`english-words.10` holds the commonest words and each larger size rarer ones.
The licence is in satcross/resources/SCOWL-LICENSE.txt.

Usage, from the repository's root:

    python data/build_scowl_list.py
        # rebuild data/bench/lists/scowl70.txt.gz, lines of WORD;SCORE
    python data/build_scowl_list.py --plain --max-words 3000 -o data/words2.txt
        # the commonest words, unscored, lower case, alphabetical

How a word gets its score (1..100, higher is better for a puzzle):

    size     10   20   35   40   50   55   60   70   80   95
    score   100   95   85   80   70   65   60   45   25    8

    less, by category   words 0, hacker 15, upper 15, proper-names 22,
                        abbreviations 35, roman-numerals 40
    less, by spelling   english and special 0; american, british, british_z,
                        canadian, australian 2; variant_1 (also the national
                        ones) 5, variant_2 10, variant_3 20
    less, by length     2 letters: 30 if the size is 35 or more or the category
                        isn't words; 3 letters: 20 if the size is 50 or more or
                        the category isn't words

The sum is held to at least 1.  A word found in several files keeps its best
score.  So 60 and more is everyday and ordinary dictionary vocabulary, 40 to 59
large-dictionary words and well-known names, and below 40 what only a puzzle
would print.  Sizes 80 and 95 are left out: each would double the list, with
words that only players of word games know, and then with the likes of THRANGITY
and WIRRAH.  `--max-size 95` takes both in.

What is kept: entries that are A-Z only once upper-cased and stripped of accents
(CAFÉ gives CAFE; NFKD, combining marks removed), of 2 to 25 letters.
Possessives (CAT'S) and every other entry with an apostrophe, hyphen, space,
digit or a letter that has no A-Z form are dropped, so the contractions category
gives nothing.  No word is left out for its meaning: some are offensive.

The output depends on nothing but SCOWL's files and the options: sorted by
falling score, then alphabetically, gzip header without time or file name.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import re
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path

DEFAULT_SCOWL = Path("/usr/share/dict/scowl")
DEFAULT_OUTPUT = Path(__file__).resolve().parent.parent / "data/bench/lists/scowl70.txt.gz"

SIZE_SCORE = {10: 100, 20: 95, 35: 85, 40: 80, 50: 70, 55: 65, 60: 60, 70: 45, 80: 25, 95: 8}
CATEGORY_PENALTY = {
    "words": 0,
    "hacker": 15,
    "upper": 15,
    "proper-names": 22,
    "abbreviations": 35,
    "roman-numerals": 40,
}
NATIONAL_PENALTY = 2
VARIANT_PENALTY = {"1": 5, "2": 10, "3": 20}
SHORT_RULES = {2: (35, 30), 3: (50, 20)}  # length: from this size on, penalty
DEFAULT_MAX_SIZE = 70

SCOWL_FILE = re.compile(r"(?P<spelling>[a-z_0-9]+)-(?P<category>[a-z-]+)\.(?P<size>\d+)")
_WORD = re.compile(r"[A-Z]+")


def spelling_penalty(spelling: str) -> int:
    """Return what a SCOWL spelling (`english`, `british`, `canadian_variant_2`) costs."""
    if "variant_" in spelling:
        return VARIANT_PENALTY[spelling[-1]]
    return 0 if spelling in ("english", "special") else NATIONAL_PENALTY


def normalise(entry: str) -> str | None:
    """Return the entry in A-Z capitals, or None if it can't be written so."""
    decomposed = unicodedata.normalize("NFKD", entry.upper())
    word = "".join(c for c in decomposed if not unicodedata.combining(c))
    return word if _WORD.fullmatch(word) else None


def score_of(word: str, spelling: str, category: str, size: int) -> int:
    """Return the score (1..100) of a word found in one SCOWL file."""
    score = SIZE_SCORE[size] - CATEGORY_PENALTY[category] - spelling_penalty(spelling)
    if len(word) in SHORT_RULES:
        from_size, penalty = SHORT_RULES[len(word)]
        if size >= from_size or category != "words":
            score -= penalty
    return max(1, score)


def read_entries(path: Path) -> Iterator[str]:
    """Yield the entries of a SCOWL file: UTF-8 in Debian today, Latin-1 upstream."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    yield from text.split("\n")


def collect(scowl: Path, max_size: int, min_length: int, max_length: int) -> dict[str, int]:
    """Return every word of SCOWL up to a size with its best score.

    Raises FileNotFoundError if the directory holds no SCOWL files.
    """
    best: dict[str, int] = {}
    files = 0
    for path in sorted(scowl.iterdir()):
        match = SCOWL_FILE.fullmatch(path.name)
        if match is None:
            continue
        category, size = match["category"], int(match["size"])
        if category not in CATEGORY_PENALTY or size not in SIZE_SCORE or size > max_size:
            continue
        files += 1
        for entry in read_entries(path):
            word = normalise(entry)
            if word is None or not min_length <= len(word) <= max_length:
                continue
            score = score_of(word, match["spelling"], category, size)
            if score > best.get(word, 0):
                best[word] = score
    if not files:
        raise FileNotFoundError(f"no SCOWL files in {scowl}")
    return best


def choose(scores: dict[str, int], max_words: int | None) -> list[tuple[str, int]]:
    """Return (word, score) pairs in output order, at most `max_words` of them.

    Where the limit falls among words of one score, those with the smallest
    SHA-256 are kept: a fixed choice that doesn't favour the start of the alphabet.
    """
    pairs = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    if max_words is None or len(pairs) <= max_words:
        return pairs
    by_hash = sorted(
        pairs, key=lambda pair: (-pair[1], hashlib.sha256(pair[0].encode("ascii")).digest())
    )
    return sorted(by_hash[:max_words], key=lambda pair: (-pair[1], pair[0]))


def as_bytes(pairs: list[tuple[str, int]], plain: bool, compress: bool) -> bytes:
    """Return the file's content: `WORD;SCORE` lines, or lower-case words if plain."""
    if plain:
        lines = sorted(word.lower() for word, _ in pairs)
    else:
        lines = [f"{word};{score}" for word, score in pairs]
    data = "".join(line + "\n" for line in lines).encode("ascii")
    if not compress:
        return data
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, compresslevel=9, mtime=0) as out:
        out.write(data)
    return buffer.getvalue()


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader sees the old content or the new, never a part."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink()
        raise


def parse_arguments(argv: list[str] | None) -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(
        description="Build a scored word list from SCOWL.",
        epilog="example: python data/build_scowl_list.py --plain --max-words 3000 -o common.txt",
    )
    parser.add_argument(
        "--scowl",
        type=Path,
        default=DEFAULT_SCOWL,
        metavar="DIR",
        help="where SCOWL's files are (default: %(default)s)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=DEFAULT_OUTPUT,
        metavar="FILE",
        help="file to write, compressed if it ends in .gz "
        "(default: data/bench/lists/scowl70.txt.gz)",
    )
    parser.add_argument(
        "--max-size",
        type=int,
        default=DEFAULT_MAX_SIZE,
        choices=sorted(SIZE_SCORE),
        help="largest SCOWL size to use (default: %(default)s)",
    )
    parser.add_argument(
        "--min-length",
        type=int,
        default=2,
        metavar="N",
        help="shortest word to keep (default: %(default)s)",
    )
    parser.add_argument(
        "--max-length",
        type=int,
        default=25,
        metavar="N",
        help="longest word to keep (default: %(default)s)",
    )
    parser.add_argument(
        "--max-words", type=int, metavar="N", help="keep only the N best words (default: all)"
    )
    parser.add_argument(
        "--plain",
        action="store_true",
        help="write lower-case words in alphabetical order, without scores",
    )
    return parser.parse_args(argv)


def main(argv: list[str] | None = None) -> int:
    """Build the list; return the exit status."""
    options = parse_arguments(argv)
    try:
        scores = collect(options.scowl, options.max_size, options.min_length, options.max_length)
        pairs = choose(scores, options.max_words)
        data = as_bytes(pairs, options.plain, options.output.suffix == ".gz")
        write_atomically(options.output, data)
    except OSError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
    print(f"{options.output}: {len(pairs)} words, {len(data)} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
