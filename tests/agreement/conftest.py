from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def reports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports about internal errors are written into a folder of the test."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
