"""Similarity in meaning as a source: glosses and words whose vectors are near the clue's.

``satcross sources setup meaning`` computes the vectors once, as 8-bit integers.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.dictionaries.full_text import select_in
from satcross.answer.dictionaries.meaning_index import NAME, SCALE, text_vectors
from satcross.answer.dictionaries.word_pieces import word_pieces
from satcross.answer.language.inflect import FORMS
from satcross.answer.language.parse_clue import parse_clue
from satcross.answer.language.tokens import LEFT_OUT
from satcross.answer.model import load_model
from satcross.answer.sources.proposals import Proposals
from satcross.vocabulary import Vocabulary

_MAX_NEAR = 300
_BITS = 64
_SHORTER, _LONGER = 4, 1
"""Letters by which the base of an inflected answer may be shorter, or longer."""


@dataclass(frozen=True, slots=True)
class _Texts:
    """Texts of one kind: their answers, separated by line feeds, and their vectors."""

    words: tuple[str, ...]
    numbers: NDArray[np.int8]
    sizes: NDArray[np.uint64]
    """For each text, bit n is set when it has an answer of n letters."""

    def nearest(
        self, asked: NDArray[np.float32], lengths: Iterable[int]
    ) -> tuple[list[int], list[float]]:
        """Return the nearest texts with an answer of these lengths, and their similarity."""
        wanted = np.uint64(sum(1 << length for length in lengths if length < _BITS))
        rows = np.flatnonzero(self.sizes & wanted)
        # A product by @ takes five times the CPU time, in threads that wait for each other.
        near = np.einsum("ij,j->i", self.numbers[rows], asked)
        if len(near) > _MAX_NEAR:
            best = np.argpartition(-near, _MAX_NEAR)[:_MAX_NEAR]
            rows, near = rows[best], near[best]
        order = np.argsort(-near, kind="stable")
        return rows[order].tolist(), (near[order] / np.float32(SCALE)).clip(0).tolist()


class MeaningSource:
    """Proposes WordNet words by the cosine similarity of word or gloss to the clue."""

    name = NAME

    def __init__(self, connection: sqlite3.Connection, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._connection = connection
        self._names = {text for (text,) in connection.execute("SELECT text FROM piece")}
        self._pieces: dict[str, NDArray[np.floating]] = {}
        """The pieces that clues have had so far, with their vectors."""
        self._texts = {kind: _read_texts(connection, kind) for kind in ("gloss", "word")}

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        parsed = parse_clue(clue)
        if not parsed.words or ("blank" in parsed.cues and len(parsed.content) < 3):
            return []
        found = Proposals(NAME, clue, parsed, self._vocabulary)
        if not self._read_pieces(clue.text):
            return []
        asked = text_vectors([clue.text], self._pieces)[0]
        inflected = any(form in parsed.cues for form in FORMS)
        for kind, texts in self._texts.items():
            first = max(0, length - _SHORTER * inflected)
            rows, near = texts.nearest(asked, range(first, length + 1 + _LONGER * inflected))
            note = f"{'its gloss' if kind == 'gloss' else 'it'} is near in meaning"
            for place, (row, value) in enumerate(zip(rows, near, strict=True)):
                features = {
                    f"meaning.{kind}": value,
                    f"meaning.{kind}.rank": 1 / (1 + place / 10),
                }
                for word in texts.words[row].split("\n"):
                    found.add_features(word, features, note)
        return found.scored(load_model((NAME,)))

    def _read_pieces(self, text: str) -> bool:
        """Read the vectors of a text's pieces; return whether it has any."""
        names = word_pieces(text, self._names)
        missing = sorted(set(names) - self._pieces.keys())
        query = "SELECT text, numbers FROM piece WHERE text IN"
        for name, numbers in select_in(self._connection, query, missing):
            self._pieces[name] = np.frombuffer(numbers, dtype="<f2")
        return bool(names)


def _read_texts(connection: sqlite3.Connection, kind: str) -> _Texts:
    query = "SELECT words, numbers FROM near WHERE kind = ?"
    words, content = connection.execute(query, (kind,)).fetchone()
    texts = tuple(words.split("\t"))
    numbers = np.frombuffer(content, dtype=np.int8)
    return _Texts(texts, numbers.reshape(len(texts), -1), _sizes(words))


def _sizes(words: str) -> NDArray[np.uint64]:
    """Return, for each text, which lengths its answers have: one pass over all letters at once."""
    signs = np.frombuffer((words.translate(LEFT_OUT) + "\t").encode("utf-32-le"), np.uint32)
    tabs = signs == ord("\t")
    ends = np.flatnonzero(tabs | (signs == ord("\n")))
    lengths = np.diff(ends, prepend=-1) - 1
    bits = np.uint64(1) << np.minimum(lengths, _BITS - 1).astype(np.uint64)
    starts = np.flatnonzero(tabs[ends])[:-1] + 1
    return np.bitwise_or.reduceat(bits, np.concatenate([[0], starts]))


def open_source(settings: SourceSettings) -> MeaningSource:
    return MeaningSource(store.open_prepared(NAME, "similarity in meaning"), settings.vocabulary)
