"""Old names of commands do what the new ones do, and name them in a note."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from helpers import run as run_in

FILES = {
    "s.txt": "___\n_#_\n___\n",
    "w.txt": "cat\ncub\nbed\ntod\n",
    "none.txt": "cat\ncub\n",
    "fill.txt": "CAT\nU█O\nBED\n",
}
OLD_AND_NEW = {
    "fill-region s.txt w.txt --keep fill.txt --region r0c0-2": (
        "solve s.txt w.txt --keep fill.txt --region r0c0-2"
    ),
    "lint s.txt w.txt --style british": "check s.txt -w w.txt --style british",
    "check-proof p.cnf p.drat --json": "check --proof p.cnf p.drat --json",
    "check-proof p.cnf p.drat --structure s.txt -w w.txt --json": (
        "check s.txt w.txt --proof p.cnf p.drat --json"
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    run(tmp_path, "solve s.txt none.txt --proof p.drat")
    return tmp_path


def run(folder: Path, line: str) -> subprocess.CompletedProcess[bytes]:
    return run_in(folder, *line.split())


@pytest.mark.parametrize(("old", "new"), OLD_AND_NEW.items())
def test_an_old_name(folder: Path, old: str, new: str) -> None:
    before, after = run(folder, old), run(folder, new)
    assert before.returncode == after.returncode
    assert _untimed(before.stdout) == _untimed(after.stdout) != b""
    name = new.split()[0]
    assert f"note: the new name of {old.split()[0]} is: satcross {name}".encode() in before.stderr
    assert b"new name" not in run(folder, f"{old} --quiet").stderr
    assert b"new name" not in after.stderr


def _untimed(output: bytes) -> bytes:
    return b"\n".join(line for line in output.splitlines() if b'"seconds"' not in line)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("solve s.txt w.txt --keep fill.txt", "--keep and --region need each other"),
        ("solve s.txt w.txt --region r0c0", "--keep and --region need each other"),
        (
            "solve s.txt w.txt --keep fill.txt --region r0c0 --format sat",
            "--keep can't be used",
        ),
        ("check s.txt --exclude CAT", "give FILL, too"),
        ("check s.txt w.txt fill.txt --proof p.cnf p.drat", "without FILL"),
        ("check --proof p.cnf p.drat --exclude CAT", "need STRUCTURE"),
    ],
)
def test_mistakes(folder: Path, line: str, message: str) -> None:
    done = run(folder, line)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert message in done.stderr.decode()
