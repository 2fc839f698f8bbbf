"""Files of the cache are used only if they are what this program wrote for that name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from satcross.support.cache import VARIABLE, cache_folder, read_sealed, seal


@pytest.mark.parametrize("content", [b"", b"some content", b"x" * 100_000])
def test_a_sealed_file_is_known_by_name_and_content(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert read_sealed(path, "name") is None
    whole = seal("name", content)
    path.write_bytes(whole)
    assert read_sealed(path, "name") == content
    assert read_sealed(path, "another name") is None
    for other in (whole[1:], whole[:-1], whole + b"x", whole[:-1] + bytes([whole[-1] ^ 1]), b""):
        path.write_bytes(other)
        assert read_sealed(path, "name") is None
    path.unlink()
    assert read_sealed(path, "name") is None


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_folder_that_others_can_write_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv(VARIABLE, str(folder))
    assert cache_folder() == folder  # does not exist yet
    folder.mkdir()
    for mode, used in ((0o700, True), (0o755, True), (0o775, True), (0o777, False)):
        folder.chmod(mode)
        assert (cache_folder() == folder) is used
    folder.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    assert cache_folder() is None
