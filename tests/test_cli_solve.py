"""``satcross solve`` as somebody at a shell sees it."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import DATA
from PIL import Image

from satcross.cli import BAD_INPUT, FILLED, UNFILLABLE, UNKNOWN

STRUCTURE = "___\n_#_\n___\n"
WORDS = "cat\ncub\nbed\ntod\n"
BOTH_FILLS = ("CAT\nU█O\nBED\n", "CUB\nA█E\nTOD\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "s.txt").write_text(STRUCTURE)
    (tmp_path / "w.txt").write_text(WORDS)
    return tmp_path


def run(
    folder: Path, *arguments: str, given: bytes | None = None, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "satcross", *arguments],
        cwd=folder,
        input=given,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        timeout=120,
        check=False,
    )


def test_prints_the_grid(folder: Path) -> None:
    result = run(folder, "solve", "s.txt", "w.txt")
    assert result.returncode == FILLED
    assert result.stdout.decode() in BOTH_FILLS
    assert result.stderr == b""


def test_ascii_terminals_get_ascii(folder: Path) -> None:
    result = run(folder, "solve", "s.txt", "w.txt", encoding="cp1252")
    assert result.returncode == FILLED
    assert result.stdout.decode("ascii") in [fill.replace("█", "#") for fill in BOTH_FILLS]


def test_draws_a_picture(folder: Path) -> None:
    assert run(folder, "solve", "s.txt", "w.txt", "out.png").returncode == FILLED
    with Image.open(folder / "out.png") as picture:
        assert (picture.format, picture.size, picture.mode) == ("PNG", (300, 300), "RGBA")


def test_output_after_the_structure(folder: Path) -> None:
    assert run(folder, "solve", "s.txt", "out.json", "-w", "w.txt", "--quiet").returncode == FILLED
    assert json.loads((folder / "out.json").read_text())["status"] == "filled"


def test_writes_text(folder: Path) -> None:
    result = run(folder, "solve", "s.txt", "w.txt", "out.txt")
    assert (folder / "out.txt").read_bytes() == result.stdout


def test_json(folder: Path) -> None:
    data = json.loads(run(folder, "solve", "s.txt", "w.txt", "--json", "--seed", "3").stdout)
    assert data["status"] == "filled"
    assert data["grid"] in (["CAT", "U#O", "BED"], ["CUB", "A#E", "TOD"])
    assert data["slots"][2] == {
        "name": "2D",
        "row": 0,
        "column": 2,
        "direction": "down",
        "length": 3,
        "word": data["slots"][2]["word"],
    }
    assert data["score"] == 200
    assert data["optimal"] is None
    assert data["seed"] == 3
    assert set(data["seconds"]) == {"load", "encode", "solve"}
    assert data["versions"]["satcross"]


def test_json_of_an_unfillable_puzzle(folder: Path) -> None:
    (folder / "w.txt").write_text("cat\ndog\n")
    result = run(folder, "solve", "s.txt", "w.txt", "--json")
    assert result.returncode == UNFILLABLE
    data = json.loads(result.stdout)
    assert data["status"] == "unfillable"
    assert data["grid"] == ["...", ".#.", "..."]
    assert data["slots"][0]["word"] is None


def test_several_backends(folder: Path) -> None:
    result = run(folder, "solve", "s.txt", "w.txt", "--backend", "sat,cpsat,backtrack")
    lines = result.stdout.decode().splitlines()
    assert "\n".join(lines[:3]) + "\n" in BOTH_FILLS
    assert lines[4].split() == ["backend", "status", "encode", "s", "solve", "s"]
    assert [line.split()[:2] for line in lines[5:]] == [
        ["sat", "filled"],
        ["cpsat", "filled"],
        ["backtrack", "filled"],
    ]


def test_unfillable(folder: Path) -> None:
    (folder / "s.txt").write_text("____\n")
    result = run(folder, "solve", "s.txt", "w.txt", "out.png")
    assert result.returncode == UNFILLABLE
    assert result.stdout.decode() == "No solution: there is no word of 4 letters for 1A.\n"
    assert not (folder / "out.png").exists()


def test_time_limit(folder: Path) -> None:
    (folder / "s.txt").write_text("_________\n" * 9)
    result = run(folder, "solve", "s.txt", "--time-limit", "0.5")
    assert result.returncode == UNKNOWN
    assert result.stdout.decode() == "Unknown: time limit.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("backend", ["backtrack", "sat", "cpsat", "auto"])
def test_interrupting(folder: Path, backend: str) -> None:
    (folder / "s.txt").write_text("_________\n" * 9)
    command = [sys.executable, "-m", "satcross", "solve", "s.txt", "--backend", backend]
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(4)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == UNKNOWN
    assert (out, err) == (b"Unknown: interrupted.\n", b"")


def test_standard_input_gzip_and_several_lists(folder: Path) -> None:
    (folder / "more.gz").write_bytes(gzip.compress(b"bed;10\ntod;20\n"))
    result = run(
        folder, "solve", "s.txt", "-", "-w", "more.gz", given=b"cat\ncub\n", encoding="utf-8"
    )
    assert result.stdout.decode() in BOTH_FILLS


def test_rules(folder: Path) -> None:
    words = "cat\ncub\nbed\ntod\ncot;9\nted;9\n"
    (folder / "w.txt").write_text(words)
    result = run(folder, "solve", "s.txt", "w.txt", "--lock", "1a=cub", "--min-score", "10")
    assert result.stdout.decode() == BOTH_FILLS[1]
    result = run(folder, "solve", "s.txt", "w.txt", "--exclude", "cat", "--min-score", "10")
    assert result.returncode == UNFILLABLE
    (folder / "s.txt").write_text("c__\n_#_\n__D\n")
    assert run(folder, "solve", "s.txt", "w.txt", "--letters").returncode == FILLED
    (folder / "two.txt").write_text("___\n###\n___\n")
    (folder / "one.txt").write_text("cat\n")
    assert run(folder, "solve", "two.txt", "one.txt").returncode == UNFILLABLE
    assert run(folder, "solve", "two.txt", "one.txt", "--allow-repeats").returncode == FILLED


def test_oddities_are_noted_once(folder: Path) -> None:
    (folder / "w.txt").write_bytes(b"\xef\xbb\xbfcat\ncub\nbed\ntod\nice cream\nhot dog\n")
    result = run(folder, "solve", "s.txt", "w.txt")
    assert result.stderr.decode().splitlines() == [
        "satcross: note: w.txt: byte order mark ignored",
        "satcross: note: w.txt: 2 lines dropped, blank inside the word (first line 5: 'ice cream')",
    ]
    assert run(folder, "solve", "s.txt", "w.txt", "--quiet").stderr == b""


BAD = {
    "missing file": (["nowhere.txt", "w.txt"], "nowhere.txt: no such file; check the name"),
    "directory": ([".", "w.txt"], ".: is a directory; name a file in it"),
    "binary structure": (["rubbish.bin", "w.txt"], "rubbish.bin: not a text file; give plain"),
    "binary list": (["s.txt", "rubbish.bin"], "rubbish.bin: not a text file; give plain"),
    "damaged gzip": (["s.txt", "damaged.gz"], "damaged.gz: damaged gzip file"),
    "empty structure": (["empty.txt", "w.txt"], "empty.txt: the structure is empty; write _ for"),
    "no slot": (["noslot.txt", "w.txt"], "noslot.txt: the structure has no slot: "),
    "empty list": (["s.txt", "empty.txt"], "empty.txt: the list has no word; write one word a"),
    "bad score": (["s.txt", "score.txt"], "score.txt:2: bad score 'high'; write word;score"),
    "no such slot": (["s.txt", "w.txt", "--lock", "9A=CAT"], "the grid has no slot 9A; it has"),
    "bad lock": (["s.txt", "w.txt", "--lock", "CAT"], "bad lock 'CAT'; write it as 14A=WORD"),
    "locks that cross": (
        ["s.txt", "w.txt", "--lock", "1A=CAT", "--lock", "1D=DOG"],
        "the locks of 1A and 1D contradict each other: C and D at row 1, column 1; drop one",
    ),
    "one slot, two locks": (
        ["s.txt", "w.txt", "--lock", "1A=CAT", "--lock", "1A=COT"],
        "1A is locked twice, as CAT and as COT; drop one",
    ),
    "no folder": (["s.txt", "w.txt", "no/where.png"], "no/where.png: no such folder; make the"),
    "output a directory": (["s.txt", "w.txt", "dir.png"], "dir.png: is a directory; name a file"),
    "output format": (["s.txt", "w.txt", "out.gif"], "out.gif: can't write .gif; choose .png"),
    "unknown backend": (["s.txt", "w.txt", "--backend", "magic"], "'magic' is none of auto, sat"),
    "unknown solver": (
        ["s.txt", "w.txt", "--backend", "sat", "--solver", "magic"],
        "there is no SAT solver 'magic' here; choose from cadical153",
    ),
    "twice stdin": (["-", "-"], "standard input can be read only once"),
    "negative limit": (["s.txt", "w.txt", "--time-limit", "-1"], "--time-limit"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_leaves_nothing(folder: Path, case: str) -> None:
    (folder / "rubbish.bin").write_bytes(bytes(range(256)))
    (folder / "damaged.gz").write_bytes(gzip.compress(b"cat\n" * 100)[:-9])
    (folder / "empty.txt").write_bytes(b"")
    (folder / "noslot.txt").write_text("#_#\n_#_\n")
    (folder / "score.txt").write_text("cat;5\ndog;high\n")
    (folder / "dir.png").mkdir()
    before = sorted(folder.iterdir())
    arguments, complaint = BAD[case]
    result = run(folder, "solve", *arguments, given=b"")
    message = result.stderr.decode()
    assert result.returncode == BAD_INPUT, message
    assert complaint in message
    assert "Traceback" not in message
    assert [line for line in message.splitlines() if "rror" in line][-1] == message.splitlines()[-1]
    assert result.stdout == b""
    assert sorted(folder.iterdir()) == before


def test_a_failed_write_leaves_the_old_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from satcross import InputError
    from satcross.formats.files import write_atomically

    target = folder / "out.txt"
    target.write_text("old")

    def fail(path: Path) -> None:
        path.write_text("half")
        raise OSError("disk full")

    with pytest.raises(InputError, match="disk full"):
        write_atomically(str(target), fail)
    assert target.read_text() == "old"
    assert sorted(path.name for path in folder.iterdir()) == ["out.txt", "s.txt", "w.txt"]


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['satcross', '--help']\n"
        "from satcross.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'ortools', 'pysat', 'PIL', 'pandas', 'multiprocessing'}\n"
        "sys.exit(','.join(heavy & set(sys.modules)) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert result.returncode == 0, result.stderr
    assert b"solve" in result.stdout


def test_every_command_has_help_with_an_example() -> None:
    from satcross.cli import COMMANDS

    for name in COMMANDS:
        result = run(DATA, name, "--help")
        assert result.returncode == 0
        assert b"xample" in result.stdout


def test_the_example_of_the_readme(tmp_path: Path) -> None:
    result = run(
        tmp_path,
        "solve",
        str(DATA / "structure1.txt"),
        str(DATA / "words1.txt"),
        str(tmp_path / "crossword.png"),
    )
    text = result.stdout.decode()
    assert result.returncode == FILLED
    assert "INTELLIGENCE" in text
    assert (tmp_path / "crossword.png").exists()
