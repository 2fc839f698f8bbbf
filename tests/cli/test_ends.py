"""How the program ends when it is stopped, out of memory or has nowhere to speak."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers import PATIENCE, run, started, until

import satcross.cli

posix = pytest.mark.skipif(os.name != "posix", reason="signals")


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_no_temporary_file_is_left_beside_the_output(
    tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "g.txt").write_text("_____\n" * 5)
    letters = "ABCDEFGHIJ"
    words = (a + b + c + d + e for a in letters for b in letters for c in letters
             for d in letters for e in letters)  # fmt: skip
    (tmp_path / "w.txt").write_text("\n".join(words))
    arguments = ("encode", "g.txt", "--words", "w.txt", "-o", "out.cnf")
    with started(tmp_path, *arguments) as process:
        until(lambda: list(tmp_path.glob(".satcross-*")) or process.poll() is not None, "a file")
        process.send_signal(number)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 30, said
    assert said.decode().splitlines()[-1] == "satcross: interrupted"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["g.txt", "w.txt"]


def test_out_of_memory_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(**_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(satcross.cli.cli, "main", full)
    monkeypatch.setattr(sys, "stderr", sys.stderr)  # main wraps it
    before = signal.getsignal(signal.SIGTERM)
    try:
        with pytest.raises(SystemExit) as ended:
            satcross.cli.main()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended.value.code == 30
    sys.stderr.detach()  # type: ignore[union-attr]  # or else it would close the captured one
    assert capsys.readouterr().err.splitlines() == [
        "satcross: out of memory: use fewer words, a smaller grid or another backend"
    ]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that takes nothing")
@pytest.mark.parametrize(("words", "code"), [("cat\n", 0), ("cats\n", 20), ("\n", 2)])
def test_a_full_stderr_changes_neither_the_answer_nor_the_code(
    tmp_path: Path, words: str, code: int
) -> None:
    (tmp_path / "g.txt").write_text("___\n\n")  # a blank line gives a note
    (tmp_path / "w.txt").write_text(words)
    arguments = ["solve", "g.txt", "--words", "w.txt"]
    usual = run(tmp_path, *arguments)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "satcross", *arguments],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
        )
    assert (done.returncode, done.stdout) == (code, usual.stdout)
    assert (usual.returncode, bool(usual.stderr)) == (code, True)
