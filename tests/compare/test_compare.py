"""``satcross compare`` as somebody at a shell sees it."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from compare.made_up import FAKE, environment, shell
from helpers import PATIENCE, ROOT, as_child_of_tests, killed_at_end, until

from satcross.cli import FILLED, INTERNAL_ERROR, UNKNOWN
from satcross.compare.records import read_records


def test_every_structure_with_every_list(folder: Path) -> None:
    line = "compare s.txt t.txt --words w.txt none.txt --backend backtrack -o runs.jsonl --jobs 2"
    result = shell(folder, line, "--external", f"{FAKE} solve {{cnf}}")
    assert (result.returncode, result.stderr) == (FILLED, "")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["puzzle", "contender", "answer", "wall", "s", "CPU", "s", "MiB"]
    assert [line.split()[:4] for line in lines[1:9]] == [
        [structure, words, contender, answer]
        for structure, words, answer in [
            ("s.txt", "w.txt", "filled"),
            ("s.txt", "none.txt", "unfillable"),
            ("t.txt", "w.txt", "unfillable"),
            ("t.txt", "none.txt", "unfillable"),
        ]
        for contender in ("backtrack", Path(sys.executable).name)
    ]
    assert lines[-1] == "All answers agree: 8 runs on 4 puzzles, 8 with an answer."
    records = list(read_records(str(folder / "runs.jsonl")))
    assert (len(records), len({record.puzzle for record in records})) == (8, 4)
    assert not list(folder.glob("satcross-*"))


def test_a_backend_of_another_package(folder: Path) -> None:
    """As CONTRIBUTING.md says: an entry point, and the template as it is."""
    package = folder / "package"
    (package / "guess-1.0.dist-info").mkdir(parents=True)
    (package / "guess-1.0.dist-info" / "entry_points.txt").write_text(
        "[satcross.backends]\nguess = guessing:Guess\n"
    )
    (package / "guessing.py").write_text((ROOT / "tests/templates/backend.py").read_text())
    line = "compare s.txt -w w.txt --backend backtrack,guess -o runs.jsonl"
    result = shell(folder, line, PYTHONPATH=str(package))
    assert (result.returncode, result.stderr) == (FILLED, "")
    first, second = read_records(str(folder / "runs.jsonl"))
    assert (first.program, second.backend, second.status) == (None, "guess", "filled")
    assert second.program is not None  # so that a change of the module is noticed


def test_formulas_for_programs_have_the_encodings_too(folder: Path) -> None:
    names = "lazy,full,direct,log,order,product,regular"
    line = f"compare s.txt -w w.txt --backend none --encoding {names} --json"
    result = shell(folder, line, "--external", f"mine={FAKE} solve {{cnf}}")
    runs = json.loads(result.stdout)["runs"]
    assert [run["contender"].removeprefix("mine") for run in runs] == [
        "", "/direct", "/log", "/order", "/product", "/regular"
    ]  # fmt: skip
    assert {run["status"] for run in runs} == {"filled"}
    assert [run["encoding"] for run in runs] == names.split(",")[1:]
    assert len({run["variables"] for run in runs}) > 3  # of such a small puzzle


def test_planted_wrong_backends_are_found(folder: Path) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "generate.py").write_text("print('No solution.')")
    line = "compare s.txt --words w.txt -o runs.jsonl --backend backtrack,denier,liar,crasher"
    result = shell(folder, f"{line} --student mine", planted=True)
    assert result.returncode == INTERNAL_ERROR
    for text in (
        "DISAGREEMENT on s.txt with w.txt: filled by backtrack; "
        "unfillable by denier, mine/generate.py\n",
        "WRONG FILL of s.txt with w.txt by liar: ",
        "one of these days",
    ):
        assert text in result.stdout
    assert "agree:" not in result.stdout
    assert {run.contender: run.status for run in read_records(str(folder / "runs.jsonl"))} == {
        "backtrack": "filled",
        "denier": "unfillable",
        "liar": "wrong",
        "crasher": "crashed",
        "mine/generate.py": "unfillable",
    }
    [report] = folder.glob("satcross-report-*.json")
    assert str(report) in result.stdout
    assert json.loads(report.read_text())["rows"] == ["___", "_#_", "___"]


def test_our_own_backends_are_not_believed_without_a_proof(folder: Path) -> None:
    """One that denies a fill is found without anybody who has found it."""
    line = "compare s.txt --words w.txt --certify --backend denier --json"
    result = shell(folder, line, planted=True)
    assert result.returncode == UNKNOWN
    [record] = json.loads(result.stdout)["runs"]
    assert (record["status"], record["reason"]) == ("unknown", "no checked proof")
    assert record["detail"].startswith("while proving: ")


def test_the_deaf_and_the_hanging_are_stopped(folder: Path) -> None:
    line = "compare s.txt --words w.txt --backend deaf --time-limit 0.5 --jobs 2"
    result = shell(folder, line, "--external", f"{FAKE} hang {{cnf}}", planted=True)
    assert result.returncode == UNKNOWN
    assert result.stdout.count("unknown: time limit") == 2
    assert result.stdout.endswith(
        "\nNo two answers to compare: 2 runs on 1 puzzle, 0 with an answer, 2 without an answer "
        "(time limit: 2).\n"
        "No contender has answered s.txt with w.txt.\n"
    )


def test_ctrl_c_gives_what_there_is(folder: Path) -> None:
    command = [sys.executable, "-m", "satcross", "compare", "s.txt", "--words", "w.txt"]
    command += ["--backend", "backtrack", "--external", f"{FAKE} hang {{cnf}}", "-o", "r.jsonl"]
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **environment(folder)},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        # A shell that runs the tests in the background has them ignore it.
        preexec_fn=as_child_of_tests,
    ) as process:
        records = folder / "r.jsonl"
        with killed_at_end(process):
            until(lambda: records.exists() and records.read_bytes(), "a record")
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == UNKNOWN
    assert "Interrupted: 1 run on 1 puzzle, 1 with an answer, of 2 planned." in output
    assert [record.status for record in read_records(str(folder / "r.jsonl"))] == ["filled"]
    assert not list(folder.glob("satcross-run-*"))


def test_a_terminal_gets_a_live_table(folder: Path) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "satcross", "compare", "s.txt", "--words", "w.txt"],
        cwd=folder,
        env={**os.environ, **environment(folder), "TERM": "xterm", "COLUMNS": "100"},
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    shown = b""
    with killed_at_end(process):
        with suppress(OSError):  # how a terminal says that the other side is gone
            while select.select([master], [], [], PATIENCE)[0] and (more := os.read(master, 4096)):
                shown += more
        os.close(master)
        assert process.wait(timeout=PATIENCE) == FILLED
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode())
    assert "0 of 3 runs" in text
    assert "running" in text
    assert "All answers agree: 3 runs on 1 puzzle, 3 with an answer." in text
