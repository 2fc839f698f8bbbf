"""Propose words that co-occur with the words of the clue in sentences: "Angler's need" is ROD.

Association is measured by lift: the frequency of a word in sentences that share words with the
clue, divided by its frequency in all texts of the dictionary.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Sequence
from math import log

from satcross.answer.dictionaries.full_text import select_in
from satcross.answer.language.parse_clue import STOPWORDS, ParsedClue
from satcross.answer.sources.proposals import Proposals

_MAX_TEXTS = 80
_START = 5  # common first letters by which two words count as forms of one
_RARE = 5  # texts that are added to a word's frequency, so that rare words don't dominate
_SENTENCE = re.compile(r"[.;:\u2014]\s")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def add_nearby(
    connection: sqlite3.Connection,
    table: str,
    parsed: ParsedClue,
    rows: Sequence[tuple[int, float]],
    found: Proposals,
    name: str,
) -> None:
    """Propose the words that co-occur with words of the clue in a dictionary's texts.

    ``rows`` are the texts that ``full_text_search`` finds for the clue's content words.
    """
    asked = [word for word in parsed.content if word not in STOPWORDS]
    if not asked:
        return
    starts = tuple(word[:_START] for word in asked)
    counts: Counter[str] = Counter()
    relevance: Counter[str] = Counter()
    sentences = 0
    likely = dict(rows[:_MAX_TEXTS])
    query = f"SELECT rowid, text FROM {table} WHERE rowid IN"
    for number, text in select_in(connection, query, list(likely)):
        likeness = likely[number]
        for sentence in _SENTENCE.split(text.lower()):
            if not any(start in sentence for start in starts):
                continue  # most sentences, without cutting them into words
            words = set(_WORD.findall(sentence))
            if any(word.startswith(starts) for word in words):
                sentences += 1
                for word in words - STOPWORDS:
                    counts[word] += 1
                    relevance[word] = max(relevance[word], round(100 * likeness))
    fitting = [word for word in counts if found.spellings(word)]
    spread = _spread(connection, fitting)
    (size,) = connection.execute(f"SELECT max(rowid) FROM {table}").fetchone() or (1,)
    for word in fitting:
        count = counts[word]
        lift = (count / max(1, sentences)) / ((spread.get(word, 0) + _RARE) / size)
        value = max(0.0, min(1.5, log(max(1.0, lift)) / 4))
        note = f"occurs beside words of the clue in {count} sentences"
        features = {
            f"{name}.nearby.lift": value,
            f"{name}.nearby.count": log(1 + count) * value,
            f"{name}.nearby.likeness": relevance[word] / 100,
        }
        found.add_features(word, features, note)


def _spread(connection: sqlite3.Connection, words: Sequence[str]) -> dict[str, int]:
    query = "SELECT word, texts FROM spread WHERE word IN"
    return dict(select_in(connection, query, words))
