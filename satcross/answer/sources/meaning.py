"""Nearness in meaning as a source: WordNet's words whose definition or name is near the clue.

A sentence encoder (all-MiniLM-L6-v2, run by onnxruntime) is asked once for every piece of its
vocabulary. A text is then the sum of its pieces' vectors, rarer pieces weighing more (Arora, Liang
and Ma, "A simple but tough-to-beat baseline for sentence embeddings", 2017): that takes a twentieth
of the time of encoding all texts, and clues need no encoder.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.answer.clue import Clue, Proposal, SourceSettings
from satcross.answer.dictionaries import store
from satcross.answer.language.tokens import letters
from satcross.answer.model import load_model
from satcross.answer.sources.proposals import Proposals
from satcross.support.packages import Tell
from satcross.vocabulary import Vocabulary

NAME = "meaning"
_SIZE = 384
"""Components of the encoder's vectors."""
_SCALE = 127 * 2  # few components exceed 1/2
_COMMON = 1e-3
"""Frequency of a piece among all pieces at which it weighs half as much as a rare one."""
_LONGEST = 15  # letters; longer words are rarely answers
_AT_ONCE = 1024
_MAX_NEAR = 300
_SHORTER, _LONGER = 4, 1
"""Letters by which the base of an inflected answer may be shorter, or longer."""

Floats = NDArray[np.float32]


class MeaningSource:
    """Proposes words by the cosine similarity of word or definition to the clue."""

    name = NAME

    def __init__(self, tokenizer: Any, parts: Mapping[str, bytes], vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._tokenizer = tokenizer
        self._pieces = np.frombuffer(parts["pieces"], np.float16).reshape(-1, _SIZE)
        self._vectors = np.frombuffer(parts["vectors"], np.int8).reshape(-1, _SIZE)
        self._words = parts["words"].decode().split("\n")
        self._lengths = np.frombuffer(parts["lengths"], np.int8)
        self._texts = np.frombuffer(parts["texts"], np.int32)
        """The number of the text that each word is proposed by: its own, or a definition."""
        self._names = int(parts["names"])
        """The number of the first text that is a word; definitions come before."""

    def candidates(self, clue: Clue, length: int) -> Iterable[Proposal]:
        found = Proposals(NAME, clue, self._vocabulary)
        parsed = found.parsed
        if not parsed.words or ("blank" in parsed.cues and len(parsed.content) < 3):
            return []
        (wanted,) = _text_vectors(self._tokenizer, [clue.text], self._pieces)
        inflected = bool(found.forms)
        fits = self._lengths >= length - _SHORTER * inflected
        fits &= self._lengths <= length + _LONGER * inflected
        for kind, is_kind in (
            ("gloss", self._texts < self._names),
            ("word", self._texts >= self._names),
        ):
            words = np.flatnonzero(fits & is_kind)
            rows = np.unique(self._texts[words])
            # A product by @ takes five times the CPU time, in threads that wait for each other.
            near = np.einsum("ij,j->i", self._vectors[rows], wanted) / np.float32(_SCALE)
            places = {
                int(rows[at]): place for place, at in enumerate(np.argsort(-near)[:_MAX_NEAR])
            }
            values = dict(zip(rows.tolist(), near.clip(0).tolist(), strict=True))
            note = f"{'its gloss' if kind == 'gloss' else 'it'} is near in meaning"
            for at in words.tolist():
                row = int(self._texts[at])
                if row in places:
                    rank = 1 / (1 + places[row] / 10)
                    features = {f"{NAME}.{kind}": values[row], f"{NAME}.{kind}.rank": rank}
                    found.add_features(self._words[at], features, note)
        return found.scored(load_model((NAME,)))


def _tokenizer(rules: str) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(rules)
    tokenizer.no_padding()
    return tokenizer


def _numbers(tokenizer: Any, texts: Sequence[str]) -> list[list[int]]:
    """Return the numbers of the pieces of each text."""
    found = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    return [encoding.ids for encoding in found]


def _text_vectors(tokenizer: Any, texts: Sequence[str], pieces: NDArray[Any]) -> Floats:
    """Return unit vectors, of shape (texts, components); zeros for a text without pieces."""
    rows = [pieces[numbers].sum(0, np.float32) for numbers in _numbers(tokenizer, texts)]
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, 1e-9), dtype=np.float32)


def make(given: Path | None, tell: Tell) -> Path:
    """Compute the vectors. Raises UnavailableError without WordNet or the model."""
    wordnet = store.open_prepared("wordnet", "WordNet")
    # What was downloaded is deleted when these end: not before all that follows is kept.
    with (
        store.source_files("sentence-encoder", given, tell) as model,
        store.source_files("word-pieces", given, tell) as pieces,
    ):
        rules = (pieces / "tokenizer.json").read_text("utf-8")
        tokenizer = _tokenizer(rules)
        vectors = _piece_vectors(model / "model.onnx", tokenizer, tell)
        parts = _vectors_of_words(wordnet, tokenizer, vectors)

        def fill(connection: sqlite3.Connection) -> None:
            connection.execute("CREATE TABLE part (name TEXT, data BLOB)")
            connection.execute("INSERT INTO part VALUES ('tokenizer', ?)", (rules.encode(),))
            connection.executemany("INSERT INTO part VALUES (?, ?)", parts.items())

        return store.prepare(NAME, fill)


def _vectors_of_words(
    wordnet: sqlite3.Connection, tokenizer: Any, vectors: Floats
) -> dict[str, bytes]:
    """Return the parts of the source that are made of WordNet's words and definitions."""
    from satcross.formats.word_cache import read_words

    known = read_words([]).vocabulary
    texts: list[str] = []
    pairs: list[tuple[str, int]] = []
    rows = wordnet.execute(
        "SELECT synset, text, lemma FROM gloss JOIN member ON synset = gloss.rowid"
    )
    numbers: dict[int, int] = {}
    for synset, text, lemma in rows.fetchall():
        if 1 < len(letters(lemma)) <= _LONGEST and letters(lemma) in known:
            pairs.append((lemma, numbers.setdefault(synset, len(numbers))))
            texts += [text.partition('; "')[0]] * (len(numbers) - len(texts))
    names = len(texts)
    texts += sorted({lemma for lemma, _ in pairs})
    pairs += [(lemma, names + at) for at, lemma in enumerate(texts[names:])]
    found = _numbers(tokenizer, texts[:names])
    counts = np.bincount([number for some in found for number in some], minlength=len(vectors))
    share = counts / max(1, counts.sum())
    weights = _COMMON / (_COMMON + share)
    weighted = ((vectors - share @ vectors) * weights[:, None]).astype(np.float16)
    near = _text_vectors(tokenizer, texts, weighted)
    return {
        "pieces": weighted.tobytes(),
        "vectors": np.clip(np.rint(near * _SCALE), -127, 127).astype(np.int8).tobytes(),
        "words": "\n".join(lemma for lemma, _ in pairs).encode(),
        "lengths": np.array([len(letters(lemma)) for lemma, _ in pairs], np.int8).tobytes(),
        "texts": np.array([text for _, text in pairs], np.int32).tobytes(),
        "names": str(names).encode(),
    }


def _piece_vectors(model: Path, tokenizer: Any, tell: Tell) -> Floats:
    """Return the mean of the encoder's vectors for every piece between its marks, in order."""
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(model), settings)
    start_mark, end_mark = map(tokenizer.token_to_id, ("[CLS]", "[SEP]"))
    size, found = tokenizer.get_vocab_size(), []
    for start in range(0, size, _AT_ONCE):
        tell(f"{start:,} of {size:,} word pieces")
        pieces = range(start, min(start + _AT_ONCE, size))
        tokens = np.array([(start_mark, piece, end_mark) for piece in pieces])
        inputs = {
            "input_ids": tokens,
            "attention_mask": np.ones_like(tokens),
            "token_type_ids": np.zeros_like(tokens),
        }
        means = session.run(None, inputs)[0].mean(1)
        found.append(means / np.linalg.norm(means, axis=1, keepdims=True))
    return np.concatenate(found)


def open_source(name: str, settings: SourceSettings) -> MeaningSource:
    connection = store.open_prepared(NAME, "nearness in meaning")
    parts = dict(connection.execute("SELECT name, data FROM part"))
    return MeaningSource(_tokenizer(parts["tokenizer"].decode()), parts, settings.vocabulary)
