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


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        "encode lattice.txt default -o out.cnf",
        "encode lattice.txt w.txt --reduce --one-model-per-fill -o out.wcnf.gz",
        "encode decode - --cnf long.cnf",
        "convert lattice.txt out.pdf",
        "check lattice.txt",
        "check lattice.txt w.txt lattice.txt --quality",
        "check lattice.txt default --proof long.cnf long.cnf",
        "words diff default long.cnf",
        "words --regex ^(A+)+$ w.txt",
    ],
)
@pytest.mark.parametrize("seconds", ["1e-9", "0.1"])
def test_work_without_end_stops_at_its_limit(tmp_path: Path, arguments: str, seconds: str) -> None:
    """The machine that does any of this within 0.1 s is not built yet."""
    (tmp_path / "w.txt").write_text("A" * 40 + "B\n" + "cat\n" * 200_000)
    (tmp_path / "lattice.txt").write_text(("_" * 201 + "\n" + "_#" * 100 + "_\n") * 100)
    (tmp_path / "long.cnf").write_text("c 1 r1c1=A\n" * 500_000)
    before = sorted(tmp_path.iterdir())
    ended = run(tmp_path, *arguments.split(), "--time-limit", seconds)
    assert (ended.returncode, ended.stdout) == (30, b"")
    assert ended.stderr.decode().splitlines()[-1].startswith("satcross: ")
    assert f"{float(seconds):g} s" in ended.stderr.decode()
    assert sorted(tmp_path.iterdir()) == before


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
