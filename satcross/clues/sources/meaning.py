"""Similarity in meaning as a source: glosses and words whose embeddings are near the clue's.

The embeddings of the WordNet glosses and words that are in satcross's default list are computed
once (``satcross sources setup meaning``, some minutes) and stored as 8-bit integers.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from satcross.clues.clue import Clue, Proposal, SourceSettings
from satcross.clues.dictionaries import store
from satcross.clues.dictionaries.meaning_index import NAME, SCALE
from satcross.clues.dictionaries.minilm import Array, Encoder, model_folder
from satcross.clues.language.parse_clue import parse_clue
from satcross.clues.model import load_model
from satcross.clues.sources.proposals import Proposals
from satcross.vocabulary import Vocabulary

_MAX_NEAR = 2000
_CHUNK = 16_384


class MeaningSource:
    """Proposes WordNet words by the cosine similarity of word or gloss to the clue."""

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

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        parsed = parse_clue(clue)
        if not parsed.words or ("blank" in parsed.cues and len(parsed.content) < 3):
            return []
        found = Proposals(NAME, clue, parsed, self._vocabulary)
        asked = self._encoder.encode([clue.text])[0]
        for kind, (words, numbers) in self._lists.items():
            near = _nearness(numbers, asked)
            best = np.argpartition(-near, min(_MAX_NEAR, len(near) - 1))[:_MAX_NEAR]
            best = best[np.argsort(-near[best], kind="stable")]
            for place, at in enumerate(best.tolist()):
                value = max(0.0, float(near[at]))
                note = f"{'its gloss' if kind == 'gloss' else 'it'} is near in meaning"
                for word in words[at]:
                    found.add(word, f"meaning.{kind}", value, note)
                    found.add(word, f"meaning.{kind}.rank", 1 / (1 + place / 10), note)
        return found.scored(load_model((NAME,)))


def _nearness(numbers: NDArray[np.int8], asked: Array) -> Array:
    parts = [
        numbers[start : start + _CHUNK].astype(np.float32) @ asked
        for start in range(0, len(numbers), _CHUNK)
    ]
    near = np.concatenate(parts) if parts else np.zeros(1, np.float32)
    return np.asarray(near / np.float32(SCALE), dtype=np.float32)


def open_source(settings: SourceSettings) -> MeaningSource:
    connection = store.open_prepared(NAME, "nearness in meaning")
    return MeaningSource(connection, Encoder(model_folder()), settings.vocabulary)
