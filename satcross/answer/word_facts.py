"""Facts about a word from your clue database and the prepared dictionaries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass

from satcross.answer.dictionaries import store
from satcross.answer.language.parse_clue import base_forms
from satcross.errors import SatcrossError

_ROWS = 5
"""Rows of the index that are read for each clue wanted, since it has one for each year."""

_DEFINITIONS = {
    "wordnet": (
        "SELECT gloss.text FROM sense JOIN gloss ON gloss.rowid = sense.synset"
        " WHERE sense.lemma = ? ORDER BY sense.rank LIMIT ?"
    ),
    "gcide": (
        "SELECT definition.text FROM headword JOIN definition ON definition.rowid = entry"
        " WHERE headword.text = ? LIMIT ?"
    ),
}


@dataclass(frozen=True, slots=True)
class UsedClue:
    """A clue of the database; ``year`` is 0 when unknown."""

    text: str
    year: int
    times: int


@dataclass(frozen=True, slots=True)
class WordFacts:
    """Old clues of a word, the most used first, and (dictionary, definition) pairs."""

    clues: tuple[UsedClue, ...]
    definitions: tuple[tuple[str, str], ...]


def word_facts(word: str, written: str, number: int) -> WordFacts:
    """Look a word up; ``written`` is how people write it (ICE CREAM), in any case.

    At most ``number`` clues and ``number`` definitions of each dictionary are returned. What is not
    set up, or can't be read, says nothing.
    """
    return WordFacts(tuple(_old_clues(word, number)), tuple(_definitions(word, written, number)))


def _old_clues(word: str, number: int) -> list[UsedClue]:
    if not store.dictionary_path("clues-db").exists():
        return []  # nor is numpy imported
    from satcross.answer.sources.clue_database import own_index

    with suppress(SatcrossError):
        if index := own_index():
            return _merged(index.clues_of(word, _ROWS * number))[:number]
    return []


def _merged(rows: Iterable[tuple[str, int, int]]) -> list[UsedClue]:
    """Return each text once, with its latest year and all its uses, the most used first."""
    found: dict[str, tuple[int, int]] = {}
    for text, year, times in rows:
        latest, uses = found.get(text, (0, 0))
        found[text] = max(latest, year), uses + times
    merged = [UsedClue(text, year, times) for text, (year, times) in found.items()]
    return sorted(merged, key=lambda clue: (-clue.times, -clue.year))


def _definitions(word: str, written: str, number: int) -> Iterator[tuple[str, str]]:
    for name, query in _DEFINITIONS.items():
        with (
            suppress(SatcrossError, sqlite3.Error),
            closing(store.open_prepared(name, name)) as connection,
        ):
            for form in _forms(word, written):
                texts = [text for (text,) in connection.execute(query, (form, number))]
                yield from ((name, text) for text in texts)
                if texts:
                    break


def _forms(word: str, written: str) -> Iterator[str]:
    """Yield the forms that a dictionary may have, the likeliest first."""
    for text in dict.fromkeys((written, word)):
        for base in base_forms(text.lower()):
            yield base
            yield base.capitalize()
