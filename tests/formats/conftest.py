"""A folder for the tests of a module, and the usual texts after each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from satcross.support.texts import TextSettings, use_texts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("formats")


@pytest.fixture(autouse=True)
def usual_texts() -> Iterator[None]:
    yield
    use_texts(TextSettings())
