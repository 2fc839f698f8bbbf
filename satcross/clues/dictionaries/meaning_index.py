"""Build the index of sentence embeddings of WordNet's glosses and words, as 8-bit integers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from satcross.clues.dictionaries import store
from satcross.clues.dictionaries.minilm import Encoder, get_model
from satcross.clues.language.tokens import letters
from satcross.errors import UnavailableError
from satcross.vocabulary import Vocabulary

NAME = "meaning"
SCALE = 127 * 4
"""Factor from an embedding's component to its 8-bit integer; few components exceed 1/4."""
_LONGEST = 15  # letters; longer words are rarely answers
_AT_ONCE = 1024


def make(given: Path | None, tell: Callable[[str], None]) -> Path:
    """Compute the embeddings. Raises UnavailableError without WordNet or the model."""
    from satcross.formats.word_cache import read_words
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
    numbers = np.clip(np.rint(near * SCALE), -127, 127).astype(np.int8)
    connection.executemany(
        "INSERT INTO near VALUES (?, ?, ?)",
        [(kind, words, numbers[at].tobytes()) for at, (words, _) in enumerate(rows)],
    )
