"""A folder with a ring, ``s.txt``, and a list, ``w.txt``, whose words have two fills."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.txt").write_text("___\n_#_\n___\n")
    (tmp_path / "w.txt").write_text("cat\ncub\nbed\ntod\n")
    return tmp_path
