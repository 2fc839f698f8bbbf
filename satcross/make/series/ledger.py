"""The ledger: on which days entries were used, in this series and in puzzles made elsewhere."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from satcross.errors import InputError
from satcross.formats.readers import READERS, import_crossword

RECORDS = "series.jsonl"
"""The file of a series that has a line for each puzzle."""

Record = Mapping[str, Any]
"""What that line has; docs/series.md describes it."""
MADE, FAILED = "made", "failed"

_RECENT = 4
"""Windows after which an entry is as good as new."""
_PENALTY, _LOWEST = 10, 50
"""What the score of a word loses that was used recently, and what it does not fall below by it."""
_DATE = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")


class Ledger:
    """Entry -> the days on which it was used; ``days`` says how long an entry stays away."""

    def __init__(self, days: Callable[[int], int]) -> None:
        self._days = days
        self._used: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, words: Iterable[str], day: date) -> None:
        """Note that these words are used on that day."""
        for word in words:
            self._used[word].append(day.toordinal())

    def uses(self, word: str, day: date) -> int:
        """Return how often the word was used before that day."""
        return sum(used < day.toordinal() for used in self._used.get(word, ()))

    def banned(self, day: date) -> frozenset[str]:
        """Return the words that may not stand in a puzzle of that day."""
        return self._near(day, 1)

    def recent(self, day: date) -> frozenset[str]:
        """Return the words that may, but were used not long ago."""
        return self._near(day, _RECENT) - self._near(day, 1)

    def _near(self, day: date, windows: int) -> frozenset[str]:
        at = day.toordinal()
        return frozenset(
            word
            for word, used in self._used.items()
            if any(abs(at - other) <= windows * self._days(len(word)) for other in used)
        )

    @property
    def days(self) -> Mapping[str, list[int]]:
        """Entry -> its days as ordinals, in order."""
        return {word: sorted(days) for word, days in self._used.items()}


def lowered(score: int) -> int:
    """Return the score of a word that was used recently."""
    return min(score, max(_LOWEST, score - _PENALTY))


def read_earlier(
    paths: Iterable[str], before: date, ledger: Ledger, note: Callable[[str, str], None]
) -> None:
    """Add the words of puzzles made elsewhere: files, folders of them, or folders of a series.

    The day of a puzzle is its date, the one in its file's name, or else the day before the series
    begins. Raises InputError for a path that does not exist.
    """
    for path in map(Path, paths):
        if not path.exists():
            raise InputError("no such file or folder", "correct earlier", file=str(path))
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        if path.is_dir() and (path / RECORDS).exists():
            files = [path / RECORDS]
        files = [file for file in files if path.is_file() or file.suffix in (*READERS, ".jsonl")]
        for file in files:
            try:
                _read(file, before, ledger)
            except (InputError, ValueError, KeyError) as error:
                note(f"no puzzle could be read, so its words may come back ({error})", str(file))


def _read(file: Path, before: date, ledger: Ledger) -> None:
    if file.suffix == ".jsonl":
        for line in file.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if record.get("words"):
                ledger.add(record["words"], date.fromisoformat(record["date"]))
        return
    crossword = import_crossword(str(file)).crossword
    found = _DATE.search(file.name)
    day = crossword.date or (found[1] if found else "")
    ledger.add(crossword.words.values(), date.fromisoformat(day) if day else before - timedelta(1))
