"""Mistakes at the command line, from ``mistakes.toml``: one line each, and nothing is changed."""

from __future__ import annotations

import gzip
import os
import shlex
import tomllib
from pathlib import Path

import pytest
from helpers import run

from satcross.cli import BAD_INPUT

DATA = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8"))
BINARY = {
    "rubbish.bin": bytes(range(256)),
    "damaged.gz": gzip.compress(b"cat\n" * 100)[:-9],
    "utf32.txt": "___".encode("utf-32"),
    "broken.puz": b"\0\1ACROSS&DOWN\0" + bytes(10),
    "deep.json": b"[" * 200_000,
    "p.png": b"\x89PNG\r\n",
    "packed.docx": b"PK\x03\x04\0\0",
}


def content(folder: Path) -> dict[str, bytes | None]:
    return {path.name: path.read_bytes() if path.is_file() else None for path in folder.iterdir()}


@pytest.mark.parametrize(
    ("line", "message"), [case for cases in DATA["lines"].values() for case in cases]
)
def test_a_mistake_is_one_line_and_leaves_everything(
    tmp_path: Path, line: str, message: str
) -> None:
    for name, data in {**{k: v.encode() for k, v in DATA["files"].items()}, **BINARY}.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "dir.png").mkdir()
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe.puz")
    (tmp_path / "link.puz").symlink_to("pipe.puz")
    before = content(tmp_path)
    done = run(tmp_path, *shlex.split(line), given=b"")
    assert (done.returncode, done.stdout) == (BAD_INPUT, b"")
    [error] = done.stderr.decode().splitlines()
    assert error.startswith("satcross: error: ")
    assert message in error
    assert content(tmp_path) == before
