"""Nearness in meaning as a source: glosses and words whose sentence embeddings are near the clue's.

The embeddings of WordNet's glosses and of its words, as far as they are in the list that comes with
satcross, are computed once (``satcross sources setup meaning``, some minutes) and kept as bytes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from satcross.clues import store
from satcross.clues.base import Clue, Scored, Settings
from satcross.clues.minilm import Array, Encoder, get_model, model_folder
from satcross.clues.model import shipped
from satcross.clues.proposals import Proposals, letters
from satcross.clues.reading import read_clue
from satcross.errors import UnavailableError
from satcross.vocabulary import Vocabulary

NAME = "meaning"

_LONGEST = 15  # letters of words that are worth the time
_MOST_NEAR = 2000
_SCALE = 127 * 4  # no number of an embedding is above a quarter, nearly
_AT_ONCE = 1024
_CHUNK = 16_384


class MeaningSource:
    """WordNet's words by how near they and their glosses are to the clue."""

    name = NAME

    def __init__(
        self, connection: sqlite3.Connection, encoder: Encoder, vocabulary: Vocabulary
    ) -> None:
        self._encoder = encoder
        self._vocabulary = vocabulary
        self._lists = {}
        for kind in ("gloss", "word"):
            query = "SELECT words, numbers FROM near WHERE kind = ? ORDER BY rowid"
            rows = connection.execute(query, (kind,)).fetchall()
            numbers = np.frombuffer(b"".join(some for _, some in rows), dtype=np.int8)
            words = [text.split("\n") for text, _ in rows]
            self._lists[kind] = (words, numbers.reshape(len(rows), -1))

    def candidates(self, clue: Clue, length: int) -> Iterable[Scored]:
        reading = read_clue(clue)
        if not reading.words or ("blank" in reading.cues and len(reading.content) < 3):
            return []
        found = Proposals(NAME, clue, reading, self._vocabulary)
        asked = self._encoder.encode([clue.text])[0]
        for kind, (words, numbers) in self._lists.items():
            near = _nearness(numbers, asked)
            best = np.argpartition(-near, min(_MOST_NEAR, len(near) - 1))[:_MOST_NEAR]
            best = best[np.argsort(-near[best], kind="stable")]
            for place, at in enumerate(best.tolist()):
                value = max(0.0, float(near[at]))
                note = f"{'its gloss' if kind == 'gloss' else 'it'} is near in meaning"
                for word in words[at]:
                    found.add(word, f"meaning.{kind}", value, note)
                    found.add(word, f"meaning.{kind}.rank", 1 / (1 + place / 10), note)
        return found.scored(shipped(meaning=True))


def _nearness(numbers: NDArray[np.int8], asked: Array) -> Array:
    parts = [
        numbers[start : start + _CHUNK].astype(np.float32) @ asked
        for start in range(0, len(numbers), _CHUNK)
    ]
    near = np.concatenate(parts) if parts else np.zeros(1, np.float32)
    return np.asarray(near / np.float32(_SCALE), dtype=np.float32)


def open_source(settings: Settings) -> MeaningSource:
    connection = store.open_prepared(NAME, "nearness in meaning")
    return MeaningSource(connection, Encoder(model_folder()), settings.vocabulary)


def make(given: Path | None, tell: Callable[[str], None]) -> Path:
    """Compute the embeddings. Raises UnavailableError without WordNet or the model."""
    from satcross.formats.compiled import read_words
    from satcross.formats.words import default_list_path

    wordnet = store.open_prepared("wordnet", "WordNet")
    encoder = Encoder(get_model(given, tell))
    known = read_words([default_list_path()]).vocabulary
    glosses: list[tuple[str, str]] = []
    query = (
        "SELECT gloss.text, group_concat(lemma, char(10)) FROM gloss"
        " JOIN member ON synset = gloss.rowid GROUP BY synset ORDER BY synset"
    )
    for text, lemmas in wordnet.execute(query):
        worth = [lemma for lemma in lemmas.split("\n") if _is_worth(lemma, known)]
        if worth:
            glosses.append(("\n".join(worth), text.partition('; "')[0]))
    words = sorted({word for lemmas, _ in glosses for word in lemmas.split("\n")})
    if not words:
        raise UnavailableError("WordNet has no word of the list that comes with satcross")

    def fill(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE near (kind TEXT, words TEXT, numbers BLOB)")
        for kind, rows in (("gloss", glosses), ("word", [(word, word) for word in words])):
            for start in range(0, len(rows), _AT_ONCE):
                _keep(connection, kind, rows[start : start + _AT_ONCE], encoder)
                if start % (16 * _AT_ONCE) == 0:
                    tell(f"{kind}: {start:,} of {len(rows):,}")

    return store.prepare(NAME, fill)


def _is_worth(lemma: str, known: Vocabulary) -> bool:
    text = letters(lemma)
    return 1 < len(text) <= _LONGEST and text in known


def _keep(
    connection: sqlite3.Connection, kind: str, rows: Sequence[tuple[str, str]], encoder: Encoder
) -> None:
    near = encoder.encode([text for _, text in rows])
    numbers = np.clip(np.rint(near * _SCALE), -127, 127).astype(np.int8)
    connection.executemany(
        "INSERT INTO near VALUES (?, ?, ?)",
        [(kind, words, numbers[at].tobytes()) for at, (words, _) in enumerate(rows)],
    )
