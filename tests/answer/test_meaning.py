"""Nearness in meaning as a source, with the encoder's part played by a table of vectors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from satcross.answer.clue import Clue, SourceSettings
from satcross.answer.sources import meaning
from satcross.answer.sources.registry import open_source
from satcross.support import packages
from satcross.vocabulary import Vocabulary

PIECES: dict[str, int] = {}


class Words:
    """Splits texts into words, which it numbers."""

    def encode_batch(self, texts: Sequence[str], **_: object) -> list[SimpleNamespace]:
        return [
            SimpleNamespace(ids=[PIECES.setdefault(w, len(PIECES)) for w in text.lower().split()])
            for text in texts
        ]


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The packages and libraries, played by vectors of which those of camel and hump are near."""

    @contextmanager
    def files(*_: object) -> Iterator[Path]:
        (tmp_path / "tokenizer.json").write_text("{}")
        yield tmp_path

    def vectors(*_: object) -> np.ndarray:
        found = np.random.default_rng(1).normal(size=(1000, 384)).astype(np.float32)
        Words().encode_batch(["hump camel"])
        found[PIECES["hump"]] = found[PIECES["camel"]] + 0.1
        return found

    monkeypatch.setattr(packages, "package_files", files)
    monkeypatch.setattr(meaning, "_tokenizer", lambda rules: Words())
    monkeypatch.setattr(meaning, "_piece_vectors", vectors)


@pytest.mark.usefixtures("played")
def test_words_near_the_clue_come_first(folder: Path) -> None:
    assert meaning.make(None, lambda line: None).parent == folder
    source = open_source("meaning", SourceSettings(Vocabulary(["CAMEL", "HORSE"])))
    found = sorted(source.candidates(Clue("1A", "Hump", 5), 5), key=lambda p: -p.score)
    assert found[0].word == "CAMEL"
    assert found[0].features["meaning.word.rank"] == 1
    assert {len(proposal.word) for proposal in found} == {5}
    assert list(source.candidates(Clue("1A", "___ it", 5), 5)) == []
