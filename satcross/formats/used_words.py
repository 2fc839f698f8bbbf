"""Words that were used before: in crosswords of any format, series of puzzles, and word lists."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from pathlib import Path

from satcross.errors import InputError
from satcross.formats.common import iso_date
from satcross.formats.files import missing_file
from satcross.formats.readers import READERS, import_crossword
from satcross.formats.word_cache import read_words
from satcross.vocabulary import Vocabulary

RECORDS = "series.jsonl"
"""The file of a series that has a line for each puzzle."""

_USED = 45
"""The highest score of a word that was used before: glue, in the default list's terms."""
_DATE = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")

Note = Callable[[str, str], None]
"""What is said about a file: the text and the file."""
Used = tuple[Iterable[str], date | None]
"""Words, and the day on which they were used, where it is known."""


def read_used(paths: Iterable[str], note: Note, *, lists: bool = False) -> Iterator[Used]:
    """Yield the words of crosswords: files, folders of them, or folders of a series.

    The day of a crossword is its date, or the one in its file's name. With ``lists``, a file that
    is no crossword may be a word list. Of a folder, what can't be read is noted. Raises InputError
    for a path that does not exist or is a file that can't be read.
    """
    for path in map(Path, paths):
        if not path.is_dir():
            yield from _read_file(path, lists=lists)
            continue
        records = path / RECORDS
        for file in [records] if records.exists() else sorted(path.rglob("*")):
            if file.suffix not in (*READERS, records.suffix):
                continue
            try:
                yield from _read_file(file, lists=False)
            except InputError as error:
                note(f"no crossword could be read, so its words may come back ({error})", str(file))


def _read_file(file: Path, *, lists: bool) -> Iterator[Used]:
    if not file.exists():
        raise missing_file(str(file))
    if file.name == RECORDS:
        yield from _read_records(file)
        return
    try:
        crossword = import_crossword(str(file)).crossword
    except InputError:
        if not lists:
            raise
        yield read_words([str(file)]).vocabulary, None
        return
    found = _DATE.search(file.name)
    day = iso_date(crossword.date or (found[1] if found else ""))
    yield crossword.words.values(), None if day is None else date.fromisoformat(day)


def _read_records(file: Path) -> Iterator[Used]:
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n")[:-1], 1):
        try:
            record = json.loads(line)
            yield record["words"], date.fromisoformat(record["date"])
        except (ValueError, KeyError, TypeError):
            problem = "is not the record of a series"
            raise InputError(problem, "name another", file=str(file), line=number) from None


def with_used_words(vocabulary: Vocabulary, paths: Iterable[str], note: Note) -> Vocabulary:
    """Return the vocabulary with lower scores for the words of these crosswords and lists."""
    scores: dict[str, int | None] = {}
    for words, _ in read_used(paths, note, lists=True):
        scores |= {word: min(vocabulary.score(word), _USED) for word in words if word in vocabulary}
    return vocabulary.changed(scores)
