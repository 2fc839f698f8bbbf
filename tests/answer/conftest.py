"""Tiny prepared dictionaries for all tests of sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from dictionaries import write_all

from satcross.answer.dictionaries.prepare import DICTIONARIES, OPTIONAL
from satcross.answer.dictionaries.store import VARIABLE


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tiny dictionaries in the formats of the real ones."""
    folder = tmp_path_factory.mktemp("published")
    write_all(folder)
    return folder


@pytest.fixture(scope="session")
def prepared_folder(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, str(folder))
        for name, dictionary in DICTIONARIES.items():
            if name not in OPTIONAL:
                dictionary.make(published, lambda line: None)
    return folder


@pytest.fixture
def prepared(prepared_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the tiny dictionaries, set up."""
    monkeypatch.setenv(VARIABLE, str(prepared_folder))
    return prepared_folder


@pytest.fixture
def folder(prepared_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with WordNet alone."""
    (tmp_path / "wordnet.sqlite").write_bytes((prepared_folder / "wordnet.sqlite").read_bytes())
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path
