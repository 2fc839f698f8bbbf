"""Asking SQLite's full-text search."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

_PER_POINT = 10.0  # likeness 1 is a BM25 score of 10, that of two telling words


def match_any(words: Iterable[str]) -> str:
    """A query for texts with any of the words; "" without words."""
    return " OR ".join(_quoted(word) for word in words)


def match_phrase(words: Iterable[str]) -> str:
    """A query for texts with these words one after the other."""
    return _quoted(" ".join(words))


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def full_text_search(
    connection: sqlite3.Connection, table: str, query: str, most: int
) -> list[tuple[int, float]]:
    """(rowid, likeness) of the texts most like the query by BM25, best first."""
    rows = connection.execute(
        f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT ?",
        (query, most),
    )
    return [(number, min(3.0, -rank / _PER_POINT)) for number, rank in rows]
