"""Source for fill-in-the-blank clues: phrases and running text of all prepared dictionaries.

For ``___ and void`` it searches phrases with "and void" and proposes the words before it.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from math import log

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.dictionaries.full_text import match_phrase
from satcross.answer.language.parse_clue import ParsedClue, parse_clue
from satcross.answer.language.tokens import letters
from satcross.answer.sources.proposals import Proposals
from satcross.errors import UnavailableError
from satcross.vocabulary import Vocabulary

NAME = "phrases"

_DICTIONARIES = ("wordnet", "moby", "gcide")
_TEXTS = {"wordnet": "gloss", "gcide": "definition"}
_MAX_WORDS = 4  # of the phrase on either side of the blank
_MAX_ROWS = 3000
_MAX_IN_BLANK = 3
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")


class PhrasesSource:
    """Proposes the words that fill the blank in phrases and texts of prepared dictionaries."""

    name = NAME

    def __init__(self, connections: dict[str, sqlite3.Connection], vocabulary: Vocabulary) -> None:
        self._connections = connections
        self._vocabulary = vocabulary

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        parsed = parse_clue(clue)
        if "blank" not in parsed.cues:
            return []
        found = Proposals(NAME, clue, parsed, self._vocabulary)
        for before, after in _contexts(parsed):
            self._phrases(before, after, found, length)
            if len(before) + len(after) > 1:
                self._texts(before, after, found, length)
        return found.scored()

    def _phrases(
        self, before: Sequence[str], after: Sequence[str], found: Proposals, length: int
    ) -> None:
        query = "SELECT text FROM phrase WHERE phrase MATCH ? LIMIT ?"
        wanted = _query(before, after)
        size = len(before) + len(after)
        counts: Counter[str] = Counter()
        for connection in self._connections.values():
            for (text,) in connection.execute(query, (wanted, _MAX_ROWS)):
                words = _WORD.findall(text)
                for start, end in _blanks(words, before, after):
                    missing = " ".join(words[start:end])
                    if len(letters(missing)) != length:
                        continue
                    exact = start == len(before) and end == len(words) - len(after)
                    kind = "exact" if exact else "part"
                    note = f"{text!r}"
                    found.add(missing, f"phrases.{kind}.{min(size, 3)}", 1.0, note, inflect=False)
                    counts[missing] += 1
        for missing, count in counts.items():
            note = f"in {count} phrases"
            found.add(missing, "phrases.times", log(1 + count), note, inflect=False)

    def _texts(
        self, before: Sequence[str], after: Sequence[str], found: Proposals, length: int
    ) -> None:
        counts: Counter[str] = Counter()
        for name, table in _TEXTS.items():
            if name not in self._connections:
                continue
            query = f"SELECT text FROM {table} WHERE {table} MATCH ? LIMIT ?"
            rows = self._connections[name].execute(query, (_query(before, after), 400))
            for (text,) in rows:
                words = _WORD.findall(text.lower())
                for start, end in _blanks(words, before, after):
                    missing = " ".join(words[start:end])
                    if len(letters(missing)) == length:
                        counts[missing] += 1
        for missing, count in counts.items():
            size = min(len(before) + len(after), 4)
            note = f"{' '.join(before)} ... {' '.join(after)}, in {count} texts"
            found.add(missing, f"phrases.text.{size}", log(1 + count), note, inflect=False)


def _contexts(parsed: ParsedClue) -> Iterable[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield (before, after): the nearest words around the blank, then shorter contexts."""
    before, after = parsed.before[-_MAX_WORDS:], parsed.after[:_MAX_WORDS]
    seen = set()
    for cut in range(_MAX_WORDS):
        context = (before[min(cut, len(before)) :], after[: max(0, len(after) - cut)])
        if context not in seen and any(context):
            seen.add(context)
            yield context
    for context in ((before, ()), ((), after)):
        if context not in seen and any(context):
            seen.add(context)
            yield context


def _query(before: Sequence[str], after: Sequence[str]) -> str:
    return " AND ".join(match_phrase(part) for part in (before, after) if part)


def _blanks(
    words: Sequence[str], before: Sequence[str], after: Sequence[str]
) -> Iterable[tuple[int, int]]:
    """Yield the start and end of each run of words between ``before`` and ``after``."""
    before, after, words = tuple(before), tuple(after), tuple(words)
    for start in range(len(before), len(words)):
        if words[start - len(before) : start] != before:
            continue
        for end in range(start + 1, min(start + _MAX_IN_BLANK, len(words)) + 1):
            if words[end : end + len(after)] == after:
                yield start, end


def open_phrases(name: str, settings: SourceSettings) -> PhrasesSource:
    connections = {}
    for book in _DICTIONARIES:
        with suppress(UnavailableError):
            connections[book] = store.open_prepared(book, book)
    if not connections:
        raise UnavailableError(f"no dictionary with phrases is set up; {store.SETUP}")
    return PhrasesSource(connections, settings.vocabulary)
