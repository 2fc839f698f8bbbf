"""Files of the cache are used only if they are what this program wrote for that name."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from satcross.support import cache
from satcross.support.cache import VARIABLE, cache_folder, is_intact, read_sealed, seal, seal_file


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


def test_a_sealed_file_is_read_anew_only_when_it_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    for one, content in ((path, b"some content"), (other, b"OTHER CONTENT")):
        one.write_bytes(content)
        assert not is_intact(one, "name")
        seal_file(one, "name")
        assert is_intact(one, "name")
    assert not is_intact(path, "another name")
    record = path.with_name("file.checked")
    assert not record.exists()  # too fresh for its times to tell a later change
    now = time.time() + 60
    monkeypatch.setattr(time, "time", lambda: now)
    assert is_intact(path, "name")
    assert is_intact(other, "name")
    with monkeypatch.context() as patch:
        opened = Path.open

        def open_record(one: Path, mode: str) -> object:
            assert one != path
            return opened(one, mode)

        patch.setattr(Path, "open", open_record)
        assert is_intact(path, "name")
    sealed, times = path.read_bytes(), (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    for spoilt in (sealed.replace(b"some", b"SOME"), sealed[:-1], sealed[:3], b""):
        path.write_bytes(spoilt)
        os.utime(path, ns=times)
        assert not is_intact(path, "name")
    path.write_bytes(sealed)
    assert is_intact(path, "name")
    record.write_bytes(other.with_name("other.checked").read_bytes())
    path.write_bytes(sealed.replace(b"some", b"SOME"))
    assert not is_intact(path, "name")


def test_a_disk_that_loses_bits_is_noticed_within_a_week(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"some content")
    seal_file(path, "name")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 60)
    assert is_intact(path, "name")
    facts = cache.file_facts(path)
    monkeypatch.setattr(cache, "file_facts", lambda path: facts)
    path.write_bytes(path.read_bytes().replace(b"some", b"sOme"))
    assert is_intact(path, "name")
    monkeypatch.setattr(time, "time", lambda: now + 8 * 24 * 3600)
    assert not is_intact(path, "name")


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
