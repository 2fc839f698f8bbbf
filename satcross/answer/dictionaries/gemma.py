"""Language model Gemma 3 in numpy ("Gemma 3 Technical Report", 2025).

A transformer decoder with grouped queries, normed queries and keys, rotary positions of two
frequencies, a gated feed-forward part, and norms before and after each part. Matrices are 8-bit
integers with a scale for each row, and become floating-point numbers when they are used: 100
million numbers of all layers at once would take 400 MB. Texts have at most 512 tokens, since no
layer has a window.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Integers = NDArray[np.int64]
Keys = list[tuple[Array, Array]]
"""Keys and values of all layers."""

_GLOBAL_EVERY = 6
"""Every sixth layer has the slow rotation of positions, which suits long texts."""
_SLOW, _FAST = 1e6, 1e4
_FAR = np.float32(-1e9)
_SMALL = np.float32(1e-6)


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix as 8-bit integers with a factor for each row."""

    numbers: NDArray[np.int8]
    factors: Array

    def rows(self, which: Integers | slice = slice(None)) -> Array:
        """Return some rows as floating-point numbers."""
        return np.multiply(self.numbers[which], self.factors[which][..., None], dtype=np.float32)


def quantised(matrix: Array) -> Matrix:
    """Round a matrix to 8-bit integers, row by row."""
    factors = np.maximum(np.abs(matrix).max(1), np.float32(1e-12)) / np.float32(127)
    numbers = np.rint(matrix / factors[:, None]).astype(np.int8)
    return Matrix(numbers, np.asarray(factors, dtype=np.float32))


@dataclass(frozen=True, slots=True)
class Past:
    """What new tokens may look at: ``start`` precedes every text, ``own`` belongs to each text.

    ``visible``, of shape (texts, new tokens, own tokens), says which of a text's own tokens each
    new one sees. Keys and values of ``start`` have no dimension of texts.
    """

    start: Keys
    own: Keys
    visible: NDArray[np.bool_]


class Gemma:
    """The model; ``size`` is the number of components of a state."""

    def __init__(self, matrices: Mapping[str, Matrix], vectors: Mapping[str, Array]) -> None:
        """Take the weights by their names in a GGUF file."""
        self.tokens = matrices["token_embd.weight"]
        self.size = self.tokens.numbers.shape[1]
        self.matrices, self.vectors = matrices, vectors
        self._layers = sum(name.endswith(".attn_norm.weight") for name in vectors)
        self.head = len(vectors["blk.0.attn_k_norm.weight"])

    def states(
        self,
        tokens: Integers,
        positions: Integers,
        together: NDArray[np.bool_],
        past: Past | None = None,
    ) -> tuple[Array, Keys]:
        """Return the last states of new tokens, and their keys and values.

        ``tokens`` and ``positions`` have the shape (texts, new tokens); ``together`` says which of
        the new tokens each new one sees. The product of a state and a token's row of ``tokens`` is
        the logarithm of the likelihood that this token comes next, up to a constant.
        """
        state = self.tokens.rows(tokens) * np.float32(np.sqrt(self.size))
        found: Keys = []
        for layer in range(self._layers):
            slow = (layer + 1) % _GLOBAL_EVERY == 0
            turn = _rotation(positions, self.head, _SLOW if slow else _FAST)
            keys, values, change = self._look(state, layer, turn, together, past)
            found.append((keys, values))
            state = state + self._normed(change, f"blk.{layer}.post_attention_norm")
            wide = self._normed(state, f"blk.{layer}.ffn_norm")
            gate = _gelu(self._times(wide, f"blk.{layer}.ffn_gate"))
            gate *= self._times(wide, f"blk.{layer}.ffn_up")
            change = self._times(gate, f"blk.{layer}.ffn_down")
            state = state + self._normed(change, f"blk.{layer}.post_ffw_norm")
        return self._normed(state, "output_norm"), found

    def _look(
        self,
        state: Array,
        layer: int,
        turn: tuple[Array, Array],
        together: NDArray[np.bool_],
        past: Past | None,
    ) -> tuple[Array, Array, Array]:
        """Return keys, values and the change of the states by attention, before its norm."""
        name = f"blk.{layer}.attn"
        texts, new, _ = state.shape
        normed = self._normed(state, f"{name}_norm")
        by_head: Array = self._times(normed, f"{name}_q").reshape(texts, new, -1, self.head)
        by_head = self._normed(by_head.transpose(0, 2, 1, 3), f"{name}_q_norm")
        by_head = _rotated(by_head, (turn[0][:, None], turn[1][:, None]))
        queries = by_head.reshape(texts, -1, self.head) / np.float32(np.sqrt(self.head))
        keys = _rotated(self._normed(self._times(normed, f"{name}_k"), f"{name}_k_norm"), turn)
        values = self._times(normed, f"{name}_v")
        heads = queries.shape[1] // new
        parts = [(keys, values, np.broadcast_to(together, (texts, new, new)))]
        if past is not None:
            own_keys, own_values = past.own[layer] if past.own else (keys[:, :0], values[:, :0])
            parts.append((own_keys, own_values, past.visible))
        scores = [
            np.where(np.tile(seen, (1, heads, 1)), queries @ some.transpose(0, 2, 1), _FAR)
            for some, _, seen in parts
        ]
        if past is not None:
            scores.append(queries @ past.start[layer][0].T)
        weights = _softmax(np.concatenate(scores, axis=2))
        cuts = np.cumsum([one.shape[2] for one in scores])[:-1]
        shares = np.split(weights, cuts, axis=2)
        seen_values = sum(share @ some for share, (_, some, _) in zip(shares, parts, strict=False))
        if past is not None:
            seen_values = seen_values + shares[-1] @ past.start[layer][1]
        joined: Array = np.asarray(seen_values).reshape(texts, heads, new, self.head)
        joined = joined.transpose(0, 2, 1, 3).reshape(texts, new, -1)
        return keys, values, self._times(joined, f"{name}_output")

    def _times(self, state: Array, name: str) -> Array:
        matrix = self.matrices[f"{name}.weight"].rows()
        flat = state.reshape(-1, state.shape[-1]) @ matrix.T
        return flat.reshape(*state.shape[:-1], -1)

    def _normed(self, state: Array, name: str) -> Array:
        weights = self.vectors[f"{name}.weight"]
        mean = np.einsum("...i,...i->...", state, state)[..., None] / np.float32(state.shape[-1])
        return np.asarray(state / np.sqrt(mean + _SMALL) * weights, dtype=np.float32)


def _rotation(positions: Integers, head: int, base: float) -> tuple[Array, Array]:
    """Return cosines and sines of the angles by which each position turns pairs of components."""
    speeds = base ** (-np.arange(head // 2) / (head // 2))
    angles = positions[..., None] * speeds
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def _rotated(state: Array, turn: tuple[Array, Array]) -> Array:
    cosines, sines = turn
    half = state.shape[-1] // 2
    first, second = state[..., :half], state[..., half:]
    return np.concatenate(
        [first * cosines - second * sines, first * sines + second * cosines], axis=-1
    )


def _gelu(state: Array) -> Array:
    """Return the Gaussian error linear unit, by its approximation with the hyperbolic tangent."""
    inner = np.float32(np.sqrt(2 / np.pi)) * (state + np.float32(0.044715) * state * state * state)
    return np.asarray(np.float32(0.5) * state * (1 + np.tanh(inner)), dtype=np.float32)


def _softmax(scores: Array) -> Array:
    shifted = np.exp(scores - scores.max(-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(-1, keepdims=True), dtype=np.float32)


def one_thread() -> AbstractContextManager[object]:
    """Return a context in which products of matrices take one thread.

    With two, a mini beside three other programs took 21 s of CPU time instead of 3, in six times as
    many seconds, since threads that wait for each other keep their processors busy.
    """
    from threadpoolctl import threadpool_limits

    limits: AbstractContextManager[object] = threadpool_limits(1, "blas")
    return limits


def padded(texts: Sequence[Sequence[int]]) -> tuple[Integers, Integers]:
    """Return the tokens of texts as rows, filled with token 0 at the end, and their lengths."""
    lengths = np.array([len(text) for text in texts])
    rows = np.zeros((len(texts), int(lengths.max(initial=0))), dtype=np.int64)
    for row, text in zip(rows, texts, strict=True):
        row[: len(text)] = text
    return rows, lengths
