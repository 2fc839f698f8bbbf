"""Sentence encoder all-MiniLM-L6-v2 in numpy.

BERT with 6 layers of width 384 (Devlin et al., 2018; Reimers and Gurevych, "Sentence-BERT", 2019):
transformer layers, mean pooling over the tokens, L2 normalisation. The weights are 8-bit integers
with a scale for each row or column, in an ONNX file; neither onnxruntime nor PyTorch is needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satcross.errors import InputError

_HEAD = 32  # numbers that each attention head looks at
_PREFIX = "inner."
_MATRICES = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
"""Matrices of a layer in the order of the file, where they have no names."""
_FLOAT, _INT8 = 1, 3  # ONNX's numbers of types

Array = NDArray[np.float32]


class Encoder:
    """Encodes sequences of tokens as unit vectors of ``size`` numbers."""

    def __init__(self, path: Path) -> None:
        """Read the model. Raises InputError for any other file."""
        try:
            self._weights = _read_weights(path)
            self.size: int = self._weights["embeddings.word_embeddings.weight"].shape[1]
            layers = {
                name.split(".")[2] for name in self._weights if name.startswith("encoder.layer.")
            }
            self._layers = [_layer(self._weights, number) for number in range(len(layers))]
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            raise InputError(
                f"no model ({error})", "get a fresh copy of it", file=str(path)
            ) from None

    def encode(self, tokens: NDArray[np.int64]) -> Array:
        """Return unit vectors, of shape (texts, size), for tokens of shape (texts, tokens).

        Token 0 pads shorter texts.
        """
        weights = self._weights
        state = weights["embeddings.word_embeddings.weight"][tokens]
        state = state + weights["embeddings.position_embeddings.weight"][: tokens.shape[1]]
        state = state + weights["embeddings.token_type_embeddings.weight"][0]
        state = _normed(state, weights, "embeddings.LayerNorm")
        there = (tokens != 0).astype(np.float32)
        hidden = (there - 1)[:, None, None, :] * np.float32(1e9)
        for layer in self._layers:
            state = _through(state, layer, hidden)
        means = (state * there[:, :, None]).sum(1) / there.sum(1, keepdims=True)
        lengths = np.sqrt((means**2).sum(1, keepdims=True))
        return np.asarray(means / np.maximum(lengths, 1e-9), dtype=np.float32)


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


def _read_weights(path: Path) -> dict[str, Array]:
    """Read the tensors of an ONNX file, a protocol buffer, and undo their quantisation."""
    content = memoryview(path.read_bytes())
    graph = next((value for field, value in _fields(content) if field == 7), 0)
    if isinstance(graph, int):
        raise ValueError("it has no graph")
    tensors = dict(
        _tensor(value)
        for field, value in _fields(graph)
        if field == 5 and not isinstance(value, int)
    )
    found: dict[str, Array] = {}
    matrices = 0
    for name, values in tensors.items():
        if name.endswith("_q"):
            scale = tensors[f"{name[:-2]}_scale"]
            scaled: Array = values.astype(np.float32) * scale.astype(np.float32)
            if name.startswith(_PREFIX):
                found[name[len(_PREFIX) : -2]] = scaled
            else:
                layer, kind = divmod(matrices, len(_MATRICES))
                found[f"encoder.layer.{layer}.{_MATRICES[kind]}.weight"] = scaled.T
                matrices += 1
        elif name.startswith(_PREFIX) and not name.endswith("_scale"):
            found[name.removeprefix(_PREFIX)] = values.astype(np.float32)
    return found


def _tensor(content: memoryview) -> tuple[str, NDArray[Any]]:
    """Return name and values of a tensor; no values for types that the weights don't have."""
    shape, name, kind, raw = [], "", 0, memoryview(b"")
    for field, value in _fields(content):
        if field == 1:
            shape += [value] if isinstance(value, int) else list(_varints(value))
        elif field == 2 and isinstance(value, int):
            kind = value
        elif field == 8 and not isinstance(value, int):
            name = bytes(value).decode()
        elif field == 9 and not isinstance(value, int):
            raw = value
    if kind not in (_FLOAT, _INT8):
        return name, np.zeros(0, np.float32)
    values = np.frombuffer(raw, dtype="<f4" if kind == _FLOAT else np.int8)
    return name, values.reshape(shape)


def _fields(content: memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """Yield number and value of the fields of a message (protocol buffers, "Encoding")."""
    place = 0
    while place < len(content):
        key, place = _varint(content, place)
        kind = key & 7
        if kind == 0:
            value, place = _varint(content, place)
            yield key >> 3, value
            continue
        size = {1: 8, 5: 4}.get(kind)
        if kind == 2:
            size, place = _varint(content, place)
        if size is None or place + size > len(content):
            raise ValueError("not a protocol buffer")
        yield key >> 3, content[place : place + size]
        place += size


def _varints(content: memoryview) -> Iterator[int]:
    place = 0
    while place < len(content):
        value, place = _varint(content, place)
        yield value


def _varint(content: memoryview, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[place]
        value |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return value, place
