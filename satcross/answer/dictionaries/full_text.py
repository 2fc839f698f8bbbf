"""Queries of SQLite's full-text search (FTS5)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_PER_POINT = 10.0  # likeness 1 is a BM25 score of 10, that of two telling words

_BATCH = 500
"""Values in one query; SQLite's limit was 999."""


def match_any(words: Iterable[str]) -> str:
    """Return a query for texts with any of the words; "" without words."""
    return " OR ".join('"' + word.replace('"', '""') + '"' for word in words)


def select_in(
    connection: sqlite3.Connection, query: str, values: Sequence[object]
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query that ends in ``IN`` for any number of values, a batch at a time."""
    for start in range(0, len(values), _BATCH):
        some = values[start : start + _BATCH]
        marks = ",".join("?" * len(some))
        yield from connection.execute(f"{query} ({marks})", some)


def full_text_search(
    connection: sqlite3.Connection, table: str, query: str, limit: int
) -> list[tuple[int, float]]:
    """Return (rowid, similarity) of the best texts by BM25, best first; similarity is at most 3."""
    rows = connection.execute(
        f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? ORDER BY rank LIMIT ?",
        (query, limit),
    )
    return [(number, min(3.0, -rank / _PER_POINT)) for number, rank in rows]
