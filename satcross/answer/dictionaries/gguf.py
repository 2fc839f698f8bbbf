"""Read a GGUF file: the settings, tokens and tensors of a language model.

The layout is that of the GGUF specification, version 3. Tensors of the formats F32, F16, Q8_0,
Q5_0, Q4_K and Q6_K can be read; a block of 32 or 256 quantised numbers has its own scales.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Bytes = NDArray[np.uint8]

_MAGIC, _VERSION = b"GGUF", 3
_ALIGNMENT = 32
_STRING, _LIST = 8, 9
_NUMBERS = {
    0: "<u1",
    1: "<i1",
    2: "<u2",
    3: "<i2",
    4: "<u4",
    5: "<i4",
    6: "<f4",
    7: "<u1",
    10: "<u8",
    11: "<i8",
    12: "<f8",
}
"""The formats of numbers, by their number in the file."""


@dataclass(slots=True)
class GgufFile:
    """Settings by name, and tensors that are decoded when they are asked for."""

    content: bytes
    settings: dict[str, Any] = field(default_factory=dict)
    tensors: dict[str, tuple[tuple[int, ...], int, int]] = field(default_factory=dict)
    """Name -> shape with the rows first, number of the format, place in the file."""

    def tensor(self, name: str) -> Array:
        """Return a tensor. Raises KeyError without it, ValueError if it can't be read."""
        shape, kind, place = self.tensors[name]
        if kind not in _FORMATS:
            raise ValueError(f"{name} has the format {kind}")
        numbers, size, decode = _FORMATS[kind]
        count = prod(shape)
        length = count // numbers * size
        if place + length > len(self.content):
            raise ValueError(f"{name} is incomplete")
        blocks = np.frombuffer(self.content, np.uint8, length, place).reshape(-1, size)
        return np.asarray(decode(blocks), dtype=np.float32).reshape(shape)


def read_gguf(content: bytes) -> GgufFile:
    """Read the settings and the list of tensors. Raises ValueError for any other content."""
    try:
        return _Reader(content).read()
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise ValueError(f"not a GGUF file ({error})") from None


class _Reader:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._place = 0

    def read(self) -> GgufFile:
        magic = self._take(4)
        if magic != _MAGIC or self._number("<I") != _VERSION:
            raise ValueError("not a GGUF file of version 3")
        tensors, settings = self._number("<Q"), self._number("<Q")
        found = GgufFile(self._content)
        for _ in range(settings):
            name = self._text()
            found.settings[name] = self._value(self._number("<I"))
        places = []
        for _ in range(tensors):
            name = self._text()
            shape = [self._number("<Q") for _ in range(self._number("<I"))]
            places.append((name, tuple(reversed(shape)), self._number("<I"), self._number("<Q")))
        unit = int(found.settings.get("general.alignment", _ALIGNMENT))
        start = -(-self._place // unit) * unit
        for name, shape_, kind, place in places:
            found.tensors[name] = (shape_, kind, start + place)
        return found

    def _take(self, size: int) -> bytes:
        found = self._content[self._place : self._place + size]
        if len(found) < size:
            raise ValueError("the GGUF file is incomplete")
        self._place += size
        return found

    def _number(self, layout: str) -> int:
        (number,) = struct.unpack(layout, self._take(struct.calcsize(layout)))
        return int(number)

    def _text(self) -> str:
        return self._take(self._number("<Q")).decode("utf-8")

    def _value(self, kind: int) -> Any:
        if kind == _STRING:
            return self._text()
        if kind == _LIST:
            of, length = self._number("<I"), self._number("<Q")
            if of in _NUMBERS:
                layout = np.dtype(_NUMBERS[of])
                return np.frombuffer(self._take(length * layout.itemsize), layout)
            return [self._value(of) for _ in range(length)]
        if kind not in _NUMBERS:
            raise ValueError(f"the GGUF file has a value of the kind {kind}")
        layout = np.dtype(_NUMBERS[kind])
        return np.frombuffer(self._take(layout.itemsize), layout)[0].item()


def _half(blocks: Bytes, place: int) -> Array:
    """Return the 16-bit number at a place of every block, as a column."""
    pair = np.ascontiguousarray(blocks[:, place : place + 2])
    return pair.view("<f2").astype(np.float32)


def _float32(blocks: Bytes) -> Array:
    return blocks.view("<f4")


def _float16(blocks: Bytes) -> Array:
    return blocks.view("<f2").astype(np.float32)


def _q8_0(blocks: Bytes) -> Array:
    numbers = np.ascontiguousarray(blocks[:, 2:]).view(np.int8)
    return np.asarray(_half(blocks, 0) * numbers, dtype=np.float32)


def _q5_0(blocks: Bytes) -> Array:
    high = np.unpackbits(blocks[:, 2:6], axis=1, bitorder="little")
    low = np.concatenate([blocks[:, 6:] & 15, blocks[:, 6:] >> 4], axis=1)
    numbers = (low | high << 4).astype(np.float32) - 16
    return np.asarray(_half(blocks, 0) * numbers, dtype=np.float32)


def _q4_k(blocks: Bytes) -> Array:
    """Decode blocks of 256: eight parts with a scale and a least value of six bits each."""
    first, second, third = blocks[:, 4:8], blocks[:, 8:12], blocks[:, 12:16]
    scales = np.concatenate([first & 63, third & 15 | first >> 6 << 4], axis=1)
    least = np.concatenate([second & 63, third >> 4 | second >> 6 << 4], axis=1)
    packed = blocks[:, 16:].reshape(-1, 4, 1, 32)
    numbers = np.concatenate([packed & 15, packed >> 4], axis=2).reshape(-1, 8, 32)
    scale, offset = _half(blocks, 0) * scales, _half(blocks, 2) * least
    return np.asarray(scale[:, :, None] * numbers - offset[:, :, None], dtype=np.float32)


def _q6_k(blocks: Bytes) -> Array:
    """Decode blocks of 256: sixteen parts with a scale of eight bits each."""
    low = blocks[:, :128].reshape(-1, 2, 1, 64)
    low = np.concatenate([low & 15, low >> 4], axis=2).reshape(-1, 2, 4, 32)
    packed = blocks[:, 128:192].reshape(-1, 2, 1, 32)
    high = np.concatenate([packed >> shift & 3 for shift in (0, 2, 4, 6)], axis=2)
    numbers = (low | high << 4).astype(np.float32).reshape(-1, 16, 16) - 32
    scales = np.ascontiguousarray(blocks[:, 192:208]).view(np.int8)
    scale = _half(blocks, 208) * scales
    return np.asarray(scale[:, :, None] * numbers, dtype=np.float32)


_FORMATS: dict[int, tuple[int, int, Callable[[Bytes], Array]]] = {
    0: (1, 4, _float32),
    1: (1, 2, _float16),
    6: (32, 22, _q5_0),
    8: (32, 34, _q8_0),
    12: (256, 144, _q4_k),
    14: (256, 210, _q6_k),
}
"""Number of the format -> numbers in a block, bytes of a block, decoder."""
